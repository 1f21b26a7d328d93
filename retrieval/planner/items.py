"""A question as a row of tagged items."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from graph.plan import Period
from retrieval.linker import Link
from retrieval.planner.languages import Language
from retrieval.planner.tokens import Token


@dataclass(slots=True)
class Item:
    """A tagged stretch of the question. ``tag``: PERSON, ORG, LABEL, PERIOD, QUOTED, WORD, COMMA, OPEN, CLOSE, END or
    a cue of the language. ``value``: Link, Period or text. ``possessive``: followed by 's; ``only``: nothing else is
    meant ("only in May"); ``glue``: the mark that joins it to the item before; ``parts``: of a period, what it consists
    of, with gaps between."""

    tag: str
    text: str
    start: int
    stop: int
    value: Any = None
    possessive: bool = False
    capital: bool = False
    vague: bool = False
    only: bool = False
    glue: str = ""
    parts: tuple[Period, ...] = ()


@dataclass
class Tagged:
    """The items of a question with what was linked on the way; words that carry nothing are left out."""

    items: list[Item]
    tokens: list[Token]
    language: Language
    links: list[Link] = field(default_factory=list)

    @property
    def periods(self) -> list[Period]:
        """The periods that are named."""
        return [i.value for i in self.items if i.tag == "PERIOD"]

    @property
    def said(self) -> list[Item]:
        """The items but for those that carry nothing, which go once all have been read."""
        return [i for i in self.items if i.tag != "SKIP"]
