"""Search by meaning and by words at a size: a part of `python -m tests.bench.bench_graph`.

The vectors are made up: points around some thousand centres, as texts about some thousand subjects are. They stand in
the table and under the index that ``mailweave embed`` makes, and are asked with the statements of the columns. Recall
is the share of the forty nearest by a whole scan that the index finds; of real mail it may be another one.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import numpy.typing as npt
import psycopg
from pgvector import HalfVector
from pgvector.psycopg import register_vector
from psycopg import sql

from ingest import embed
from retrieval.columns.lexical import bm25 as by_words
from retrieval.columns.vector import nearest
from sql import bm25
from sql.store import Store
from tests.bench.server import Times, server_cpu_seconds, timed

DIMENSIONS = 384
CENTRES = 2000
QUERIES = 40
Vectors = npt.NDArray[np.float32]


class MadeUp:
    """Stands where a model is asked for its name; the vectors come from ``_vectors``."""

    name = "made up"
    dimensions = DIMENSIONS
    fingerprint = "1"


def fill(store: Store) -> None:
    """One chunk and one vector for each message of a store that has none, and the indexes that the program would make;
    prints the figures of those that were missing."""
    name = embed.table_name(MadeUp.name)
    table, index = sql.Identifier("mail", name), f"mail.{name}_hnsw"
    with store.owner() as conn:
        if not _there(conn, f"mail.{name}"):
            _write(conn, table)
    with store.owner() as conn:
        if not _there(conn, bm25.INDEX):
            _built(conn, "index of words (BM25)", bm25.INDEX, lambda: bm25.rebuild(conn))
        row = conn.execute(sql.SQL("SELECT count(*) FROM {}").format(table)).fetchone()
        if row is not None and row[0] > embed.EXACT and not _there(conn, index):
            _built(conn, "index of vectors", index, lambda: embed._index(conn, table, MadeUp))  # type: ignore[arg-type]


def _there(conn: psycopg.Connection[Any], relation: str) -> bool:
    return conn.execute("SELECT to_regclass(%s) IS NOT NULL", (relation,)).fetchone() == (True,)


def _write(conn: psycopg.Connection[Any], table: sql.Identifier) -> None:
    bm25.suspend(conn)
    conn.execute(
        "INSERT INTO mail.chunk (message, position, text, start, stop, sha256) "
        "SELECT id, 0, subject || E'\n\n' || body, 0, length(body), sha256(id::text::bytea) FROM mail.message"
    )
    embed._table(conn, MadeUp)  # type: ignore[arg-type]
    register_vector(conn)
    keys = [row[0] for row in conn.execute("SELECT sha256 FROM mail.chunk ORDER BY id")]
    with conn.cursor().copy(sql.SQL("COPY {} FROM STDIN (FORMAT binary)").format(table)) as copy:
        copy.set_types(["bytea", "halfvec"])
        for start in range(0, len(keys), 10_000):
            part = keys[start : start + 10_000]
            for key, vector in zip(part, _vectors(len(part), start), strict=True):
                copy.write_row((key, HalfVector(vector)))
    conn.execute(sql.SQL("ANALYZE mail.chunk, {}").format(table))


def measure(conn: psycopg.Connection[Any]) -> tuple[Times, Times, float]:
    """Times of the nearest forty by vectors and by words, and the recall of the former."""
    table = embed.table_name(MadeUp.name)
    queries = [str(vector.tolist()) for vector in _vectors(QUERIES, 7_000_000)]
    found = [_keys(conn, table, query, exact=False) for query in queries]
    wanted = [_keys(conn, table, query, exact=True) for query in queries]
    recall = sum(len(a & b) for a, b in zip(found, wanted, strict=True)) / sum(map(len, wanted))
    turn = iter(queries * 100)
    vectors = timed(conn, lambda: nearest(conn, table, next(turn), 40), QUERIES)
    asked = iter([f"word{n * 37 % 20000} word{n} word{n * 5 % 300} word{n % 40}" for n in range(10, 4000)])
    words = timed(conn, lambda: by_words(conn, next(asked), 40), QUERIES)
    return vectors, words, recall


def _keys(conn: psycopg.Connection[Any], table: str, query: str, exact: bool) -> set[bytes]:
    conn.execute("SET hnsw.ef_search = 80")  # what the column sets
    conn.execute(f"SET enable_indexscan = {'off' if exact else 'on'}")
    rows = conn.execute(
        sql.SQL("SELECT sha256 FROM {} ORDER BY embedding <=> %s::halfvec LIMIT 40").format(
            sql.Identifier("mail", table)
        ),
        (query,),
        prepare=False,
    ).fetchall()
    conn.execute("SET enable_indexscan = on")
    return {key for (key,) in rows}


def _vectors(n: int, seed: int) -> Vectors:
    """Vectors of length 1 around common centres."""
    centres = np.random.default_rng(1).standard_normal((CENTRES, DIMENSIONS), np.float32)
    chance = np.random.default_rng(seed + 2)
    made = centres[chance.integers(0, CENTRES, n)] + 0.8 * chance.standard_normal((n, DIMENSIONS), np.float32)
    return np.asarray(made / np.linalg.norm(made, axis=1, keepdims=True), np.float32)


def _built(conn: psycopg.Connection[Any], name: str, index: str, make: Any) -> None:
    started, cpu = time.perf_counter(), server_cpu_seconds(conn)
    make()
    conn.commit()
    row = conn.execute("SELECT pg_size_pretty(pg_relation_size(%s))", (index,)).fetchone()
    assert row is not None
    seconds = time.perf_counter() - started
    print(f"| {name} | {seconds:.1f} s | | {server_cpu_seconds(conn) - cpu:.1f} s | {row[0]} |", flush=True)
