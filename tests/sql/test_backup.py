"""A backup holds all that was there; a damaged, foreign or interrupted one changes nothing."""

from __future__ import annotations

import json
import stat
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from graph.check import check as check_graph
from ingest import people
from ingest.check import check
from ingest.known_people import find, known
from ingest.pipeline import ingest
from ingest.resolve import resolve
from retrieval.ask import ask
from retrieval.evaluation import pool
from sql import backup as backups
from sql.backup import backup, read_manifest, restore
from sql.by_hand import take_over
from sql.errors import BackupDamaged, BackupTooNew, NoBackup, StoreNotEmpty
from sql.store import Store, drop_store, open_store
from tests.ingest.mailboxes import mail, mbox, one, rows, snapshot
from ui import asked
from ui.asked import Vote
from ui.decisions import carry_out
from ui.reading import build_graph, read_mail

QUESTION = "Who mended the pump?"


@pytest.fixture
def other(home: Path, store: Store) -> Iterator[Store]:
    """A second empty store."""
    name = f"{store.name}_other"
    with open_store(name, home=home) as opened:
        yield opened
    drop_store(name, home=home)


@pytest.fixture
def box(tmp_path: Path) -> Path:
    mails = [
        mail(f"The pump {n} at the quay is fixed.", id_=f"{n}@x", hours=n, sender=f"Pia Storm <{who}@harbour.example>")
        for n, who in enumerate(["pia", "storm", "office", "pia", "storm"])
    ]
    return mbox(tmp_path / "box.mbox", [*mails, mail("All is well.", id_="ada@x", hours=9)])


@pytest.fixture
def filled(store: Store, box: Path) -> Store:
    """Mail, a decision, an owner, a label, a vote, vectors."""
    read_mail(store, [box], owner=["joe.quay@harbour.example"], jobs=1)
    merge(store, "pia@harbour.example", "office@harbour.example")
    with store.owner() as conn:
        (first,) = conn.execute("SELECT id FROM mail.message WHERE message_id = '<0@x>'").fetchone() or ()
        pool.keep(conn, QUESTION, first, pool.NEEDED)
        asked.vote(conn, QUESTION, ["lexical", "graph"], Vote("graph", True))
        conn.execute("CREATE TABLE mail.vector_x (sha256 bytea PRIMARY KEY, embedding halfvec(3) NOT NULL)")
        conn.execute("INSERT INTO mail.vector_x SELECT DISTINCT sha256, '[1,2,3]'::halfvec(3) FROM mail.chunk")
        conn.execute("INSERT INTO mail.index_state (name, fingerprint, relation) VALUES ('vectors:x', 'f', 'vector_x')")
    return store


def merge(store: Store, a: str, b: str) -> None:
    def decision(conn: object) -> people.Decision:
        everybody = known(conn)  # type: ignore[arg-type]
        return people.merge(conn, find(everybody, a), find(everybody, b))  # type: ignore[arg-type]

    carry_out(store, decision)


def answers(store: Store) -> list[object]:
    found = ask(store, "Who wrote about the pump?", ["lexical", "graph"], answer=False)
    texts = dict(rows(store, "SELECT id, message_id FROM mail.message"))
    return [[texts[hit.message] for hit in column.retrieved.hits] for column in found.columns]


