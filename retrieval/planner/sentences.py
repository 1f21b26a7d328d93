"""Several sentences become one: what a later one calls "those", "them" or "that colleague" was told in an earlier one.

"I wrote with Ana in spring. How many of those had attachments?" asks for messages of which both sentences hold; "X
answered several people. Which of them answered Y?" asks for people among those of the first; "Somebody opened Z. How
many mails are theirs?" describes one person. Which of these it is, the nouns of the earlier sentence and the verb of
the later one tell.
"""

from __future__ import annotations

from dataclasses import replace

from graph.plan import Plan
from retrieval.planner.answered import Answered
from retrieval.planner.clause_ends import RELATIVE
from retrieval.planner.items import Item
from retrieval.planner.look import NAMES, message_behind, tag_at

_OF_MAIL = ("V:send", "V:get", "N:message", "BACKFORTH", "P:with", "P:between")
_DOES = ("V:send", "V:reply", "V:get", "V:copy", "V:take", "V:start", "V:mention", "ANSWERED")
_TELLING = (*NAMES, "PERIOD", "QUOTED", "LABEL", "FILE", "DOMAIN", "Q:who", "Q:whom", "Q:when")
_SOMEBODY = ("N:person", "WHOEVER", "N:sender", "N:correspondent")
_BARE = ("Q:which", "Q:howmany", "LIST", "AUX", "REL", "N:person", "Q:what", "WORD")


class Sentences(Answered):
    """Puts what earlier sentences told in the place of the words that point back to it."""

    def _together(self, items: list[Item]) -> list[Item]:
        """The items as one sentence, where a later one points back to an earlier one."""
        items = _relative_again(items)
        items = self._joined(items) or items
        self.unread += [i.text for n, i in enumerate(items) if i.tag == "OFTHOSE" and n < 2]
        return [i for i in items if i.tag != "OFTHOSE"]

    def _joined(self, items: list[Item]) -> list[Item] | None:
        end = next((n for n in range(1, len(items)) if _ends(items, n)), len(items) - 1)
        told, asked = items[:end], items[end + 1 :]
        if asked and asked[0].tag == "AND":
            asked = asked[1:]
        if asked and items[end].text == ":" and any(i.tag in ("Q:when", "Q:who", "Q:whom") for i in told):
            return _named_before(told, asked)  # the same is asked twice, the second time in full
        if not asked or any(i.tag.startswith("Q:") and i.tag not in ("Q:who", "Q:whom", "Q:when") for i in told):
            return None
        place = next((n for n, i in enumerate(asked) if i.tag == "OFTHOSE"), None)
        if place is not None and any(i.tag.startswith("Q:") for i in asked[:place]):
            found = self._of_those(told, asked, place)
            self.unread += [asked[place].text] if found is None else []
            return found
        # "Some of those ... Who are they?"
        who = [i.tag for i in asked if i.tag not in ("END", "AUX", "HE", "OPEN", "CLOSE")] == ["Q:who"]
        if who or (all(i.tag in (*_BARE, "END") for i in asked) and asked[0].tag in ("Q:which", "Q:howmany")):
            nouns = ("N:person",) if who else ("N:message", "N:person")
            noun = next((n for n, i in enumerate(told) if i.tag in nouns), None)
            asks = replace(asked[0], tag="Q:which" if who else asked[0].tag)
            if who and noun is not None and any(i.tag.startswith("V:") for i in told[:noun]):
                return [asks, *told[noun:], *told[:noun], Item("END", "", 0, 0)]  # "X's mail went to people ... Who?"
            return None if noun is None else [*told[:noun], asks, *told[noun:], Item("END", "", 0, 0)]
        found = self._that_person(told, asked) or _named_before(told, asked) or _senders_of(told, asked)
        nothing = items[end].text == "." and not any(i.tag in _TELLING for i in told)
        return asked if found is None and nothing else found

    def _of_those(self, told: list[Item], asked: list[Item], place: int) -> list[Item] | None:
        """Messages of which all sentences hold, or people among those who are told of."""
        behind = next((i.tag for i in asked[place + 1 :] if not i.tag.startswith("AUX") and i.tag != "WORD"), "END")
        people = ("N:person", "N:recipient", "N:sender", "Q:who", "Q:whom")
        person = next((n for n, i in enumerate(told) if i.tag in people), None)
        if person is not None and (behind in _DOES or not any(i.tag == "N:message" for i in told)):
            plan = self._told_of(told, person)
            if plan is None:
                return None
            named = next((i for i in told if i.tag == "PERSON"), None)
            self.referent = self._ids(named) if named is not None else None  # "which of them answered her?"
            self.among.append(replace(plan, persons=False))
            noun = replace(asked[place], tag="N:person")
            return [*asked[:place], *([] if tag_at(asked, place - 1) == "Q:who" else [noun]), *asked[place + 1 :]]
        if not any(i.tag in _OF_MAIL for i in told):
            return None
        told = [replace(i, tag="SKIP") if i.tag == "N:message" else i for i in told]
        return [*told, *asked[:place], replace(asked[place], tag="N:message"), *asked[place + 1 :]]

    def _told_of(self, told: list[Item], person: int) -> Plan | None:
        """The people of a sentence: its gap. Behind a verb they are whom it was done to."""
        before, rest = told[:person], told[person + 1 :]
        if told[person].tag in ("Q:who", "Q:whom"):
            asked = "P:to" if told[person].tag == "Q:whom" else ""
            return self._person_plan([*before, *rest], asked, "WHOEVER")
        preposition = tag_at(before, len(before) - 1)
        if preposition.startswith("P:"):
            before = before[:-1]
        if preposition == "P:at" or not preposition.startswith("P:"):
            acted = any(i.tag.startswith("V:") for i in before)
            preposition = "P:to" if acted else ""
        if rest and rest[0].tag in RELATIVE:
            rest = rest[1:]
        return self._person_plan([i for i in (*before, *rest) if i.tag != "OPEN"], preposition, told[person].tag)

    def _that_person(self, told: list[Item], asked: list[Item]) -> list[Item] | None:
        """ "Somebody opened X. How many of their mails ...?": who is told of, in the place of the pronouns."""
        begin = next((n for n, i in enumerate(told) if i.tag in _SOMEBODY), None)
        if begin is None and tag_at(told, 0) == "LIST" and tag_at(told, 1) == "Q:who":  # "Find out who wrote ..."
            told, begin = told[1:], 0
        if begin is None or any(i.tag in ("PERSON", "ME") for i in told[:begin] if tag_at(told, 0) != "BESIDES"):
            return None
        pointing = [n for n in range(len(asked)) if _that_one(asked, n)]
        pointing = pointing or [n for n, i in enumerate(asked) if i.tag == "HE"]
        if not pointing:
            return None
        behind = told[begin + 1 :]
        if tag_at(behind, 0) == "P:with" and tag_at(behind, 1) == "MOST":  # "the sender with the most messages"
            behind = behind[1:]
        inner = [i for i in told[:begin] if not i.tag.startswith(("NUM", "LIST"))] + behind
        plan = self._person_plan(inner, "", "WHOEVER")
        if plan is None:
            return None
        out: list[Item] = []
        for n, item in enumerate(asked):
            if n in pointing:
                out.append(replace(item, tag="PERSON", value=plan, possessive=message_behind(asked, n)))
            elif n - 1 not in pointing or asked[n - 1].tag == "HE":
                out.append(item)
        return out


