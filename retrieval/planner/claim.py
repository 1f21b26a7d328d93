"""A claim: what one stretch of a question says of messages."""

from __future__ import annotations

from dataclasses import dataclass, field

from graph.plan import Filter, Period, Plan, Role


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
    """``role``: that of the gap; ``each``: filters of which each must hold for itself
    ("by both A and B"); ``at``, ``outside``: organisations of the gap; ``outward``: of messages, those outside are
    written to; ``acting``: they did it, who are asked for ("from them"); ``besides``: people left out; ``inherits``:
    nothing but a period or a place is said, the rest stands before; ``gap_acted_on``: somebody else is named who
    wrote, so that "but never addressed" has the same subject; ``acts``: it speaks of mail; ``named``: somebody is
    named; ``directly``: To is meant; ``described``: people who are described, so that they are not their own answer;
    ``not_from``: what is left out of all that is counted; ``gaps``: what lies between the periods; ``answers``: it
    speaks of an answer; ``newly``: it was not so before the period; ``exactly``: no more than ``least`` either;
    ``only``: filters of which it is said that they hold for all mail."""

    role: Role | None = None
    filters: list[Filter] = field(default_factory=list)
    each: list[list[Filter]] = field(default_factory=list)
    at: list[int] = field(default_factory=list)
    outside: list[int] = field(default_factory=list)
    outward: bool = False
    acting: bool = False
    besides: list[int] = field(default_factory=list)
    firms_besides: list[int] = field(default_factory=list)
    counterparts: list[int] = field(default_factory=list)
    described: list[Plan] = field(default_factory=list)
    most: bool = False
    fewest: bool = False
    first: bool = False
    last: bool = False
    newly: bool = False
    least: int | None = None
    exactly: bool = False
    answers: bool = False
    inherits: bool = False
    gap_acted_on: bool = False
    acts: bool = False
    directly: bool = False
    named: bool = False
    not_from: list[Filter] = field(default_factory=list)
    gaps: list[Period] = field(default_factory=list)
    only: list[Filter] = field(default_factory=list)
    leftover: list[str] = field(default_factory=list)
