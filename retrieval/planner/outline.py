"""A question read by its outline: what is asked for, who is described, and what is claimed, in any order of words.

No grammar has to hold the whole question: it is taken to pieces. Descriptions of people ("the
person who wrote most in May", "the sender of plan.pdf") become plans, innermost first, and stand from then on like
names. The noun that is asked for is found by its question word. The rest falls into a few claims at relative pronouns,
"but" and denials, and each claim is read slot by slot.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from graph.plan import Intent, Period, Plan
from retrieval.linker import NameIndex
from retrieval.planner.answered import unanswered
from retrieval.planner.claim import Claim
from retrieval.planner.clause_ends import RELATIVE, relative_end
from retrieval.planner.heads import Head, find_head
from retrieval.planner.items import Item, Tagged
from retrieval.planner.look import NAMES, denies, tag_at
from retrieval.planner.notes import lines_said
from retrieval.planner.otherwise import said_otherwise
from retrieval.planner.recipient_numbers import numbers_written_to, recipient_numbers
from retrieval.planner.sentences import Sentences
from retrieval.planner.wording import (
    first_time,
    left_out,
    of_kind,
    one_of_messages,
    sender_of_one,
    subject_words,
    titled,
    whose,
)

MOST_LEFTOVER = 2


@dataclass
class Reading:
    """A plan with its intent. ``leftover``: words that nothing was made of; ``subject_phrase``: words taken for a part
    of subjects, to be confirmed by the mailbox."""

    plan: Plan
    intent: Intent
    leftover: list[str] = field(default_factory=list)
    subject_phrase: str = ""


@dataclass
class Part:
    """The items of one claim. ``denied``: it is said not to hold; ``relative``: it is a relative clause, with the
    ``preposition`` before its pronoun."""

    items: list[Item]
    denied: bool = False
    relative: bool = False
    preposition: str = ""


def read(tagged: Tagged, index: NameIndex) -> Reading | None:
    """The plan of a question that asks for something countable; None where it asks for what was said."""
    return Outline(tagged, index).read()


class Outline(Sentences):
    """Reads one question."""

    def __init__(self, tagged: Tagged, index: NameIndex) -> None:
        super().__init__(tagged, index)
        self.tagged = tagged
        self.of_people = False
        self.english = tagged.language.code == "en"
        self.that_period = tagged.periods[0] if tagged.periods else None

    def read(self) -> Reading | None:
        """The reading of the whole question."""
        # "only" was understood beside what it limits, or is told as a doubt
        items = [replace(i) for i in self.tagged.items if i.tag != "ONLY"]
        items, to_only = lines_said(said_otherwise(items))
        self.to_role = "to" if to_only else self.to_role
        items = subject_words(whose(left_out(items)))
        items = recipient_numbers(self._together(items))
        head = find_head(items)
        if head is None:
            return None
        for n, item in enumerate(items):  # "who began it, and in which months did that person write?"
            if item is head.item:
                break
            if item.tag == "Q:who" and any(i.tag == "HE" for i in items) and tag_at(items, n - 1) != "N:person":
                item.tag = "WHOEVER"
        of_one = sender_of_one(items, head)
        if one_of_messages(items, head) and not of_one:
            return None
        items = first_time(items, head)
        items = of_kind(unanswered(self._answered_by(items, head), head), head)
        items = numbers_written_to(items, head)
        items = self._same_threads(self._described(titled(items), head))
        if any(i.tag == "SAME" and tag_at(items, n + 1) in ("N:thread", "N:label") for n, i in enumerate(items)):
            return None
        self.items = items
        self.of_people = any(i.tag == "N:person" and i is not head.item for i in items)
        items = self._out_of(items, head)
        items, head = self._asides(items, head)
        choices = self._choices(items, head)
        parts = self._parts(items, head)
        mention = [i for part in parts for i in part.items if i.tag == "V:mention"][:1]
        for part in parts[1:]:  # "mention A but not B", "A is mentioned but B is not"
            bare = not any(i.tag.startswith(("V:", "P:", "N:")) or i.tag in ("PERIOD", "THEWORD") for i in part.items)
            if mention and part.denied and bare:
                part.items[:0] = mention
        for part in parts[1:]:  # "replied to A but never to B"
            acts = any(i.tag.startswith("V:") for i in part.items)
            if part.denied and not acts and any(i.tag in NAMES for i in part.items):
                part.items[:0] = [i for i in parts[0].items if i.tag in ("V:reply", "V:get")]
        claims = [(self._claim(p, head), p) for p in parts]
        _in_the_same_period(self.tagged, [c for c, part in claims if not part.denied])
        leftover = [word for claim, _ in claims for word in claim.leftover]
        if head.sort == "message":  # a denial of which nothing was understood must not be passed over
            leftover += ["what is denied" for claim, part in claims if part.denied and not _says(claim)]
        else:
            self.unread += [
                "what is denied" for claim, part in claims if part.denied and not (_says(claim) or claim.acts)
            ]
        if head.sort != "person":  # "which firm has most people": messages are counted, and not people
            self.unread += [
                "most people" for n, i in enumerate(items) if i.tag == "MOST" and tag_at(items, n + 1) == "N:person"
            ]
        self.unread += ["the gap between the periods" for c, part in claims if part.denied and c.gaps]
        of_mail = any(c.acts for c, _ in claims) or (head.item is not None and head.item.tag == "N:message")
        if head.whole and (leftover or not of_mail):
            return None
        if not self._is_structure(head, [c for c, _ in claims], leftover, bool(choices)):
            return None
        told = [(claim, part.denied) for claim, part in claims]
        plan = self._messages(head, told) if head.sort == "message" else self._items(head, told, choices)
        if plan.target == "messages" and not (plan.filters or plan.not_filters or plan.order_by == "recipients"):
            return None
        anybody = of_one or any(i.tag == "ANYBODY" for i in self.tagged.items)
        plan = replace(plan, persons=plan.persons and not anybody)
        phrase = next((i.text for i in items if i.tag == "SUBJECTWORDS"), "")
        return Reading(plan, self._intent(head, plan), [*leftover, *self.unread], phrase)

    def _is_structure(self, head: Head, claims: list[Claim], leftover: list[str], choosing: bool) -> bool:
        acts = head.role is not None or any(c.acts for c in claims)
        narrowed = any(c.filters or c.besides or c.each or c.at or c.not_from or c.least for c in claims) or bool(
            self.by_recipients
        )
        if head.sort == "message":
            return narrowed and len(leftover) <= MOST_LEFTOVER
        if head.sort == "person":
            placed = any(c.at for c in claims)
            return (
                not leftover and (acts or choosing or placed) and (narrowed or head.most or any(c.most for c in claims))
            )
        return not leftover and (narrowed or acts or head.most or any(c.most for c in claims))

    def _intent(self, head: Head, plan: Plan) -> Intent:
        if head.count and plan.order_by is None:
            return "count"
        if plan.order_by == "date":
            return "last" if plan.descending else "first"
        return "rank" if plan.order_by == "count" else "list"

    def _parts(self, items: list[Item], head: Head) -> list[Part]:
        """The claims of the question: the main one, relative clauses of the head, denials and what "but" adds."""
        place = next((n for n, i in enumerate(items) if i is head.item), 0)
        left, right = items[: head.begin_in(items)], items[place + 1 :]
        gap = Item("GAP", head.item.text if head.item else "", 0, 0)
        inside = [i for i in head.inside if i.tag != "MY" or head.sort == "message"]
        main = Part([*left, *inside, gap], preposition=head.preposition)
        parts = [main]
        current = main
        n = 0
        acted = any(i.tag.startswith("V:") for i in left)
        while n < len(right):
            tag = right[n].tag
            ahead = tag_at(right, n + 1)
            pronoun = n if tag in RELATIVE else n + 1 if tag.startswith("P:") and ahead in RELATIVE else -1
            if pronoun >= 0 and current is main and not acted and right[pronoun].text.lower() not in ("whose",):
                end = relative_end(right, pronoun + 1, english=self.english)
                inner = right[pronoun + 1 : end]
                preposition = tag if tag.startswith("P:") else "P:to" if right[pronoun].tag == "Q:whom" else ""
                parts.append(Part(inner, denies(inner), True, preposition))
                n = end
                continue
            if tag in RELATIVE and ahead == "NEG" and current is main and acted:  # "whom did I write to who never ...?"
                current = Part([])
                parts.append(current)
                n += 1
                continue
            rest = right[n + 1 :]
            stop = next((k for k, x in enumerate(rest) if x.tag in ("END", "OPEN")), len(rest))
            denial = denies(rest[: next((k for k, x in enumerate(rest[:stop]) if x.tag == "COMMA"), stop)])
            joins = tag == "AND" and (ahead.startswith(("V:", "AUX")) or ahead == "NEG")
            begun = any(i.tag.startswith("V:") or i.tag in NAMES for i in current.items)
            if tag == "BUT" and current is not main and not begun:
                n += 1
                continue
            has = any(i.tag == "AUX:have" for i in current.items)
            opposes = tag in ("BUT", "COMMA") and (denial or tag == "BUT") and (acted or has or len(parts) > 1)
            if joins or opposes or (tag == "WITHOUT" and head.sort not in ("message",)):
                current = Part([], denied=tag == "WITHOUT")
                parts.append(current)
                n += 1
                while tag_at(right, n) in ("Q:who", "REL", "BUT") and joins | opposes:
                    n += 1
                continue
            acted = acted or tag.startswith("V:")
            current.items.append(right[n])
            n += 1
        return [p for part in parts for p in self._denials(part, head)]

    def _denials(self, part: Part, head: Head) -> list[Part]:
        """A part in which something is denied: of a message the things behind the denial, of everything else all but
        the description of the noun before it."""
        at = next((n for n, i in enumerate(part.items) if part.items[n].tag in ("NEG", "WITHOUT")), None)
        if at is None:
            return [part]
        if part.relative and head.sort == "message" and part.items[at].tag == "WITHOUT":
            return [replace(part, items=part.items[:at], denied=False), Part(_denied_once(part.items[at:]), True)]
        behind = any(i.tag not in ("END", "CLOSE") for i in part.items[at + 1 :])
        if part.relative or not (behind or any(i.tag == "GAP" for i in part.items)):  # "but B is not"
            return [replace(part, items=[i for i in part.items if i.tag != "NEG"], denied=True)]
        if head.sort == "message":
            cut = at
        else:
            gap = next((n + 1 for n, i in enumerate(part.items) if i.tag == "GAP"), 0)
            cut = gap
            if gap > at:  # "when did X not write? Give me the months"
                cut = 0
            while gap and cut < at and not _acts(part.items, cut):
                cut += 1
        # "without mentioning rivets did Paul send": the main clause goes on behind what is denied
        main = next((n for n in range(cut + 1, len(part.items)) if _main_again(part.items, n)), len(part.items))
        rest = _denied_once(part.items[cut:main])
        mine = [*part.items[:cut], *part.items[main:]]
        denied = Part(rest, True, False, part.preposition if head.sort != "message" else "")
        bare = [i for i in mine if i.tag not in ("GAP", "COMMA")]
        return [Part(mine, False, False, ""), denied] if bare or part.preposition == "" else [denied]

    def _claim(self, part: Part, head: Head) -> Claim:
        part = replace(part, items=_from_them(part.items)) if part.denied and head.sort == "person" else part
        fronted = self._fronted(part.items)
        who = not part.preposition and not fronted and head.sort in ("person", "org")
        return self.claim(part.items, head.sort, part.preposition, who=who)


def _in_the_same_period(tagged: Tagged, claims: list[Claim]) -> None:
    """ "who both wrote to Paul and got mail from him in May": both in May."""
    if len(claims) < 2 or not any(i.tag == "BOTH" for i in tagged.items):
        return
    said = [[f for f in c.filters if isinstance(f, Period)] for c in claims]
    if sum(map(bool, said)) == 1:
        for claim, own in zip(claims, said, strict=True):
            claim.filters += next(filter(None, said)) if claim.filters and not own else []


def _from_them(items: list[Item]) -> list[Item]:
    """ "there is no message from them": they, who are asked for, did not send one."""
    for n, item in enumerate(items):
        if item.tag == "N:message" and tag_at(items, n + 1) in ("P:from", "P:by") and tag_at(items, n + 2) == "HE":
            return [*items[:n], replace(item, tag="V:send"), items[n + 1], *items[n + 3 :]]
    return items


def _denied_once(items: list[Item]) -> list[Item]:
    """What is denied, without the denials: "neither to A nor to B" is A or B, neither of which holds."""
    out: list[Item] = []
    for item in items:
        if item.tag in ("NEG", "WITHOUT"):
            if any(i.tag in (*NAMES, "PERIOD") for i in out):
                out.append(replace(item, tag="OR", vague=True))  # each of them for itself
            continue
        out.append(item)
    return out


def _acts(items: list[Item], n: int) -> bool:
    """A verb begins here, or a name that is its subject."""
    if items[n].tag.startswith(("V:", "AUX", "BUT")):
        return True
    subject = items[n].tag in ("PERSON", "ME", "ME:obj", "HE") and not items[n].possessive
    return subject and not tag_at(items, n - 1).startswith("P:")


def _main_again(items: list[Item], n: int) -> bool:
    """An auxiliary with its subject and a verb: "did Paul send"."""
    subject = tag_at(items, n + 1) in ("PERSON", "ME", "HE")
    return items[n].tag.startswith("AUX") and subject and tag_at(items, n + 2).startswith("V:")


def _says(claim: Claim) -> bool:
    return bool(claim.filters or claim.each or claim.outside or claim.besides or claim.not_from or claim.firms_besides)
