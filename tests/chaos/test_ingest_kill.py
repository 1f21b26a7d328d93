"""A few of the kills of tests.chaos.ingest_kill."""

from __future__ import annotations

from pathlib import Path

import pytest

from sql.store import drop_store
from tests.chaos.ingest_kill import Kills, made_up

# The program that is killed starts by itself, with the embedded server of the data directory.
pytestmark = pytest.mark.embedded


def test_a_killed_run_leaves_what_an_undisturbed_one_would(home: Path, tmp_path: Path) -> None:
    try:
        kills = Kills(home, made_up(tmp_path / "mail", messages=160), seed=7)
        for _ in range(4):
            kills.once()
    finally:
        for name in ("calm", "killed"):
            drop_store(name, home=home)
