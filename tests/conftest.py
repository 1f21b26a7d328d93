"""What all tests share: a real server in a directory of its own, a fresh store for each test, real models.

``store`` copies a migrated template database, which takes a fraction of a second; so each test starts empty and none
sees what another wrote.

With ``MAILWEAVE_TEST_DSN`` (a login that may do everything, in a database named mailweave) the stores are on that server
instead of an embedded one, and tests that cannot say anything about it are left out by their marker.
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
from psycopg.conninfo import make_conninfo

from sql import embedded
from sql.server import parse
from sql.store import Store, open_store

_numbers = itertools.count(1)
EXTERNAL = os.environ.get("MAILWEAVE_TEST_DSN")


class ExternalServer:
    """Stands where the embedded server of the tests' data directory would."""

    def dsn(self, database: str, user: str | None = None) -> str:
        """Connection string of one of its databases."""
        return make_conninfo(EXTERNAL or "", dbname=database, **({"user": user} if user else {}))

    def close(self) -> None:
        """It goes on: whoever started it stops it."""


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "embedded: about the embedded server: its processes, files and version")
    config.addinivalue_line("markers", "bm25: needs pg_textsearch on the server")
    config.addinivalue_line("markers", "age17: about Cypher that Apache AGE knows since 1.7 only")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """On another server only tests that use a store are run, and of them not those that are about what it does not
    have: they are left out rather than skipped."""
    if EXTERNAL is None:
        return
    without = {"embedded"}
    with psycopg.connect(make_conninfo(EXTERNAL, dbname="postgres")) as conn:
        if conn.execute("SHOW shared_preload_libraries").fetchone() != ("pg_textsearch",):
            without.add("bm25")
        (age,) = conn.execute("SELECT default_version FROM pg_available_extensions WHERE name = 'age'").fetchone() or (
            "",
        )
        if parse(age) < (1, 7):
            without.add("age17")
    left_out = [
        item
        for item in items
        if "home" not in getattr(item, "fixturenames", ()) or any(item.get_closest_marker(name) for name in without)
    ]
    config.hook.pytest_deselected(items=left_out)
    items[:] = [item for item in items if item not in left_out]


@pytest.fixture(scope="session")
def home() -> Iterator[Path]:
    """A data directory for the session. Not pytest's own temporary folder: its long path and closed parents are a
    case of their own, tested in tests/sql/test_embedded.py."""
    path = Path(tempfile.mkdtemp(prefix="mailweave-test-"))
    path.chmod(0o711)
    if EXTERNAL is not None:
        embedded._running[path] = ExternalServer()  # type: ignore[assignment]
        (path / "mailweave.toml").write_text(f'dsn = "{EXTERNAL}"\n')  # for commands that tests start
    yield path
    embedded.start(path).close()
    shutil.rmtree(path, ignore_errors=True)


@pytest.fixture
def own_home() -> Iterator[Path]:
    """A data directory without a server yet, for tests about the embedded server itself; whatever runs there at the
    end is stopped."""
    path = Path(tempfile.mkdtemp(prefix="mailweave-own-"))
    yield path
    if server := embedded._running.get(path):
        server.close()
    if (path / "postgres").exists():
        embedded._pg_ctl(path, "stop", "-m", "immediate")
    shutil.rmtree(path)


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
