"""The check finds each kind of loss."""

from __future__ import annotations

from pathlib import Path

import pytest

from ingest.check import check
from ingest.pipeline import ingest
from sql.store import Store
from tests.ingest.mailboxes import mail, mbox

QUOTING = (
    "Agreed.\n\n-----Original Message-----\nFrom: Storm, Pia\nSent: Monday, March 04, 2024 8:00 AM\nTo: Quill, Ada\n"
)


@pytest.mark.parametrize(
    ("damage", "found"),
    [
        ("DELETE FROM mail.occurrence WHERE message_id = '<a@x>'", "stands in a source"),
        ("UPDATE mail.quote SET quoted = NULL", "recovered message is quoted"),
        ("UPDATE mail.source SET finished = false", "read to its end"),
        ("UPDATE mail.source SET read_to = read_to + 1", "every byte"),
        ("DELETE FROM mail.chunk WHERE message = (SELECT id FROM mail.message WHERE message_id = '<a@x>')", "chunks"),
        ("UPDATE mail.chunk SET stop = 3", "to its end"),
        (
            "DELETE FROM mail.recipient WHERE message = (SELECT id FROM mail.message WHERE message_id = '<a@x>')",
            "union",
        ),
        (
            "DELETE FROM mail.person_address WHERE person = (SELECT min(person) FROM mail.person_address)",
            "one person's",
        ),
        ("UPDATE mail.thread SET messages = messages + 1", "threads count"),
        ("UPDATE mail.index_state SET fingerprint = 'old' WHERE name = 'resolved'", "they are older"),
    ],
)
def test_damage_is_found(store: Store, tmp_path: Path, damage: str, found: str) -> None:
    quoting = QUOTING + "Subject: Pump\n\nShall we replace the pump at the quay before the tide?"
    ingest(store, [mbox(tmp_path / "a.mbox", [mail(id_="a@x"), mail(quoting, id_="b@x", hours=3, subject="RE: Pump")])])
    with store.owner() as conn:
        assert check(conn) == []
        conn.execute(damage.encode())
        differences = check(conn)
        conn.rollback()
    assert any(found in str(difference) for difference in differences), differences
