"""Vectors of chunks: what is missing is made, in the order in which it is likely to be asked for.

Vectors stand in one table for each model, keyed by the sha256 of a chunk's text, so that cutting or cleaning mail anew
only embeds text that is really new. Personal mail comes first, recent before old, automated mail last: a mailbox can
be asked while the rest goes on. Every batch is committed, so that a run that is stopped or killed is gone on with by
the next.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt
from pgvector import HalfVector
from pgvector.psycopg import register_vector
from psycopg import Connection, sql
from psycopg.types.json import Jsonb

from ingest.progress import SILENT, Progress
from sql.errors import StoreBusy
from sql.store import Store

BATCH = 64
LOCK = 7463003
# Up to here an exact scan is fast enough, and finds everything.
EXACT = 50_000


class Embedder(Protocol):
    """What is needed of an embedding model."""

    name: str
    dimensions: int
    fingerprint: str

    def embed(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """A row of length 1 for each text."""


@dataclass(frozen=True, slots=True)
class EmbedResult:
    """``made`` vectors in this run; afterwards ``embedded`` of ``chunks`` different chunk texts have one."""

    model: str
    made: int
    embedded: int
    chunks: int
    seconds: float
    stopped: bool


def embed(
    store: Store, embedder: Embedder, *, progress: Progress = SILENT, stop: Callable[[], bool] = lambda: False
) -> EmbedResult:
    """Make all vectors that are missing for ``embedder``. ``stop`` is asked before each batch.

    Raises StoreBusy while another program embeds, and whatever the embedder raises; what was made before stays.
    """
    started = time.perf_counter()
    with store.owner() as conn, _alone(conn, store.name):
        table = _table(conn, embedder)
        register_vector(conn)
        conn.commit()
        pending = [row[0] for row in conn.execute(sql.SQL(_PENDING).format(table))]
        progress.step("vectors", len(pending), "chunks")
        made = 0
        stopped = False
        for batch in (pending[i : i + BATCH] for i in range(0, len(pending), BATCH)):
            if stopped := stop():
                break
            made += _make(conn, table, embedder, batch)
            progress.advance(len(batch))
        if not stopped:
            conn.execute(sql.SQL(_PRUNE).format(table))
        embedded, chunks = _state(conn, table, embedder)
        if not stopped and embedded > EXACT:
            _index(conn, table, embedder)
        conn.commit()
    return EmbedResult(embedder.name, made, embedded, chunks, time.perf_counter() - started, stopped)


def prune(conn: Connection[Any]) -> None:
    """Remove the vectors of text that is no longer there, of all models: mail that was forgotten leaves none behind."""
    for name, relation in conn.execute(
        "SELECT name, relation FROM mail.index_state WHERE name LIKE 'vectors:%%'", ()
    ).fetchall():
        table = sql.Identifier("mail", relation)
        conn.execute(sql.SQL(_PRUNE).format(table))
        conn.execute(
            sql.SQL(
                "UPDATE mail.index_state SET counts = jsonb_build_object('embedded', (SELECT count(*) FROM {}),"
                " 'chunks', (SELECT count(DISTINCT sha256) FROM mail.chunk)) WHERE name = %s"
            ).format(table),
            (name,),
        )


def table_name(model: str) -> str:
    """The table, in schema mail, that holds a model's vectors."""
    return "vector_" + re.sub(r"[^a-z0-9]+", "_", model.lower()).strip("_")[:50]


def _make(conn: Connection[Any], table: sql.Composable, embedder: Embedder, batch: list[bytes]) -> int:
    # a text may have gone since: an ingest goes on at the same time
    rows = conn.execute(
        "SELECT DISTINCT ON (sha256) sha256, text FROM mail.chunk WHERE sha256 = ANY (%s)", (batch,)
    ).fetchall()
    conn.commit()
    if not rows:
        return 0
    vectors = embedder.embed([text for _, text in rows])
    with conn.cursor() as cur:
        with cur.copy(sql.SQL("COPY {} (sha256, embedding) FROM STDIN WITH (FORMAT BINARY)").format(table)) as copy:
            copy.set_types(["bytea", "halfvec"])
            for (digest, _), vector in zip(rows, vectors, strict=True):
                copy.write_row((digest, HalfVector(vector)))
        _state(conn, table, embedder, len(rows))
    conn.commit()
    return len(rows)


