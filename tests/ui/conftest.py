"""What tests in a browser share: the program's environment, the browser, a visitor who has time."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from tests.ui.serving import patient

FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"]
ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def settings(home: Path, model_cache: Path) -> dict[str, str]:
    """The environment of the program: the session's data directory, the small models."""
    own = {name: value for name, value in os.environ.items() if not name.startswith("MAILWEAVE_")}
    return own | {
        "MAILWEAVE_HOME": str(home),
        "MAILWEAVE_MODEL_CACHE": str(model_cache),
        "MAILWEAVE_CHAT_MODEL": "qwen2.5-coder-0.5b",
        "PYTHONPATH": str(ROOT),
    }


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    chromium = shutil.which("chromium")
    if chromium is None:
        pytest.skip("no chromium on this machine: apt-get install chromium")
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        yield started
        started.close()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    with patient(browser) as visitor:
        yield visitor
