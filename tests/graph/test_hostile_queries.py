"""Queries that try to do more than read: with the program's check, and with it switched off, nothing comes of them.

Twelve kinds, each a section of hostile_queries.toml. Behind the check stand the reader's rights, the read-only transaction, the
time-out and the limit on a server process's memory; these are what the tests without the check look at. What counts is
what is seen afterwards: the rows, objects, roles and settings of the server, a file that must not be read or written,
the locks, the time and the memory of the process that ran the query.
"""

from __future__ import annotations

import re
import time
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest

from graph import current, cypher, cypher_text
from graph.errors import QueryFailed
from sql import server_programs
from sql.deadline import deadline
from sql.store import Store
from tests.graph.mailboxes import Mailbox

KINDS: dict[str, dict[str, Any]] = tomllib.loads(Path(__file__).with_name("hostile_queries.toml").read_text())
LIMIT = 0.7  # seconds a query may run
SECRET = "the-content-of-a-file-that-no-query-reads"


@pytest.fixture(scope="module")
def canary(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A file that the server's user could read, in a directory that it could write."""
    folder = Path(f"/tmp/mailweave-canary-{time.time_ns()}")
    folder.mkdir(mode=0o777)
    folder.chmod(0o777)
    file = folder / "canary"
    file.write_text(SECRET)
    file.chmod(0o644)
    yield file
    for one in folder.iterdir():
        one.unlink()
    folder.rmdir()


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_has_many_queries_that_differ(kind: str) -> None:
    queries = [*KINDS[kind]["cypher"], *KINDS[kind]["sql"]]
    assert len(KINDS) == 12
    assert len({re.sub(r"\s+", " ", q.lower()) for q in queries}) == len(queries) >= 15


@pytest.mark.parametrize("kind", KINDS)
def test_cypher_that_passes_the_check_by_reads_at_most(
    kind: str, odd: tuple[Store, Mailbox], canary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cypher_text, "check", cypher_text.skeleton)
    _all_harmless(odd[0], KINDS[kind]["cypher"], canary, _cypher)


@pytest.mark.parametrize("kind", KINDS)
def test_cypher_behind_the_check_fails_by_name_or_reads(kind: str, odd: tuple[Store, Mailbox], canary: Path) -> None:
    _all_harmless(odd[0], KINDS[kind]["cypher"], canary, _cypher)


@pytest.mark.parametrize("kind", KINDS)
def test_sql_of_the_reader_reads_at_most(kind: str, odd: tuple[Store, Mailbox], canary: Path) -> None:
    _all_harmless(odd[0], KINDS[kind]["sql"], canary, _sql)


def test_the_reader_s_session_is_as_before_after_a_query_that_changed_it(odd: tuple[Store, Mailbox]) -> None:
    for _ in range(3):
        with odd[0].reader() as conn:
            assert conn.execute("SHOW statement_timeout").fetchone() == ("5s",)
            assert conn.execute("SHOW transaction_read_only").fetchone() == ("on",)
            conn.execute("SET statement_timeout = 0")


def _all_harmless(store: Store, queries: list[str], canary: Path, run: Any) -> None:
    before = _state(store)
    for query in queries:
        with store.reader() as conn:
            graph = current.graph_name(conn)
            conn.rollback()
            text = query.replace("CANARY", str(canary)).replace("GRAPH", graph)
            pid = conn.info.backend_pid
            started = time.monotonic()
            said = run(conn, text)
            elapsed = time.monotonic() - started
            if not conn.closed:
                conn.rollback()
                assert _held_locks(store, pid) == [], query
            peak = _peak_bytes(pid)
        assert SECRET not in said, query
        assert str(embedded_data(store)) not in said, query
        assert elapsed < LIMIT + 1, f"{elapsed:.1f} s: {query}"
        assert peak < server_programs.MOST_PRIVATE_BYTES + 700 * 2**20, f"{peak:,} bytes: {query}"
    assert [p.name for p in canary.parent.iterdir()] == ["canary"]
    assert _state(store) == before


def _cypher(conn: psycopg.Connection, query: str) -> str:
    """What a query gave, or the text of its named error."""
    try:
        return repr(cypher.run(conn, query, timeout=LIMIT).rows)
    except QueryFailed as error:
        return str(error)


def _sql(conn: psycopg.Connection, query: str) -> str:
    """The same for the bare login, one statement at a time in a read-only transaction, as every console runs it."""
    try:
        with deadline(conn, LIMIT), conn.transaction(force_rollback=True):
            conn.execute("SET LOCAL transaction_read_only = on")
            conn.execute(f"SET LOCAL statement_timeout = {int(LIMIT * 1000)}")
            cursor = conn.execute(query.replace("%", "%%"), (), binary=True)
            return repr(cursor.fetchmany(100)) if cursor.description else str(cursor.statusmessage)
    except psycopg.Error as error:
        return str(error)


def embedded_data(store: Store) -> str:
    """The server's data directory, which no answer may tell."""
    with store.owner() as conn:
        return str(conn.execute("SHOW data_directory").fetchone()[0])  # type: ignore[index]


def _state(store: Store) -> list[Any]:
    """All that a query could have changed: rows, sequences, objects, roles, rights, settings, large objects, slots."""
    with store.owner() as conn:
        tables = conn.execute(
            "SELECT n.nspname, c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE "
            "c.relkind = 'r' AND (n.nspname IN ('mail', 'public') OR n.nspname LIKE 'mailbox%') ORDER BY 1, 2"
        ).fetchall()
        found: list[Any] = [
            (schema, table, conn.execute(
                f'SELECT count(*), sum(hashtextextended(t::text, 0)) FROM "{schema}"."{table}" t'
            ).fetchone())
            for schema, table in tables
        ]  # fmt: skip
        for query in (
            "SELECT count(*), max(oid) FROM pg_class WHERE relpersistence = 'p' AND relkind <> 't'",
            "SELECT count(*) FROM pg_class WHERE relpersistence <> 'p'",
            "SELECT count(*), sum(hashtextextended(proname || coalesce(proacl::text, ''), 0)) FROM pg_proc",
            "SELECT array_agg(r.*::text ORDER BY rolname) FROM pg_authid r",
            "SELECT array_agg(s.*::text ORDER BY setdatabase, setrole) FROM pg_db_role_setting s",
            "SELECT array_agg(name || '=' || setting ORDER BY name) FROM pg_settings WHERE source <> 'session' "
            "AND name NOT IN ('application_name', 'client_encoding', 'transaction_read_only', 'statement_timeout')",
            "SELECT count(*) FROM pg_largeobject_metadata",
            "SELECT count(*) FROM pg_replication_slots",
            "SELECT array_agg(extname ORDER BY extname) FROM pg_extension",
            "SELECT array_agg(name ORDER BY name) FROM ag_catalog.ag_graph",
            "SELECT array_agg(sequencename || coalesce(last_value, 0) ORDER BY sequencename) FROM pg_sequences "
            "WHERE schemaname = 'mail'",
            "SELECT count(*) FROM pg_namespace WHERE nspname NOT LIKE 'pg_%temp%'",
        ):
            found.append(conn.execute(query).fetchone())
        return found


def _held_locks(store: Store, pid: int) -> list[Any]:
    with store.owner() as conn:
        return conn.execute(
            "SELECT locktype, mode FROM pg_locks WHERE pid = %s AND locktype <> 'virtualxid'", (pid,)
        ).fetchall()


def _peak_bytes(pid: int) -> int:
    """The most memory that a server process has held at once, shared buffers that it touched included; 0 when it is gone."""
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return 0
    found = re.search(r"VmHWM:\s+(\d+)", status)  # a process that has ended and was not reaped holds nothing
    return int(found[1]) * 1024 if found else 0
