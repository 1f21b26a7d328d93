"""Status is counted, and balances."""

from __future__ import annotations

from pathlib import Path

from ingest.pipeline import ingest
from ingest.status import status
from sql.store import Store
from tests.ingest.mailboxes import mail, mbox


def test_an_empty_store_has_a_status(store: Store) -> None:
    found = status(store)
    assert (found.messages, found.chunks, found.sources, found.owners) == (0, 0, (), ())


def test_every_message_of_a_source_is_stored_a_copy_or_in_the_ledger(store: Store, tmp_path: Path) -> None:
    mbox(tmp_path / "Inbox.mbox", [mail(id_="a@x"), mail("Other.", sender="", date="", id_="b@x")])
    copy = mbox(tmp_path / "Sent.mbox", [mail(id_="c@x", hours=1), mail("More.", headers="In-Reply-To: <a@x>")])
    copy.write_bytes(copy.read_bytes() + b"From - Mon Mar  4 09:00:00 2024\n\n\n\n")
    result = ingest(store, [tmp_path])
    found = status(store)
    assert (found.messages, found.occurrences, found.recovered) == (3, 4, 0)
    assert (found.without_sender, found.without_message_id, found.without_thread_headers) == (1, 1, 2)
    assert found.kinds == {"mail": 3}
    assert (found.chunks, found.messages_without_chunks) == (3, 0)
    assert found.threads_by_rule == {"start": 2, "references": 1}
    inbox, sent = found.sources
    assert (inbox.read, inbox.stored, inbox.copies, inbox.unreadable) == (2, 2, 0, 0)
    assert (sent.stored, sent.copies, sent.unreadable) == (1, 1, result.unreadable)
    for source in found.sources:
        assert source.read == source.stored + source.copies + source.unreadable
    assert found.characters >= found.new_characters > 0


def test_messages_that_came_out_empty_are_named(store: Store, tmp_path: Path) -> None:
    ingest(store, [mbox(tmp_path / "a.mbox", [mail("Something.")])])
    assert status(store).empty == ()
    with store.owner() as conn:
        conn.execute("UPDATE mail.message SET new_text = ''")
    assert len(status(store).empty) == 1
