"""What passes between the steps of a question: question, hits, facts, trace, errors.

Every column returns the same :class:`Retrieved`, so that their difference is theirs alone and can be shown side by
side. Errors travel as data beside the hits; "no hits" means that a query ran and found none.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from typing import Any, Literal, Protocol

Outcome = Literal["answered", "retrieved", "declined", "nothing_retrieved", "failed", "not_run"]


@dataclass(frozen=True)
class Question:
    """A question as asked. ``as_of``: the day that "this year" is relative to; None = the mailbox's last date."""

    text: str
    as_of: date | None = None


@dataclass(frozen=True)
class FoundBy:
    """Which step found a hit, and at which rank (1 = first)."""

    step: str
    rank: int


@dataclass(frozen=True)
class Hit:
    """A retrieved message. ``message`` is the store's id, ``rank`` starts at 1, ``score`` is the column's own measure
    (higher is better), ``span`` the part of ``new_text`` that matched (start, stop), where a chunk matched. ``quoted``:
    the text that matched stands in a quotation; the id of the quoted message, which is known only from there.
    ``attachment``: the name of the attached file in which the text that matched stands."""

    message: int
    rank: int
    score: float
    found_by: tuple[FoundBy, ...]
    span: tuple[int, int] | None = None
    quoted: int | None = None
    attachment: str | None = None


@dataclass(frozen=True)
class Fact:
    """A sentence whose value was computed by ``query`` (the very text that ran), with the rows it gave.

    ``value``: a number, or a list of items {label, n?, keys} - complete, or cut openly (the sentence says so).
    """

    text: str
    value: int | list[dict[str, Any]]
    query: str
    rows: list[dict[str, Any]]
    messages: tuple[int, ...] = ()  # ids of the messages behind it, newest first, capped
    rule: str = ""  # what was counted, and what was not


@dataclass(frozen=True)
class Step:
    """One step of the trace: plan, link, traverse, expand, embed, search, fuse, rerank, prompt, answer ..."""

    name: str
    input: str
    output: str
    size: int
    milliseconds: float


@dataclass(frozen=True)
class QueryError:
    """An error of a column, never swallowed. ``kind`` is the error's class name; ``hint`` what the person can do."""

    kind: str
    message: str
    query: str = ""
    hint: str = ""


@dataclass(frozen=True)
class Retrieved:
    """What a column found. ``outcome_note`` says why nothing was retrieved ("nothing linked")."""

    hits: list[Hit] = field(default_factory=list)
    facts: list[Fact] = field(default_factory=list)
    trace: list[Step] = field(default_factory=list)
    errors: list[QueryError] = field(default_factory=list)
    outcome_note: str = ""


class Retriever(Protocol):
    """A column of the comparison."""

    name: str

    def retrieve(self, question: Question, limit: int = 12) -> Retrieved:
        """At most ``limit`` messages for the question, with facts, trace and errors."""
        ...
