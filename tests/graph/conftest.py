"""A store that all tests of a module read: the odd mailbox with its graph."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from graph.build import build
from sql import embedded
from sql.store import Store, open_store
from tests.graph.mailboxes import Mailbox, load, odd_mailbox


@pytest.fixture(scope="session")
def odd(home: Path, template: str) -> Iterator[tuple[Store, Mailbox]]:
    """The odd mailbox in a store with its graph, and as values. Tests only read it."""
    box = odd_mailbox()
    maintenance = embedded.start(home).dsn("postgres")
    with psycopg.connect(maintenance, autocommit=True) as conn:
        conn.execute(f"CREATE DATABASE mailweave_odd TEMPLATE {template} STRATEGY file_copy")
    with open_store("odd", home=home) as store:
        with store.owner() as conn:
            load(conn, box)
        build(store)
        yield store, box
    with psycopg.connect(maintenance, autocommit=True) as conn:
        conn.execute("DROP DATABASE mailweave_odd WITH (FORCE)")
