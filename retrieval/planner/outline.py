"""A question read by its outline: what is asked for, who is described, and what is claimed, in any order of words.

The grammar reads a question whole or not at all. This reading takes it to pieces instead. Descriptions of people ("the
person who wrote most in May", "the sender of plan.pdf") become plans, innermost first, and stand from then on like
names. The noun that is asked for is found by its question word. The rest falls into a few claims at relative pronouns,
"but" and denials, and each claim is read slot by slot.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import pairwise

from graph.plan import Filter, Intent, Kind, People, Period, Plan, Role, Subject, Target
from retrieval.linker import NameIndex
from retrieval.planner.claims import NAMES, Claim, Claims, message_behind
from retrieval.planner.heads import Head, find_head
from retrieval.planner.reader import HEADS
from retrieval.planner.tagging import Item, Tagged

TARGETS: dict[str, Target] = {
    "message": "messages", "person": "people", "org": "organizations", "thread": "threads", "month": "months",
    "label": "labels", "attachment": "attachments",
}  # fmt: skip
MOST_LEFTOVER = 2
_MODIFIERS = ("MAIN", "MOST", "LONGEST", "FIRST", "LAST", "EXTERNAL")
_PEOPLE = ("N:person", "N:sender", "N:recipient", "N:correspondent", "N:outsider", "WHOEVER")
_RELATIVE = ("REL", "Q:who", "Q:whom", "Q:which")
_ADVERBS = ("MOST", "FIRST", "LAST", "BOTH", "SELF", "OTHER")


@dataclass
class Reading:
    """A plan with its intent. ``leftover``: words that nothing was made of."""

    plan: Plan
    intent: Intent
    leftover: list[str] = field(default_factory=list)


@dataclass
class Part:
    """The items of one claim. ``denied``: it is said not to hold; ``pronoun``: a relative clause, with the preposition
    before its pronoun."""

    items: list[Item]
    denied: bool = False
    relative: bool = False
    preposition: str = ""


def read(tagged: Tagged, index: NameIndex) -> Reading | None:
    """The plan of a question that asks for something countable; None where it asks for what was said."""
    return Outline(tagged, index).read()


class Outline(Claims):
    """Reads one question."""

    def __init__(self, tagged: Tagged, index: NameIndex) -> None:
        super().__init__(index, tagged.language.stopwords)
        self.tagged = tagged
        self.of_people = False
        self.english = tagged.language.code == "en"
        self.that_period = tagged.periods[0] if tagged.periods else None

    def read(self) -> Reading | None:
        """The reading of the whole question."""
        items = _left_out(self._roles_said([replace(i) for i in self.tagged.items]))
        head = find_head(items)
        if head is None:
            return None
        tags = {i.tag for i in items}
        if ("SAME" in tags and tags & {"N:thread", "N:label"}) or {"WITHOUT", "N:reply"} <= tags:
            return None
        replies = "V:reply" in tags and "NEG" in tags and head.sort == "person"
        if replies or _most_recipients(items) or _one_of_messages(items, head):
            return None  # these need the grammar
        items = self._described(_titled(items), head)
        self.of_people = any(i.tag == "N:person" and i is not head.item for i in items)
        items, head = self._asides(items, head)
        choices = self._choices(items, head)
        parts = self._parts(items, head)
        claims = [(self._claim(p, head), p) for p in parts]
        leftover = [word for claim, _ in claims for word in claim.leftover]
        if not self._is_structure(head, [c for c, _ in claims], leftover, bool(choices)):
            return None
        plan = self._messages(head, claims) if head.sort == "message" else self._items(head, claims, choices)
        if plan.target == "messages" and not (plan.filters or plan.not_filters):
            return None
        return Reading(plan, self._intent(head, plan), leftover)

    def _is_structure(self, head: Head, claims: list[Claim], leftover: list[str], choosing: bool) -> bool:
        acts = head.role is not None or any(c.acts for c in claims)
        narrowed = any(c.filters or c.each or c.at for c in claims)
        if head.sort == "message":
            return narrowed and len(leftover) <= MOST_LEFTOVER
        if head.sort == "person":
            return not leftover and (acts or choosing) and (narrowed or head.most or any(c.most for c in claims))
        return not leftover and (narrowed or acts or head.most)

    def _intent(self, head: Head, plan: Plan) -> Intent:
        if head.count and plan.order_by is None:
            return "count"
        if plan.order_by == "date":
            return "last" if plan.descending else "first"
        return "rank" if plan.order_by == "count" else "list"

    # -- before the claims --------------------------------------------------------------------

    def _roles_said(self, items: list[Item]) -> list[Item]:
        """ "(To)", "Only count To": a note on how recipients are counted, taken out."""
        out: list[Item] = []
        begin = 0
        for n, item in enumerate([*items, Item("END", "", 0, 0)]):
            if item.tag not in ("END", "OPEN", "CLOSE", "COMMA"):
                continue
            part = items[begin:n]
            tags = {i.tag for i in part if i.tag not in ("NEG", "AND", "SKIP", "COUNTING", "WORD", "Q:howmany")}
            if part and tags and tags <= {"P:to", "ROLE:to", "P:cc", "ROLE:cc", "V:copy"}:
                denied = any(i.tag == "NEG" for i in part)
                if tags & {"P:to", "ROLE:to"} and not (tags & {"P:cc", "ROLE:cc", "V:copy"}) and not denied:
                    self.to_role = "to"
            else:
                out += part
            if n < len(items):
                out.append(item)
            begin = n + 1
        return out

    def _described(self, items: list[Item], head: Head) -> list[Item]:
        """Descriptions in the place of names, from the last to the first, since inner ones stand behind outer ones."""
        i = len(items) - 1
        while i >= 0:
            item = items[i]
            if item is not head.item and item.tag in _PEOPLE:
                items = self._person_at(items, i, head)
            elif item is not head.item and item.tag == "N:thread":
                items = self._thread_at(items, i)
            i = min(i, len(items)) - 1
        return items

    def _person_at(self, items: list[Item], i: int, head: Head) -> list[Item]:
        tag = items[i].tag
        j = i + 1
        if tag == "WHOEVER" and self._at(items, j).startswith(("V:", "P:at")) and self._later_pronoun(items, j):
            end = self._later_pronoun(items, j)
            moved = items[j:end]
            items = [*items[:i], *moved, items[i], *items[end:]]
            i += len(moved)
            j = i + 1
        if tag == "N:person" and not self.english and self._at(items, j).startswith("V:"):
            end = self._later_pronoun(items, j)  # "hat die Person geschickt, die mir ..."
            if end == j + 1:
                items = [*items[:i], items[j], items[i], *items[end:]]
                i, j = i + 1, i + 2
        while self._at(items, j) in ("P:at", "P:from", "OUTSIDE", "ORG") and (
            self._at(items, j) == "ORG" or self._at(items, j + 1) == "ORG"
        ):
            j += 1
        preposition = ""
        if self._at(items, j).startswith("P:") and self._at(items, j + 1) in _RELATIVE:
            preposition, j = self._at(items, j), j + 1
        if self._at(items, j) in _RELATIVE and not any(x is head.item for x in items[i : j + 1]):
            if self._at(items, j) == "Q:whom" and not preposition:
                preposition = "P:to"
            end = self._relative_end(items, j + 1)
            inner = items[i + 1 : j - (1 if self._at(items, j - 1) == preposition else 0)] + items[j + 1 : end]
        elif self._at(items, j) in ("ME", "PERSON", "HE") and "V:" in (self._at(items, j + 1) + self._at(items, j + 2)):
            end = self._relative_end(items, j)  # "the person I wrote to most"
            inner = items[i + 1 : end]
        elif tag == "WHOEVER":
            end = self._relative_end(items, j)
            inner = items[i + 1 : end]
        elif tag != "N:person" and self._at(items, j) in ("P:at", "P:from", "P:by", "QUOTED", "FILE"):
            end = self._phrase_end(items, j)
            inner = items[i + 1 : end]
        elif j > i + 1 and tag == "N:person":  # "people at X": X
            return [*items[:i], *[x for x in items[i + 1 : j] if x.tag not in ("P:at", "P:from")], *items[j:]]
        else:
            return items
        begin = i
        while begin and items[begin - 1].tag in _MODIFIERS and items[begin - 1] is not head.item:
            begin -= 1
        while self._at(items, end) == "COMMA" and self._at(items, end + 1) in (*NAMES, "BESIDES"):
            stop = end + 2 if self._at(items, end + 2) == "ASIDE" else 0
            if self._at(items, end + 1) == "BESIDES":
                stop = end + 2
                while self._at(items, stop) in (*NAMES, "P:to", "AND"):
                    stop += 1
                stop -= 1
            if not stop:
                break
            inner += items[end + 1 : stop + 1]
            end = stop + 1
            if self._at(items, end) == "COMMA":
                end += 1
        if self._at(items, end) == "OPEN" and any(x.tag in ("ASIDE", "BESIDES") for x in items[end : end + 4]):
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

    def _thread_at(self, items: list[Item], i: int) -> list[Item]:
        """ "the longest conversation", "the conversation with the most messages" as a plan."""
        if i and items[i - 1].tag in ("LONGEST", "MAIN", "MOST"):
            end = i + 1
            while self._at(items, end) == "P:at" and self._at(items, end + 1) in ("N:list", "THEREPERIOD"):
                end += 2
            plan = Plan("threads", order_by="count", limit=1)
            return [*items[: i - 1], Item("THREADS", items[i].text, i, i + 1, plan), *items[end:]]
        return items

    def _later_pronoun(self, items: list[Item], j: int) -> int:
        for n in range(j, min(j + 6, len(items))):
            if items[n].tag == "REL":
                return n
        return 0

    def _relative_end(self, items: list[Item], j: int) -> int:
        """Where a relative clause ends: at a second verb, a comma, a question word, the end."""
        seen = False
        while j < len(items):
            tag = items[j].tag
            if tag in ("END", "CLOSE", "BUT", "Q:howmany", "Q:what") or (tag in _RELATIVE and seen):
                break
            if tag == "OPEN" or (tag == "COMMA" and seen):
                break
            if tag.startswith("P:") and self._at(items, j + 1) in ("Q:who", "Q:whom", "Q:which") and seen:
                break
            if (tag.startswith("V:") and tag != "V:file") or tag in ("AUX", "AUX:have"):
                trailing = tag.startswith("AUX") and j and items[j - 1].tag.startswith("V:") and not self.english
                joined = j > 1 and items[j - 1].tag in NAMES and items[j - 2].tag == "AND"
                joined = joined or (tag == "V:copy" and items[j - 1].tag == "V:get")
                if seen and not trailing and not joined:
                    break
                if tag.startswith("V:"):
                    seen = True
            j += 1
        return j

    def _phrase_end(self, items: list[Item], j: int) -> int:
        """Where a noun with its modifiers ends."""
        while j < len(items):
            tag = items[j].tag
            if tag.startswith(("V:", "AUX", "Q:")) or tag in ("END", "COMMA", "CLOSE", "OPEN", "BUT", "REL", "NEG"):
                return j
            if tag in ("MOST", "ME", "ME:obj", "SELF", "PERIOD", "THATPERIOD"):
                return j
            j += 1
        return j

    def _asides(self, items: list[Item], head: Head) -> tuple[list[Item], Head]:
        """A description in a sentence of its own, or before the question, is whom "they" means later."""
        place = next((n for n, i in enumerate(items) if i is head.item), 0)
        pronouns = [n for n, i in enumerate(items) if i.tag == "HE" and n > place and not message_behind(items, n)]
        before = [i for n, i in enumerate(items[:place]) if i.tag == "PERSON" and self._at(items, n - 1) != "BESIDES"]
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

    def _choices(self, items: list[Item], head: Head) -> list[int]:
        """ "who wrote more, A or B?": the people among whom is chosen, taken out."""
        if head.sort != "person":
            return []
        tags = [i.tag for i in items[:5]]
        if tags == ["P:between", "PERSON", "AND", "PERSON", "COMMA"]:  # "between A and B, who wrote more?"
            a, b = self._ids(items[1]), self._ids(items[3])
            if isinstance(a, tuple) and isinstance(b, tuple):
                del items[:5]
                return [*a, *b]
        for n in range(1, len(items) - 1):
            if items[n].tag == "OR" and items[n - 1].tag == items[n + 1].tag == "PERSON":
                before = self._at(items, n - 2) if n > 1 else "END"
                a, b = self._ids(items[n - 1]), self._ids(items[n + 1])
                if isinstance(a, tuple) and isinstance(b, tuple) and not before.startswith(("P:", "V:")):
                    del items[n - 1 : n + 2]
                    return [*a, *b]
        return []

    # -- claims -------------------------------------------------------------------------------

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
            ahead = self._at(right, n + 1)
            pronoun = n if tag in _RELATIVE else n + 1 if tag.startswith("P:") and ahead in _RELATIVE else -1
            if pronoun >= 0 and current is main and not acted and right[pronoun].text.lower() not in ("whose",):
                end = self._relative_end(right, pronoun + 1)
                inner = right[pronoun + 1 : end]
                preposition = tag if tag.startswith("P:") else "P:to" if right[pronoun].tag == "Q:whom" else ""
                parts.append(Part(inner, _denies(inner), True, preposition))
                n = end
                continue
            rest = right[n + 1 :]
            stop = next((k for k, x in enumerate(rest) if x.tag in ("END", "OPEN")), len(rest))
            denial = _denies(rest[: next((k for k, x in enumerate(rest[:stop]) if x.tag == "COMMA"), stop)])
            joins = tag == "AND" and (ahead.startswith(("V:", "AUX")) or ahead == "NEG")
            begun = any(i.tag.startswith("V:") or i.tag in NAMES for i in current.items)
            if tag == "BUT" and current is not main and not begun:
                n += 1
                continue
            opposes = tag in ("BUT", "COMMA") and (denial or tag == "BUT") and acted
            if joins or opposes or (tag == "WITHOUT" and head.sort not in ("message",)):
                current = Part([], denied=tag == "WITHOUT")
                parts.append(current)
                n += 1
                while self._at(right, n) in ("Q:who", "REL", "BUT") and joins | opposes:
                    n += 1
                continue
            acted = acted or tag.startswith("V:")
            current.items.append(right[n])
            n += 1
        return [p for part in parts for p in self._denials(part, head)]

    def _denials(self, part: Part, head: Head) -> list[Part]:
        """A part in which something is denied: of a message the things behind the denial, of everything else all but
        the description of the noun before it."""
        at = next((n for n, i in enumerate(part.items) if _denying(part.items, n)), None)
        if at is None:
            return [part]
        if part.relative:
            return [replace(part, items=[i for i in part.items if i.tag != "NEG"], denied=True)]
        if head.sort == "message":
            cut = at
        else:
            gap = next((n + 1 for n, i in enumerate(part.items) if i.tag == "GAP"), 0)
            cut = gap
            stops = ("BUT", "PERSON", "ME", "ME:obj", "HE")
            while gap and cut < at and not part.items[cut].tag.startswith(("V:", "AUX", *stops)):
                cut += 1
        rest = [i for i in part.items[cut:] if i.tag not in ("NEG", "WITHOUT")]
        mine = part.items[:cut]
        denied = Part(rest, True, False, part.preposition if head.sort != "message" else "")
        bare = [i for i in mine if i.tag not in ("GAP", "COMMA")]
        return [Part(mine, False, False, ""), denied] if bare or part.preposition == "" else [denied]

    def _claim(self, part: Part, head: Head) -> Claim:
        fronted = self._fronted(part.items)
        who = not part.preposition and not fronted and head.sort in ("person", "org")
        return self.claim(part.items, head.sort, part.preposition, who=who)

    def _fronted(self, items: list[Item]) -> bool:
        """An auxiliary and then a name before the verb, or a name before the verb: the gap is the object."""
        if not self.english:
            return False
        for n, item in enumerate(items):
            if item.tag.startswith("V:") or item.tag.startswith("P:"):
                return False
            if item.tag in ("PERSON", "ME", "HE") and not item.possessive:
                return any(i.tag.startswith("V:") for i in items[n:])
        return False

    # -- plans --------------------------------------------------------------------------------

    def _messages(self, head: Head, claims: list[tuple[Claim, Part]]) -> Plan:
        filters: list[Filter] = []
        denied: list[Filter] = []
        besides: list[int] = []
        for claim, part in claims:
            periods = [f for f in claim.filters if isinstance(f, Period)]
            if part.denied and len(periods) < len(claim.filters):  # "without attachment in May"
                filters += periods
                denied += [f for f in claim.filters if f not in periods]
            else:
                (denied if part.denied else filters).extend(claim.filters)
            besides += claim.besides
        filters = [f for f in dict.fromkeys(filters) if f not in denied]
        if besides:
            filters, used = _without_in(filters, tuple(besides))
            if not used:
                denied.append(People("sender", tuple(besides)))
        plan = Plan(filters=tuple(filters), not_filters=tuple(dict.fromkeys(denied)))
        if not head.count and (head.first or head.last or any(c.first or c.last for c, _ in claims)):
            last = head.last or any(c.last for c, _ in claims)
            return replace(plan, order_by="date", descending=last, limit=head.number or 1)
        return plan

    def _items(self, head: Head, claims: list[tuple[Claim, Part]], choices: list[int]) -> Plan:
        said = [c for c, p in claims if not p.denied]
        denied = [c for c, p in claims if p.denied]
        elsewhere = [c for c in denied if c.at and c.inherits and not c.filters]  # "are not from X"
        denied = [c for c in denied if c not in elsewhere]
        acting = [c for c in said if c.acts or c.filters or c.each or c.most]
        whole = Claim(at=[i for c, _ in claims if c not in elsewhere for i in c.at],
                      outside=[i for c, _ in claims for i in c.outside] + [i for c in elsewhere for i in c.at],
                      besides=[i for c, _ in claims for i in c.besides],
                      firms_besides=[i for c, _ in claims for i in c.firms_besides])  # fmt: skip
        people = head.sort in ("person", "org")
        if not people or not acting:
            base = Claim(
                role=None if not people else head.role or "participant", filters=[f for c in said for f in c.filters]
            )
            base.each = [e for c in said for e in c.each]
            main: Claim = base
        else:
            main, acting = acting[-1], acting[:-1]
        merged = replace(main, at=whole.at, outside=whole.outside, besides=whole.besides,
                         firms_besides=whole.firms_besides)  # fmt: skip
        plan = self._people_plan(head, merged)
        if people and acting:
            others = [c for c in acting if c is not main]
            excluded = [*plan.exclude_people, *(i for c in others for i in c.counterparts)]
            plan = replace(plan, within=(*plan.within, *(self._bare(head, c) for c in others)))
            plan = replace(plan, exclude_people=tuple(dict.fromkeys(excluded)) if head.sort == "person" else ())
        for claim in denied:
            if claim.inherits:
                kinds = {type(f) for f in claim.filters}
                kept = [f for f in plan.filters if type(f) not in kinds]
                claim = replace(claim, role=merged.role, filters=[*kept, *claim.filters])
            elif merged.gap_acted_on and not claim.named:  # "whom did X copy but never address?"
                senders = [f for f in merged.filters if isinstance(f, People) and f.role == "sender"]
                role: Role = "to" if claim.directly else "recipient"
                claim = replace(claim, role=role, filters=[*senders, *claim.filters])
            if people and not acting and main.role == "participant":
                plan = replace(plan, exclude_people=tuple(dict.fromkeys((*plan.exclude_people, *claim.counterparts))))
            plan = replace(plan, without=(*plan.without, self._bare(head, claim)))
        if head.other and plan.target in ("organizations", "domains"):
            own = tuple(f for f in plan.filters if isinstance(f, People) and f.role == "sender")
            plan = replace(plan, without=(*plan.without, Plan(plan.target, role="sender", filters=own)) if own else ())
        if choices:
            plan = replace(plan, within=(*plan.within, tuple(choices)))
        every = [c for c, _ in claims]
        flags = Claim(fewest=any(c.fewest for c in every),
                      most=head.most or bool(choices) or any(c.most for c in every),
                      first=head.first or any(c.first for c in every), last=head.last or any(c.last for c in every),
                      least=next((c.least for c in every if c.least), None))  # fmt: skip
        return self._ordered(plan, flags, head.number)

    def _ordered(self, plan: Plan, claim: Claim, number: int | None) -> Plan:
        if claim.least:
            plan = replace(plan, at_least=claim.least)
        if claim.most:
            return replace(plan, order_by="count", descending=not claim.fewest, limit=number or 1)
        if claim.first or claim.last:
            return replace(plan, order_by="date", descending=claim.last, limit=number or 1)
        return plan

    def _people_plan(self, head: Head, claim: Claim) -> Plan:
        """The plan of a claim about people, organisations or anything else that occurs in messages."""
        if head.sort == "org" and self.of_people:
            claim = replace(claim, filters=[*claim.filters, Kind(("mail",))])  # "people from which companies"
        target = "domains" if head.domain else TARGETS[head.sort]
        role = (head.role or claim.role) if head.sort in ("person", "org") else None
        filters, each = list(claim.filters), list(claim.each)
        titles: list[Filter] = [f for f in filters if isinstance(f, Subject) and not f.contains]
        if len(titles) > 1:
            filters = [f for f in filters if f not in titles]
            each.append(titles)
        firsts = [group[0] for group in each]
        plan = Plan(target, role=role, filters=tuple(dict.fromkeys([*filters, *firsts])), persons=target == "people")
        others = [
            replace(plan, filters=tuple(other if f is firsts[n] else f for f in plan.filters))
            for n, group in enumerate(each)
            for other in group[1:]
        ]
        outside = [*claim.outside, *claim.firms_besides]
        if head.external:
            outside += self.index.owner_organizations
        if target == "people":
            left_out = claim.besides + claim.counterparts
            plan = replace(plan, without=tuple(claim.described))
            plan = replace(plan, exclude_people=tuple(dict.fromkeys(left_out)), only_organizations=tuple(claim.at))
        elif claim.at and target == "organizations":
            plan = replace(plan, within=(tuple(claim.at),))
        if target in ("people", "organizations", "domains"):
            plan = replace(plan, exclude_organizations=tuple(dict.fromkeys(outside)))
        elif claim.besides:
            plan = replace(plan, filters=_without_in(list(plan.filters), tuple(claim.besides))[0])  # type: ignore[arg-type]
            plan = replace(plan, filters=tuple(plan.filters))
        return replace(plan, within=(*plan.within, *others))

    def _bare(self, head: Head, claim: Claim) -> Plan:
        """Only what a further claim says."""
        plan = self._people_plan(
            replace(head, external=False, role=None), replace(claim, at=[], outside=[], besides=[])
        )
        plan = replace(plan, exclude_people=(), persons=False)
        return replace(plan, at_least=claim.least) if claim.least else plan

    def _at(self, items: list[Item], n: int) -> str:
        return items[n].tag if 0 <= n < len(items) else "END"


def _most_recipients(items: list[Item]) -> bool:
    """ "the message with the most recipients" """
    return any(a.tag in ("MOST", "MAIN") and b.tag in ("N:recipient", "N:address") for a, b in pairwise(items))


def _titled(items: list[Item]) -> list[Item]:
    """ "the conversation Steel Offer": capital words right behind the noun are its title."""
    out: list[Item] = []
    n = 0
    while n < len(items):
        out.append(items[n])
        n += 1
        if out[-1].tag != "N:thread":
            continue
        end = n
        while end < len(items) and items[end].tag in ("WORD", "PERSON", "ORG", "NUM") and (end > n or items[n].capital):
            end += 1
        after = items[end].tag if end < len(items) else "END"
        if end > n and not (after.startswith(("V:", "AUX")) and items[end - 1].tag == "PERSON"):
            out.append(Item("QUOTED", " ".join(i.text for i in items[n:end]), items[n].start, items[end - 1].stop))
            n = end
    return out


def _one_of_messages(items: list[Item], head: Head) -> bool:
    """ "who answered the first message from X": one message is described that is not what is asked for."""
    return any(a.tag in ("FIRST", "LAST") and b.tag == "N:message" and b is not head.item for a, b in pairwise(items))


def _left_out(items: list[Item]) -> list[Item]:
    """ "not me" in a place of its own leaves out; "where" behind a noun is a relative pronoun."""
    for n, item in enumerate(items):
        before, after = items[n - 1].tag if n else "END", items[n + 2].tag if n + 2 < len(items) else "END"
        alone = before in ("END", "OPEN", "COMMA", "BUT") and after in ("END", "CLOSE", "COMMA")
        if item.tag == "NEG" and n + 1 < len(items) and items[n + 1].tag in NAMES and alone:
            item.tag = "BESIDES"
        if item.tag == "Q:content" and before in ("N:message", "N:thread", "N:label"):
            item.tag = "REL"
    return items


def _denying(items: list[Item], n: int) -> bool:
    """A denial that is not about a single word that is mentioned."""
    return items[n].tag in ("NEG", "WITHOUT")


def _denies(items: list[Item]) -> bool:
    return any(i.tag in ("NEG", "WITHOUT") for i in items)


def _without_in(filters: list[Filter], people: tuple[int, ...]) -> tuple[list[Filter], bool]:
    """The filters with these people left out of a ranking of people inside them, and whether there was one."""
    out: list[Filter] = []
    used = False
    for f in filters:
        if isinstance(f, People) and isinstance(f.who, Plan) and not used:
            f = replace(f, who=replace(f.who, exclude_people=(*f.who.exclude_people, *people)))
            used = True
        out.append(f)
    return out, used


__all__ = ["HEADS", "Outline", "Period", "Reading", "read"]
