"""Mail goes in once and completely, whatever happens on the way."""

from __future__ import annotations

import os
from collections.abc import Callable
from itertools import permutations
from pathlib import Path

import pytest

from ingest import pipeline
from ingest.check import check
from ingest.errors import SourceMissing
from ingest.pipeline import ingest
from sql.errors import StoreBusy
from sql.store import Store, open_store
from tests.ingest.mailboxes import mail, mbox, one, rows, snapshot


def assert_sound(store: Store) -> None:
    with store.owner() as conn:
        assert check(conn) == []


def test_copies_in_two_folders_are_one_message(store: Store, tmp_path: Path) -> None:
    mbox(tmp_path / "Inbox.mbox", [mail(id_="b@x", hours=1, cc="Pia Storm <pia.storm@harbour.example>")])
    mbox(tmp_path / "Sent.mbox", [mail(id_="a@x", subject="Re: Pump")])
    result = ingest(store, [tmp_path])
    assert (result.sources, result.messages, result.copies, result.unreadable) == (2, 1, 1, 0)
    assert rows(store, "SELECT message_id, subject, is_reply FROM mail.message") == [("<a@x>", "Re: Pump", True)]
    assert rows(store, "SELECT message_id FROM mail.occurrence ORDER BY 1") == [("<a@x>",), ("<b@x>",)]
    recipients = "SELECT a.address, r.kind FROM mail.recipient r JOIN mail.address a ON a.id = r.address ORDER BY 1"
    assert rows(store, recipients) == [("joe.quay@harbour.example", "to"), ("pia.storm@harbour.example", "cc")]
    assert_sound(store)


def test_the_same_words_after_more_than_a_day_are_another_message(store: Store, tmp_path: Path) -> None:
    mbox(tmp_path / "a.mbox", [mail(id_="a@x"), mail(id_="b@x", hours=25)])
    ingest(store, [tmp_path])
    assert one(store, "SELECT count(*) FROM mail.message") == 2
    mbox(tmp_path / "b.mbox", [mail(id_="c@x", hours=12)])
    ingest(store, [tmp_path])
    assert one(store, "SELECT count(*) FROM mail.message") == 1, "a copy between them joins both"
    assert one(store, "SELECT count(*) FROM mail.occurrence") == 3
    assert_sound(store)


def test_two_mails_with_one_message_id_stay_two(store: Store, tmp_path: Path) -> None:
    ingest(store, [mbox(tmp_path / "a.mbox", [mail("Yes.", id_="same@x"), mail("No.", id_="same@x")])])
    assert one(store, "SELECT count(*) FROM mail.message") == 2


def test_copies_without_a_date_belong_together_by_their_id(store: Store, tmp_path: Path) -> None:
    undated = [mail(date="", id_="a@x"), mail(date="", id_="b@x"), mail(date="", id_="a@x")]
    folder = tmp_path / "mail"
    folder.mkdir()
    for i, data in enumerate(undated):
        (folder / f"{i}.eml").write_bytes(data)
    ingest(store, [folder])
    assert one(store, "SELECT count(*) FROM mail.message") == 2
    assert_sound(store)


