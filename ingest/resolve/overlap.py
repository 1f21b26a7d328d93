"""Which texts share runs of words with a text: an index over sketches (ingest.sketch)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Hashes = npt.NDArray[np.uint32]

# A run of words that so many people wrote, or that stands in so many texts, is a formula (greetings, disclaimers, the
# head of a weekly report) and shows nothing.
FORMULA_WRITERS = 4
FORMULA_TEXTS = 32


@dataclass(frozen=True, slots=True)
class Shared:
    """``of_mine`` and ``of_theirs``: the share of the asking text's runs found in the other text, and the reverse.
    Formulas are left out of everything."""

    other: int
    runs: int
    of_mine: float
    of_theirs: float


class Overlap:
    """An index over texts, which are known by their place in the list. ``writers``: who wrote each, any number that
    tells people apart."""

    def __init__(self, sketches: Sequence[bytes], writers: Sequence[int]) -> None:
        self._levels = np.fromiter((s[0] if s else 0 for s in sketches), np.uint8, len(sketches))
        lengths = np.fromiter((max(len(s) - 1, 0) // 4 for s in sketches), np.int64, len(sketches))
        hashes: Hashes = np.frombuffer(b"".join(s[1:] for s in sketches), "<u4")
        owners = np.repeat(np.arange(len(sketches), dtype=np.int32), lengths)
        self._formulas = _formulas(hashes, np.repeat(np.asarray(writers, np.int64), lengths))
        kept = ~np.isin(hashes, self._formulas)
        hashes, owners = hashes[kept], owners[kept]
        self._own = np.concatenate(([0], np.cumsum(np.bincount(owners, minlength=len(sketches)))))
        self._by_owner = hashes
        order = np.argsort(hashes, kind="stable")
        self._hashes, self._owners = hashes[order], owners[order]

    def shared(self, sketch: bytes) -> list[Shared]:
        """Every indexed text that shares a run with ``sketch``."""
        if len(sketch) < 5 or not len(self._hashes):
            return []
        mine: Hashes = np.frombuffer(sketch, "<u4", offset=1)
        mine = mine[~_within(mine, self._formulas)]
        low = np.searchsorted(self._hashes, mine, "left")
        high = np.searchsorted(self._hashes, mine, "right")
        spans = [self._owners[a:b] for a, b in zip(low.tolist(), high.tolist(), strict=True) if b > a]
        if not spans:
            return []
        owners, counts = np.unique(np.concatenate(spans), return_counts=True)
        result = []
        for owner, runs in zip(owners.tolist(), counts.tolist(), strict=True):
            theirs = self._by_owner[self._own[owner] : self._own[owner + 1]]
            level = max(int(self._levels[owner]), sketch[0])
            of_mine, of_theirs = runs / max(_kept(mine, level), runs), runs / max(_kept(theirs, level), runs)
            result.append(Shared(owner, runs, of_mine, of_theirs))
        return result


def _formulas(hashes: Hashes, writers: npt.NDArray[np.int64]) -> Hashes:
    found, counts = np.unique(hashes, return_counts=True)
    pairs = np.unique(np.stack((hashes.astype(np.int64), writers)), axis=1)[0]
    writing, people = np.unique(pairs, return_counts=True)
    many = np.union1d(found[counts >= FORMULA_TEXTS], writing[people >= FORMULA_WRITERS].astype(np.uint32))
    return many.astype(np.uint32)


def _within(some: Hashes, ascending: Hashes) -> npt.NDArray[np.bool_]:
    if not len(ascending):
        return np.zeros(len(some), np.bool_)
    place = np.minimum(np.searchsorted(ascending, some), len(ascending) - 1)
    return np.asarray(ascending[place] == some)


def _kept(hashes: Hashes, level: int) -> int:
    """How many hashes are left at a level: the ones that both texts could share."""
    return int(np.count_nonzero(hashes & np.uint32((1 << level) - 1) == 0)) if level else len(hashes)
