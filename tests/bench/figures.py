"""Figures for the documents: a command is run, its JSON read, and each number noted with where it came from."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sql.store import open_store
from ui.settings import read_settings

ROOT = Path(__file__).parents[2]
DATA = Path("../shared/data")
HITS = 12
ASKING = ("cypher", "sql", "agent", "themes")
"""Columns that ask a model while they look, which takes seconds a question."""


@dataclass(frozen=True)
class Box:
    """A mailbox to measure over. ``questions``: the labelled set as a command names it."""

    name: str
    says: str
    store: str
    paths: tuple[Path, ...]
    questions: str
    owner: str | None = None


@dataclass
class Claims:
    """Each number with the command that gave it, the data, and what it means; ``badly``: what should be better."""

    rows: list[tuple[str, str, str, str]] = field(default_factory=list)
    badly: list[str] = field(default_factory=list)

    def add(self, number: str, means: str, command: str, data: str) -> str:
        """Notes it and gives the number back."""
        self.rows.append((number, means, command, data))
        return number


def sizes(store: str) -> Mapping[str, float]:
    """What a store holds: numbers of rows, bytes of the export, characters of bodies and of new text."""
    settings = read_settings()
    with open_store(store, dsn=settings.dsn, home=settings.home) as opened, opened.owner() as conn:
        row = conn.execute(
            """
            SELECT count(*), (SELECT count(*) FROM mail.occurrence), (SELECT count(*) FROM mail.person),
                   (SELECT count(*) FROM mail.thread), (SELECT count(*) FROM mail.chunk),
                   (SELECT sum(bytes) FROM mail.source), sum(length(body)), sum(length(new_text)),
                   percentile_cont(0.5) WITHIN GROUP (ORDER BY length(new_text))
            FROM mail.message WHERE NOT recovered
            """
        ).fetchone()
    assert row is not None
    names = ("messages", "copies", "people", "threads", "chunks", "bytes", "bodies", "new", "median")
    return {
        name: float(value or 0) if name == "median" else int(value or 0) for name, value in zip(names, row, strict=True)
    }


def measured(command: Sequence[str]) -> dict[str, Any]:
    """What a command prints as JSON."""
    result: dict[str, Any] = json.loads(run([*command, "--json"]))
    return result


def run(command: Sequence[str]) -> str:
    """Runs a command as a person would; ends everything where it fails."""
    print("mailweave", *command, file=sys.stderr, flush=True)
    program = [sys.executable, "-c", "from ui.cli import main; main()"]
    done = subprocess.run([*program, *command], cwd=ROOT, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"mailweave {' '.join(command)} ended with {done.returncode}: {done.stdout[-500:]}")
    return done.stdout


def typed(command: Sequence[str]) -> str:
    """A command as a person types it."""
    return "mailweave " + " ".join(command)


def main_of(metrics: Mapping[str, Any]) -> Mapping[str, float] | None:
    """The one number that a kind of question is judged by."""
    value: Mapping[str, float] | None = metrics["value_correct"] or metrics["recall@12"]
    return value


def share(value: Mapping[str, float] | None) -> str:
    """A value with its interval and the number of questions."""
    if value is None:
        return "–"
    return f"{value['value']:.2f} ({value['low']:.2f}–{value['high']:.2f}, n {value['n']:.0f})"


def short(value: Mapping[str, float] | None) -> str:
    """A value alone."""
    return "–" if value is None else f"{value['value']:.2f}"


def difference(value: Mapping[str, float] | None) -> str:
    """A paired difference with its interval."""
    return "" if value is None else f"{value['difference']:+.3f} ({value['low']:+.3f} to {value['high']:+.3f})"


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table in Markdown."""
    lines = ["| " + " | ".join(heads) + " |", "|" + "---|" * len(heads)]
    return "\n".join([*lines, *("| " + " | ".join(row) + " |" for row in rows)])
