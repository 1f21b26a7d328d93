"""Every command of the README's sessions runs as it stands there, over the fictional mailbox."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from sql.store import Store
from ui.cli import run

README = (Path(__file__).parents[3] / "README.md").read_text(encoding="utf-8")
COMMANDS = re.findall(r"^\$ \.venv/bin/mailweave (.+)$", README, re.MULTILINE)


def test_the_readme_shows_a_session() -> None:
    assert len(COMMANDS) >= 8


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_of_the_readme_runs(
    command: str, demo_store: Store, environment: None, capfd: pytest.CaptureFixture[str]
) -> None:
    assert run(shlex.split(command)) == 0, capfd.readouterr().err
    assert capfd.readouterr().out.strip()
