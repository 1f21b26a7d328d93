"""The command themes over a small mailbox: it lists, has a real model write what is missing, and then has nothing to do."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from sql.store import Store
from tests.ingest.mailboxes import mail, mbox
from ui.cli import run

NAMES = ("ana", "ben", "cora", "dan")


def test_themes_are_listed_and_the_missing_ones_are_made_once(
    store: Store,
    home: Path,
    model_cache: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("MAILWEAVE_HOME", str(home))
    monkeypatch.setenv("MAILWEAVE_MODEL_CACHE", str(model_cache))
    monkeypatch.setenv("MAILWEAVE_CHAT_MODEL", "qwen2.5-coder-0.5b")
    monkeypatch.delenv("MAILWEAVE_DSN", raising=False)
    monkeypatch.chdir(tmp_path)

    def call(*arguments: str, code: int = 0) -> Any:
        capfd.readouterr()
        assert run([*arguments, "--store", store.name]) == code
        out, err = capfd.readouterr()
        return json.loads(out) if "--json" in arguments else out + err

    path = mbox(tmp_path / "a.mbox", [
        mail(f"The harbour wall needs {n} more stones before the winter, says the mason who looked at it.",
             sender=f"{NAMES[n % 4]}@tidal.example", to=", ".join(f"{NAMES[(n + k) % 4]}@tidal.example" for k in (1, 2, 3)), subject=f"Wall {n}")
        for n in range(8)
    ])  # fmt: skip
    call("ingest", str(path), "--no-embed", "--owner", "me@shore.example")
    listed = call("themes", "--json")
    assert (listed["of"], listed["due"]) == (1, 1)
    assert listed["themes"][0]["messages"] == 8
    assert "mailweave themes summarise" in call("themes", "--limit", "3")
    made = call("themes", "summarise", "--json")
    assert (len(made["made"]), made["left"], made["failed"]) == (1, 0, [])
    assert made["made"][0]["name"] in call("themes")
    assert call("themes", "summarise", "--json")["made"] == []
