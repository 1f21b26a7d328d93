"""What of a source is read again: of an interrupted archive only what is missing, of a changed one everything."""

from __future__ import annotations

import os
import zipfile
from pathlib import Path

import pytest

from ingest import pipeline
from ingest.check import check
from ingest.pipeline import ingest
from sql.store import Store
from tests.ingest.mailboxes import mail, one, rows


def archive(path: Path, count: int, words: str = "Report") -> Path:
    with zipfile.ZipFile(path, "w") as out:
        for n in range(count):
            out.writestr(f"mail/{n:03}.eml", mail(f"{words} {n}.", id_=f"{n}@x", hours=n))
    return path


def test_an_interrupted_archive_is_gone_on_with(store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pipeline, "BATCH_MESSAGES", 4)
    path = archive(tmp_path / "a.zip", 10)
    assert ingest(store, [path], stopped=lambda: True).messages == 4
    kept = rows(store, "SELECT id, key FROM mail.occurrence ORDER BY id")
    assert ingest(store, [path]).messages == 6
    assert rows(store, "SELECT id, key FROM mail.occurrence ORDER BY id")[:4] == kept
    again = ingest(store, [path])
    assert (again.unchanged, again.messages) == (1, 0)
    with store.owner() as conn:
        assert check(conn) == []


def test_a_changed_archive_is_read_anew(store: Store, tmp_path: Path) -> None:
    path = archive(tmp_path / "a.zip", 5)
    ingest(store, [path])
    archive(path, 3, "Other words about the quay")
    os.utime(path, ns=(1, 1))
    ingest(store, [path])
    assert one(store, "SELECT count(*) FROM mail.message WHERE NOT recovered") == 3
    with store.owner() as conn:
        assert check(conn) == []
