"""The deadline on this side of the connection."""

from __future__ import annotations

import time

import psycopg
import pytest

from sql.deadline import deadline
from sql.store import Store


def test_work_that_hears_no_time_out_is_given_up_and_the_store_goes_on(store: Store) -> None:
    doubling = "SELECT length(s0) FROM (SELECT repeat('x', 2) s0) t0"
    for n in range(1, 8):
        doubling = (
            doubling.replace(f"s{n - 1}) FROM", f"s{n}) FROM (SELECT {'||'.join([f's{n - 1}'] * 8)} s{n} FROM")
            + f") t{n}"
        )
    with store.reader() as conn:
        process = conn.info.backend_pid
        started = time.monotonic()
        with pytest.raises(psycopg.errors.QueryCanceled), deadline(conn, 0.05):
            conn.execute("SET LOCAL statement_timeout = 50")
            conn.execute(doubling)
        assert time.monotonic() - started < 1.2
        assert conn.closed
    with store.reader() as conn:
        assert conn.execute("SELECT 1").fetchone() == (1,)
    with store.owner() as conn:  # and the server's process ends by itself
        conn.autocommit = True
        while conn.execute("SELECT 1 FROM pg_stat_activity WHERE pid = %s", (process,)).fetchone():
            time.sleep(0.2)
        conn.autocommit = False


def test_what_ends_in_time_is_left_alone(store: Store) -> None:
    with store.reader() as conn:
        with deadline(conn, 5):
            assert conn.execute("SELECT 1").fetchone() == (1,)
        assert not conn.closed


def test_another_failure_of_the_connection_keeps_its_name(store: Store) -> None:
    with store.owner() as conn, pytest.raises(psycopg.errors.AdminShutdown), deadline(conn, 5):
        conn.execute("SELECT pg_terminate_backend(pg_backend_pid())")
