"""Reciprocal rank fusion: several rankings become one, by ranks alone.

Cormack, Clarke and Buettcher (SIGIR 2009): the score of a message is the sum of 1 / (k + rank) over the rankings that
hold it. Scores of different columns are never compared, since a cosine and a BM25 score have nothing in common.

Their k of 60 was chosen for many systems over long lists, where agreement tells most. Here two or three lists of forty
are fused and a message that one of them puts first is often in no other, because it shares the words of the question
or its meaning but not both: a small k keeps it in front.
"""

from __future__ import annotations

from collections.abc import Sequence

from retrieval.columns.base import Found

K = 10


def fuse(rankings: Sequence[Sequence[Found]], weights: Sequence[float] | None = None) -> list[Found]:
    """One ranking of all messages, best first; ties by message id. Each keeps where it was found and its first span."""
    weights = weights or [1.0] * len(rankings)
    out: dict[int, Found] = {}
    for ranking, weight in zip(rankings, weights, strict=True):
        for rank, f in enumerate(ranking, 1):
            known = out.setdefault(f.message, Found(f.message, 0.0, [], f.span, f.quoted))
            known.score += weight / (K + rank)
            known.found_by += f.found_by
            known.span, known.quoted = known.span or f.span, known.quoted or f.quoted
    return sorted(out.values(), key=lambda f: (-f.score, f.message))