def test_a_restored_store_is_the_same_and_answers_the_same(filled: Store, other: Store, tmp_path: Path) -> None:
    path = tmp_path / "all.mailweave"
    made = backup(filled, path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600 and made.messages == 6
    told: list[int] = []
    restore(other, path, advance=told.append)
    build_graph(other)
    assert sum(told) == 2 * made.bytes
    assert snapshot(other) == snapshot(filled)
    for table in ("judgement", "vote", "asked", "vector_x", "mailbox", "evaluation_run"):
        assert rows(other, f"SELECT * FROM mail.{table} ORDER BY 1") == rows(
            filled, f"SELECT * FROM mail.{table} ORDER BY 1"
        )
    with other.owner() as conn:
        assert check(conn) == [] and check_graph(conn) == []
    assert answers(other) == answers(filled)
    assert any(answers(other))


def test_the_restored_store_goes_on(filled: Store, other: Store, box: Path, tmp_path: Path) -> None:
    backup(filled, tmp_path / "all.mailweave", vectors=False)
    restore(other, tmp_path / "all.mailweave")
    assert one(other, "SELECT to_regclass('mail.vector_x') IS NULL")
    assert ingest(other, [box], jobs=1).unchanged == 1
    more = mbox(tmp_path / "more.mbox", [mail("Another pump.", id_="more@x", hours=20)])
    assert read_mail(other, [more], jobs=1).ingest.messages == 1
    merge(other, "storm@harbour.example", "ada.quill@harbour.example")
    with other.owner() as conn:
        assert check(conn) == [] and check_graph(conn) == []


def test_a_store_with_mail_is_left_alone(filled: Store, tmp_path: Path) -> None:
    before = snapshot(filled)
    backup(filled, tmp_path / "b")
    with pytest.raises(StoreNotEmpty, match="--by-hand"):
        restore(filled, tmp_path / "b")
    assert snapshot(filled) == before


def test_what_is_no_backup_is_neither_restored_nor_replaced(filled: Store, other: Store, tmp_path: Path) -> None:
    letter = tmp_path / "letter.txt"
    letter.write_text("Dear Ada")
    for path in (letter, tmp_path / "missing"):
        with pytest.raises(NoBackup):
            restore(other, path)
    with pytest.raises(NoBackup):
        backup(filled, letter)
    assert letter.read_text() == "Dear Ada"
    backup(filled, tmp_path / "b")
    backup(filled, tmp_path / "b")  # an older one is replaced
    assert [path.name for path in tmp_path.glob("*partial*")] == []


def test_the_newer_of_two_votes_holds_and_a_backup_from_before_votes_has_none(
    filled: Store, other: Store, tmp_path: Path
) -> None:
    backup(filled, tmp_path / "b")
    with other.owner() as conn:
        asked.vote(conn, QUESTION, ["graph", "lexical"], Vote(None, False))
    assert take_over(other, tmp_path / "b").votes == 0
    with other.owner() as conn:
        assert asked.voted(conn, QUESTION, ["graph", "lexical"]) == Vote(None, False)
        conn.execute("UPDATE mail.vote SET at = at - interval '1 day'")
    assert take_over(other, tmp_path / "b").votes == 1
    with other.owner() as conn:
        assert asked.voted(conn, QUESTION, ["graph", "lexical"]) == Vote("graph", True)
    assert take_over(other, without(tmp_path / "b", tmp_path / "older", "vote")).votes == 0


def without(path: Path, to: Path, table: str) -> Path:
    """The backup as one that knew nothing of a table."""
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(to, "w") as new:
        manifest = json.loads(old.read(backups.MANIFEST))
        manifest["tables"] = [one for one in manifest["tables"] if one["name"] != table]
        for name in old.namelist():
            if name not in (backups.MANIFEST, f"{table}.copy"):
                new.writestr(name, old.read(name))
        new.writestr(backups.MANIFEST, json.dumps(manifest))
    return to


def test_a_damaged_backup_is_found_before_anything_is_written(filled: Store, other: Store, tmp_path: Path) -> None:
    path = tmp_path / "b"
    backup(filled, path)
    whole = path.read_bytes()
    for damaged in (whole[: len(whole) // 2], changed(path, tmp_path / "c"), whole[:2000] + b"xxxx" + whole[2004:]):
        path.write_bytes(damaged)
        with pytest.raises((BackupDamaged, NoBackup)):
            restore(other, path)
        assert one(other, "SELECT count(*) FROM mail.message") == 0


def changed(path: Path, to: Path) -> bytes:
    """A well-formed archive in which a row says something else."""
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(to, "w") as new:
        for name in old.namelist():
            new.writestr(name, old.read(name).replace(b"pump", b"dump"))
    return to.read_bytes()


def test_a_newer_format_is_named(filled: Store, other: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backups, "FORMAT", 2)
    backup(filled, tmp_path / "b")
    monkeypatch.setattr(backups, "FORMAT", 1)
    with pytest.raises(BackupTooNew):
        restore(other, tmp_path / "b")


def test_an_interrupted_restore_leaves_the_store_empty_and_can_be_run_again(
    filled: Store, other: Store, tmp_path: Path
) -> None:
    backup(filled, tmp_path / "b")
    of = read_manifest(tmp_path / "b").bytes
    done = 0

    def advance(n: int) -> None:
        nonlocal done
        done += n
        if done > 1.9 * of:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        restore(other, tmp_path / "b", advance=advance)
    assert one(other, "SELECT count(*) FROM mail.message") == 0
    restore(other, tmp_path / "b")
    assert one(other, "SELECT count(*) FROM mail.message") == 6


def test_a_restore_that_was_cut_short_before_its_graph_is_gone_on_with(
    filled: Store, other: Store, tmp_path: Path
) -> None:
    backup(filled, tmp_path / "b")
    restore(other, tmp_path / "b")
    told: list[int] = []
    made = restore(other, tmp_path / "b", advance=told.append)
    assert sum(told) == 2 * made.bytes
    backup(filled, tmp_path / "later", vectors=False)
    with pytest.raises(StoreNotEmpty):  # it is another backup
        restore(other, tmp_path / "later")
    build_graph(other)
    with pytest.raises(StoreNotEmpty):  # it is done
        restore(other, tmp_path / "b")
    assert snapshot(other) == snapshot(filled)
    backup(other, tmp_path / "again")
    assert "restored" not in [state[0] for state in read_manifest(tmp_path / "again").state]


def test_what_was_made_by_hand_comes_over_to_mail_that_was_read_anew(
    filled: Store, other: Store, box: Path, tmp_path: Path
) -> None:
    backup(filled, tmp_path / "b")
    fewer = mbox(
        tmp_path / "moved" / "box.mbox", [box.read_bytes().split(b"From - ")[n][25:].strip() + b"\n" for n in (6, 5, 1)]
    )
    read_mail(other, [fewer], jobs=1)
    assert one(other, "SELECT count(*) FROM mail.address WHERE address = 'office@harbour.example'") == 0
    for expected in ((1, 1, 1, 1), (0, 0, 0, 0)):
        taken = take_over(other, tmp_path / "b")
        assert (taken.decisions, taken.owners, taken.judgements, taken.votes) == expected
    with other.owner() as conn:
        resolve(conn)
    build_graph(other)
    read_mail(other, [box], jobs=1)
    assert snapshot(other)["people"] == snapshot(filled)["people"]
    with other.owner() as conn:
        (first,) = conn.execute("SELECT id FROM mail.message WHERE message_id = '<0@x>'").fetchone() or ()
        assert pool.kept(conn, QUESTION) == {first: pool.NEEDED}
        assert asked.voted(conn, QUESTION, ["graph", "lexical"]) == Vote("graph", True)
        assert check(conn) == [] and check_graph(conn) == []


def test_a_label_holds_when_a_source_is_read_anew(filled: Store, box: Path) -> None:
    text = box.read_bytes()
    box.write_bytes(text[text.index(b"From - ", 1) :] + text[: text.index(b"From - ", 1)])
    ingest(filled, [box], jobs=1)
    with filled.owner() as conn:
        assert list(pool.kept(conn, QUESTION).values()) == [pool.NEEDED]
