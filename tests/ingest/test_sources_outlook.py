"""Outlook's files: message files, data files, archives of Outlook for Mac. The same mail in two of them is the same."""

import random
import sys
from pathlib import Path

import pytest

from ingest import sources
from ingest.errors import EmptySource, LibraryMissing, SourceUnreadable
from ingest.parse import parse
from ingest.sources.pst_heap import read_heap
from ingest.types import Message, RawMessage, Unreadable
from tests.shared import shared_data


def folder() -> Path:
    return shared_data("exports", "aspose")


def read(path: Path) -> tuple[dict[str, Message], list[Unreadable]]:
    pieces = [piece for source in sources.find(path).files for piece in sources.read(source)]
    messages = {p.key: parse(p) for p in pieces if isinstance(p, RawMessage)}
    return messages, [p for p in pieces if isinstance(p, Unreadable)]


def words(message: Message) -> list[str]:
    return message.body.split()


# ------------------------------------------------------------------------------------------------ message files

# message_id, sender, recipients, subject, attachments (name, type), a piece of the body
MESSAGES = {
    "failed.msg": (
        "<39c4941c-8e45-4471-8f04-de5bcee0a65a@aspose.com>", "postmaster@aspose.com", ["svcx555@gmail.com"],
        "Undeliverable: test subj",
        [("details.txt", "message/delivery-status"), ("test subj (1.42 КБ)", "message/rfc822")],
        "Delivery has failed to these recipients or groups:",
    ),
    "message3.msg": (
        None, "sender@sender.com", ["receiver@receiver.com"], "Message with Attachments",
        [("1.doc", "application/msword"), ("1.txt", "text/plain"), ("creating an outlook message file", "message/rfc822")],
        "",
    ),
    "messageWithEmbeddedEML.msg": (
        None, "sender@sender.com", ["receiver@receiver.com"], "Message with Embedded EML",
        [("image001.wmz", "application/x-ms-wmz"), ("image002.png", "image/png"),
         ("oledata.mso", "application/octet-stream")],
        "",
    ),
    "WithEmbeddedMsg.msg": (
        None, "from@test.com", ["to@test.com"], "Subj", [("Weekly report", "message/rfc822")], "This is a message body",
    ),
    "Meeting with Recurring Occurrences.msg": (
        "<C770750207A6A34CA5B9B3E50046A9B7373147E6@exchange.aspose.com>", None, ["asposeemail.test3@aspose.com"],
        "Meeting with Recurring Occurrences", [("", "text/calendar")], "This is what I have found about Aspose.",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", MESSAGES)
def test_message_files(name: str) -> None:
    message_id, sender, to, subject, attachments, body = MESSAGES[name]
    (message,) = read(folder() / name)[0].values()
    assert message_id in (None, message.message_id)
    assert message.sender is not None
    assert sender in (None, message.sender.address)
    assert [m.address for m in message.to] == to
    assert message.subject == subject
    assert [a.name for a in message.attachments] == [name for name, _ in attachments]
    assert [a.type for a in message.attachments if a.type != "application/octet-stream"] == [
        type_
        for (_, type_), a in zip(attachments, message.attachments, strict=True)
        if a.type != "application/octet-stream"
    ]
    assert body in message.body
    assert message.message_id_derived == (message_id is None)


def test_a_bounce_keeps_its_thread_and_is_automated() -> None:
    (message,) = read(folder() / "failed.msg")[0].values()
    assert message.kind == "automated"
    assert message.in_reply_to == message.reference_ids != ()
    assert message.thread_index is not None


def test_what_is_no_mail_is_passed_over() -> None:
    messages, (told,) = read(folder() / "NewGroup.msg")
    assert messages == {}
    assert (told.error, told.detail) == ("NotMail", "it is a distribution list")


def test_message_files_are_a_folder_of_single_messages_and_read_the_same_each_time(tmp_path: Path) -> None:
    for path in folder().glob("*.msg"):
        (tmp_path / path.name).write_bytes(path.read_bytes())
    (source,) = sources.find(tmp_path).files
    assert source.format == "msg"
    once = list(sources.read(source))
    assert len([p for p in once if isinstance(p, RawMessage)]) == 5
    assert list(sources.read(source)) == once
    for piece in once:
        if isinstance(piece, RawMessage):
            assert sources.read_one(source, piece.key) == piece


def test_a_broken_message_file_goes_to_the_ledger(tmp_path: Path) -> None:
    data = (folder() / "message3.msg").read_bytes()
    for number in range(40):
        chance = random.Random(number)
        held = bytearray(data)
        for _ in range(20):
            held[chance.randrange(600, len(held))] = chance.randrange(256)
        (tmp_path / f"{number}.msg").write_bytes(bytes(held))
    (tmp_path / "cut.msg").write_bytes(data[:5000])
    messages, told = read(tmp_path)
    assert len(messages) + len(told) >= 40
    assert {t.error for t in told} <= {"UnreadableMessage", "NotMail"}


# ------------------------------------------------------------------------------------------------ data files


def test_a_data_file_keeps_ids_threads_and_folders() -> None:
    messages, others = read(folder() / "Outlook_1.pst")
    assert len(messages) == 14
    inbox = [m for m in messages.values() if m.labels == ("Inbox",)]
    sent = [m for m in messages.values() if m.labels == ("Sent Items",)]
    assert (len(inbox), len(sent)) == (8, 6)
    assert not any(m.message_id_derived for m in inbox)
    assert all(m.thread_index and m.sender and m.sent_at for m in messages.values())
    assert all(m.to for m in messages.values())
    assert {o.detail for o in others} >= {"it is a contact", "it is an entry of the calendar"}
    assert {o.error for o in others} == {"NotMail"}


def test_messages_attached_in_a_data_file_are_read() -> None:
    messages, _ = read(folder() / "Outlook_1.pst")
    (source,) = sources.find(folder() / "Outlook_1.pst").files
    from ingest.body import attachment_content

    found = {}
    for key, message in messages.items():
        for attachment in message.attachments:
            if attachment.type == "message/rfc822":
                held = attachment_content(sources.read_one(source, key).data, attachment.part)
                assert held is not None
                inner = parse(RawMessage("x", held))
                found[message.labels[0], inner.subject] = inner
    assert sorted(found) == [
        ("Inbox", "message 1"), ("Inbox", "message 2"), ("Sent Items", "message 1"), ("Sent Items", "message 2")
    ]  # fmt: skip
    for (_, subject), inner in found.items():
        (outside,) = [m for m in messages.values() if m.labels == ("Sent Items",) and m.subject == subject]
        assert inner.sent_at == outside.sent_at
        assert inner.sender == outside.sender


def test_the_same_mail_out_of_a_data_file_and_out_of_outlook_for_mac() -> None:
    pst = {m.message_id: m for m in read(folder() / "Outlook_1.pst")[0].values() if m.labels == ("Inbox",)}
    olm = {m.message_id: m for m in read(folder() / "SampleOLM.olm")[0].values()}
    assert len(pst) == 8
    for message_id, message in pst.items():
        other = olm[message_id]
        for field in ("subject", "sent_at", "to"):
            assert getattr(message, field) == getattr(other, field), field
        assert message.sender is not None and other.sender is not None
        assert message.sender.address == other.sender.address
        # not every message has its conversation in the archive
        assert other.thread_index in (None, message.thread_index)
        assert words(message) == words(other)
        # attached messages are written anew by both programs
        files = [[a.sha256 for a in m.attachments if a.type != "message/rfc822"] for m in (message, other)]
        assert files[0] == files[1]


@pytest.mark.parametrize(
    ("name", "others"),
    [
        ("aspose/PersonalStorageFile.pst", {"18 × a contact"}),
        ("aspose/SampleContacts.pst", {"6 × a contact"}),
        ("java-libpst/resources/dist-list.pst",
         {"it is a contact", "it is a distribution list", "it is an entry of the calendar", "it is a setting"}),
        ("java-libpst/resources/passworded.pst", {"it is a contact", "it is a distribution list", "it is a setting"}),
    ],
)  # fmt: skip
def test_data_files_without_mail_say_what_is_in_them(name: str, others: set[str]) -> None:
    messages, told = read(shared_data("exports", *name.split("/")))
    assert messages == {}
    assert {t.detail for t in told} == others


def test_messages_of_a_data_file_are_found_again_and_known_ones_left_out() -> None:
    (source,) = sources.find(folder() / "Outlook_1.pst").files
    once = [p for p in sources.read(source) if isinstance(p, RawMessage)]
    assert sources.read_one(source, once[3].key) == once[3]
    left = [p.key for p in sources.read(source, known={p.key for p in once[:5]}) if isinstance(p, RawMessage)]
    assert left == [p.key for p in once[5:]]
    assert list(sources.keys(source)) == [p.key for p in once]


@pytest.mark.parametrize(("wrong_bits", "least"), [(5, 14), (20, 10), (100, 0)])
def test_a_damaged_data_file_is_read_as_far_as_it_goes_and_tells_of_the_rest(
    tmp_path: Path, wrong_bits: int, least: int
) -> None:
    data = (folder() / "Outlook_1.pst").read_bytes()
    for number in range(8):
        chance = random.Random(number)
        held = bytearray(data)
        for _ in range(wrong_bits):
            held[chance.randrange(600, len(held))] ^= 1 << chance.randrange(8)
        path = tmp_path / f"{number}.pst"
        path.write_bytes(bytes(held))
        try:
            messages, told = read(path)
        except SourceUnreadable:
            assert least == 0
            continue
        assert len(messages) >= least
        assert len(messages) == 14 or [t for t in told if t.error == "UnreadableMessage"]


@pytest.mark.parametrize("place", [4, 526])
def test_a_wrong_checksum_of_the_head_is_no_reason_to_refuse_a_file(tmp_path: Path, place: int) -> None:
    data = bytearray((folder() / "Outlook_1.pst").read_bytes())
    data[place] ^= 0xFF
    (tmp_path / "a.pst").write_bytes(data)
    messages, told = read(tmp_path / "a.pst")
    assert len(messages) == 14
    assert [piece for piece in told if piece.error != "NotMail"] == []


def test_a_data_file_cut_off_says_so(tmp_path: Path) -> None:
    path = tmp_path / "cut.pst"
    path.write_bytes((folder() / "Outlook_1.pst").read_bytes()[:3000])
    (source,) = sources.find(path).files
    with pytest.raises(SourceUnreadable, match="damaged"):
        list(sources.read(source))


def test_bytes_that_are_no_heap_are_none() -> None:
    assert read_heap(b"") is None
    assert read_heap(bytes(4000)) is None
    heap = read_heap(b"\x0c\x00\xec\xbc\x20\x00\x00\x00" + bytes(400))
    assert heap is None or heap.properties == []


# ------------------------------------------------------------------------------------------------ Outlook for Mac


def test_an_archive_of_outlook_for_mac() -> None:
    messages, others = read(folder() / "SampleOLM.olm")
    assert len(messages) == 22
    assert all(m.sender and m.to and m.sent_at and not m.message_id_derived for m in messages.values())
    assert sum(len(m.attachments) for m in messages.values()) == 38
    assert {o.error for o in others} == {"NotMail"}
    (source,) = sources.find(folder() / "SampleOLM.olm").files
    key = next(iter(messages))
    assert sources.read_one(source, key).key == key
    assert list(sources.keys(source)) == list(messages)


# ------------------------------------------------------------------------------------------------ what is missing


@pytest.mark.parametrize(
    ("name", "module", "extra"), [("Outlook_1.pst", "pypff", "pst"), ("message3.msg", "olefile", "msg")]
)
def test_a_missing_library_is_named_with_its_extra(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, module: str, extra: str
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(LibraryMissing, match=rf"mailweave\[{extra}\]"):
        sources.find(folder() / name)
    (tmp_path / name).write_bytes((folder() / name).read_bytes())
    with pytest.raises(EmptySource):
        sources.find(tmp_path)
    (tmp_path / "a.eml").write_bytes(b"From: ada@quill.example\nSubject: x\n\nx\n")
    assert [s.reason for s in sources.find(tmp_path).skipped if f"mailweave[{extra}]" in s.reason] != []
