"""The program as a person runs it, for tests in a browser: it reads a mailbox into a store and serves the page."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
from playwright.sync_api import Browser, Page, expect

from sql import embedded
from tests.ui import mail

PROGRAM = [sys.executable, "-c", "from ui.cli import main; main()"]
MINUTE = 60_000


def ingest(path: Path, store: str, settings: dict[str, str], folder: Path, *more: str) -> None:
    """Reads the mail at ``path`` into ``store``; ``folder`` is where the program is started."""
    command = [*PROGRAM, "ingest", str(path), "--owner", mail.OWNER, "--store", store, *more]
    done = subprocess.run(command, env=settings, cwd=folder, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr


@contextmanager
def served(store: str, port: int, settings: dict[str, str], folder: Path) -> Iterator[str]:
    """The address of the running page over ``store``."""
    page = subprocess.Popen(
        [*PROGRAM, "ui", "--store", store, "--headless", "--port", str(port)],
        env=settings, cwd=folder, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        assert page.stderr is not None
        line = page.stderr.readline()
        found = re.search(r"http://localhost:\d+", line)
        assert found, line
        yield found[0]
    finally:
        page.terminate()
        page.wait(30)


def drop(home: Path, *stores: str) -> None:
    """Drops the stores of a test."""
    with psycopg.connect(embedded.start(home).dsn("postgres"), autocommit=True) as conn:
        for store in stores:
            conn.execute(f"DROP DATABASE IF EXISTS mailweave_{store} WITH (FORCE)")


@contextmanager
def patient(browser: Browser, width: int = 1280, height: int = 900) -> Iterator[Page]:
    """A fresh visitor who waits: where other tests run beside these, a page takes its time."""
    context = browser.new_context(viewport={"width": width, "height": height})
    page = context.new_page()
    page.set_default_timeout(MINUTE)
    expect.set_options(timeout=MINUTE)
    yield page
    expect.set_options(timeout=5_000)
    context.close()
