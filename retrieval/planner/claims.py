"""What one stretch of a question says of messages, whatever the order of its words.

A claim is read slot by slot: each name takes the role that the preposition before it, the words behind it or the verb
give; periods, days, folders, titles, files and mentioned words each become a filter. The noun that the claim is about
(who wrote, whom one wrote to) is its gap, and takes the role that is left. What nothing was made of is leftover.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from graph.plan import (
    AnsweredBy,
    Answers,
    Between,
    Filter,
    FirstInThread,
    HasAttachment,
    Labels,
    Mentions,
    Organizations,
    People,
    Period,
    Plan,
    Role,
    Subject,
    Threads,
    Weekdays,
)
from retrieval.linker import NameIndex
from retrieval.planner.reader import HEADS
from retrieval.planner.tagging import Item

NAMES = ("PERSON", "ME", "ME:obj", "HE", "ORG")
_ROLES: dict[str, Role] = {
    "P:from": "sender", "P:by": "sender", "P:to": "recipient", "P:cc": "cc", "P:bcc": "bcc",
    "ROLE:cc": "cc", "V:copy": "cc", "ROLE:to": "to",
}  # fmt: skip
_LINKS = ("AND", "OR", "COMMA", "BOTH", "SELF")
_OBJECT_FORMS = {"me", "mir", "mich", "m", "him", "her", "them", "ihm", "ihn", "ihnen", "lui", "leur", "le", "les"}


@dataclass
class Entity:
    """A name in a claim: ``ids`` of people or organisations, or a plan over people."""

    ids: tuple[int, ...] | Plan
    firm: bool
    place: int
    role: Role | None = None
    group: int = 0
    between: bool = False


@dataclass
class Claim:
    """``role``: that of the gap. ``entities`` in other roles; ``each``: filters of which each must hold for itself
    ("by both A and B"); ``at``, ``outside``: organisations of the gap; ``besides``: people left out; ``inherits``:
    nothing but a period or a place is said, the rest stands before; ``gap_acted_on``: somebody else is named who
    wrote, so that "but never addressed" has the same subject; ``acts``: it speaks of mail; ``named``: somebody is
    named; ``directly``: To is meant; ``described``: people who are described, so that they are not their own answer."""

    role: Role | None = None
    filters: list[Filter] = field(default_factory=list)
    each: list[list[Filter]] = field(default_factory=list)
    at: list[int] = field(default_factory=list)
    outside: list[int] = field(default_factory=list)
    besides: list[int] = field(default_factory=list)
    firms_besides: list[int] = field(default_factory=list)
    counterparts: list[int] = field(default_factory=list)
    described: list[Plan] = field(default_factory=list)
    most: bool = False
    fewest: bool = False
    first: bool = False
    last: bool = False
    least: int | None = None
    inherits: bool = False
    gap_acted_on: bool = False
    acts: bool = False
    directly: bool = False
    named: bool = False
    leftover: list[str] = field(default_factory=list)


class Claims:
    """Reads claims. ``referent``: whom a pronoun means; ``that_period``: what "that month" means."""

    def __init__(self, index: NameIndex, stopwords: frozenset[str]) -> None:
        self.index = index
        self.stopwords = stopwords
        self.referent: tuple[int, ...] | Plan | None = None
        self.that_period: Period | None = None
        self.to_role: Role = "recipient"

    def claim(self, items: list[Item], gap: str, preposition: str = "", *, who: bool = False) -> Claim:
        """What ``items`` say. ``gap``: the sort of noun they are about; ``preposition``: the one before the gap
        ("to whom"); ``who``: the gap stands first and no auxiliary turns it into the object."""
        out = Claim()
        used = [False] * len(items)
        self._exclusions(items, used, out)
        self._terms(items, used, out)
        self._things(items, used, gap, out)
        entities = self._entities(items, used, gap, out)
        verbs = [i.tag[2:] for i in items if i.tag.startswith("V:") and i.tag not in ("V:mention", "V:copy")]
        out.acts = bool(verbs) or any(i.tag in ("V:mention", "V:copy", "N:message", "P:cc", "BACKFORTH") for i in items)
        self._unmarked(items, entities, gap, preposition, verbs, who)
        if gap in ("person", "org"):
            out.role = self._gap_role(items, used, entities, preposition, verbs)
        self._fill(items, entities, verbs, gap, out)
        if "start" in verbs:
            out.filters.append(FirstInThread())
        out.inherits = not verbs and not entities
        out.gap_acted_on = out.role != "sender" and any(e.role == "sender" for e in entities) and "get" not in verbs
        out.directly = any(i.tag == "ROLE:to" for i in items)
        out.named = bool(entities)
        out.leftover = [
            i.text
            for i, done in zip(items, used, strict=True)
            if not done and i.tag in ("WORD", "QUOTED", "NUM") and i.text.lower() not in self.stopwords
        ]
        return out

    # -- things -------------------------------------------------------------------------------

    def _exclusions(self, items: list[Item], used: list[bool], out: Claim) -> None:
        """ "apart from me", "Louise aside", "not me": who is left out."""
        for n, item in enumerate(items):
            if used[n]:
                continue
            if item.tag == "BESIDES":
                for j in range(n + 1, len(items)):
                    if items[j].tag in NAMES:
                        self._exclude(items[j], out)
                        used[j] = True
                    elif items[j].tag not in (*_LINKS, "P:to", "P:from", "P:at"):
                        break
                used[n] = True
            elif item.tag == "ASIDE":
                for j in range(n - 1, max(-1, n - 4), -1):
                    if items[j].tag in NAMES and not used[j]:
                        self._exclude(items[j], out)
                        used[j] = True
                        break
                else:
                    if n + 1 < len(items) and items[n + 1].tag in NAMES:
                        self._exclude(items[n + 1], out)
                        used[n + 1] = True

    def _exclude(self, item: Item, out: Claim) -> None:
        ids = self._ids(item)
        if isinstance(ids, tuple):
            (out.firms_besides if item.tag == "ORG" else out.besides).extend(ids)

    def _terms(self, items: list[Item], used: list[bool], out: Claim) -> None:
        """The words that are mentioned: behind "mention" and "about", or before "comes up" and "is mentioned"."""
        cue = next((n for n, i in enumerate(items) if i.tag in ("V:mention", "P:about")), None)
        marked = next((n for n, i in enumerate(items) if i.tag == "THEWORD"), None)
        subject = next((n for n, i in enumerate(items) if i.tag == "INSUBJECT"), None)
        if subject is not None:
            words = _phrases_before(items, subject, used, self.stopwords) or _phrases(
                items, subject + 1, used, self.stopwords
            )
            for a, b in words:
                out.filters.append(Subject(" ".join(i.text for i in items[a:b]), contains=True))
                used[a:b] = [True] * (b - a)
            if words:
                return
        if cue is None and marked is None:
            return
        at = cue if cue is not None else marked
        assert at is not None
        phrases = _phrases(items, marked + 1 if marked is not None else at + 1, used, self.stopwords)
        if not phrases and cue is not None:
            phrases = _phrases_before(items, cue, used, self.stopwords)
        if not phrases and marked is not None:
            phrases = _phrases_before(items, marked, used, self.stopwords)
        out.acts = True
        if not phrases:
            return
        either = any(i.tag == "OR" for i in items[phrases[0][0] : phrases[-1][1]])
        terms = tuple(" ".join(_term(x) for x in items[a:b] if x.tag not in _LINKS) for a, b in phrases)
        for a, b in phrases:
            for n in range(a, b):
                used[n] = True
        out.filters.append(Mentions(terms, every=not either))

    def _things(self, items: list[Item], used: list[bool], gap: str, out: Claim) -> None:
        for n, item in enumerate(items):
            if used[n]:
                continue
            made: Filter | None = None
            tag = item.tag
            if tag == "PERIOD":
                titled = any(i.tag == "QUOTED" for i in items)
                made = None if item.vague and titled else item.value
            elif tag == "THATPERIOD":
                made = self.that_period
            elif tag == "WEEKDAY":
                days = tuple(sorted({d for i in items if i.tag == "WEEKDAY" for d in i.value}))
                made = Weekdays(days)
            elif tag == "LABEL":
                made = Labels(item.value.ids)
            elif tag == "QUOTED":
                contains = _tag(items, n + 1) == "INSUBJECT" or _tag(items, n - 1) == "INSUBJECT"
                made = Subject(item.text, contains=contains)
            elif tag == "FILE":
                made = HasAttachment(name=item.text)
            elif tag == "FILETYPE":
                made = HasAttachment(type=item.value)
            elif tag in ("N:attachment", "WITHATTACH", "ATTACHED"):
                if not any(i.tag in ("FILE", "FILETYPE") for i in items):
                    made = HasAttachment()
            elif tag == "N:reply":
                made = AnsweredBy() if gap == "message" and any(i.tag == "V:get" for i in items) else Answers()
            elif tag == "ANSWERED":
                made = AnsweredBy()
            elif tag == "THREADS":
                made = Threads(item.value)
            elif tag in ("MOST", "MAIN", "LONGEST", "LEAST"):
                out.most = True
                out.fewest = out.fewest or tag == "LEAST"
            elif tag == "OUTSIDE" and _tag(items, n + 1) != "ORG":
                out.outside += self.index.owner_organizations
            elif tag == "FIRST":
                out.first = True
            elif tag == "LAST":
                out.last = True
            elif tag in ("ATLEAST", "MORETHAN") and _tag(items, n + 1).startswith("NUM"):
                out.least = _number(items[n + 1]) + (tag == "MORETHAN")
                used[n + 1] = True
            elif tag.startswith("NUM") and _tag(items, n + 1) == "ORMORE":
                out.least = _number(item)
            elif tag.startswith("NUM"):
                used[n] = tag != "NUM"
            if made is not None:
                used[n] = True
                if made not in out.filters:
                    out.filters.append(made)

    # -- names --------------------------------------------------------------------------------

    def _entities(self, items: list[Item], used: list[bool], gap: str, out: Claim) -> list[Entity]:
        found: list[Entity] = []
        place: list[int] | None = None
        for n, item in enumerate(items):
            if used[n] or item.tag not in (*NAMES, "MY"):
                continue
            ids = self._ids(item)
            if ids is None or (item.tag == "HE" and (message_behind(items, n) or any(ids == e.ids for e in found))):
                continue
            firm = item.tag == "ORG"
            before = _before(items, n)
            entity = Entity(ids, firm, n, group=len(found))
            if item.tag == "MY":
                entity.role = "sender"
                if not message_behind(items, n):
                    continue
            elif before.tag == "OUTSIDE" or (firm and before.tag == "NEG"):
                place = out.outside
                place += ids if isinstance(ids, tuple) else ()
                continue
            elif firm and place is not None and before.tag in ("AND", "OR", "COMMA", "BOTH"):
                place += ids if isinstance(ids, tuple) else ()
                continue
            elif firm and _of_gap(items, n, gap, before):
                place = out.at
                place += ids if isinstance(ids, tuple) else ()
                continue
            elif item.possessive and message_behind(items, n):
                entity.role = "sender"
            elif found and before.tag in ("AND", "OR", "BOTH", "COMMA") and _joined(items, found[-1].place, n):
                last = found[-1]
                entity.role, entity.group, entity.between = last.role, last.group, last.between
            elif before.tag in _ROLES:
                entity.role = _ROLES[before.tag]
            elif before.tag in ("P:between", "P:with"):
                entity.between = True
            if entity.role is None and not entity.between:
                entity.role = _role_behind(items, n)
            if entity.role == "recipient":
                entity.role = self.to_role
            found.append(entity)
            place = None
        return found

    def _unmarked(
        self, items: list[Item], entities: list[Entity], gap: str, preposition: str, verbs: list[str], who: bool
    ) -> None:
        """Names without a preposition: subjects and objects."""
        passive = any(i.tag == "AUX:be" for i in items)
        taken = any(e.role == "sender" for e in entities)
        exchanged = any(i.tag == "BACKFORTH" for i in items)
        for entity in entities:  # "the mails A and I exchanged"
            if exchanged and entity.role is None and sum(e.group == entity.group for e in entities) > 1:
                entity.between = True
        for entity in entities:
            if entity.role is not None or entity.between:
                continue
            item = items[entity.place]
            if _tag(items, entity.place - 1) == "Q:when":
                entity.role = "sender"
                continue
            objective = item.text.lower() in _OBJECT_FORMS or item.tag == "ME:obj"
            verb_before = any(i.tag.startswith("V:") for i in items[: entity.place])
            if passive:
                entity.role = self.to_role
            elif _verb_of(items, entity.place) == "get" and not objective:
                entity.role = "sender" if who and verb_before else self.to_role
            elif "take" in verbs:
                entity.role = "participant"
            elif objective or (who and gap == "person" and not preposition):
                entity.role = self.to_role
            elif entity.firm and not verbs:
                entity.role = "participant"
            elif taken and not any(e.group == entity.group and e.role == "sender" for e in entities):
                entity.role = self.to_role
            else:
                entity.role, taken = "sender", True

    def _gap_role(
        self, items: list[Item], used: list[bool], entities: list[Entity], preposition: str, verbs: list[str]
    ) -> Role:
        stranded = preposition or _stranded(items)
        if "reply" in verbs and not stranded:
            return "sender"
        copied = any(i.tag in ("P:cc", "ROLE:cc", "V:copy") for i in items) and not any(
            e.role == "cc" for e in entities
        )
        blind = any(i.tag == "P:bcc" for i in items) and not any(e.role == "bcc" for e in entities)
        if blind:
            return "bcc"
        if copied:
            return "cc"
        if "belong" in verbs:
            return "sender"
        if stranded in ("P:to", "P:cc"):
            return self.to_role if stranded == "P:to" else "cc"
        if stranded in ("P:from", "P:by"):
            return "sender"
        sending = any(e.role == "sender" for e in entities)
        if sending:
            return self.to_role
        if any(i.tag == "AUX:be" for i in items) or ("get" in verbs and not sending):
            return self.to_role
        return "participant" if "take" in verbs and not sending else "sender"

    def _fill(self, items: list[Item], entities: list[Entity], verbs: list[str], gap: str, out: Claim) -> None:
        groups: dict[int, list[Entity]] = {}
        for entity in entities:
            groups.setdefault(entity.group, []).append(entity)
        for group in groups.values():
            out.counterparts += [i for e in group if not e.firm and isinstance(e.ids, tuple) for i in e.ids]
            if group[0].between:
                out.filters += self._between(group, directly=any(i.tag == "BACKFORTH" for i in items))
                continue
            filters = [_filter(e) for e in group]
            if "reply" in verbs and group[0].role in ("recipient", "to", "sender") and gap == "person":
                mail = tuple(People("sender", e.ids) for e in group if not e.firm)
                out.filters += [Answers(Plan("messages", filters=(f,))) for f in mail]
                out.described += [e.ids for e in group if isinstance(e.ids, Plan)]
                continue
            if len(group) == 1:
                out.filters += filters
            elif gap != "message":
                out.each.append(filters)
            elif group[0].role == "sender" and all(isinstance(e.ids, tuple) and not e.firm for e in group):
                out.filters.append(People("sender", tuple(i for e in group for i in e.ids)))  # type: ignore[union-attr]
            else:
                out.filters += filters

    def _between(self, group: list[Entity], *, directly: bool) -> list[Filter]:
        people = [e.ids for e in group if not e.firm and isinstance(e.ids, tuple)]
        if len(people) >= 2:
            return [
                Between(people[0], people[1], "recipient" if self.to_role == "recipient" and not directly else "to")
            ]
        return [_filter(Entity(e.ids, e.firm, e.place, "participant")) for e in group]

    def _ids(self, item: Item) -> tuple[int, ...] | Plan | None:
        if item.tag in ("ME", "ME:obj", "MY"):
            return self.index.owners or None
        if item.tag == "HE":
            return self.referent
        if isinstance(item.value, Plan):
            return item.value
        ids: tuple[int, ...] = item.value.ids
        return ids


def _verb_of(items: list[Item], place: int) -> str:
    """The verb that a name goes with: the next one before another name, else the one before."""
    for item in items[place + 1 :]:
        if item.tag.startswith("V:"):
            return item.tag[2:]
        if item.tag in NAMES:
            break
    return next((i.tag[2:] for i in reversed(items[:place]) if i.tag.startswith("V:")), "")


def _filter(e: Entity) -> Filter:
    role: Role = e.role or "participant"
    return Organizations("recipient" if role == "to" else role, e.ids) if e.firm else People(role, e.ids)


def _tag(items: list[Item], n: int) -> str:
    return items[n].tag if 0 <= n < len(items) else "END"


def _before(items: list[Item], n: int) -> Item:
    """The item before a name and its modifiers."""
    j = n - 1
    while j > 0 and items[j].tag in ("BOTH", "SELF", "OTHER", "N:person", "N:address", "SAME", "N:org"):
        j -= 1
    return items[j] if j >= 0 else Item("END", "", 0, 0)


def message_behind(items: list[Item], n: int) -> bool:
    """A message stands behind the name or pronoun at n: "Paul's mails", "their replies"."""
    j = n + 1
    while _tag(items, j) in ("WORD", "OTHER", "SELF", "MAIN") and j < n + 3:
        j += 1
    return _tag(items, j) in ("N:message", "N:reply", "GAP")


def _of_gap(items: list[Item], n: int, gap: str, before: Item) -> bool:
    """The organisation says where the person works that is asked for: "who at X", "X people", "from X who"."""
    if gap != "person":
        return False
    if _tag(items, n + 1) in ("N:person", "N:sender", "N:recipient", "GAP"):
        return True
    if before.tag in ("P:at", "N:person", "Q:who", "N:sender", "GAP") or n == 0:
        return True
    verb_before = any(i.tag.startswith("V:") or i.tag in ("P:cc", "N:message") for i in items[:n])
    return before.tag in ("P:from", "P:by") and not verb_before


def _joined(items: list[Item], a: int, b: int) -> bool:
    """Two names with nothing between them but "and", "or" and a preposition."""
    return all(i.tag in (*_LINKS, "P:to", "P:from", "P:by", "P:with") for i in items[a + 1 : b])


def _role_behind(items: list[Item], n: int) -> Role | None:
    """ "X was in copy", "X only got a copy", "X in Bcc"."""
    j = n + 1
    while _tag(items, j).startswith("AUX") or _tag(items, j) in ("NEG", "V:get", "SELF", "WORD", "P:at"):
        j += 1
    tag = _tag(items, j)
    between = {_tag(items, k) for k in range(n + 1, j)}
    if tag == "V:copy" and not (between & {"AUX", "AUX:be", "V:get"} or _tag(items, n - 1) == "AUX"):
        return None  # "X put in copy": X did it
    if tag in ("P:cc", "ROLE:cc", "P:bcc", "V:copy") and (
        tag != "V:copy" or _tag(items, j + 1) not in NAMES or _tag(items, n + 1).startswith("AUX")
    ):
        return _ROLES[tag] if _tag(items, j + 1) not in NAMES else None
    return None


def _stranded(items: list[Item]) -> str:
    """A preposition with no name behind it: "whom did he write to in May"."""
    found = ""
    for n, item in enumerate(items):
        if item.tag not in ("P:to", "P:from", "P:by"):
            continue
        j = n + 1
        while _tag(items, j) in ("BOTH", "OTHER", "NUM", "WORD", "MY", "SELF"):
            j += 1
        behind = _tag(items, j)
        if behind not in (*NAMES, "MY") and behind not in HEADS and not behind.startswith("V:"):
            found = found or item.tag
    return found


_TERM = ("WORD", "PERSON", "ORG", "QUOTED", "NUM", "FILE", "N:org", "N:label", "LABEL", "FILETYPE",
         "N:thread", "EXTERNAL", "WEEKDAY", "N:address", "N:list", "THREADS", "MAIN", "OTHER", "LAST")  # fmt: skip


def _phrases(items: list[Item], at: int, used: list[bool], stopwords: frozenset[str]) -> list[tuple[int, int]]:
    """Stretches of words from ``at`` on, joined by "and", "or" and commas."""
    out: list[tuple[int, int]] = []
    n = at
    while n < len(items):
        while _tag(items, n) in ("BOTH", "THEWORD", "OPEN", "NEG") and not out:
            if _tag(items, n) == "NEG":
                return out
            n += 1
        begin = n
        while n < len(items) and items[n].tag in _TERM and not used[n]:
            n += 1
        if n == begin:
            break
        out.append((begin, n))
        if _tag(items, n) not in ("AND", "OR", "COMMA") or _tag(items, n + 1) not in (*_TERM, "BOTH", "AND", "THEWORD"):
            break
        n += 1
        while _tag(items, n) in ("AND", "BOTH", "THEWORD"):
            n += 1
    return [(a, b) for a, b in out if any(items[n].text.lower() not in stopwords for n in range(a, b))]


def _phrases_before(items: list[Item], cue: int, used: list[bool], stopwords: frozenset[str]) -> list[tuple[int, int]]:
    """The words right before "is mentioned", "comes up": back to what is no word."""
    n = cue - 1
    while n >= 0 and (items[n].tag.startswith("AUX") or items[n].tag in ("BOTH", "NEG", "PERIOD", "LAST", "ME")):
        n -= 1
    end = n + 1
    while n >= 0 and (items[n].tag in (*_TERM, "AND", "OR", "BOTH")) and not used[n]:
        n -= 1
    return _phrases(items, n + 1, used, stopwords) if end > n + 1 else []


def _term(item: Item) -> str:
    return item.text


def _number(item: Item) -> int:
    return int(item.tag.partition(":")[2]) if ":" in item.tag else int(item.text)
