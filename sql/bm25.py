"""Keeping the BM25 index whole: it is built anew after every change of the chunks, and when it is found damaged.

pg_textsearch 1.0 writes new entries into memory and a list of them into "recovery pages". Moving them to disk
(bm25_spill_index) leaves the list in place, so that the next start of the server reads the same entries once more:
messages are found twice, later ones not at all, and the corpus statistics are those of the last build. Measured, not
guessed: with 50 rows before and 50 rows after a build, a restart and 50 more rows, a search gave 50, 100 and 50 rows,
and after another restart 50, 0 and 0. A build leaves neither memory nor list behind, and costs about 1 s for 14,000
chunks.

A session that has built an index answers no more interrupts: it cannot be cancelled, and dropping any database waits
for it for ever. So each build has a connection of its own, which is closed at once.
"""

from __future__ import annotations

import re

import psycopg

INDEX = "mail.chunk_bm25"
# Rows that are deleted stay counted until the next build.
TOLERANCE = 0.02


def available(conn: psycopg.Connection) -> bool:
    """Whether the server has pg_textsearch; without it words are searched with a tsvector index."""
    return conn.execute("SELECT FROM pg_extension WHERE extname = 'pg_textsearch'").fetchone() is not None


def suspend(conn: psycopg.Connection) -> None:
    """Drops the index before many chunks are written: building it once is several times faster than following."""
    conn.execute("DROP INDEX IF EXISTS mail.chunk_bm25")


def rebuild(conn: psycopg.Connection) -> None:
    """Builds the index anew, over what is committed: ``conn`` is committed first. Call it when chunks have changed."""
    if not conn.autocommit:
        conn.commit()
    if not available(conn):
        return
    if not conn.autocommit:
        conn.commit()
    with psycopg.connect(conn.info.dsn, password=conn.info.password or None) as own:
        # A new index, not REINDEX: that writes everything to disk but leaves what is in memory there as well.
        own.execute("DROP INDEX IF EXISTS mail.chunk_bm25")
        own.execute("CREATE INDEX chunk_bm25 ON mail.chunk USING bm25 (text) WITH (text_config = 'english')")


def repair(conn: psycopg.Connection) -> bool:
    """Rebuilds the index when it is gone, when something in it is left over from before a restart or a crash, or when
    its statistics do not fit the chunks. Returns whether it did. Costs some milliseconds when all is well."""
    if not available(conn) or not _damaged(conn):
        return False
    rebuild(conn)
    return True


def _exists(conn: psycopg.Connection) -> bool:
    return conn.execute("SELECT to_regclass(%s) IS NOT NULL", (INDEX,)).fetchone() == (True,)


def _damaged(conn: psycopg.Connection) -> bool:
    if not _exists(conn):
        return True
    # Version 1.5 tells an administrator alone; it also keeps its entries on disk, so that nothing has to be looked for.
    if conn.execute("SELECT has_function_privilege('bm25_summarize_index(text)', 'EXECUTE')").fetchone() != (True,):
        return False
    row = conn.execute("SELECT bm25_summarize_index(%s), (SELECT count(*) FROM mail.chunk)", (INDEX,)).fetchone()
    assert row is not None
    summary, chunks = str(row[0]), int(row[1])
    waiting = _number(summary, r"documents: (\d+)") + _number(summary, r"docids: (\d+)")
    counted = _number(summary, r"total_docs: (\d+)")
    length = _number(summary, r"total_len: (\d+)")
    return waiting > 0 or abs(counted - chunks) > chunks * TOLERANCE or (chunks > 0 and length == 0)


def _number(summary: str, pattern: str) -> int:
    found = re.search(pattern, summary)
    return int(found[1]) if found else 0
