"""What all tests share: a real server in a directory of its own, a fresh store for each test, real models.

``store`` copies a migrated template database, which takes a fraction of a second; so each test starts empty and none
sees what another wrote.
"""

from __future__ import annotations

import itertools
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from sql import embedded
from sql.store import Store, open_store

_numbers = itertools.count(1)


@pytest.fixture(scope="session")
def home() -> Iterator[Path]:
    """A data directory for the session. Not pytest's own temporary folder: its long path and closed parents are a
    case of their own, tested in tests/sql/test_embedded.py."""
    path = Path(tempfile.mkdtemp(prefix="mailweave-test-"))
    path.chmod(0o711)
    yield path
    embedded.start(path).close()
    shutil.rmtree(path, ignore_errors=True)


@pytest.fixture(scope="session")
def template(home: Path) -> str:
    """Name of a migrated, empty database without the BM25 index: pg_textsearch keeps what is in memory by the index's
    number alone, and a copied database has the numbers of its template, so each copy makes an index of its own."""
    with open_store("template", home=home) as opened, opened.owner() as conn:
        conn.execute("DROP INDEX IF EXISTS mail.chunk_bm25")
        conn.execute("DELETE FROM mail.index_state")
        conn.execute("DELETE FROM public.mailweave_migration WHERE name LIKE '%search%'")
    return "mailweave_template"


@pytest.fixture
def store(home: Path, template: str) -> Iterator[Store]:
    """An empty store of its own, dropped afterwards."""
    name = f"t{next(_numbers)}"
    maintenance = embedded.start(home).dsn("postgres")
    with psycopg.connect(maintenance, autocommit=True) as conn:
        conn.execute(f"CREATE DATABASE mailweave_{name} TEMPLATE {template} STRATEGY file_copy")
    with open_store(name, home=home) as opened:
        yield opened
    with psycopg.connect(maintenance, autocommit=True) as conn:
        conn.execute(f"DROP DATABASE mailweave_{name} WITH (FORCE)")


@pytest.fixture(scope="session")
def model_cache() -> Path:
    """The model cache with the small chat model and the embedder, pulled when they are missing."""
    from retrieval.models.pull import pull

    cache = Path(os.environ.get("MAILWEAVE_TEST_MODELS", "/var/cache/mailweave-models"))
    for name in ("qwen2.5-coder-0.5b", "all-minilm-l6-v2"):
        pull(name, cache)
    return cache


@pytest.fixture(scope="session")
def demo_store(home: Path, template: str, model_cache: Path) -> Iterator[Store]:
    """The fictional mailbox with everything derived: people, threads, graph, chunks, vectors of the real embedder.

    All tests share it, so they only read it (a run of the evaluation may be kept in it)."""
    from graph.build import build as build_graph
    from ingest.embed import embed
    from ingest.pipeline import ingest
    from retrieval.models.embed import open_embedder
    from ui.demo.build import OWNER, build

    folder = home / "demo-mailbox"
    build(folder)
    with open_store("demo", home=home) as store:
        ingest(store, [folder], owner=[OWNER])
        build_graph(store)
        embedder = open_embedder("all-minilm-l6-v2", cache=model_cache)
        try:
            embed(store, embedder)
        finally:
            embedder.close()
        yield store


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Iterator[None]:
    """Where CI runs everything is installed: a skipped test there hides that something was not checked, so it fails."""
    report = yield
    if report.skipped and os.environ.get("CI") and not hasattr(report, "wasxfail"):  # type: ignore[attr-defined]
        report.outcome = "failed"  # type: ignore[attr-defined]
        report.longrepr = f"skipped where everything must run: {report.longrepr}"  # type: ignore[attr-defined]
    return report
