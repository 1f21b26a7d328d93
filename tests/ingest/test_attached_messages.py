"""An attached message is a message of its own: linked to its original, else known from where it was passed on."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from ingest.check import check
from ingest.parse import parse
from ingest.pipeline import ingest
from ingest.types import Mailbox, RawMessage
from sql.store import Store
from tests.ingest.mailboxes import mail, mbox, one, rows
from tests.shared import shared_data

WORDS = "The crane at pier nine has to be inspected before the ships of the spring season come in, says the insurer."
ORIGINAL = mail(
    WORDS, sender="Mia Ek <mia@ek.example>", to="Tom Byrne <tom@byrne.example>", subject="Crane", id_="c@ek"
)


def carrier(inner: bytes, type_: str = "message/rfc822") -> bytes:
    return (
        b"From: Tom Byrne <tom@byrne.example>\nTo: Ada Quill <ada@quill.example>\nSubject: See this\n"
        b"Date: Tue, 5 Mar 2024 10:00:00 +0100\nMessage-ID: <t@byrne>\n"
        b"Content-Type: multipart/mixed; boundary=b\n\n--b\n\nWhat do you think?\n--b\nContent-Type: "
        + type_.encode() + b"\n\n" + inner + b"\n--b--\n"
    )  # fmt: skip


def linked(store: Store) -> list[tuple[str, bool, str]]:
    return rows(
        store,
        "SELECT m.subject, m.recovered, m.new_text FROM mail.quote q JOIN mail.message m ON m.id = q.quoted"
        " JOIN mail.message c ON c.id = q.message WHERE c.message_id = '<t@byrne>'",
    )


def sound(store: Store) -> None:
    with store.owner() as conn:
        assert check(conn) == []


def test_an_attached_message_is_a_quotation_without_a_place() -> None:
    message = parse(RawMessage("a", carrier(ORIGINAL)))
    (quote,) = message.quotes
    assert (quote.kind, quote.author, quote.subject) == ("forwarded", Mailbox("mia@ek.example", "Mia Ek"), "Crane")
    assert quote.to == (Mailbox("tom@byrne.example", "Tom Byrne"),)
    assert quote.local_at == datetime(2024, 3, 4, 9, 0)
    assert quote.text.strip() == WORDS
    assert quote.start == quote.stop == len(message.body)
    assert message.new_text.strip() == "What do you think?"


def test_an_unknown_one_is_stored_as_known_only_from_there(store: Store, tmp_path: Path) -> None:
    mbox(tmp_path / "a.mbox", [carrier(ORIGINAL)])
    ingest(store, [tmp_path])
    ((subject, recovered, text),) = linked(store)
    assert (subject, recovered, text.strip()) == ("Crane", True, WORDS)
    assert rows(
        store,
        "SELECT a.address, r.kind FROM mail.recipient r JOIN mail.address a ON a.id = r.address"
        " JOIN mail.message m ON m.id = r.message WHERE m.recovered",
    ) == [("tom@byrne.example", "to")]
    sound(store)


def test_a_known_one_is_linked_and_not_stored_twice(store: Store, tmp_path: Path) -> None:
    mbox(tmp_path / "a.mbox", [carrier(ORIGINAL)])
    ingest(store, [tmp_path])
    mbox(tmp_path / "b.mbox", [ORIGINAL])
    ingest(store, [tmp_path])
    assert [(subject, recovered) for subject, recovered, _ in linked(store)] == [("Crane", False)]
    assert one(store, "SELECT count(*) FROM mail.message") == 2
    sound(store)


def test_attached_messages_within_attached_messages_end() -> None:
    data = ORIGINAL
    for n in range(60):
        data = carrier(data).replace(b"boundary=b\n", b"boundary=n%d\n" % n, 1)
        data = data.replace(b"\n--b", b"\n--n%d" % n)
    message = parse(RawMessage("a", data))
    assert [quote.subject for quote in message.quotes] == ["See this"]


def test_an_attached_message_that_is_none_is_no_quotation() -> None:
    for inner in (b"", b"\n\n", b"\x00\x01\x02"):
        assert all(quote.text or quote.author for quote in parse(RawMessage("a", carrier(inner))).quotes)


def test_a_real_message_packed_by_outlook_is_one() -> None:
    data = shared_data("exports", "aspose", "tnefWithMsgInside.eml").read_bytes()
    (quote,) = parse(RawMessage("a", data)).quotes
    assert quote.subject == "case 2a"
    assert quote.author is not None and quote.author.address
