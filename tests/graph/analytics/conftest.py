"""A made-up mailbox of two thousand messages with its graph, for what has to hold on more than a handful."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from graph.build import build
from sql import embedded
from sql.store import Store, open_store
from tests.bench.made_up_mail import fill


@pytest.fixture(scope="session")
def made(home: Path, template: str) -> Iterator[Store]:
    """A store with made-up mail of 400 people and its graph. Tests only read it."""
    maintenance = embedded.start(home).dsn("postgres")
    with psycopg.connect(maintenance, autocommit=True) as conn:
        conn.execute(f"CREATE DATABASE mailweave_made TEMPLATE {template} STRATEGY file_copy")
    with open_store("made", home=home) as store:
        with store.owner() as conn:
            fill(conn, 2000)
        build(store)
        yield store
    with psycopg.connect(maintenance, autocommit=True) as conn:
        conn.execute("DROP DATABASE mailweave_made WITH (FORCE)")
