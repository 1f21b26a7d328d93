"""How much of the mail can be asked: the numbers at the head of the page, in one cheap look."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

import psycopg


@dataclass(frozen=True)
class Coverage:
    """``first`` and ``last``: the dates of the counted mail. ``embedded``: different chunk texts that have a
    vector of the model in use, of ``chunks``. ``graph``: whether it can be asked; ``built_at`` is aware."""

    messages: int
    first: datetime | None
    last: datetime | None
    unreadable: int
    chunks: int
    embedded: int
    graph: Literal["current", "stale", "missing"]
    built_at: datetime | None


def coverage(conn: psycopg.Connection, embed_model: str) -> Coverage:
    """The numbers of this store for the embedding model of that name."""
    from graph import current

    row = conn.execute(
        """
        SELECT count(*), min(local_at), max(local_at), (SELECT count(*) FROM mail.ingest_error),
               (SELECT count(DISTINCT sha256) FROM mail.chunk),
               (SELECT (counts ->> 'embedded')::bigint FROM mail.index_state WHERE name = %s)
        FROM mail.message WHERE counted
        """,
        (f"vectors:{embed_model}",),
    ).fetchone()
    assert row is not None
    state = current.state(conn)
    return Coverage(
        messages=row[0],
        first=row[1],
        last=row[2],
        unreadable=row[3],
        chunks=row[4],
        embedded=min(row[5] or 0, row[4]),
        graph="missing" if state is None else "stale" if state.stale else "current",
        built_at=state.built_at if state else None,
    )


def fingerprint(conn: psycopg.Connection) -> str:
    """A text that changes whenever anything that is derived from the mail changes: what results are kept by."""
    rows = conn.execute("SELECT name, fingerprint, built_at FROM mail.index_state ORDER BY name").fetchall()
    return repr(rows)
