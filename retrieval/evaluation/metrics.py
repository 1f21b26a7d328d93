"""Ranking metrics, in the terms of information retrieval, over *groups* of documents.

Copies of one mail have several Message-IDs; any copy is as good as another. So relevance is given by groups: a hit
finds a group when it is one of its copies, and a second hit of the same group finds nothing new. With groups of one
document each these are the textbook metrics, and the tests compare them with ir-measures.

All functions take ``gains``: for each rank in turn the grade of the group newly found there, else 0 (see
:func:`gains`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import log2


def gains(
    ranking: Sequence[Iterable[str]], groups: Sequence[Iterable[str]], grades: Sequence[int] | None = None
) -> list[int]:
    """The grade found at each rank.

    ``ranking``: for each hit, best first, all its document ids. ``groups``: the relevant groups, each all ids of one
    document; ``grades``: their relevance (1 each when left out).
    """
    group_of = {document: number for number, group in enumerate(groups) for document in group}
    found: set[int] = set()
    result = []
    for hit in ranking:
        new = {group_of[document] for document in hit if document in group_of} - found
        found |= new
        result.append(max((grades[number] if grades else 1 for number in new), default=0))
    return result


def recall(found: Sequence[int], relevant: int, k: int) -> float:
    """Share of the ``relevant`` groups found in the first ``k`` ranks."""
    return sum(grade > 0 for grade in found[:k]) / relevant


def reciprocal_rank(found: Sequence[int]) -> float:
    """One over the rank of the first relevant hit, 0 when there is none."""
    return next((1 / rank for rank, grade in enumerate(found, 1) if grade > 0), 0.0)


def ndcg(found: Sequence[int], grades: Sequence[int], k: int) -> float:
    """Normalised discounted cumulative gain in the first ``k`` ranks; ``grades`` of all relevant groups.

    Gain is the grade itself and the discount log2(rank + 1), as in trec_eval (Järvelin and Kekäläinen 2002).
    """
    best = _dcg(sorted(grades, reverse=True), k)
    return _dcg(found, k) / best if best else 0.0


def average_precision(found: Sequence[int], relevant: int) -> float:
    """Mean over the ``relevant`` groups of the precision at the rank where each was found (0 where it was not)."""
    total, hits = 0.0, 0
    for rank, grade in enumerate(found, 1):
        if grade > 0:
            hits += 1
            total += hits / rank
    return total / relevant


def _dcg(grades: Sequence[int], k: int) -> float:
    return sum(grade / log2(rank + 1) for rank, grade in enumerate(grades[:k], 1))
