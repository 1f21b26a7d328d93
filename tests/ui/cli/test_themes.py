"""The command themes over a small mailbox: it lists, has a real model write what is missing, and then has nothing to do."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.ingest.mailboxes import mail, mbox

NAMES = ("ana", "ben", "cora", "dan")


def test_themes_are_listed_and_the_missing_ones_are_made_once(
    in_store: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MAILWEAVE_CHAT_MODEL", "qwen2.5-coder-0.5b")
    path = mbox(tmp_path / "a.mbox", [
        mail(f"The harbour wall needs {n} more stones before the winter, says the mason who looked at it.",
             sender=f"{NAMES[n % 4]}@tidal.example", to=", ".join(f"{NAMES[(n + k) % 4]}@tidal.example" for k in (1, 2, 3)), subject=f"Wall {n}")
        for n in range(8)
    ])  # fmt: skip
    in_store("ingest", str(path), "--no-embed", "--owner", "me@shore.example")
    listed = in_store("themes", "--json")
    assert (listed["of"], listed["due"]) == (1, 1)
    assert listed["themes"][0]["messages"] == 8
    assert "mailweave themes summarise" in in_store("themes", "--limit", "3")
    made = in_store("themes", "summarise", "--json")
    assert (len(made["made"]), made["left"], made["failed"]) == (1, 0, [])
    assert made["made"][0]["name"] in in_store("themes")
    assert in_store("themes", "summarise", "--json")["made"] == []
