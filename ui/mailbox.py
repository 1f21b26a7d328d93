"""What the page Mailbox shows of a store: when it last changed, and the ledger, page by page."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

import psycopg


@dataclass(frozen=True)
class Entry:
    """One thing that could not be read. ``place``: where in its source, in words."""

    id: int
    path: str
    place: str
    error: str
    detail: str
    at: datetime


def changed(conn: psycopg.Connection) -> str:
    """A text that changes with every run of reading, so that counts are kept by it."""
    row = conn.execute(
        "SELECT (SELECT max(finished) FROM mail.ingest_run), (SELECT count(*) FROM mail.ingest_error),"
        " (SELECT count(*) FILTER (WHERE finished) || ' of ' || count(*) FROM mail.source)"
    ).fetchone()
    return repr(row)


def ledger(conn: psycopg.Connection, error: str | None, page: int, size: int) -> list[Entry]:
    """One page of the ledger, the latest first; of one kind of error where it is given. Pages begin at 1."""
    rows = conn.execute(
        "SELECT id, path, coalesce('byte ' || place_offset, nullif(key, ''), ''), error, detail, at"
        " FROM mail.ingest_error WHERE %(error)s::text IS NULL OR error = %(error)s"
        " ORDER BY id DESC LIMIT %(size)s OFFSET %(skipped)s",
        {"error": error, "size": size, "skipped": (page - 1) * size},
    ).fetchall()
    return [Entry(*row) for row in rows]


def ledger_counts(conn: psycopg.Connection) -> dict[str, int]:
    """How many entries of each error, the most frequent first."""
    rows = conn.execute("SELECT error, count(*) FROM mail.ingest_error GROUP BY 1 ORDER BY 2 DESC, 1").fetchall()
    return dict(rows)
