"""With --sync the store follows the export when mail has gone from it."""

from __future__ import annotations

from pathlib import Path

import pytest

from ingest.check import check
from ingest.errors import SourceMissing
from ingest.pipeline import ingest
from sql.store import Store
from tests.ingest.mailboxes import mail, mbox, one, rows


def ids(store: Store) -> list[str]:
    return [id_ for (id_,) in rows(store, "SELECT message_id FROM mail.message ORDER BY 1")]


def test_a_file_that_has_gone_takes_its_mail_along(store: Store, tmp_path: Path) -> None:
    gone = mbox(tmp_path / "box" / "a.mbox", [mail("One.", id_="a@x"), mail("Both.", id_="b@x")])
    mbox(tmp_path / "box" / "b.mbox", [mail("Both.", id_="c@x", hours=1, subject="Re: Pump")])
    mbox(tmp_path / "other" / "c.mbox", [mail("Elsewhere.", id_="d@x")])
    ingest(store, [tmp_path / "box", tmp_path / "other"])
    gone.unlink()
    assert ingest(store, [tmp_path / "box"]).forgotten == 0
    assert ids(store) == ["<a@x>", "<b@x>", "<d@x>"], "without being asked nothing is forgotten"
    assert ingest(store, [tmp_path / "box"], forget_missing=True).forgotten == 1
    assert ids(store) == ["<c@x>", "<d@x>"]
    assert rows(store, "SELECT is_reply FROM mail.message WHERE message_id = '<c@x>'") == [(True,)]
    assert one(store, "SELECT count(*) FROM mail.source") == 2
    with store.owner() as conn:
        assert check(conn) == []


def test_a_message_that_has_gone_from_a_folder_goes(store: Store, tmp_path: Path) -> None:
    for name in ("cur", "new", "tmp"):
        (tmp_path / "mail" / name).mkdir(parents=True)
    (tmp_path / "mail" / "cur" / "1.host:2,S").write_bytes(mail("One.", id_="a@x"))
    (tmp_path / "mail" / "cur" / "2.host:2,").write_bytes(mail("Two.", id_="b@x"))
    ingest(store, [tmp_path / "mail"])
    (tmp_path / "mail" / "cur" / "1.host:2,S").unlink()
    (tmp_path / "mail" / "cur" / "2.host:2,").rename(tmp_path / "mail" / "cur" / "2.host:2,S")
    assert ingest(store, [tmp_path / "mail"], forget_missing=True).forgotten == 1
    assert ids(store) == ["<b@x>"], "a new flag is no new message"


def test_a_whole_path_that_is_missing_takes_nothing_along(store: Store, tmp_path: Path) -> None:
    path = mbox(tmp_path / "a.mbox", [mail(id_="a@x")])
    ingest(store, [path])
    path.unlink()
    with pytest.raises(SourceMissing):
        ingest(store, [path], forget_missing=True)
    assert ids(store) == ["<a@x>"]


def test_a_file_that_was_written_anew_under_its_name_is_read_anew(store: Store, tmp_path: Path) -> None:
    folder = tmp_path / "box"
    folder.mkdir()
    (folder / "1.eml").write_bytes(mail("One.", id_="a@x"))
    (folder / "2.eml").write_bytes(mail("Two.", id_="b@x"))
    ingest(store, [folder])
    (folder / "2.eml").write_bytes(mail("Another text.", id_="c@x"))
    assert ingest(store, [folder]).messages == 0
    (folder / "2.eml").write_bytes(mail("Yet another text.", id_="d@x"))
    result = ingest(store, [folder], forget_missing=True)
    assert (result.forgotten, result.messages) == (1, 1)
    assert ids(store) == ["<a@x>", "<d@x>"]
    with store.owner() as conn:
        assert check(conn) == []
