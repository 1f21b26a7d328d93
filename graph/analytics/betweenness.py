"""Betweenness: who stands on the shortest paths between others.

Brandes, A faster algorithm for betweenness centrality, 2001; for large graphs over a sample of sources, the pivots, as
in Brandes and Pich, Centrality estimation in large networks, 2007. Paths are counted in steps, each pair of
correspondents being one step in either direction. One breadth-first search a source, a level of it at a time in numpy.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

# Above so many people only the paths from so many of them are followed.
EXACT = 4000
PIVOTS = 500
_SEED = 20010101

Numbers = NDArray[np.int64]


def betweenness(pairs: Sequence[tuple[int, int]]) -> tuple[dict[int, float], int | None]:
    """For each person in ``pairs`` (two different people each, no pair twice) the share of the shortest paths between
    others that lead through them, 0 to 1; and the number of pivots, None when all people were sources.

    A sample is drawn with a fixed seed and scaled to all sources: the same graph gives the same numbers.
    """
    if not pairs:
        return {}, None
    people, ends = np.unique(np.array(pairs, dtype=np.int64), return_inverse=True)
    ends = ends.reshape(-1, 2)
    n = len(people)
    first, neighbours = _adjacency(ends, n)
    pivots = PIVOTS if n > EXACT else None
    sources = np.random.default_rng(_SEED).choice(n, PIVOTS, replace=False) if pivots else np.arange(n)
    total = np.zeros(n)
    for source in sources:
        total += _through(int(source), first, neighbours)
    others = (n - 1) * (n - 2)
    scale = n / len(sources) / others if others else 0.0
    return dict(zip(people.tolist(), (total * scale).tolist(), strict=True)), pivots


def _adjacency(ends: Numbers, n: int) -> tuple[Numbers, Numbers]:
    """The neighbours of vertex v stand in neighbours[first[v]:first[v + 1]]."""
    both = np.concatenate([ends, ends[:, ::-1]])
    both = both[np.argsort(both[:, 0], kind="stable")]
    first = np.searchsorted(both[:, 0], np.arange(n + 1))
    return first.astype(np.int64), np.ascontiguousarray(both[:, 1])


def _through(source: int, first: Numbers, neighbours: Numbers) -> NDArray[np.float64]:
    """What each vertex carries of the shortest paths from ``source`` to all others."""
    n = len(first) - 1
    seen = np.zeros(n, dtype=bool)
    paths = np.zeros(n)
    seen[source], paths[source] = True, 1.0
    frontier = np.array([source])
    levels: list[tuple[Numbers, Numbers]] = []
    while True:
        degrees = first[frontier + 1] - first[frontier]
        before = np.repeat(frontier, degrees)
        starts = np.repeat(first[frontier] - (np.cumsum(degrees) - degrees), degrees)
        after = neighbours[starts + np.arange(len(before))]
        further = ~seen[after]
        before, after = before[further], after[further]
        if not len(after):
            break
        levels.append((before, after))
        np.add.at(paths, after, paths[before])
        frontier = np.unique(after)
        seen[frontier] = True
    carried = np.zeros(n)
    for before, after in reversed(levels):
        np.add.at(carried, before, paths[before] / paths[after] * (1 + carried[after]))
    carried[source] = 0.0
    return carried
