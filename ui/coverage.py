"""How much of the mail can be asked: the numbers at the head of the page, in one cheap look."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

import psycopg
from psycopg import sql


@dataclass(frozen=True)
class Coverage:
    """``first`` and ``last``: the dates of the counted mail. ``embedded``: chunks that have a vector of the model in
    use, of ``chunks``. ``graph``: whether it can be asked; ``built_at`` is aware."""

    messages: int
    first: datetime | None
    last: datetime | None
    unreadable: int
    chunks: int
    embedded: int
    graph: Literal["current", "stale", "missing"]
    built_at: datetime | None

    def words(self) -> list[str]:
        """In lines for a terminal."""
        period = f", {self.first:%-d %b %Y} to {self.last:%-d %b %Y}" if self.first and self.last else ""
        share = f" ({100 * self.embedded // self.chunks} %)" if self.chunks else ""
        built = f", built {self.built_at:%Y-%m-%d %H:%M}" if self.built_at else ""
        remedy = "" if self.graph == "current" else " (mailweave ingest builds it)"
        return [
            f"Messages: {self.messages:,}{period}",
            f"Could not be read: {self.unreadable:,}{' (mailweave errors)' if self.unreadable else ''}",
            f"Embedded: {self.embedded:,} of {self.chunks:,} chunks{share}",
            f"Graph: {self.graph}{built}{remedy}",
        ]


def coverage(conn: psycopg.Connection, embed_model: str) -> Coverage:
    """The numbers of this store for the embedding model of that name."""
    from graph import current

    row = conn.execute(
        """
        SELECT count(*), min(local_at), max(local_at), (SELECT count(*) FROM mail.ingest_error),
               (SELECT count(*) FROM mail.chunk)
        FROM mail.message WHERE counted
        """
    ).fetchone()
    assert row is not None
    state = current.state(conn)
    return Coverage(
        messages=row[0],
        first=row[1],
        last=row[2],
        unreadable=row[3],
        chunks=row[4],
        embedded=_embedded(conn, embed_model),
        graph="missing" if state is None else "stale" if state.stale else "current",
        built_at=state.built_at if state else None,
    )


def fingerprint(conn: psycopg.Connection) -> str:
    """A text that changes whenever anything that is derived from the mail changes: what results are kept by."""
    rows = conn.execute("SELECT name, fingerprint, built_at FROM mail.index_state ORDER BY name").fetchall()
    return repr(rows)


def _embedded(conn: psycopg.Connection, embed_model: str) -> int:
    table = conn.execute(
        "SELECT relation FROM mail.index_state WHERE name = %s AND relation IS NOT NULL", (f"vectors:{embed_model}",)
    ).fetchone()
    if table is None:
        return 0
    row = conn.execute(
        sql.SQL(
            "SELECT count(*) FROM mail.chunk c WHERE EXISTS (SELECT FROM mail.{} v WHERE v.sha256 = c.sha256)"
        ).format(sql.Identifier(table[0].removeprefix("mail.").strip('"')))
    ).fetchone()
    return int(row[0]) if row else 0
