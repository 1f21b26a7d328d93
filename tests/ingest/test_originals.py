"""A message is read again from its source, and what is attached to it; a source that changed is told."""

from email.message import EmailMessage
from pathlib import Path

import pytest

from ingest import originals
from ingest.errors import SourceChanged, SourceMissing, UnreadableMessage
from ingest.pipeline import ingest
from sql.store import Store


@pytest.fixture
def export(store: Store, tmp_path: Path) -> Path:
    """A Maildir with a mail that has a table attached, and a file without bytes."""
    for name in ("cur", "new", "tmp"):
        (tmp_path / "box" / name).mkdir(parents=True)
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = "ana@x.example", "ben@y.example", "Sensors"
    message["Date"], message["Message-ID"] = "01 Mar 2025 09:00:00 +0100", "<1@x.example>"
    message.set_content("The table is attached.")
    message.add_attachment("sensor;depth\nA;12\n", subtype="csv", filename="sensors.csv")
    (tmp_path / "box" / "cur" / "1.a.host:2,S").write_bytes(bytes(message))
    (tmp_path / "box" / "new" / "2.a.host").write_bytes(b"")
    ingest(store, [tmp_path / "box"], jobs=1)
    return tmp_path / "box"


def test_the_raw_message_and_its_attachment_are_read_again(store: Store, export: Path) -> None:
    with store.reader() as conn:
        (message,) = conn.execute("SELECT id FROM mail.message").fetchone() or (0,)
        raw = originals.original(conn, message)
        (number,) = conn.execute("SELECT id FROM mail.attachment").fetchone() or (0,)
        known = originals.attached(conn, number)
        assert originals.attached(conn, number + 1) is None
    assert b"Subject: Sensors" in raw.data
    assert known is not None
    assert (known.name, known.state) == ("sensors.csv", "read")
    assert "A;12" in known.text
    assert originals.content(raw, known.part) == b"sensor;depth\nA;12\n"


def test_a_source_that_changed_or_went_is_told(store: Store, export: Path) -> None:
    file = export / "cur" / "1.a.host:2,S"
    with store.reader() as conn:
        (message,) = conn.execute("SELECT id FROM mail.message").fetchone() or (0,)
        file.write_bytes(file.read_bytes().replace(b"Sensors", b"Pumps!!"))
        with pytest.raises(SourceChanged):
            originals.original(conn, message)
        file.unlink()
        with pytest.raises((SourceChanged, SourceMissing)):
            originals.original(conn, message)


def test_a_message_that_no_source_has_had_is_told(store: Store) -> None:
    with store.reader() as conn, pytest.raises(UnreadableMessage, match="quotation"):
        originals.original(conn, 5)


def test_what_could_not_be_read_is_shown_as_it_stands(store: Store, tmp_path: Path) -> None:
    place = tmp_path / "inbox.mbox"
    place.write_bytes(b"0123456789broken piece")
    with store.owner() as conn:
        conn.execute(
            "INSERT INTO mail.ingest_error (path, place_offset, place_length, error, detail) VALUES (%s, 10, 6, 'E', '')",
            (str(place),),
        )
    with store.reader() as conn:
        (entry,) = conn.execute("SELECT id FROM mail.ingest_error").fetchone() or (0,)
        assert originals.ledger_piece(conn, entry) == b"broken"
        place.unlink()
        with pytest.raises(SourceMissing):
            originals.ledger_piece(conn, entry)
