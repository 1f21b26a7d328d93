"""The office mailbox in a store with its graph, words and vectors, and the models; tests only read it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from graph.build import build
from retrieval.columns.base import Tools
from retrieval.models.embed import Embedder, open_embedder
from retrieval.planning import Planner
from sql import embedded
from sql.store import Store, open_store
from tests.graph.mailboxes import load
from tests.retrieval import office as made


@pytest.fixture(scope="session")
def embedder(model_cache: Path) -> Iterator[Embedder]:
    opened = open_embedder(None, cache=model_cache)
    yield opened
    opened.close()


@pytest.fixture(scope="session")
def office(home: Path, template: str, embedder: Embedder) -> Iterator[Store]:
    """The office mailbox, ready for all columns."""
    maintenance = embedded.start(home).dsn("postgres")
    with psycopg.connect(maintenance, autocommit=True) as conn:
        conn.execute(f"CREATE DATABASE mailweave_office TEMPLATE {template} STRATEGY file_copy")
    with open_store("office", home=home) as store:
        box = made.office()
        with store.owner() as conn:
            load(conn, box)
            texts = made.chunks(conn, box)
            _vectors(conn, embedder, texts)
        build(store)
        yield store
    with psycopg.connect(maintenance, autocommit=True) as conn:
        conn.execute("DROP DATABASE mailweave_office WITH (FORCE)")


def _vectors(conn: psycopg.Connection, embedder: Embedder, texts: dict[bytes, str]) -> None:
    conn.execute(
        f"CREATE TABLE mail.vector_test (sha256 bytea PRIMARY KEY, embedding halfvec({embedder.dimensions}) NOT NULL)"
    )
    conn.execute(
        "INSERT INTO mail.index_state (name, fingerprint, relation) VALUES (%s, %s, 'vector_test')",
        (f"vectors:{embedder.name}", embedder.fingerprint),
    )
    for key, vector in zip(texts, embedder.embed(list(texts.values())), strict=True):
        value = "[" + ",".join(f"{x:.5f}" for x in vector) + "]"
        conn.execute("INSERT INTO mail.vector_test VALUES (%s, %s::halfvec)", (key, value))


@pytest.fixture
def tools(office: Store, embedder: Embedder) -> Tools:
    return Tools(office, Planner(office, "rules"), embedder)
