"""Commands as a person runs them, over the fictional mailbox."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sql.store import Store
from ui.cli import run

Mailweave = Callable[..., tuple[int, str, str]]


@pytest.fixture
def environment(home: Path, model_cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Settings of the tests' own server, and a working directory without mailweave.toml."""
    monkeypatch.setenv("MAILWEAVE_HOME", str(home))
    monkeypatch.setenv("MAILWEAVE_MODEL_CACHE", str(model_cache))
    monkeypatch.delenv("MAILWEAVE_DSN", raising=False)
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def mailweave(demo_store: Store, environment: None, capfd: pytest.CaptureFixture[str]) -> Mailweave:
    """Runs a command over the fictional mailbox: exit code, standard output, standard error."""

    def call(*arguments: str) -> tuple[int, str, str]:
        capfd.readouterr()
        code = run([*arguments, "--store", "demo"])
        out, err = capfd.readouterr()
        return code, out, err

    return call


@pytest.fixture
def in_store(store: Store, environment: None, capfd: pytest.CaptureFixture[str]) -> Callable[..., Any]:
    """Runs a command over an empty store of the test's own, which has to end with ``code``; gives what it printed, as
    JSON where it is some."""

    def call(*arguments: str, code: int = 0) -> Any:
        capfd.readouterr()
        assert run([*arguments, "--store", store.name]) == code
        out, err = capfd.readouterr()
        return json.loads(out) if "--json" in arguments else out + err

    return call
