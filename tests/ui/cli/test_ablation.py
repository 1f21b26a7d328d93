"""ablate changes one thing at a time, reports it with its interval, and leaves store and program as they were."""

from __future__ import annotations

import importlib
import json
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from sql import embedded
from sql.store import Store
from tests.ui import mail
from tests.ui.cli.conftest import Mailweave
from ui.ablation import VARIANTS
from ui.cli import run

STORE = "ablated"


@pytest.fixture
def asked(home: Path, environment: None, tmp_path: Path) -> Iterator[Path]:
    """A store that nobody has open, with vectors, and two questions about it."""
    source = mail.write(tmp_path / "inbox.mbox")
    assert run(["ingest", str(source), "--owner", mail.OWNER, "--store", STORE]) == 0
    with psycopg.connect(embedded.start(home).dsn(f"mailweave_{STORE}")) as conn:
        found = conn.execute(
            "SELECT message_id, subject FROM mail.message WHERE subject <> '' ORDER BY id LIMIT 2"
        ).fetchall()
    path = tmp_path / "q.jsonl"
    path.write_text(
        "".join(
            json.dumps({"id": str(n), "kind": "lookup", "question": subject, "gold_message_ids": [[message_id]]}) + "\n"
            for n, (message_id, subject) in enumerate(found)
        )
    )
    yield path
    with psycopg.connect(embedded.start(home).dsn("postgres"), autocommit=True) as conn:
        conn.execute(f"DROP DATABASE IF EXISTS mailweave_{STORE} WITH (FORCE)")


def databases(home: Path) -> set[str]:
    with psycopg.connect(embedded.start(home).dsn("postgres")) as conn:
        return {name for (name,) in conn.execute("SELECT datname FROM pg_database")}


def chunks(home: Path) -> list[tuple[str, ...]]:
    with psycopg.connect(embedded.start(home).dsn(f"mailweave_{STORE}")) as conn:
        return conn.execute("SELECT text FROM mail.chunk ORDER BY message, position").fetchall()


def test_each_change_is_a_row_and_the_store_stays_as_it_was(
    asked: Path, home: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    before, there = chunks(home), databases(home)
    capfd.readouterr()
    assert run(["ablate", str(asked), "--only", "header,threads,top 5", "--store", STORE, "--json"]) == 0
    made = json.loads(capfd.readouterr().out)
    assert [row["variant"] for row in made["rows"]] == ["", "header", "threads", "top 5"]
    base, header, threads, five = made["rows"]
    assert base["difference"] is None and base["recall"]["n"] == 2
    assert header["vectors_made"] > 0 and threads["vectors_made"] == 0
    assert five["at"] == 5 and five["difference"].keys() >= {"difference", "low", "high", "p", "n"}
    assert chunks(home) == before and databases(home) == there


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.name)
def test_what_is_varied_exists_and_differs(variant: object) -> None:
    for module, name, value in variant.constants:  # type: ignore[attr-defined]
        assert getattr(importlib.import_module(module), name) != value


def test_a_store_that_others_have_open_is_copied_all_the_same(
    mailweave: Mailweave, demo_store: Store, tmp_path: Path
) -> None:
    with demo_store.reader():
        code, _, err = mailweave("ablate", "demo", "--only", "header")
    assert code == 0, err


def test_an_unknown_change_is_refused(mailweave: Mailweave) -> None:
    code, _, err = mailweave("ablate", "demo", "--only", "colour")
    assert code == 2 and "There is no change 'colour'" in err
