"""Whether everything that a question says is in its plan: what was said and left no trace there is told as a doubt.

The reading takes a question to pieces, and a piece may get lost on the way: a name in a sentence of its own, a denial,
a kind of mail. A number that was counted without it looks as sure as any other. So the plan is looked at from outside,
without knowing how it came about: each name, period, word and cue of the question must have left in it what a plan can
hold of it. What is told by a cue's tag and by the plan alone holds for questions in every language and of every form.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from graph.plan import (
    AnsweredBy,
    Answers,
    Between,
    Domains,
    Filter,
    FirstInThread,
    Forwarded,
    HasAttachment,
    Kind,
    Labels,
    Mentions,
    Messages,
    Organizations,
    People,
    Period,
    Plan,
    RecipientCount,
    Subject,
    Threads,
    Weekdays,
)
from retrieval.linker import NameIndex
from retrieval.planner.items import Item, Tagged
from retrieval.planner.look import NAMES, number, tag_at
from retrieval.planner.role_words import LINES
from retrieval.planner.several_periods import holds
from retrieval.planner.tokens import keys


def unaccounted(tagged: Tagged, plan: Plan, index: NameIndex) -> list[str]:
    """The words of the question of which nothing is left in the plan, in their order, each once."""
    traces = Traces()
    traces.follow(plan)
    lost = [
        item.text
        for n, item in enumerate(tagged.items)
        if not _stands_in(traces, item) and not _held(traces, tagged, index, n)
    ]
    return list(dict.fromkeys(lost))


@dataclass
class Traces:
    """What a plan and the plans inside it hold. ``denied``: something is said not to hold; ``within``: several things
    must hold, each for itself; ``numbers``: limits and smallest and largest counts, ``counted``: there is one of the
    latter; ``words``: of titles, files and what is mentioned."""

    people: set[int] = field(default_factory=set)
    described: bool = False
    firms: set[int] = field(default_factory=set)
    labels: set[int] = field(default_factory=set)
    periods: list[Period] = field(default_factory=list)
    roles: set[str] = field(default_factory=set)
    kinds_of_filter: set[type] = field(default_factory=set)
    targets: set[str] = field(default_factory=set)
    orders: set[str] = field(default_factory=set)
    rising: bool = False
    numbers: set[int] = field(default_factory=set)
    words: set[str] = field(default_factory=set)
    counted: bool = False
    denied: bool = False
    left_out: bool = False
    outside: bool = False
    within: int = 0

    def follow(self, plan: Plan) -> None:
        """Adds what a plan holds."""
        self.targets.add(plan.target)
        self.roles.add(plan.role or "")
        self.orders.add(plan.order_by or "")
        self.rising = self.rising or (plan.order_by is not None and not plan.descending)
        self.numbers |= {
            n
            for n in (plan.limit, plan.limit and plan.limit + plan.skip, plan.at_least, plan.at_least - 1, plan.at_most)
            if n
        }
        self.counted = self.counted or plan.at_least > 1 or plan.at_most is not None
        self.denied = self.denied or bool(plan.not_filters or plan.without)
        self.left_out = self.left_out or bool(plan.exclude_people or plan.exclude_organizations)
        self.outside = self.outside or bool(plan.exclude_organizations)
        self.people |= set(plan.exclude_people)
        self.firms |= set(plan.exclude_organizations) | set(plan.only_organizations)
        self.within += len(plan.within)
        for f in (*plan.filters, *plan.not_filters):
            self._filter(f)
        for inner in (*plan.within, *plan.without):
            if isinstance(inner, Plan):
                self.follow(inner)
            else:
                (self.people if plan.target == "people" else self.firms).update(i for i in inner if isinstance(i, int))

    def _filter(self, f: Filter) -> None:
        self.kinds_of_filter.add(type(f))
        match f:
            case People(role, who):
                self.roles.add(role)
                self._inner(who, self.people)
            case Between(a, b, role):
                self.roles.add(role)
                self.people |= {*a, *b}
            case Organizations(role, who):
                self.roles.add(role)
                self._inner(who, self.firms)
            case Domains(_, names):
                self.words |= {word for name in names for word in keys(name)}
            case Period():
                self.periods.append(f)
            case Labels(ids):
                self.labels |= set(ids)
            case RecipientCount(role, least, most):
                self.roles.add(role)
                self.numbers |= {n for n in (least, least - 1, most) if n}
                self.counted, self.denied = True, self.denied or most is not None
            case Subject(text):
                self.words |= set(keys(text))
            case Mentions(terms):
                self.words |= {word for term in terms for word in keys(term)}
            case HasAttachment(type=ending, name=name):
                self.words |= {*keys(ending or ""), *keys(name or "")}
            case Threads(which) | Messages(which) | Answers(which) | AnsweredBy(which):
                self._inner(which, set())

    def _inner(self, which: tuple[int, ...] | Plan | None, ids: set[int]) -> None:
        if isinstance(which, Plan):
            self.described = self.described or which.target == "people"
            self.follow(which)
        else:
            ids.update(which or ())

    def has(self, *kinds: type) -> bool:
        """Whether there is a filter of one of these kinds."""
        return any(kind in self.kinds_of_filter for kind in kinds)


_Test = Callable[[Traces], bool]
# What a cue leaves in a plan. A cue that is not here says nothing by itself: prepositions, verbs of sending.
_TRACES: dict[str, _Test] = {
    "NEG": lambda t: t.denied,
    "WITHOUT": lambda t: t.denied or t.left_out,
    "BESIDES": lambda t: t.left_out or t.denied,
    "ASIDE": lambda t: t.left_out or t.denied,
    "OUTSIDE": lambda t: t.outside or t.denied,
    "EXTERNAL": lambda t: t.outside or t.denied,
    "N:outsider": lambda t: t.outside or t.denied,
    "OTHER": lambda t: t.left_out or t.denied or t.has(Answers, AnsweredBy),
    "ONLY": lambda t: t.denied,
    "NOBODYELSE": lambda t: t.denied,
    "ALONE": lambda t: t.denied,
    "AUTOMATED": lambda t: t.has(Kind),
    "BYHAND": lambda t: t.has(Kind),
    "MOST": lambda t: bool(t.orders & {"count", "recipients"}),
    "MAIN": lambda t: bool(t.orders & {"count", "recipients"}),
    "LONGEST": lambda t: bool(t.orders & {"count", "recipients"}),
    "LEAST": lambda t: t.rising,
    "FIRSTTIME": lambda t: "date" in t.orders or t.denied,
    "FIRST": lambda t: "date" in t.orders or t.has(FirstInThread),
    "LAST": lambda t: "date" in t.orders,
    "V:start": lambda t: t.has(FirstInThread) or "date" in t.orders,
    "V:reply": lambda t: t.has(Answers, AnsweredBy) or t.denied,
    "N:reply": lambda t: t.has(Answers, AnsweredBy) or t.denied,
    "ANSWERED": lambda t: t.has(Answers, AnsweredBy) or t.denied,
    "V:mention": lambda t: t.has(Mentions, Subject, RecipientCount),
    "P:about": lambda t: t.has(Mentions, Subject),
    "THEWORD": lambda t: t.has(Mentions, Subject),
    "INSUBJECT": lambda t: t.has(Subject),
    "TITLED": lambda t: t.has(Subject),
    "N:attachment": lambda t: t.has(HasAttachment) or "attachments" in t.targets,
    "WITHATTACH": lambda t: t.has(HasAttachment),
    "ATTACHED": lambda t: t.has(HasAttachment),
    "N:thread": lambda t: t.has(Subject, Threads, FirstInThread) or "threads" in t.targets,
    "N:label": lambda t: t.has(Labels) or "labels" in t.targets,
    "N:month": lambda t: t.has(Period) or "months" in t.targets,
    "N:org": lambda t: bool(t.targets & {"organizations", "domains"} or t.firms),
    "N:domain": lambda t: bool(t.targets & {"organizations", "domains"} or t.firms or t.has(Domains)),
    "EVERYMONTH": lambda t: t.within > 0 or len(t.periods) > 0,
    "THATPERIOD": lambda t: len(t.periods) > 0,
    "THENAFTER": lambda t: any(p.end is None for p in t.periods),
    "THENNEXT": lambda t: len(t.periods) > 1,
    "THENBEFORE": lambda t: any(p.start is None for p in t.periods),
    "HE": lambda t: bool(t.people or t.firms) or t.described,
    "BACKFORTH": lambda t: t.has(Between),
    "WEEKDAY": lambda t: t.has(Weekdays),
    "EXACTLY": lambda t: t.counted,
    "MORETHAN": lambda t: t.counted,
    "ORMORE": lambda t: t.counted,
    "FORWARD": lambda t: t.has(Forwarded),
    "SHARE": lambda t: False,
}


def _held(t: Traces, tagged: Tagged, index: NameIndex, n: int) -> bool:
    item = tagged.items[n]
    match item.tag:
        case "PERSON" | "ORG":
            there = bool(set(item.value.ids) & (t.people | t.firms))
            alone = not item.only or t.denied or tag_at(tagged.items, n - 1) == "P:from"
            return there and alone
        case "ME" | "ME:obj":
            return bool(set(index.owners) & t.people) or not index.owners
        case "MY":
            own = tag_at(tagged.items, n + 1) in ("N:message", "N:reply", "OTHER", "SELF")
            return not own or bool(set(index.owners) & t.people) or not index.owners
        case "NEG" if tag_at(tagged.items, n + 1) in NAMES:
            return t.denied or t.left_out
        case "V:copy" | "P:cc" | "ROLE:cc" | "P:bcc" | "ROLE:to":
            return bool(t.roles & _lines(tagged.items, n))
        case "PERIOD":
            return item.vague or any(holds(item.value, p) or holds(p, item.value) for p in t.periods)
        case "LABEL":
            return bool(set(item.value.ids) & t.labels)
        case "WORD":
            return set(keys(item.text)) <= tagged.language.stopwords - tagged.language.telling
        case "NUM":
            return int(item.text) in t.numbers
        case "DOMAIN":
            return bool(set(index.people_under(item.value)) & t.people)
        case "QUOTED" | "FILE":
            return False
        case "FILETYPE":
            return t.has(HasAttachment)
    if item.tag.startswith(("NUM:", "ORD:")):
        return item.tag == "NUM:1" or number(item) in t.numbers or t.within > 0
    return item.tag not in _TRACES or _TRACES[item.tag](t)


def _lines(items: list[Item], n: int) -> set[str]:
    """The roles that a line of the head leaves in a plan: its own, or that of any recipient where several lines are
    named together ("To or Cc")."""
    named: set[str] = {LINES[items[n].tag]}
    for step in (-1, 1):
        m = n + step
        while tag_at(items, m) in ("AND", "OR", "COMMA", "NEG", "BOTH", *LINES):
            named.add(LINES.get(items[m].tag, items[n].tag))
            m += step
    return named | {"recipient", "participant"} if {"to", "cc"} <= named else named


def _stands_in(t: Traces, item: Item) -> bool:
    """The words themselves are looked for, whatever else they may be: "the word May", "the folder Ana"."""
    words = keys(item.text)
    return bool(words) and all(w in t.words or w.removesuffix("s") in t.words for w in words)
