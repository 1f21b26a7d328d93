"""Messages that are made to take all time or memory: each is read in a process of its own within 5 s and 1 GB.

Time is that of the processor, so that a busy machine fails nothing; memory is the peak of the process, from its start.
"""

from __future__ import annotations

import base64
import io
import json
import struct
import subprocess
import sys
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest

HEAD = (
    b"From: Ada Quill <ada@harbour.example>\nTo: joe@harbour.example\nSubject: Plans\n"
    b"Date: Mon, 4 Mar 2024 09:00:00 +0100\nMessage-ID: <plans@x>\nMIME-Version: 1.0\n"
)
PROGRAM = """
import json, re, sys, time
from pathlib import Path
from ingest import sources
from ingest.parallel import _parse
from ingest.rows import COLUMNS, Row
from ingest.sources import SourceFile
found = []
began = time.process_time()
for raw in sources.read(SourceFile(Path(sys.argv[1]), sys.argv[2], ())):
    row = _parse(raw)
    assert isinstance(row, Row), row
    values = dict(zip(COLUMNS, row.values))
    found.append({name: values[name] for name in ("sender", "sender_name", "subject", "message_id")} | {
        "body": len(values["body"]), "new": values["new_text"][:300], "recipients": len(json.loads(values["recipients"])),
        "attachments": [(a[1], a[3], len(a[5]), a[6], a[7]) for a in json.loads(values["attachments"])]})
print(json.dumps({"messages": found, "seconds": time.process_time() - began,
                  "megabytes": int(re.search(r"VmHWM:\\s+(\\d+)", Path("/proc/self/status").read_text())[1]) // 1024}))
"""


