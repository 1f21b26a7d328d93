"""Descriptions of people become plans: "the person who wrote most in May", "the sender of plan.pdf", "whoever ...".

They are read from the last to the first, since inner ones stand behind outer ones, and stand from then on like names.
"""

from __future__ import annotations

from dataclasses import replace

from graph.plan import People, Plan, Role
from retrieval.linker import NameIndex
from retrieval.planner.building import Builder
from retrieval.planner.clause_ends import RELATIVE, later_pronoun, phrase_end, relative_end
from retrieval.planner.heads import Head
from retrieval.planner.items import Item, Tagged
from retrieval.planner.look import NAMES, alternatives, busiest, candidates, message_behind, tag_at

_MODIFIERS = ("MAIN", "MOST", "LONGEST", "FIRST", "LAST", "EXTERNAL")
_PEOPLE = ("N:person", "N:sender", "N:recipient", "N:correspondent", "N:outsider", "WHOEVER")
_AMONG = (["P:at", "PERSON"], ["P:between", "PERSON"])


class Descriptions(Builder):
    """Puts plans in the place of descriptions."""

    def __init__(self, tagged: Tagged, index: NameIndex) -> None:
        super().__init__(index, tagged.language.stopwords)
        self.english = tagged.language.code == "en"

    def _described(self, items: list[Item], head: Head) -> list[Item]:
        """Descriptions in the place of names, from the last to the first, since inner ones stand behind outer ones."""
        i = len(items) - 1
        while i >= 0:
            item = items[i]
            if item is not head.item and item.tag in _PEOPLE:
                items = self._person_at(items, i, head)
            elif item is not head.item and item.tag == "N:thread":
                items = self._thread_at(items, i)
            elif item.tag == "N:message":
                items = self._message_at(items, i, head)
            i = min(i, len(items)) - 1
        return items

    def _person_at(self, items: list[Item], i: int, head: Head) -> list[Item]:
        tag = items[i].tag
        j = i + 1
        whoever = tag == "WHOEVER" and tag_at(items, j).startswith(("V:", "P:at"))
        if whoever and (end := later_pronoun(items, j, english=self.english)):
            moved = items[j:end]
            items = [*items[:i], *moved, items[i], *items[end:]]
            i += len(moved)
            j = i + 1
        if tag == "N:person" and tag_at(items, j).startswith("V:"):
            # "did the person send who ...", "hat die Person geschickt, die mir ..."
            end = later_pronoun(items, j, english=self.english)
            if end == j + 1 or (end == j + 2 and tag_at(items, j + 1).startswith("P:")):
                items = [*items[:i], items[j], items[i], *items[j + 1 :]]
                i, j = i + 1, i + 2
        while tag_at(items, j) in ("P:at", "P:from", "OUTSIDE", "ORG") and (
            tag_at(items, j) == "ORG" or tag_at(items, j + 1) == "ORG"
        ):
            j += 1
        preposition = ""
        if tag_at(items, j).startswith("P:") and tag_at(items, j + 1) in RELATIVE:
            preposition, j = tag_at(items, j), j + 1
        if tag_at(items, j) in RELATIVE and not any(x is head.item for x in items[i : j + 1]):
            if tag_at(items, j) == "Q:whom" and not preposition:
                preposition = "P:to"
            end = relative_end(items, j + 1, english=self.english)
            inner = items[i + 1 : j - (1 if tag_at(items, j - 1) == preposition else 0)] + items[j + 1 : end]
        elif tag_at(items, j) in ("ME", "PERSON", "HE") and "V:" in (tag_at(items, j + 1) + tag_at(items, j + 2)):
            end = relative_end(items, j, english=self.english)  # "the person I wrote to most"
            inner = items[i + 1 : end]
        elif tag == "WHOEVER":
            end = relative_end(items, j, english=self.english)
            inner = items[i + 1 : end]
        elif tag_at(items, j) == "P:with" and tag_at(items, j + 1) in ("MOST", "LEAST", "MORETHAN", "ATLEAST"):
            end = relative_end(items, j, english=self.english)  # "the person with the most mails in the X folder"
            while end > j and not self.english and tag_at(items, end - 1).startswith("V:"):
                end -= 1
            inner = items[j + 1 : end]
        elif tag in ("N:sender", "N:recipient") and tag_at(items, i - 1) == "MOST" and tag_at(items, i - 2) == "P:with":
            return items  # "the message with the most recipients"
        elif tag == "N:sender" and tag_at(items, j) == "N:message" and tag_at(items, j + 1) == "P:at":
            end = phrase_end(items, j + 1)  # "senders of messages in the X folder"
            inner = items[i + 1 : end]
        elif tag != "N:person" and tag_at(items, j) in ("P:at", "P:from", "P:by", "QUOTED", "FILE"):
            end = phrase_end(items, j)
            inner = items[i + 1 : end]
        elif busiest(items, i):
            end = i + 1 + (tag_at(items, i + 1) == "PERIOD")
            inner = items[i + 1 : end]  # "from the busiest writer of May"
        elif j > i + 1 and tag == "N:person":  # "people at X": X
            return [*items[:i], *[x for x in items[i + 1 : j] if x.tag not in ("P:at", "P:from")], *items[j:]]
        else:
            return items
        begin = i
        while begin and items[begin - 1].tag in _MODIFIERS and items[begin - 1] is not head.item:
            begin -= 1
        if begin and items[begin - 1].tag == "ORG" and items[begin - 1].possessive:  # "X's busiest writer"
            begin -= 1
            inner = [Item("P:at", "", 0, 0), *inner]
        while tag_at(items, end) == "COMMA" and tag_at(items, end + 1) in (*NAMES, "BESIDES"):
            stop = end + 2 if tag_at(items, end + 2) == "ASIDE" else 0
            if tag_at(items, end + 1) == "BESIDES":
                stop = end + 2
                while tag_at(items, stop) in (*NAMES, "P:to", "AND"):
                    stop += 1
                stop -= 1
            if not stop:
                break
            inner += items[end + 1 : stop + 1]
            end = stop + 1
            if tag_at(items, end) == "COMMA":
                end += 1
        if tag_at(items, end) == "OPEN" and any(x.tag in ("ASIDE", "BESIDES") for x in items[end : end + 4]):
            stop = next((n for n in range(end, len(items)) if items[n].tag == "CLOSE"), len(items) - 1)
            inner += items[end + 1 : stop]
            end = stop + 1
        plan = self._person_plan(items[begin:i] + inner, preposition, tag)
        if plan is None:
            return items
        return [*items[:begin], Item("PERSON", items[i].text, items[i].start, items[i].stop, plan), *items[end:]]

    def _person_plan(self, inner: list[Item], preposition: str, tag: str) -> Plan | None:
        role: Role | None = {"N:sender": "sender", "N:recipient": "recipient"}.get(tag)  # type: ignore[assignment]
        claim = self.claim(inner, "person", preposition, who=not preposition and not self._fronted(inner))
        if not (claim.filters or claim.each or claim.at or claim.most):
            return None
        return self._ordered(
            self._people_plan(Head("person", None, role=role, external=tag == "N:outsider"), claim), claim, 1
        )

    def _message_at(self, items: list[Item], i: int, head: Head) -> list[Item]:
        """ "the message with the most recipients", "which message has most recipients": how messages are ordered, or
        one message as a plan."""
        most = next((n for n in range(i + 1, min(i + 4, len(items))) if items[n].tag in ("MOST", "MAIN", "LEAST")), 0)
        links = {x.tag for x in items[i + 1 : most]}
        if (
            not most
            or tag_at(items, most + 1) not in ("N:recipient", "N:address")
            or links - {"P:with", "AUX:have", "V:get"}
        ):
            return items
        fewest = items[most].tag == "LEAST"
        if items[i] is head.item:
            self.by_recipients = "fewest" if fewest else "most"
            return [*items[: i + 1], *items[most + 2 :]]
        end = most + 2
        while tag_at(items, end) in ("LABEL", "PERIOD") or (
            tag_at(items, end) == "P:at" and tag_at(items, end + 1) == "LABEL"
        ):
            end += 1
        where = tuple(self.claim(items[most + 2 : end], "message").filters)
        plan = Plan(filters=where, order_by="recipients", descending=not fewest, limit=1)
        return [*items[:i], Item("MESSAGES", items[i].text, i, i + 1, plan), *items[end:]]

    def _same_threads(self, items: list[Item]) -> list[Item]:
        """ "in the same conversations as X": the conversations in which X wrote."""
        for n in range(len(items) - 2):
            if items[n].tag == "SAME" and items[n + 1].tag == "N:thread" and items[n + 2].tag in NAMES:
                whose = self._ids(items[n + 2])
                if whose is not None and items[n + 2].tag != "ORG":
                    wrote = any(i.tag == "V:send" for i in items[:n])
                    plan = Plan("threads", filters=(People("sender" if wrote else "participant", whose),))
                    return [*items[:n], Item("SAMETHREADS", items[n + 1].text, n, n + 1, plan), *items[n + 3 :]]
        return items

    def _thread_at(self, items: list[Item], i: int) -> list[Item]:
        """ "the longest conversation", "conversations that X took part in" as a plan."""
        if tag_at(items, i - 1) in ("P:at", "V:take"):
            begin = i + 1 + (tag_at(items, i + 1) == "P:at")
            end = (
                relative_end(items, begin + 1, english=self.english)
                if tag_at(items, begin) in (*RELATIVE, "Q:content")
                else begin
            )
            inner = items[begin + 1 : end]
            if tag_at(inner, 0) in ("PERSON", "ME") and tag_at(inner, 1) in ("V:take", "V:send", "V:start"):
                wrote = tag_at(inner, 1) == "V:send" or any(x.tag == "N:sender" for x in inner)
                inner = [replace(x, tag="V:send") if wrote and x.tag == "V:take" else x for x in inner]
                plan = Plan("threads", filters=tuple(self.claim(inner, "thread").filters))
                also = "THREADS" if tag_at(inner, 1) == "V:start" else "SAMETHREADS"
                return [*items[:i], Item(also, items[i].text, i, i + 1, plan), *items[end:]]
        if i and items[i - 1].tag in ("LONGEST", "MAIN"):
            end = i + 1
            while tag_at(items, end) == "P:at" and tag_at(items, end + 1) == "N:list":
                end += 2
            begin = end
            while tag_at(items, end) == "PERIOD" or (
                tag_at(items, end) in ("P:with", "P:between") and tag_at(items, end + 1) in NAMES
            ):
                end += 1 if items[end].tag == "PERIOD" else 2
            within = self.claim(items[begin:end], "thread").filters if end > begin else []
            plan = Plan("threads", filters=tuple(within), order_by="count", limit=1)
            return [*items[: i - 1], Item("THREADS", items[i].text, i, i + 1, plan), *items[end:]]
        return items

    def _asides(self, items: list[Item], head: Head) -> tuple[list[Item], Head]:
        """A description in a sentence of its own, or before the question, is whom "they" means later."""
        place = next((n for n, i in enumerate(items) if i is head.item), 0)
        pronouns = [n for n, i in enumerate(items) if i.tag == "HE" and n > place and not message_behind(items, n)]
        before = [i for n, i in enumerate(items[:place]) if i.tag == "PERSON" and tag_at(items, n - 1) != "BESIDES"]
        if not before:
            named = [n for n, i in enumerate(items) if i.tag == "PERSON"]
            if pronouns and named and named[0] < pronouns[0]:
                self.referent = self._ids(items[named[0]])
            return items, head
        if pronouns:
            self.referent = self._ids(before[-1])
            start = next((n for n in range(place, -1, -1) if n == 0 or items[n - 1].tag in ("END", "COMMA", "CLOSE")
                          or items[n - 1] is before[-1]), 0)  # fmt: skip
            items = items[max(start, items.index(before[-1]) + 1) :]
        return items, head

    def _out_of(self, items: list[Item], head: Head) -> list[Item]:
        """ "of the people who ..., who ...?": those described are the ones among whom is looked."""
        for n in range(len(items) - 2):  # "who of those who ...?"
            if items[n] is head.item and [i.tag for i in items[n + 1 : n + 3]] in _AMONG:
                described = items[n + 2].value
                if head.sort == "person" and isinstance(described, Plan):
                    self.among.append(replace(described, persons=False))
                    return [*items[: n + 1], *items[n + 3 :]]
        tags = [i.tag for i in items[:3]]
        opened = tags in (["P:at", "PERSON", "COMMA"], ["P:between", "PERSON", "COMMA"], ["P:from", "PERSON", "COMMA"])
        if head.sort != "person" or not opened or not isinstance(items[1].value, Plan):
            return items
        self.among.append(replace(items[1].value, persons=False))
        if any(i.tag == "HE" and i.text.lower() in ("her", "him", "she", "he") for i in items[3:]):
            self.referent = _named_in(items[1].value)  # "of those who wrote to Paul, how many wrote to him in May?"
        return items[3:]

    def _choices(self, items: list[Item], head: Head) -> list[int]:
        """ "who wrote more, A or B?": the people among whom is chosen, taken out."""
        if head.sort not in ("person", "org"):
            return []
        tags = [i.tag for i in items[:5]]
        if tags == ["P:between", "PERSON", "AND", "PERSON", "COMMA"]:  # "between A and B, who wrote more?"
            a, b = self._ids(items[1]), self._ids(items[3])
            if isinstance(a, tuple) and isinstance(b, tuple):
                del items[:5]
                return [*a, *b]
        if (several := candidates(items)) is not None:  # "among A, B and C"
            begin, end = several
            found = [self._ids(i) for i in items[begin:end] if i.tag == "PERSON"]
            del items[begin - 1 : end]
            return [one for ids in found if isinstance(ids, tuple) for one in ids]
        asked = head.item is not None and head.item.tag.startswith("AUX")  # "did more go to A or to B?"
        for first, last in alternatives(items):
            a, b = self._ids(items[first]), self._ids(items[last])
            free = asked or not tag_at(items, first - 1).startswith(("P:", "V:"))
            if isinstance(a, tuple) and isinstance(b, tuple) and free:
                del items[first : last + 1]
                return [*a, *b]
        return []

    def _fronted(self, items: list[Item]) -> bool:
        """An auxiliary and then a name before the verb, or a name before the verb: the gap is the object."""
        if not self.english:  # French "X a-t-elle": the name before is the subject
            return any(i.tag.startswith("AUX") and " " in i.text and tag_at(items, n - 1) in NAMES
                       for n, i in enumerate(items))  # fmt: skip
        for n, item in enumerate(items):
            if item.tag in ("P:at", "P:from") and tag_at(items, n + 1) == "ORG":
                continue
            if item.tag.startswith("V:") or item.tag.startswith("P:"):
                return False
            if item.tag in ("PERSON", "ME", "HE") and not item.possessive:
                return any(i.tag.startswith("V:") for i in items[n:])
        return False


def _named_in(described: object) -> tuple[int, ...] | None:
    """The person who is named in a description."""
    filters = described.filters if isinstance(described, Plan) else ()
    return next((f.who for f in filters if isinstance(f, People) and isinstance(f.who, tuple)), None)