def _senders_of(told: list[Item], asked: list[Item]) -> list[Item] | None:
    """ "Mails with X in the subject kept coming. From how many people?": who sent them."""
    asks = [i for i in asked if i.tag not in ("END", "COMMA")]
    tags = [i.tag for i in asks]
    if tags not in (["P:from", "Q:howmany", "N:person"], ["P:from", "Q:whom"], ["P:from", "Q:which", "N:person"]):
        return None
    noun = next((n for n, i in enumerate(told) if i.tag == "N:message"), None)
    if noun is None:
        return None
    end = next((n for n, i in enumerate(told) if n > noun and i.tag.startswith("V:")), len(told))
    verb = replace(asked[0], tag="V:send")
    return [*asks[1:], verb, *told[noun:end], Item("END", "", 0, 0)]


def _named_before(told: list[Item], asked: list[Item]) -> list[Item] | None:
    """ "Paul wrote to me from Quay. How many of his messages ...?": his are Paul's."""
    name = next((i for i in told if i.tag == "PERSON"), None)
    his = next((n for n, i in enumerate(asked) if i.tag == "HE" and message_behind(asked, n)), None)
    if name is None or his is None or any(i.tag == "PERSON" for i in asked):
        return None
    return [*asked[:his], replace(name, possessive=True), *asked[his + 1 :]]


def _ends(items: list[Item], n: int) -> bool:
    """The end of a sentence, or of a half that the other half points back to: "...: who ...?", "..., and who of those
    ...?"."""
    if items[n].tag == "END":
        return True
    ahead = [i.tag for i in items[n + 1 : n + 5]]
    asks = next((tag for tag in ahead if tag != "AND"), "").startswith("Q:")
    return items[n].tag == "COMMA" and asks and (items[n].text in ":;" or "OFTHOSE" in ahead)


def _that_one(items: list[Item], n: int) -> bool:
    """ "that colleague"."""
    return items[n].tag == "REL" and tag_at(items, n + 1) == "N:person"


def _relative_again(items: list[Item]) -> list[Item]:
    """ "of those who wrote": no earlier sentence is pointed to, the people are described right there."""
    out: list[Item] = []
    for n, item in enumerate(items):
        behind = tag_at(items, n + 1)
        described = behind in RELATIVE or (behind.startswith("P:") and tag_at(items, n + 2) in RELATIVE)
        if item.tag == "OFTHOSE" and described:
            out += [replace(item, tag="P:at"), replace(item, tag="N:person")]
        elif item.tag not in ("N:person", "N:message") or tag_at(items, n - 1) != "OFTHOSE":
            out.append(item)  # "of those people" are those
    return out