def read(path: Path, form: str = "eml") -> list[dict[str, object]]:
    """The messages in a file; fails when time or memory is beyond the limits, or anything is raised."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(path if form == "mbox" else path.parent), form],
        capture_output=True, text=True, cwd=Path(__file__).parents[2],
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
    found = json.loads(done.stdout)
    assert found["megabytes"] < 1000, f"{found['megabytes']} MB"
    assert found["seconds"] < 5 * max(1, len(found["messages"])), f"{found['seconds']:.1f} s"
    return found["messages"]  # type: ignore[no-any-return]


def one(tmp_path: Path, data: bytes) -> dict[str, object]:
    path = tmp_path / "mail" / "1.eml"
    path.parent.mkdir()
    path.write_bytes(data)
    (found,) = read(path)
    assert found["message_id"] == "<plans@x>"
    return found


def with_file(name: str, type_: str, content: bytes) -> bytes:
    return (
        HEAD + b"Content-Type: multipart/mixed; boundary=b\n\n--b\n\nThe plans are attached.\n--b\n"
        + f'Content-Type: {type_}\nContent-Disposition: attachment; filename="{name}"\n'.encode()
        + b"Content-Transfer-Encoding: base64\n\n" + base64.encodebytes(content) + b"--b--\n"
    )  # fmt: skip


def packed(**members: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name.replace("__", "/").replace("_", "."), content)
    return out.getvalue()


def word(text: bytes) -> bytes:
    return b'<w:document xmlns:w="http://schemas.openxmlformats.org/w">' + text + b"</w:document>"


LAUGHS = (
    b'<?xml version="1.0"?><!DOCTYPE l [<!ENTITY l0 "lol">'
    + b"".join(b'<!ENTITY l%d "%s">' % (n, b"&l%d;" % (n - 1) * 10) for n in range(1, 11))
    + b"]>"
)
NOUGHTS = b"\x00" * 600_000_000


def pdf(stream: bytes) -> bytes:
    deflated = zlib.compress(zlib.compress(stream, 9), 9)
    return (
        b"%PDF-1.7\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n"
        b"3 0 obj<</Type/Page/Parent 2 0 R/Contents 4 0 R>>endobj\n4 0 obj<</Filter[/FlateDecode/FlateDecode]/Length "
        + str(len(deflated)).encode() + b">>stream\n" + deflated + b"\nendstream endobj\ntrailer<</Root 1 0 R/Size 5>>\nstartxref\n9\n%%EOF\n"
    )  # fmt: skip


def tnef(properties: int) -> bytes:
    """A stream whose list says that it has millions of properties, of lengths that are not there."""
    listed = struct.pack("<I", properties) + struct.pack("<HHI", 0x102, 0x1013, 0xFFFFFFFF) * 20_000
    body = b"\x01" + struct.pack("<II", 0x00069003, len(listed)) + listed + struct.pack("<H", sum(listed) & 0xFFFF)
    return b"\x78\x9f\x3e\x22" + b"\x00\x00" + body


FILES: dict[str, Callable[[], tuple[str, str, bytes]]] = {
    "zip in a document": lambda: ("a.docx", "application/zip", packed(word__document_xml=NOUGHTS)),
    "a spreadsheet's texts": lambda: (
        "a.xlsx", "application/vnd.ms-excel",
        packed(xl__workbook_xml=b"<a/>", xl__sharedStrings_xml=b"<sst>" + b"<si><t>" * 8_000_000 + b"</sst>"),
    ),
    "a spreadsheet's rows": lambda: (
        "b.xlsx", "application/vnd.ms-excel",
        packed(xl__workbook_xml=b"<a/>", xl__worksheets__sheet1_xml=b"<s>" + b"<row><c><v>1</v></c></row>" * 3_000_000 + b"</s>"),
    ),
    "one row of a spreadsheet": lambda: (
        "c.xlsx", "application/vnd.ms-excel",
        packed(xl__workbook_xml=b"<a/>", xl__worksheets__sheet1_xml=b"<s><row>" + b"<c><v>1</v></c>" * 5_000_000 + b"</row></s>"),
    ),
    "laughs in a document": lambda: ("a.docx", "application/zip", packed(word__document_xml=LAUGHS + word(b"<w:p><w:r><w:t>&l10;</w:t></w:r></w:p>"))),
    "laughs in XML": lambda: ("a.xml", "text/xml", LAUGHS + b"<l>&l10;</l>"),
    "laughs in HTML": lambda: ("a.html", "text/html", LAUGHS + b"<html>&l10;</html>"),
    "deep XML": lambda: ("a.docx", "application/zip", packed(word__document_xml=word(b"<w:p>" * 2_000_000))),
    "deep HTML": lambda: ("a.html", "text/html", b"<html>" + b"<div><table><tr><td>" * 200_000),
    "a stream of a PDF": lambda: ("a.pdf", "application/pdf", pdf(b" " * 900_000_000)),
    "TNEF": lambda: ("winmail.dat", "application/ms-tnef", tnef(0xFFFFFFFF)),
    "RTF": lambda: ("a.rtf", "application/rtf", b"{\\rtf1 " + b"{" * 3_000_000 + b"\\bin2000000000 x"),
}  # fmt: skip


@pytest.mark.parametrize("name", FILES)
def test_files_that_expand_cost_the_message_nothing(name: str, tmp_path: Path) -> None:
    found = one(tmp_path, with_file(*FILES[name]()))
    assert "The plans are attached." in str(found["new"])
    for _, _, characters, state, detail in found["attachments"]:  # type: ignore[attr-defined]
        assert characters <= 100_000 and (state == "read" or detail)


BODIES: dict[str, Callable[[], bytes]] = {
    "marks": lambda: b">" * 100_000 + b"\n",
    "marks and blanks": lambda: b"> " * 300_000 + b"\n",
    "a mark a line": lambda: b">\n" * 300_000,
    "announcements": lambda: b"On Mon, 4 Mar 2024 at 09:00, Ada wrote:\n" * 20_000,
    "beginnings of announcements": lambda: b"On Mon, " * 100_000 + b"wrote:\n",
    "announcements that go on": lambda: b"On Mon, 4 Mar 2024 at 09:00\n" * 30_000,
    "labels": lambda: b"From: a\nSent: b\nTo: c\nSubject: d\n" * 20_000,
    "addressees": lambda: b"From: a\nTo: " + b"a@b.example;\n" * 60_000,
    "rules": lambda: b"-" * 500_000 + b"\n" + b"_" * 500_000 + b"\n-----Original Message-----\n" * 20_000,
    "a long line": lambda: b"word " * 1_000_000,
    "a line without blanks": lambda: b"a" * 5_000_000,
    "addresses": lambda: b"a@b.example " * 300_000,
    "links": lambda: b"http://a.example/" + b"?a=b&" * 300_000,
    "brackets": lambda: b"<" * 500_000 + b"(" * 500_000 + b"[" * 500_000,
    "blanks": lambda: b" " * 3_000_000 + b".\n" + b"\n" * 2_000_000 + b".",
    "a picture as text": lambda: b"begin 644 a\n" * 100_000,
}


@pytest.mark.parametrize("html", [False, True], ids=["plain", "html"])
@pytest.mark.parametrize("name", BODIES)
def test_no_pattern_takes_quadratic_time(name: str, html: bool, tmp_path: Path) -> None:
    kind = b"text/html" if html else b"text/plain"
    found = one(tmp_path, HEAD + b"Content-Type: " + kind + b"; charset=utf-8\n\nAll is well.\n\n" + BODIES[name]())
    assert found["sender"] == "ada@harbour.example"


def test_parts_a_thousand_deep(tmp_path: Path) -> None:
    data = HEAD + b"".join(b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (n, n) for n in range(1000))
    found = one(tmp_path, data + b"Content-Type: text/plain\n\nAt the ground.\n")
    assert found["subject"] == "Plans"


def test_messages_in_messages_a_thousand_deep(tmp_path: Path) -> None:
    found = one(tmp_path, (HEAD + b"Content-Type: message/rfc822\n\n") * 1000 + HEAD + b"\nAt the ground.\n")
    assert found["subject"] == "Plans"


def test_a_hundred_thousand_recipients(tmp_path: Path) -> None:
    people = b",\n ".join(b'"Quay, Joe %d" <joe%d@harbour.example>' % (n, n) for n in range(100_000))
    found = one(tmp_path, HEAD.replace(b"To: joe@harbour.example", b"To: " + people) + b"\nAll is well.\n")
    assert found["recipients"] == 100_000


def test_headers_of_ten_megabytes(tmp_path: Path) -> None:
    many = b"X-Report: yes\n" * 350_000
    long = (
        b"X-Long: "
        + b"word " * 1_000_000
        + b"\nSubject: "
        + b"=?utf-8?Q?a?= " * 100_000
        + b"\nReferences: "
        + b"<a@b> " * 200_000
    )
    found = one(tmp_path, HEAD + many + long + b"\n\nAll is well.\n")
    assert found["new"] == "All is well."


def test_a_line_of_a_gigabyte(tmp_path: Path) -> None:
    path = tmp_path / "box.mbox"
    with path.open("wb") as file:
        file.write(b"From - Mon Mar  4 09:00:00 2024\n" + HEAD + b"\n")
        for _ in range(1024):
            file.write(b"abcdefgh" * 131_072)
        file.write(b"\n\nFrom - Mon Mar  4 09:00:00 2024\n" + HEAD.replace(b"plans", b"next") + b"\nAll is well.\n")
    try:
        done = subprocess.run(
            [sys.executable, "-c", PROGRAM, str(path), "mbox"], capture_output=True, text=True, check=True,
            cwd=Path(__file__).parents[2],
        )  # fmt: skip
    finally:
        path.unlink()
    found = json.loads(done.stdout)
    assert found["megabytes"] < 500
    assert [each["message_id"] for each in found["messages"]] == ["<plans@x>", "<next@x>"]


@pytest.mark.parametrize(
    ("name", "address"),
    [
        ("\u202eelpmaxe@knab", "ada@harbour.example"),
        ("Аda Quill", "аda@harbour.example"),
        ("\u2066Ada\u2069\u200b", "ada@xn--80ak6aa92e.example"),
    ],
)
def test_names_that_look_like_others_stay_apart_from_the_address(name: str, address: str, tmp_path: Path) -> None:
    sender = f'From: "{name}" <{address}>'.encode()
    found = one(tmp_path, HEAD.replace(b"From: Ada Quill <ada@harbour.example>", sender) + b"\nAll is well.\n")
    assert found["sender"] == address
    assert not set("\u202e\u2066\u2069\u200b") & set(str(found["sender_name"])), ascii(found["sender_name"])
