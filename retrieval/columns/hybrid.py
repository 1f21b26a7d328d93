"""Column ``hybrid``: words and meaning together, then the conversation around what was found.

BM25 and vectors over the same chunks, fused by reciprocal rank. The question is embedded twice, as asked and as its
content words alone, since "how many did we" says nothing of the message that is wanted; each counts half. Then messages
beside the best hits in their conversations enter, because a terse reply ("agreed, let's do that") says nothing by
itself and decides everything. Automated mail weighs half. This is what most systems for mail arrive at. It fails where
the answer is a count, a list or an absence, and where the wording of the question is neither near in words nor in
meaning. Where a reranker is switched on it puts the first forty in order once more.
"""

from __future__ import annotations

from typing import Any

import psycopg

from retrieval.carriers import carried
from retrieval.columns import lexical
from retrieval.columns.base import Found, Tools, Trace, hits
from retrieval.columns.vector import best_of_message, embedded_all, nearest, vector_table
from retrieval.fusion import K, fuse
from retrieval.rerank import reranked
from retrieval.structure import siblings
from retrieval.types import QueryError, Question, Retrieved

NEAREST = 40
THREAD_SEEDS = 5
AUTOMATED_WEIGHT = 0.5
THREAD_WEIGHT = 0.5
WHOLE_WEIGHT = 0.3  # a message in which the words stand anywhere is a hint: quotations repeat what others said


class Hybrid:
    """BM25 and vectors by reciprocal rank fusion, with thread context."""

    name = "hybrid"

    def __init__(self, tools: Tools) -> None:
        self.tools = tools

    def retrieve(self, question: Question, limit: int = 12) -> Retrieved:
        """Fused hits and their neighbours. Raises what `vector` raises."""
        trace = Trace()
        vectors = two_forms(self.tools, question, trace)
        with self.tools.store.reader() as conn:
            found = fused(conn, self.tools, question, vectors, trace)
            kept = with_threads(conn, found, trace)
            errors: list[QueryError] = []
            if self.tools.reranker is not None and kept:
                kept, errors = reranked(conn, self.tools.reranker, question.text, kept, trace)
        note = "" if kept else "nothing is near in any way"
        return Retrieved(hits(kept, limit), trace=trace.steps, errors=errors, outcome_note=note)


def two_forms(tools: Tools, question: Question, trace: Trace) -> list[str]:
    """The vectors of the question as asked and of its content words."""
    words = lexical.query_words(question.text)
    return embedded_all(tools, [question.text, words or question.text], trace)


def fused(
    conn: psycopg.Connection[Any], tools: Tools, question: Question, vectors: list[str], trace: Trace
) -> list[Found]:
    """Both searches as one ranking, automated mail weighted down."""
    words, whole = lexical.search(conn, tools, question, trace, NEAREST)
    with trace.step("search", f"{NEAREST} nearest chunks") as notes:
        table = vector_table(conn, tools)
        names = ("vector", "vector of the words")
        meaning = [
            carried(conn, best_of_message(nearest(conn, table, v, NEAREST), name), 0.95)
            for v, name in zip(vectors, names, strict=True)
        ]
        notes.size = sum(map(len, meaning))
        notes.output = " + ".join(str(len(m)) for m in meaning) + " messages by vectors"
    with trace.step("fuse", f"{len(words)} + {len(whole)} by words, {notes.size} by vectors") as notes:
        found = fuse([*meaning, words, whole], [0.5, 0.5, 1.0, WHOLE_WEIGHT])
        automated = {
            row[0]
            for row in conn.execute(
                "SELECT id FROM mail.message WHERE id = ANY(%s) AND kind = 'automated'", ([f.message for f in found],)
            )
        }
        for f in found:
            if f.message in automated:
                f.score *= AUTOMATED_WEIGHT
        found.sort(key=lambda f: (-f.score, f.message))
        notes.output = f"{len(found)} messages, {len(automated)} automated ones weighted down"
        notes.size = len(found)
    return found


def with_threads(conn: psycopg.Connection[Any], found: list[Found], trace: Trace) -> list[Found]:
    """The ranking fused once more with the messages beside its first hits in their conversations."""
    if not found:
        return found
    beside = siblings(conn, found[:THREAD_SEEDS], trace, per_message=2)
    by_score = {f.message: f.score for f in found}
    for rank, f in enumerate(beside, 1):
        f.score = by_score.get(f.message, 0.0) + THREAD_WEIGHT / (K + rank)
    kept = {f.message: f for f in found}
    for f in beside:
        if f.message in kept:
            kept[f.message].score = f.score
            kept[f.message].found_by += f.found_by
        else:
            kept[f.message] = f
    return sorted(kept.values(), key=lambda f: (-f.score, f.message))
