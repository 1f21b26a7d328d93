"""Where a name may stand in a question, and what was found there.

People and organisations are looked for at the same places, and the finds are compared with each other; so both look
at a place and answer with a match, without knowing of one another.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from retrieval.planner.tokens import Token, written

How = Literal["owner", "address", "domain", "exact", "alias", "fuzzy"]

_LONGEST_RUN = 6


@dataclass(frozen=True, slots=True)
class Match:
    """What the first ``size`` words of a place were matched to: ``ids`` of vertices; ``score``: 1 is an exact match."""

    size: int
    ids: set[int]
    how: How
    score: float


@dataclass(frozen=True, slots=True)
class Place:
    """The words from token ``i`` of a question on. ``run``: how many follow each other, with nothing but spaces,
    points of initials or hyphens between. ``common`` words are names only inside longer ones."""

    tokens: Sequence[Token]
    i: int
    run: int
    common: frozenset[str]

    @property
    def word(self) -> Token:
        """The first word."""
        return self.tokens[self.i]

    def words(self, n: int) -> Sequence[Token]:
        """The first ``n`` words."""
        return self.tokens[self.i : self.i + n]

    def text(self, n: int) -> str:
        """The first ``n`` words as written."""
        return written(self.words(n))

    def is_name(self, token: Token) -> bool:
        """Written like a name: with a capital, and no common word."""
        return token.capital and token.key not in self.common

    def within_longer_name(self) -> bool:
        """The first word is a part of a longer name: one written like a name stands beside it."""
        if self.run > 1 and self.is_name(self.tokens[self.i + 1]):
            return True
        if self.i == 0:
            return False
        before = self.tokens[self.i - 1]
        return before.kind == "word" and self.is_name(before) and self.word.start - before.stop <= 1


def place(tokens: Sequence[Token], i: int, common: frozenset[str]) -> Place:
    """The place at token ``i``; its ``run`` is 0 where no word stands."""
    n = 0
    while i + n < len(tokens) and tokens[i + n].kind == "word" and n < _LONGEST_RUN:
        if n and tokens[i + n].start - tokens[i + n - 1].stop > 2:
            break
        n += 1
    return Place(tokens, i, n, common)
