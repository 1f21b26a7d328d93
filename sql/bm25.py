"""Keeping the BM25 indexes whole: they are built anew after every change of the chunks, and when found damaged.

There are two: over chunks, and over whole messages with all that they quote. The second is made once there is mail,
from a table of its own, since the index can neither leave rows out nor shorten them, and loses rows that are updated in
place (012_whole_messages.sql).

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
WHOLE = "mail.whole_message_bm25"
_OVER = {INDEX: "mail.chunk USING bm25 (text)", WHOLE: "mail.whole_message USING bm25 (text)"}
# Rows that are deleted stay counted until the next build.
TOLERANCE = 0.02


def available(conn: psycopg.Connection) -> bool:
    """Whether the server has pg_textsearch; without it words are searched with a tsvector index."""
    return conn.execute("SELECT FROM pg_extension WHERE extname = 'pg_textsearch'").fetchone() is not None


def suspend(conn: psycopg.Connection) -> None:
    """Drops the indexes before many chunks are written: building one once is several times faster than following."""
    conn.execute(f"DROP INDEX IF EXISTS {INDEX}, {WHOLE}")


def rebuild(conn: psycopg.Connection) -> None:
    """Builds the indexes anew over what is committed: ``conn`` is committed first. Call it when chunks have changed."""
    if not conn.autocommit:
        conn.commit()
    if not available(conn):
        return
    if not conn.autocommit:
        conn.commit()
    with psycopg.connect(conn.info.dsn, password=conn.info.password or None) as own:
        # New indexes, not REINDEX: that writes everything to disk but leaves what is in memory there as well.
        own.execute(f"DROP INDEX IF EXISTS {INDEX}, {WHOLE}")
        own.execute(_CHANGED)
        own.execute(_MISSING)
        for index, over in _OVER.items():
            own.execute(f"CREATE INDEX {index.partition('.')[2]} ON {over} WITH (text_config = 'english')")


def repair(conn: psycopg.Connection) -> bool:
    """Rebuilds the indexes when one is gone, when something in it is left over from before a restart or a crash, or
    when its statistics do not fit the rows. Returns whether it did. Costs some milliseconds when all is well."""
    if not available(conn) or not _damaged(conn):
        return False
    rebuild(conn)
    return True


def exists(conn: psycopg.Connection, index: str) -> bool:
    """Whether the index is there; between an ingest's beginning and its end it may not be."""
    return conn.execute("SELECT to_regclass(%s) IS NOT NULL", (index,)).fetchone() == (True,)


def _damaged(conn: psycopg.Connection) -> bool:
    row = conn.execute("SELECT (SELECT count(*) FROM mail.chunk), (SELECT count(*) FROM mail.whole_message)").fetchone()
    assert row is not None
    chunks, messages = row
    if not exists(conn, INDEX) or (chunks and not exists(conn, WHOLE)):
        return True
    # Version 1.5 tells an administrator alone; it also keeps its entries on disk, so that nothing has to be looked for.
    if conn.execute("SELECT has_function_privilege('bm25_summarize_index(text)', 'EXECUTE')").fetchone() != (True,):
        return False
    waiting, counted, length = _summary(conn, INDEX)
    if waiting or abs(counted - chunks) > chunks * TOLERANCE or (chunks and not length):
        return True
    if not chunks:
        return False
    waiting, counted, _ = _summary(conn, WHOLE)
    # fewer is no damage: messages without a word are not counted
    return bool(waiting) or counted - messages > messages * TOLERANCE


def _summary(conn: psycopg.Connection, index: str) -> tuple[int, int, int]:
    """Entries in memory and in recovery pages, documents, words of the corpus statistics."""
    row = conn.execute("SELECT bm25_summarize_index(%s)", (index,)).fetchone()
    assert row is not None
    summary = str(row[0])
    waiting = _number(summary, r"documents: (\d+)") + _number(summary, r"docids: (\d+)")
    return waiting, _number(summary, r"total_docs: (\d+)"), _number(summary, r"total_len: (\d+)")


def _number(summary: str, pattern: str) -> int:
    found = re.search(pattern, summary)
    return int(found[1]) if found else 0


# Searched are messages that are there themselves and are somebody's mail, and of a monstrous one what a text vector
# surely holds (a megabyte of words).
_CHANGED = """
DELETE FROM mail.whole_message w USING mail.message m WHERE m.id = w.message
AND (m.recovered OR m.kind IN ('draft', 'spam', 'trash') OR w.text <> left(m.subject || E'\\n' || m.body, 200000))
"""
_MISSING = """
INSERT INTO mail.whole_message SELECT m.id, left(m.subject || E'\\n' || m.body, 200000) FROM mail.message m
WHERE NOT m.recovered AND m.kind NOT IN ('draft', 'spam', 'trash')
AND NOT EXISTS (SELECT FROM mail.whole_message w WHERE w.message = m.id)
"""
