"""Apple Mail's message files: the counted message, its flags, and the parts that stand in files of their own."""

import base64
import hashlib
from pathlib import Path

import pytest

from ingest import sources
from ingest.mime import parse_tree
from ingest.parse import parse
from ingest.types import Message, RawMessage, Unreadable
from tests.shared import shared_data

PLIST = b"""<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0"><dict><key>flags</key><integer>%d</integer></dict></plist>
"""
MAIL = b"From: Ada Quill <ada@quill.example>\nSubject: Pier 9\nDate: Tue, 12 Mar 2024 09:15:20 +0100\n\nHello.\n"
PARTIAL = b"""From: Ada Quill <ada@quill.example>
Subject: Berths
Content-Type: multipart/mixed; boundary=x

--x
Content-Type: text/plain

See the table.
--x
Content-Type: application/octet-stream; name="berths.bin"
Content-Disposition: attachment; filename="berths.bin"
Content-Transfer-Encoding: base64
X-Apple-Content-Length: 300

--x
Content-Type: text/plain; name="note.txt"
Content-Disposition: attachment; filename="note.txt"
Content-Transfer-Encoding: quoted-printable
X-Apple-Content-Length: 20

--x--
"""


def write(path: Path, data: bytes, flags: int = 0, count: int | None = None) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"%-10d\n" % (len(data) if count is None else count) + data + PLIST % flags)
    return path


def read(path: Path) -> dict[str, RawMessage]:
    return {m.key: m for s in sources.find(path).files for m in sources.read(s) if isinstance(m, RawMessage)}


def test_message_and_flags(tmp_path: Path) -> None:
    write(tmp_path / "1.emlx", MAIL, flags=1 | 1 << 2)
    write(tmp_path / "2.emlx", MAIL, flags=1 << 6)
    found = read(tmp_path)
    assert {key: (m.data, m.flags) for key, m in found.items()} == {"1.emlx": (MAIL, "RS"), "2.emlx": (MAIL, "D")}
    assert parse(found["2.emlx"]).kind == "draft"


@pytest.mark.parametrize("count", [3, 90_000])
def test_a_wrong_number_of_bytes_costs_nothing(tmp_path: Path, count: int) -> None:
    write(tmp_path / "1.emlx", MAIL, count=count)
    assert read(tmp_path)["1.emlx"].data == MAIL


def test_parts_kept_apart_are_put_back_byte_for_byte(tmp_path: Path) -> None:
    table, note = bytes(range(256)) + b"\x00berths", "Grüße = von\nPier 9 \n".encode()
    write(tmp_path / "Messages/7.partial.emlx", PARTIAL)
    for part, name, content in (("2", "other name.bin", table), ("3", "note.txt", note)):
        file = tmp_path / "Attachments/7" / part / name
        file.parent.mkdir(parents=True)
        file.write_bytes(content)
    message = parse(read(tmp_path)["7.partial.emlx"])
    assert [(a.name, a.sha256, a.bytes) for a in message.attachments] == [
        ("berths.bin", hashlib.sha256(table).digest(), len(table)),
        ("note.txt", hashlib.sha256(note).digest(), len(note)),
    ]
    assert message.body.strip() == "See the table."


def test_a_part_whose_file_is_gone_stays_empty(tmp_path: Path) -> None:
    write(tmp_path / "Messages/7.partial.emlx", PARTIAL)
    message = parse(read(tmp_path)["7.partial.emlx"])
    assert [(a.name, a.bytes) for a in message.attachments] == [("berths.bin", 0), ("note.txt", 0)]


def test_apples_folders_are_labels_and_attachments_are_no_mail_of_their_own(tmp_path: Path) -> None:
    box = tmp_path / "V10/0A1B2C3D-0A1B-4C3D-8E9F-0A1B2C3D4E5F/Work.mbox/Piers.mbox"
    data = box / "5A1B2C3D-0A1B-4C3D-8E9F-0A1B2C3D4E5F/Data/3"
    write(data / "Messages/12.emlx", MAIL)
    (data / "Attachments/12/2").mkdir(parents=True)
    (data / "Attachments/12/2/forwarded.eml").write_bytes(MAIL)
    found = sources.find(tmp_path)
    assert [(s.format, s.labels) for s in found.files] == [("emlx", ("V10/Work/Piers",))]
    assert [s.path for s in found.skipped] == [data / "Attachments"]


def test_a_file_without_a_message_goes_to_the_ledger(tmp_path: Path) -> None:
    path = write(tmp_path / "1.emlx", b"\n\n" + MAIL)
    (source,) = sources.find(path).files
    path.write_bytes(b"0\n" + PLIST % 0)
    (piece,) = sources.read(source)
    assert isinstance(piece, Unreadable)


# ------------------------------------------------------------------------------------------------ another converter's


def converters() -> Path:
    return shared_data("exports", "partial-emlx-converter", "__testdata")


def message(name: str) -> Message:
    return parse(read(converters() / "input")[name])


def leaves(data: bytes) -> list[tuple[str, str, str, bytes]]:
    """Path, type, name and content of every part; line ends made one."""
    return [
        (part.path, part.type, part.name, part.content().replace(b"\r\n", b"\n").strip())
        for part in parse_tree(data).walk()
        if not part.parts
    ]


@pytest.mark.parametrize("name", ["114862.emlx", "114892.partial.emlx"])
def test_another_converters_expectation(name: str) -> None:
    expected = (converters() / "expected_results" / f"{name.partition('.')[0]}.eml").read_bytes()
    found = read(converters() / "input")[name].data
    assert leaves(found) == leaves(expected)
    ours, theirs = parse(RawMessage("a", found)), parse(RawMessage("a", expected))
    for field in ("message_id", "sender", "to", "subject", "sent_at", "reference_ids", "body"):
        assert getattr(ours, field) == getattr(theirs, field)


def test_every_file_of_that_suite_is_read_and_what_is_no_message_is_told() -> None:
    found = read(converters() / "input")
    assert len(found) == 10
    folder = converters() / "input" / "Attachments"
    for name, part, expected in (("136153.partial.emlx", "2", 1), ("465622.partial.emlx", "2", 1)):
        file = next((folder / name.partition(".")[0] / part).iterdir())
        content = file.read_bytes()
        told = [a for a in parse(found[name]).attachments if a.sha256 == hashlib.sha256(content).digest()]
        assert len(told) == expected
    assert base64.b64encode(content)[:60] in found[name].data
    skipped = sources.find(converters()).skipped
    assert "invalid.emlx" in [s.path.name for s in skipped]