def _table(conn: Connection[Any], embedder: Embedder) -> sql.Identifier:
    """The model's table. Vectors of another version of the model are dropped: they cannot be compared."""
    name = table_name(embedder.name)
    table = sql.Identifier("mail", name)
    state = f"vectors:{embedder.name}"
    row = conn.execute("SELECT fingerprint FROM mail.index_state WHERE name = %s", (state,)).fetchone()
    if row and row[0] != embedder.fingerprint:
        conn.execute(sql.SQL("DROP TABLE IF EXISTS {}").format(table))
    conn.execute(
        sql.SQL("CREATE TABLE IF NOT EXISTS {} (sha256 bytea PRIMARY KEY, embedding halfvec({}) NOT NULL)").format(
            table, sql.Literal(embedder.dimensions)
        )
    )
    _state(conn, table, embedder)
    return table


def _state(
    conn: Connection[Any], table: sql.Composable, embedder: Embedder, more: int | None = None
) -> tuple[int, int]:
    """Write index_state: counted, or, within a run, ``more`` than before."""
    name = f"vectors:{embedder.name}"
    if more is not None:
        conn.execute(
            "UPDATE mail.index_state SET built_at = now(),"
            " counts = jsonb_set(counts, '{embedded}', to_jsonb((counts ->> 'embedded')::bigint + %s)) WHERE name = %s",
            (more, name),
        )
        return 0, 0
    row = conn.execute(
        sql.SQL(
            "SELECT (SELECT count(*) FROM {0} v WHERE EXISTS (SELECT 1 FROM mail.chunk c WHERE c.sha256 = v.sha256)),"
            " (SELECT count(DISTINCT sha256) FROM mail.chunk)"
        ).format(table)
    ).fetchone()
    assert row is not None
    embedded, chunks = row
    conn.execute(
        "INSERT INTO mail.index_state (name, fingerprint, relation, counts) VALUES (%s, %s, %s, %s)"
        " ON CONFLICT (name) DO UPDATE SET fingerprint = excluded.fingerprint, relation = excluded.relation,"
        " counts = excluded.counts, built_at = now()",
        (name, embedder.fingerprint, table_name(embedder.name), Jsonb({"embedded": embedded, "chunks": chunks})),
    )
    return embedded, chunks


def _index(conn: Connection[Any], table: sql.Composable, embedder: Embedder) -> None:
    conn.commit()
    conn.execute("SET LOCAL maintenance_work_mem = '1GB'")
    # parallel builds put that memory into /dev/shm, which is small in containers
    conn.execute("SET LOCAL max_parallel_maintenance_workers = 0")
    conn.execute(
        sql.SQL("CREATE INDEX IF NOT EXISTS {} ON {} USING hnsw (embedding halfvec_cosine_ops)").format(
            sql.Identifier(table_name(embedder.name) + "_hnsw"), table
        )
    )


@contextmanager
def _alone(conn: Connection[Any], store: str) -> Iterator[None]:
    """One program embeds a store at a time; reading mail may go on beside it."""
    if conn.execute("SELECT pg_try_advisory_lock(%s)", (LOCK,)).fetchone() != (True,):
        raise StoreBusy(f"Another program is making vectors for the store '{store}'. Wait until it is done.")
    try:
        yield
    finally:
        if not conn.closed:
            conn.rollback()
            conn.execute("SELECT pg_advisory_unlock(%s)", (LOCK,))


# Vectors of text that is no longer there would take places among the nearest.
_PRUNE = "DELETE FROM {} v WHERE NOT EXISTS (SELECT 1 FROM mail.chunk c WHERE c.sha256 = v.sha256)"

_PENDING = """
SELECT sha256 FROM (
    SELECT c.sha256, max((m.kind IN ('mail', 'chat'))::int + m.counted::int) AS rank, max(m.local_at) AS latest
    FROM mail.chunk c JOIN mail.message m ON m.id = c.message
    WHERE NOT EXISTS (SELECT 1 FROM {} v WHERE v.sha256 = c.sha256)
    GROUP BY 1
) AS missing
ORDER BY rank DESC, latest DESC NULLS LAST, sha256
"""
