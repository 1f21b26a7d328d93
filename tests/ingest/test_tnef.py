"""winmail.dat: what is packed in it is the message's own text and files."""

import struct

import pytest

from ingest.body import attachment_content
from ingest.mapi import to_message
from ingest.parse import parse
from ingest.tnef import MAGIC, read_tnef
from ingest.types import RawMessage
from tests.shared import shared_data

UNICODE, BINARY, LONG, OBJECT, TIME = 0x1F, 0x102, 0x3, 0xD, 0x40
APPOINTMENT = bytes.fromhex("0220060000000000c000000000000046")


def prop(number: int, type_: int, data: bytes, set_: bytes = b"", id_: int = 0) -> bytes:
    head = struct.pack("<HH", type_, number) + (set_ + struct.pack("<II", 0, id_) if set_ else b"")
    body = data + bytes(-len(data) % 4)
    return head + (struct.pack("<II", 1, len(data)) if type_ in (UNICODE, BINARY, OBJECT) else b"") + body


def text(number: int, value: str) -> bytes:
    return prop(number, UNICODE, value.encode("utf-16-le") + b"\0\0")


def props(*held: bytes) -> bytes:
    return struct.pack("<I", len(held)) + b"".join(held)


def attribute(level: int, id_: int, data: bytes) -> bytes:
    return struct.pack("<BII", level, id_, len(data)) + data + struct.pack("<H", sum(data) & 0xFFFF)


def tnef(message: bytes, *files: bytes, recipients: bytes = b"") -> bytes:
    out = (
        MAGIC + b"\x01\x00" + attribute(1, 0x00069007, struct.pack("<II", 1252, 0)) + attribute(1, 0x00069003, message)
    )
    if recipients:
        out += attribute(1, 0x00069004, recipients)
    return out + b"".join(files)


def file(*held: bytes, data: bytes | None = None) -> bytes:
    out = attribute(2, 0x00069002, bytes(14)) + (b"" if data is None else attribute(2, 0x0006800F, data))
    return out + attribute(2, 0x00069005, props(*held))


INNER = tnef(props(text(0x001A, "IPM.Note"), text(0x0037, "Inner"), text(0x1000, "Inner text"), text(0x0042, "Tom")))
WINMAIL = tnef(
    props(
        text(0x001A, "IPM.Note"),
        text(0x0037, "Pier 9"),
        text(0x1000, "Is it free? Grüße"),
        text(0x0042, "Quill, Ada"),
        text(0x0064, "EX"),
        text(0x0065, "/O=QUILL/OU=X/CN=RECIPIENTS/CN=AQUILL"),
        text(0x5D02, "ada@quill.example"),
        text(0x1035, "<1@quill.example>"),
        text(0x1042, "<0@byrne.example>"),
        prop(0x0071, BINARY, bytes(range(27))),
    ),
    file(text(0x3707, "berths.txt"), data=b"one\ntwo\n"),
    file(text(0x3001, "Inner"), prop(0x3705, LONG, struct.pack("<I", 5)), prop(0x3701, OBJECT, bytes(16) + INNER)),
    recipients=struct.pack("<I", 2)
    + props(text(0x3001, "Byrne, Tom"), text(0x3003, "tom@byrne.example"), prop(0x0C15, LONG, struct.pack("<I", 1)))
    + props(text(0x3001, "Mia Ek"), text(0x39FE, "mia@ek.example"), prop(0x0C15, LONG, struct.pack("<I", 2))),
)


def mail(winmail: bytes, body: bytes = b"") -> bytes:
    head = b"From: Ada <ada@quill.example>\nSubject: Pier 9\nContent-Type: multipart/mixed; boundary=x\n\n"
    plain = b"--x\nContent-Type: text/plain\n\n" + body + b"\n" if body else b""
    packed = b"--x\nContent-Type: application/ms-tnef; name=winmail.dat\nContent-Transfer-Encoding: binary\n\n"
    return head + plain + packed + winmail + b"\n--x--\n"


