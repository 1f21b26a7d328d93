"""The second phase: stored rows are connected. Mail does not come in order, so nothing here may depend on it.

``resolve`` runs all parts in their order, each in a transaction of its own. It is skipped when nothing that it rests on
has changed since it last ended.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from psycopg import Connection

from ingest import chunks
from ingest.progress import SILENT, Progress
from ingest.resolve import history, identity, owner, threads

# Raised when any part comes to other results from the same rows.
VERSION = "8"


def _quotes(conn: Connection[Any]) -> None:
    owner.rebuild(conn)
    if history.rebuild(conn):
        identity.rebuild(conn)


_PARTS: tuple[tuple[str, Callable[[Connection[Any]], None]], ...] = (
    ("people", identity.rebuild),
    ("quotes", _quotes),
    ("owner", owner.rebuild),
    ("threads", threads.rebuild),
)


def resolve(
    conn: Connection[Any],
    progress: Progress = SILENT,
    seconds: dict[str, float] | None = None,
    beside: Callable[[], object] = lambda: None,
) -> bool:
    """Bring people, owner, threads and chunks up to date with the stored messages. Returns whether there was anything
    to do; ``seconds`` takes the duration of each part. ``beside`` runs while chunks are cut: what rests on all but
    them."""
    fingerprint = state(conn)
    if conn.execute(
        "SELECT 1 FROM mail.index_state WHERE name = 'resolved' AND fingerprint = %s", (fingerprint,)
    ).fetchone():
        return False
    for name, part in _PARTS:
        progress.step(name)
        started = time.perf_counter()
        part(conn)
        conn.commit()
        if seconds is not None:
            seconds[name] = time.perf_counter() - started
    started = time.perf_counter()
    with ThreadPoolExecutor(1) as other:
        chunks.rebuild(conn, progress, before_index=other.submit(beside).result)
    if seconds is not None:
        seconds["chunks"] = time.perf_counter() - started
    conn.execute(
        "INSERT INTO mail.index_state (name, fingerprint) VALUES ('resolved', %s) ON CONFLICT (name) DO UPDATE"
        " SET fingerprint = excluded.fingerprint, built_at = now()",
        (fingerprint,),
    )
    conn.commit()
    return True


def state(conn: Connection[Any]) -> str:
    """What the second phase rests on: the stored copies, decisions by hand, confirmed owners, and its own version."""
    row = conn.execute(
        "SELECT (SELECT count(*) || ':' || coalesce(max(id), 0) FROM mail.occurrence),"
        " (SELECT count(*) || ':' || coalesce(max(at)::text, '') FROM mail.person_link WHERE by_hand),"
        " (SELECT md5(string_agg(owner_addresses::text, ',' ORDER BY name)) FROM mail.mailbox WHERE owner_confirmed)"
    ).fetchone()
    assert row is not None
    return " ".join((VERSION, chunks.VERSION, *map(str, row)))
