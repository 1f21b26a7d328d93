"""Which communities are asked, and in which order, before a model is called.

Closeness of the summary to the question, and size in the question's period, fused by rank: a question about everything
is close to nothing, and then the largest communities say most; one about a matter is close to the group that had it.
A community is not asked beside one that holds it or that it holds, since the same mail would speak twice.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from graph.analytics import Community
from retrieval.columns.base import Found, Trace
from retrieval.columns.lexical import query_words
from retrieval.fusion import fuse

if TYPE_CHECKING:
    from retrieval.models.embed import Embedder


def order(
    question: str,
    communities: Sequence[Community],
    messages: Mapping[int, int],
    embedder: Embedder | None,
    trace: Trace,
) -> list[Community]:
    """The communities, best first, none within another. ``messages``: how many each has in the period. Without an
    ``embedder`` closeness is the number of the question's words in name and summary."""
    by_id = {c.id: c for c in communities}
    with trace.step("relevance", f"{len(communities)} summaries") as notes:
        close = _closeness(question, communities, embedder)
        by_closeness = sorted(communities, key=lambda c: (-close[c.id], c.id))
        by_size = sorted(communities, key=lambda c: (-messages[c.id], c.id))
        places = [
            [Found(c.id, 0.0) for c in ranking if close[c.id] or ranking is by_size]
            for ranking in (by_closeness, by_size)
        ]
        kept: list[Community] = []
        for one in (by_id[f.message] for f in fuse(places)):
            if not any(_holds(by_id, a, b) for k in kept for a, b in ((k, one), (one, k))):
                kept.append(one)
        how = embedder.name if embedder is not None else "words"
        notes.output = f"by {how} and size: " + "; ".join(f"{c.name} {close[c.id]:.2f}" for c in kept)
        notes.size = len(kept)
    return kept


def _closeness(question: str, communities: Sequence[Community], embedder: Embedder | None) -> dict[int, float]:
    texts = [f"{c.name}. {c.summary}" for c in communities]
    if embedder is not None and texts:
        vectors = embedder.embed([question, *texts])
        return dict(zip((c.id for c in communities), (vectors[1:] @ vectors[0]).tolist(), strict=True))
    wanted = set(query_words(question).casefold().split())
    return {c.id: float(len(wanted & _words(text))) for c, text in zip(communities, texts, strict=True)}


def _words(text: str) -> set[str]:
    return set(query_words(text).casefold().split())


def _holds(by_id: Mapping[int, Community], outer: Community, inner: Community) -> bool:
    """Whether ``inner`` was split off ``outer``, in one step or several."""
    while inner.parent is not None:
        if inner.parent == outer.id:
            return True
        if inner.parent not in by_id:
            return False
        inner = by_id[inner.parent]
    return False