def test_files_and_text_of_a_packed_message() -> None:
    data = mail(WINMAIL)
    message = parse(RawMessage("a", data))
    assert message.body.strip() == "Is it free? Grüße"
    told = [(a.part, a.name, a.type, a.bytes) for a in message.attachments]
    assert told[0] == ("1.t2", "berths.txt", "text/plain", 8)
    assert told[1][:3] == ("1.t3", "Inner", "message/rfc822")
    assert attachment_content(data, "1.t2") == b"one\ntwo\n"
    inner = attachment_content(data, "1.t3")
    assert inner is not None
    assert parse(RawMessage("b", inner)).subject == "Inner"


def test_the_text_outside_is_the_message_when_there_is_one() -> None:
    message = parse(RawMessage("a", mail(WINMAIL, b"See the file.")))
    assert message.body.strip() == "See the file."
    assert [a.name for a in message.attachments] == ["berths.txt", "Inner"]


def test_properties_become_the_head() -> None:
    item = read_tnef(WINMAIL)
    assert item is not None
    message = parse(RawMessage("a", to_message(item)))
    assert message.sender is not None
    assert (message.sender.name, message.sender.address) == ("Quill, Ada", "ada@quill.example")
    assert [m.address for m in message.to] == ["tom@byrne.example"]
    assert [(m.name, m.address) for m in message.cc] == [("Mia Ek", "mia@ek.example")]
    assert (message.message_id, message.in_reply_to) == ("<1@quill.example>", ("<0@byrne.example>",))
    assert message.thread_index == bytes(range(27))
    assert message.address_pairs == (("/o=quill/ou=x/cn=recipients/cn=aquill", "ada@quill.example"),)


def test_a_meeting_tells_when_and_where() -> None:
    start = struct.pack("<Q", 133_547_328_000_000_000)  # 2024-03-12 16:00 UTC
    meeting = tnef(
        props(
            text(0x001A, "IPM.Schedule.Meeting.Request"),
            text(0x0037, "Berths, plan"),
            text(0x0042, "Ada Quill"),
            text(0x0065, "ada@quill.example"),
            prop(0x8000, TIME, start, APPOINTMENT, 0x820D),
            prop(0x8001, UNICODE, "Pier 9\0".encode("utf-16-le"), APPOINTMENT, 0x8208),
        )
    )
    item = read_tnef(meeting)
    assert item is not None
    body = parse(RawMessage("a", to_message(item))).body
    assert "Berths, plan" in body
    assert "When: 2024-03-12 16:00 UTC" in body
    assert "Where: Pier 9" in body


@pytest.mark.parametrize("cut", [3, 6, 10, 40, 200, len(WINMAIL) // 2, len(WINMAIL) - 5])
def test_what_is_cut_off_is_read_as_far_as_it_goes(cut: int) -> None:
    message = parse(RawMessage("a", mail(WINMAIL[:cut], b"Words.")))
    assert message.body.strip() == "Words."


def test_wrong_lengths_do_no_harm() -> None:
    for at in range(6, len(WINMAIL), 7):
        broken = WINMAIL[:at] + b"\xff\xff\xff\x7f" + WINMAIL[at + 4 :]
        parse(RawMessage("a", mail(broken, b"Words.")))


def test_packed_messages_within_packed_messages_end() -> None:
    winmail = WINMAIL
    for _ in range(30):
        winmail = tnef(props(text(0x001A, "IPM.Note")), file(text(0x3707, "winmail.dat"), data=winmail))
    assert len(parse(RawMessage("a", mail(winmail, b"Words."))).attachments) == 1


# ------------------------------------------------------------------------------------------------ real ones


def test_real_packed_messages() -> None:
    folder = shared_data("exports", "aspose")
    first = parse(RawMessage("a", (folder / "tnefEml1.eml").read_bytes()))
    assert [(a.name, a.type) for a in first.attachments] == [
        ("1.jpg", "image/jpeg"),
        ("Embedded MSG.msg", "message/rfc822"),
        ("image001.jpg", "image/jpeg"),
    ]
    data = (folder / "tnefWithMsgInside.eml").read_bytes()
    second = parse(RawMessage("b", data))
    assert second.body.strip() == "asdfdasf"
    (inside,) = second.attachments
    held = attachment_content(data, inside.part)
    assert held is not None
    inner = parse(RawMessage("c", held))
    assert inner.subject == inside.name
    assert inner.message_id == "<2C821F2D99B545E9A47EA6762951A3D6@shiftoff>"
    assert [a.name for a in inner.attachments] == ["5e76ryjj.docx"]
