"""A copied store holds the same rows, goes on counting behind them, and leaves the original's index alone."""

from __future__ import annotations

from pathlib import Path

import psycopg
import pytest

from sql import bm25, embedded
from sql.copy import copy_rows
from sql.store import Store, open_store
from tests.sql.test_bm25 import found, write


@pytest.mark.bm25
def test_a_copy_has_the_same_rows_and_its_own_words(store: Store, home: Path) -> None:
    with store.owner() as conn:
        write(conn, "heliotrope")
        bm25.rebuild(conn)
        conn.execute("CREATE TABLE mail.vector_x (sha256 bytea PRIMARY KEY, embedding halfvec(3))")
        conn.execute("INSERT INTO mail.vector_x VALUES ('\\x01', '[1,2,3]')")
    try:
        with open_store("copied", home=home) as copy:
            copy_rows(store, copy)
            with copy.owner() as conn:
                assert conn.execute("SELECT embedding::text FROM mail.vector_x").fetchone() == ("[1,2,3]",)
                bm25.suspend(conn)
                write(conn, "yak")
                bm25.rebuild(conn)
            assert (found(copy, "heliotrope"), found(copy, "yak")) == (50, 50)
        assert (found(store, "heliotrope"), found(store, "yak")) == (50, 0)
    finally:
        with psycopg.connect(embedded.start(home).dsn("postgres"), autocommit=True) as conn:
            conn.execute("DROP DATABASE IF EXISTS mailweave_copied WITH (FORCE)")