def test_the_result_does_not_depend_on_order_or_batches(
    home: Path, template: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {
        "a": [mail(id_="1@x"), mail("Who pays for the pump?", id_="2@x", hours=2, subject="Re: Pump")],
        "b": [mail(id_="3@x", hours=23), mail(id_="4@x", hours=60)],
        "c": [
            mail(id_="5@x", hours=40, to="Pia Storm <pia@storm.example>"),
            mail(
                "I do.\n\nOn Mon, 4 Mar 2024 at 11:00, Ada Quill <ada.quill@harbour.example> wrote:\n"
                "> Who pays for the pump?\n",
                id_="6@x", hours=3, sender="Joe Quay <joe.quay@harbour.example>", subject="AW: Pump",
            ),
        ],
    }  # fmt: skip
    for name, mails in files.items():
        mbox(tmp_path / f"{name}.mbox", mails)
    seen = []
    for batch, order in zip((1, 2, 500, 1, 3, 2), permutations("abc"), strict=True):
        monkeypatch.setattr(pipeline, "BATCH_MESSAGES", batch)
        with FreshStore(home, template) as fresh:
            for name in order:
                ingest(fresh, [tmp_path / f"{name}.mbox"])
            seen.append(snapshot(fresh))
            assert_sound(fresh)
    assert len(seen[0]["messages"]) == 3 and len(seen[0]["occurrences"]) == 6
    for other in seen[1:]:
        assert other == seen[0]


def test_unchanged_sources_are_not_read_again(store: Store, tmp_path: Path) -> None:
    mbox(tmp_path / "a.mbox", [mail(id_="a@x"), mail("Other words.", id_="b@x")])
    ingest(store, [tmp_path])
    before = snapshot(store)
    again = ingest(store, [tmp_path])
    assert (again.unchanged, again.messages, again.copies) == (1, 0, 0)
    assert "chunks" not in again.seconds, "nothing new, so nothing is connected anew"
    assert snapshot(store) == before


def test_a_grown_mbox_is_read_from_where_it_ended(store: Store, tmp_path: Path) -> None:
    path = mbox(tmp_path / "a.mbox", [mail(id_="a@x")])
    ingest(store, [path])
    with path.open("ab") as file:
        file.write(b"From - Mon Mar  4 10:00:00 2024\n" + mail("More words.", id_="b@x") + b"\n")
    result = ingest(store, [path])
    assert (result.messages, result.copies) == (1, 0)
    assert one(store, "SELECT count(*) FROM mail.occurrence") == 2
    assert_sound(store)


def test_a_rewritten_mbox_is_read_anew(store: Store, tmp_path: Path) -> None:
    path = mbox(tmp_path / "a.mbox", [mail("First.", id_="a@x"), mail("Second.", id_="b@x"), mail("Third.", id_="c@x")])
    ingest(store, [path])
    mbox(path, [mail("Second.", id_="b@x"), mail("Fourth.", id_="d@x")])
    ingest(store, [path])
    assert rows(store, "SELECT message_id FROM mail.message ORDER BY 1") == [("<b@x>",), ("<d@x>",)]
    assert_sound(store)


def test_of_a_maildir_only_new_files_are_read(store: Store, tmp_path: Path) -> None:
    for name in ("cur", "new", "tmp"):
        (tmp_path / "mail" / name).mkdir(parents=True)
    (tmp_path / "mail" / "cur" / "1.host:2,S").write_bytes(mail(id_="a@x"))
    assert ingest(store, [tmp_path / "mail"]).messages == 1
    assert ingest(store, [tmp_path / "mail"]).unchanged == 1
    (tmp_path / "mail" / "new" / "2.host").write_bytes(mail("Other words.", id_="b@x"))
    result = ingest(store, [tmp_path / "mail"])
    assert (result.messages, result.copies, result.unchanged) == (1, 0, 0)


def test_what_cannot_be_read_stands_in_the_ledger(store: Store, tmp_path: Path) -> None:
    path = mbox(tmp_path / "a.mbox", [mail(id_="a@x"), mail(id_="b@x", hours=48)])
    data = path.read_bytes()
    hole = b"From - Mon Mar  4 09:00:00 2024\n\n\n\nFrom - Mon Mar  4 09:00:00 2024\n"
    path.write_bytes(data.replace(b"From - Mon Mar  4 09:00:00 2024\n", hole, 1))
    result = ingest(store, [path])
    assert result.messages == 2
    assert result.unreadable == len(rows(store, "SELECT 1 FROM mail.ingest_error"))
    assert_sound(store)


def test_what_the_database_refuses_costs_only_that_message(store: Store, tmp_path: Path) -> None:
    path = mbox(tmp_path / "a.mbox", [mail(id_="a@x"), mail("Bad words.", id_="b@x"), mail("More words.", id_="c@x")])
    with store.owner() as conn:
        # stands for whatever a database may refuse and nobody foresaw
        conn.execute(
            "CREATE FUNCTION mail.refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
            " IF NEW.body LIKE 'Bad%' THEN RAISE EXCEPTION 'no such value' USING ERRCODE = '22000'; END IF;"
            " RETURN NEW; END $$"
        )
        conn.execute("CREATE TRIGGER refuse BEFORE INSERT ON mail.message FOR EACH ROW EXECUTE FUNCTION mail.refuse()")
    result = ingest(store, [path])
    assert (result.messages, result.unreadable) == (2, 1)
    assert rows(store, "SELECT path, detail FROM mail.ingest_error") == [
        (str(path), "The database refuses it: no such value")
    ]
    assert_sound(store)


class Meanwhile:
    """Does something to the files when reading begins."""

    def __init__(self, act: Callable[[], object]) -> None:
        self.act = act

    def step(self, name: str, total: int | None = None, unit: str = "messages") -> None:
        if name == "reading":
            self.act()

    def advance(self, n: int = 1) -> None:
        pass


def test_a_file_that_goes_away_does_not_end_the_run(store: Store, tmp_path: Path) -> None:
    gone = mbox(tmp_path / "a.mbox", [mail(id_="a@x")])
    mbox(tmp_path / "b.mbox", [mail("Other words.", id_="b@x")])
    data = gone.read_bytes()
    result = ingest(store, [tmp_path], progress=Meanwhile(gone.unlink))
    assert (result.messages, result.unreadable) == (1, 1)
    assert rows(store, "SELECT path FROM mail.ingest_error") == [(str(gone),)]
    gone.write_bytes(data)
    assert ingest(store, [tmp_path]).messages == 1
    assert rows(store, "SELECT 1 FROM mail.ingest_error") == []
    assert_sound(store)


def test_a_path_without_mail_says_so_and_stores_nothing(store: Store, tmp_path: Path) -> None:
    with pytest.raises(SourceMissing):
        ingest(store, [mbox(tmp_path / "a.mbox", [mail()]), tmp_path / "nothing.mbox"])
    assert one(store, "SELECT count(*) FROM mail.message") == 0


def test_a_run_that_was_stopped_is_gone_on_with(store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pipeline, "BATCH_MESSAGES", 4)
    path = mbox(tmp_path / "a.mbox", [mail(f"Report {n}.", id_=f"{n}@x", hours=n) for n in range(10)])
    stopped = ingest(store, [path], stopped=lambda: True)
    assert stopped.messages == 4
    assert one(store, "SELECT finished FROM mail.source") is False
    assert ingest(store, [path]).messages == 6
    assert_sound(store)


def test_a_second_program_is_told_who_is_writing(store: Store, tmp_path: Path) -> None:
    path = mbox(tmp_path / "a.mbox", [mail()])
    with store.writer_lock("ingest"), pytest.raises(StoreBusy, match="ingest"):
        ingest(store, [path])


class FreshStore:
    """A fresh store beside the test's own."""

    count = 0

    def __init__(self, home: Path, template: str) -> None:
        FreshStore.count += 1
        self.home, self.template, self.name = home, template, f"p{os.getpid()}_{FreshStore.count}"

    def __enter__(self) -> Store:
        import psycopg

        from sql import embedded

        self.maintenance = embedded.start(self.home).dsn("postgres")
        with psycopg.connect(self.maintenance, autocommit=True) as conn:
            conn.execute(f"CREATE DATABASE mailweave_{self.name} TEMPLATE {self.template} STRATEGY file_copy".encode())
        self.opened = open_store(self.name, home=self.home)
        return self.opened

    def __exit__(self, *_: object) -> None:
        import psycopg

        self.opened.close()
        with psycopg.connect(self.maintenance, autocommit=True) as conn:
            conn.execute(f"DROP DATABASE mailweave_{self.name} WITH (FORCE)".encode())
