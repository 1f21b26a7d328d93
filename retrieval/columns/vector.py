"""Column ``vector``: the meaning of the question against the meaning of pieces of text.

The question's vector, the 40 nearest chunks, the best chunk of each message, 12 messages: retrieval as most systems
do it (dense retrieval in the way of sentence embeddings). It finds what was said in other words than the question's.
It fails where the question is about structure: who, how many, never, first, all; it cannot count, and a name or a date
in the question moves the vector without limiting anything.
"""

from __future__ import annotations

from typing import Any

import psycopg
from psycopg import sql

from retrieval.carriers import carried
from retrieval.columns.base import Found, Tools, Trace, hits
from retrieval.errors import IndexStale, NoVectors
from retrieval.types import FoundBy, Question, Retrieved

NEAREST = 40


class Vector:
    """Dense retrieval over chunks."""

    name = "vector"

    def __init__(self, tools: Tools) -> None:
        self.tools = tools

    def retrieve(self, question: Question, limit: int = 12) -> Retrieved:
        """The messages of the nearest chunks. Raises NoVectors, IndexStale, ColumnUnavailable."""
        trace = Trace()
        vector = embedded(self.tools, question, trace)
        with self.tools.store.reader() as conn, trace.step("search", f"{NEAREST} nearest chunks") as notes:
            table = vector_table(conn, self.tools)
            found = carried(conn, best_of_message(nearest(conn, table, vector, NEAREST), self.name))
            notes.output, notes.size = f"{len(found)} messages", len(found)
            note = coverage(conn, self.tools) if found else "there are no vectors yet"
        return Retrieved(hits(found, limit), trace=trace.steps, outcome_note=note)


def embedded(tools: Tools, question: Question, trace: Trace) -> str:
    """The question's vector in the form that pgvector reads."""
    return embedded_all(tools, [question.text], trace)[0]


def embedded_all(tools: Tools, texts: list[str], trace: Trace) -> list[str]:
    """The vectors of several texts at once."""
    embedder = tools.need_embedder()
    with trace.step("embed", " | ".join(texts)) as notes:
        vectors = embedder.embed(texts)
        notes.output, notes.size = embedder.name, vectors.shape[1]
    return ["[" + ",".join(f"{x:.6f}" for x in vector) + "]" for vector in vectors]


def vector_table(conn: psycopg.Connection[Any], tools: Tools) -> str:
    """The table with the embedder's vectors. Raises NoVectors before the first one, IndexStale after a change."""
    embedder = tools.need_embedder()
    row = conn.execute(
        "SELECT relation, fingerprint FROM mail.index_state WHERE name = %s", (f"vectors:{embedder.name}",)
    ).fetchone()
    if row is None:
        raise NoVectors(f"Nothing was embedded with {embedder.name} yet.")
    if embedder.fingerprint != row[1]:
        raise IndexStale(f"The vectors were made by another version of {embedder.name}.")
    return str(row[0])


def coverage(conn: psycopg.Connection[Any], tools: Tools) -> str:
    """What is not embedded yet, in words; nothing when all is."""
    row = conn.execute(
        "SELECT (counts ->> 'embedded')::bigint, (counts ->> 'chunks')::bigint FROM mail.index_state WHERE name = %s",
        (f"vectors:{tools.need_embedder().name}",),
    ).fetchone()
    if row is None or not row[1] or row[0] is None or row[0] >= row[1]:
        return ""
    return f"{100 * row[0] // row[1]} % of the mail is embedded so far: the rest cannot be found by meaning yet"


def nearest(
    conn: psycopg.Connection[Any], table: str, vector: str, n: int, among: list[int] | None = None
) -> list[tuple[int, int, int, float]]:
    """The nearest chunks as (message, start, stop, cosine), best first; ``among``: only of these messages.

    Without ``among`` the chunks are scanned by the index where there is one; the few that a filter drops afterwards
    (drafts, spam, trash) are asked for in addition. With it the scan is exact.
    """
    relation = sql.Identifier(*table.split(".")) if "." in table else sql.Identifier("mail", table)
    if among is not None:
        query = sql.SQL(
            "WITH c AS MATERIALIZED (SELECT c.message, c.start, c.stop, v.embedding FROM mail.chunk c "
            "JOIN {} v USING (sha256) WHERE c.message = ANY(%(among)s)) "
            "SELECT message, start, stop, 1 - (embedding <=> %(v)s::halfvec) FROM c "
            "ORDER BY embedding <=> %(v)s::halfvec LIMIT %(n)s"
        ).format(relation)
        return conn.execute(query, {"v": vector, "n": n, "among": among}).fetchall()
    query = sql.SQL(
        "WITH v AS MATERIALIZED (SELECT sha256, embedding <=> %(v)s::halfvec AS distance FROM {} "
        "ORDER BY embedding <=> %(v)s::halfvec LIMIT %(more)s) "
        "SELECT c.message, c.start, c.stop, 1 - v.distance FROM v JOIN mail.chunk c USING (sha256) "
        "JOIN mail.message m ON m.id = c.message WHERE m.kind NOT IN ('draft', 'spam', 'trash') "
        "ORDER BY v.distance, c.message LIMIT %(n)s"
    ).format(relation)
    # at least the limit, else an index gives fewer rows; a setting for this transaction only
    conn.execute(sql.SQL("SET LOCAL hnsw.ef_search = {}").format(sql.Literal(min(2 * n, 1000))))
    return conn.execute(query, {"v": vector, "n": n, "more": n + n // 2}).fetchall()


def best_of_message(chunks: list[tuple[int, int, int, float]], step: str) -> list[Found]:
    """Each message once, at the rank and with the span of its best chunk."""
    found: dict[int, Found] = {}
    for rank, (message, start, stop, score) in enumerate(chunks, 1):
        if message not in found:
            found[message] = Found(message, score, [FoundBy(step, rank)], (start, stop))
    return list(found.values())
