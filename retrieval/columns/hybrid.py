"""Column ``hybrid``: words and meaning together, then the conversation around what was found.

BM25 and vectors over the same chunks, fused by reciprocal rank; then messages beside the best hits in their
conversations enter, because a terse reply ("agreed, let's do that") says nothing by itself and decides everything.
Automated mail weighs half. This is what most systems for mail arrive at. It fails where the answer is a count, a
list or an absence, and where the wording of the question is neither near in words nor in meaning.
"""

from __future__ import annotations

from typing import Any

import psycopg

from retrieval.columns import lexical
from retrieval.columns.base import Found, Tools, Trace, hits
from retrieval.columns.vector import best_of_message, embedded, nearest, vector_table
from retrieval.fusion import fuse
from retrieval.structure import siblings
from retrieval.types import Question, Retrieved

NEAREST = 40
THREAD_SEEDS = 5
AUTOMATED_WEIGHT = 0.5


class Hybrid:
    """BM25 and vectors by reciprocal rank fusion, with thread context."""

    name = "hybrid"

    def __init__(self, tools: Tools) -> None:
        self.tools = tools

    def retrieve(self, question: Question, limit: int = 12) -> Retrieved:
        """Fused hits and their neighbours. Raises what `vector` raises."""
        trace = Trace()
        vector = embedded(self.tools, question, trace)
        with self.tools.store.reader() as conn:
            found = fused(conn, self.tools, question, vector, trace)
            kept = with_threads(conn, found, trace, limit)
        return Retrieved(
            hits(kept, limit), trace=trace.steps, outcome_note="" if kept else "nothing is near in any way"
        )


def fused(conn: psycopg.Connection[Any], tools: Tools, question: Question, vector: str, trace: Trace) -> list[Found]:
    """Both searches as one ranking, automated mail weighted down."""
    words = lexical.search(conn, tools, question, trace, NEAREST)
    with trace.step("search", f"{NEAREST} nearest chunks") as notes:
        meaning = best_of_message(nearest(conn, vector_table(conn, tools), vector, NEAREST), "vector")
        notes.output, notes.size = f"{len(meaning)} messages by vectors", len(meaning)
    with trace.step("fuse", f"{len(words)} + {len(meaning)} messages") as notes:
        found = fuse([meaning, words])
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


def with_threads(conn: psycopg.Connection[Any], found: list[Found], trace: Trace, limit: int) -> list[Found]:
    """The ranking with neighbours of its first hits put behind those hits, a quarter of the places at most."""
    beside = siblings(conn, found[:THREAD_SEEDS], trace, per_message=2) if found else []
    known = {f.message for f in found[: limit - limit // 4]}
    extra = [f for f in beside if f.message not in known][: limit // 4]
    head = found[: limit - len(extra)]
    taken = {f.message for f in head}
    return [*head, *(f for f in extra if f.message not in taken), *(f for f in found[len(head) :])]
