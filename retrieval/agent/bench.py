"""The tools of the agent: thin over what the columns are made of, each result short, none of them writing anything.

A bench remembers what was found under the handles that it gives out (P1, O1, M1), the messages of each step, which
become hits, and the facts that were computed. What a model gets to see of mail (names, subjects, texts) comes from
strangers; it stands between fences, and no step can come of it but the model's next choice among reading tools.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any, cast

import psycopg

from graph import execute, neighbours
from graph.plan import (
    Between,
    Filter,
    Intent,
    Mentions,
    Organizations,
    People,
    Period,
    Plan,
    Role,
    Subject,
    Target,
    Threads,
)
from retrieval import facts
from retrieval.agent.calls import Call, Known, Value
from retrieval.columns.base import Found, Tools
from retrieval.columns.hybrid import Hybrid
from retrieval.columns.lexical import Lexical
from retrieval.errors import BadStep
from retrieval.fence import letter, line
from retrieval.linker import Candidate, Link, LinkKind
from retrieval.names import Names
from retrieval.planner.tokens import tokenize
from retrieval.text import messages as read_messages
from retrieval.types import Fact, FoundBy, Question

SHOWN = 6
ROWS = 200
OWNER = ("i", "me", "my", "myself", "owner", "p0")
GATHERED = 12  # of a step, as hits
CHARACTERS = 700  # of a mail that is read
LINE = 110
# How much a message counts by how it came up: one that was opened was wanted.
WEIGHTS = {"read": 3.0, "count": 0.5, "neighbours": 0.5, "path": 0.5}
COUNTED: dict[str, tuple[Target, Role | None]] = {
    "sender": ("people", "sender"),
    "recipient": ("people", "recipient"),
    "organization": ("organizations", None),
    "month": ("months", None),
    "thread": ("threads", None),
}


@dataclass(frozen=True)
class Seen:
    """What a step gave. ``text`` for the model, ``size`` of the result, ``new``: it holds something not seen before."""

    text: str
    size: int
    new: bool


@dataclass
class Bench:
    """The tools over one store, with what was found so far."""

    tools: Tools
    names: Names
    as_of: date | None
    people: list[tuple[int, ...]] = field(default_factory=list)
    organizations: list[int] = field(default_factory=list)
    messages: list[int] = field(default_factory=list)
    rankings: list[list[Found]] = field(default_factory=list)
    weights: list[float] = field(default_factory=list)
    facts: list[Fact] = field(default_factory=list)
    opened: set[int] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.people.append(self.names.index.owners)

    @property
    def owner(self) -> str:
        """The owner's name."""
        people = self.names.index.people
        return ", ".join(line(people[i].name) for i in self.people[0] if i in people) or "not known"

    @property
    def known(self) -> Known:
        """The handles that were given out."""
        return Known(len(self.people) - 1, len(self.organizations), len(self.messages))

    def run(self, call: Call) -> Seen:
        """Takes a step. Raises BadStep where its arguments make no sense, and what the columns raise."""
        before = (self.known, len(self.facts), len(self.opened))
        tool = cast("Callable[[psycopg.Connection[Any], Call], tuple[str, int]]", getattr(self, f"_{call.tool}"))
        with self.tools.store.reader() as conn:
            text, size = tool(conn, call)
        return Seen(text, size, before != (self.known, len(self.facts), len(self.opened)))

    # -- names --------------------------------------------------------------------------------

    def _find_person(self, _: psycopg.Connection[Any], call: Call) -> tuple[str, int]:
        name = str(call.values[0])
        if name.lower() in OWNER:
            return f"P0 {self.owner} (the owner)", len(self.people[0])
        return self._named(name, ("person", "organization"))

    def _find_organization(self, _: psycopg.Connection[Any], call: Call) -> tuple[str, int]:
        return self._named(str(call.values[0]), ("organization", "person"))

    def _named(self, name: str, kinds: tuple[LinkKind, LinkKind]) -> tuple[str, int]:
        """Handles for all that a name may mean; of the other kind where there is none of the one that was asked for."""
        for kind in kinds:
            if found := self._linked(name, kind):
                told = "" if kind == kinds[0] else f"no {kinds[0]} of that name, but:\n"
                return told + "\n".join(self._handle(kind, one) for one in found[:SHOWN]), len(found)
        return "nobody and nothing has that name", 0

    def _handle(self, kind: LinkKind, candidate: Candidate) -> str:
        told = f"{line(candidate.label)} ({candidate.n} messages)"
        if kind == "organization":
            if candidate.id not in self.organizations:
                self.organizations.append(candidate.id)
            return f"O{self.organizations.index(candidate.id) + 1} {told}"
        if candidate.id in self.names.index.owners:
            return f"P0 {told}, the owner"
        one = (candidate.id,)
        if one not in self.people:
            self.people.append(one)
        return f"P{self.people.index(one)} {told}"

    def _linked(self, name: str, kind: LinkKind) -> list[Candidate]:
        """All that a name may mean. It may be written small, as names in questions are."""
        found: dict[int, Candidate] = {}
        for text in dict.fromkeys((name, name.title())):
            tokens = tokenize(text)
            for i in range(len(tokens)):
                link: Link | None = self.names.index.at(
                    tokens, i, frozenset(), prefer_firm=kind == "organization", expected=True, small=text.islower()
                )
                if link is not None and link.kind == kind:
                    found.update({c.id: c for c in link.candidates if c.id not in found})
            if found:
                break
        return list(found.values())

    # -- facts --------------------------------------------------------------------------------

    def _count(self, conn: psycopg.Connection[Any], call: Call) -> tuple[str, int]:
        by = dict(call.named).get("by")
        filters = self._filters(call)
        if by is None:
            return self._counted(conn, call, Plan("messages", filters=filters), "count")
        target, role = COUNTED[str(by)]
        outside = self.names.index.owner_organizations if target == "organizations" else ()
        plan = Plan(
            target,
            role=role,
            filters=filters,
            exclude_people=self.names.index.owners if target == "people" else (),
            exclude_organizations=outside,
            persons=target == "people",
            order_by="count",
        )
        return self._counted(conn, call, plan, "rank")

    def _messages(self, conn: psycopg.Connection[Any], call: Call) -> tuple[str, int]:
        return self._counted(conn, call, Plan("messages", filters=self._filters(call)), "list")

    def _mentions(self, conn: psycopg.Connection[Any], call: Call) -> tuple[str, int]:
        return self._mentioned(conn, call, every=False)

    def _mentions_all(self, conn: psycopg.Connection[Any], call: Call) -> tuple[str, int]:
        return self._mentioned(conn, call, every=True)

    def _mentioned(self, conn: psycopg.Connection[Any], call: Call, *, every: bool) -> tuple[str, int]:
        words = Mentions(tuple(str(value) for value in call.values), every)
        return self._counted(conn, call, Plan("messages", filters=(words, *self._filters(call))), "list")

    def _counted(self, conn: psycopg.Connection[Any], call: Call, plan: Plan, intent: Intent) -> tuple[str, int]:
        answer = execute.answer(conn, plan, limit=ROWS)
        fact = facts.of_answer(plan, answer, intent, self.names.index)
        self._keep(fact)
        if plan.target != "messages":
            lines = [f"{line(item.label or item.keys[0])} ({item.n})" for item in answer.items[:SHOWN]]
            return f"{answer.total:,} in all, most first: {'; '.join(lines) or 'none'}", answer.total
        lines = self._gathered(conn, call, [int(item.id) for item in answer.items[:GATHERED]])
        told = f"{answer.messages:,} message{'' if answer.messages == 1 else 's'}{', newest first:' if lines else ''}"
        return "\n".join([told, *lines]), answer.messages

    def _keep(self, fact: Fact) -> None:
        if fact.text not in [known.text for known in self.facts]:
            self.facts.append(fact)

    def _filters(self, call: Call) -> tuple[Filter, ...]:
        """The named arguments as conditions. Raises BadStep for a period that ends before it begins."""
        given = dict(call.named)
        filters: list[Filter] = []
        for role in ("sender", "recipient", "participant"):
            if role in given:
                filters.append(self._who(cast("Role", role), given[role]))
        start, end = (cast("date | None", given.get(side)) for side in ("since", "before"))
        if start is not None and end is not None and start >= end:
            raise BadStep(f"Nothing is since {start} and before {end}.")
        if start is not None or end is not None:
            filters.append(Period(start, end))
        if "subject" in given:
            filters.append(Subject(str(given["subject"]), contains=True))
        return tuple(filters)

    def _who(self, role: Role, handle: Value) -> Filter:
        kind, number = cast("tuple[str, int]", handle)
        if kind == "O":
            return Organizations(role, (self.organizations[number - 1],))
        return People(role, self.people[number])

    # -- messages -----------------------------------------------------------------------------

    def _search(self, conn: psycopg.Connection[Any], call: Call) -> tuple[str, int]:
        column = Lexical(self.tools) if self.tools.embedder is None else Hybrid(self.tools)
        found = column.retrieve(Question(str(call.values[0]), self.as_of), GATHERED)
        lines = self._gathered(conn, call, [hit.message for hit in found.hits])
        return "\n".join(lines) or "nothing", len(found.hits)

    def _read(self, conn: psycopg.Connection[Any], call: Call) -> tuple[str, int]:
        message = self._message(call)
        text = read_messages(conn, [message])[message]
        self.opened.add(message)
        self._gathered(conn, call, [message])
        cut = " ..." if len(text.new_text) > CHARACTERS else ""
        return f"{letter(text.header, text.new_text[:CHARACTERS])}{cut}", len(text.new_text)

    def _thread(self, conn: psycopg.Connection[Any], call: Call) -> tuple[str, int]:
        message = self._message(call)
        thread = read_messages(conn, [message])[message].thread
        if thread is None:
            return "it stands alone", 1
        plan = Plan("messages", filters=(Threads((thread,)),), order_by="date", descending=False)
        answer = execute.answer(conn, plan, limit=ROWS)
        lines = self._gathered(conn, call, [int(item.id) for item in answer.items[:GATHERED]])
        return "\n".join([f"{answer.messages} messages, oldest first:", *lines]), answer.messages

    def _neighbours(self, conn: psycopg.Connection[Any], call: Call) -> tuple[str, int]:
        message = self._message(call)
        beside = [*neighbours.links(conn, [message]), *neighbours.two_hops(conn, [message], SHOWN)]
        found = list(dict.fromkeys(one.message for one in beside))
        return "\n".join(self._gathered(conn, call, found[:GATHERED])) or "nothing", len(found)

    def _path(self, conn: psycopg.Connection[Any], call: Call) -> tuple[str, int]:
        (_, first), (_, second) = cast("tuple[tuple[str, int], ...]", call.values)
        if not self.people[first] or not self.people[second]:
            raise BadStep("Whose mailbox this is, is not known.")
        chain = neighbours.path(conn, self.people[first][0], self.people[second][0])
        if not chain:
            return "no chain of people who wrote to each other", 0
        for step in chain:  # each step is a fact with its query
            plan = Plan("messages", filters=(Between((step.a,), (step.b,)),))
            answer = execute.answer(conn, plan, limit=ROWS)
            self._keep(facts.of_answer(plan, answer, "count", self.names.index))
            self._gathered(conn, call, [int(item.id) for item in answer.items[:2]])
        people = self.names.index.people
        named = [line(people[i].name) for i in (chain[0].a, *(step.b for step in chain)) if i in people]
        return " - ".join(named) + f" ({', '.join(f'{step.n} messages' for step in chain)})", len(chain)

    def _message(self, call: Call) -> int:
        return self.messages[cast("tuple[str, int]", call.values[0])[1] - 1]

    def _gathered(self, conn: psycopg.Connection[Any], call: Call, ids: Sequence[int]) -> list[str]:
        """Keeps the messages of a step as a ranking; a line for each of the first ones, with its handle."""
        if not ids:
            return []
        where = f"step {len(self.rankings) + 1}: {call.tool}"
        self.rankings.append([Found(message, 1.0, [FoundBy(where, rank)]) for rank, message in enumerate(ids, 1)])
        self.weights.append(WEIGHTS.get(call.tool, 1.0))
        shown = list(ids[:SHOWN])
        self.messages += [message for message in shown if message not in self.messages]
        texts = read_messages(conn, shown)
        return [f"M{self.messages.index(m) + 1} {line(texts[m].header)[:LINE]}" for m in shown if m in texts]
