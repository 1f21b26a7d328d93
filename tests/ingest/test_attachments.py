"""What attachments say: every kind that is read, each limit with its reason, and hostile files that do no harm."""

import hashlib
import io
import struct
import threading
import time
import zipfile
import zlib
from collections.abc import Iterator

import pytest

from ingest import attachments
from ingest.attachments import limits, read_text, with_text
from ingest.attachments.limits import Collected, Unread, within
from ingest.parse import parse
from ingest.types import AttachmentInfo, RawMessage
from tests.shared import shared_data

W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
S = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
A = 'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:p="urn:p"'
ODF = 'xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" xmlns:office="urn:office"'
MAIL = b"From: Tom Byrne <tom@byrne.example>\nTo: ada@quill.example\nSubject: =?utf-8?q?Gr=C3=BC=C3=9Fe?=\n\nThe berth is free.\n"


def zipped(**parts: str) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in parts.items():
            archive.writestr(name.replace("__", "/").replace("_dot_", "."), text)
    return out.getvalue()


def docx(body: str) -> bytes:
    return zipped(word__document_dot_xml=f"<w:document {W}><w:body>{body}</w:body></w:document>")


def xlsx(rows: str, shared: str = "", styles: str = "") -> bytes:
    return zipped(
        xl__workbook_dot_xml=f'<workbook {S}><sheets><sheet name="Berths"/></sheets></workbook>',
        xl__sharedStrings_dot_xml=f"<sst {S}>{shared}</sst>",
        xl__styles_dot_xml=f"<styleSheet {S}>{styles}</styleSheet>",
        xl__worksheets__sheet1_dot_xml=f"<worksheet {S}><sheetData>{rows}</sheetData></worksheet>",
    )


def pptx(*slides: str) -> bytes:
    return zipped(
        ppt__presentation_dot_xml="<x/>",
        **{f"ppt__slides__slide{n}_dot_xml": f"<p:sld {A}><a:p><a:r><a:t>{text}</a:t></a:r></a:p></p:sld>"
           for n, text in enumerate(slides, 1)},
    )  # fmt: skip


def pdf(*pages: str, encoding: bytes = b"") -> bytes:
    """A document of these pages, one line each, in the smallest form that is valid."""
    kids = b" ".join(b"%d 0 R" % (4 + 2 * n) for n in range(len(pages)))
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[%s]/Count %d>>" % (kids, len(pages)),
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
    ]
    for n, text in enumerate(pages):
        content = zlib.compress(b"BT /F1 12 Tf 50 700 Td (%s) Tj ET" % text.encode("latin-1"))
        objects.append(
            b"<</Type/Page/Parent 2 0 R/Resources<</Font<</F1 3 0 R>>>>/MediaBox[0 0 600 800]/Contents %d 0 R>>"
            % (5 + 2 * n)
        )
        objects.append(b"<</Length %d/Filter/FlateDecode>>stream\n%s\nendstream" % (len(content), content))
    out = b"%PDF-1.4\n"
    offsets = []
    for number, held in enumerate(objects, 1):
        offsets.append(len(out))
        out += b"%d 0 obj%s\nendobj\n" % (number, held)
    table = b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    start = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n%strailer<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n" % (
        len(objects) + 1, table, len(objects) + 1, start,
    )  # fmt: skip
    return out


ICS = (
    b"BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nSUMMARY:Berths\r\nDTSTART:20240312T160000Z\r\nLOCATION:Pier 9\r\n"
    b"ATTENDEE;CN=Tom:mailto:tom@byrne.example\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
)
READ = {
    "docx": ("a.docx", "application/octet-stream", docx(
        "<w:p><w:r><w:t>Pier 9</w:t></w:r><w:r><w:tab/><w:t>is free.</w:t></w:r></w:p><w:tbl><w:tr><w:tc><w:p><w:r>"
        "<w:t>cell</w:t></w:r></w:p></w:tc></w:tr></w:tbl>"), "Pier 9 is free.\ncell"),
    "xlsx": ("a.xlsx", "x/y", xlsx(
        '<row><c t="s"><v>0</v></c><c t="inlineStr"><is><t>Pier 9</t></is></c></row>'
        '<row><c s="1"><v>45363</v></c><c><v>2.5</v></c><c t="b"><v>1</v></c></row>',
        "<si><t>berth</t></si>", '<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs>'),
        "Berths\nberth Pier 9\n2024-03-12 2.5 TRUE"),
    "pptx": ("a.pptx", "x/y", pptx(*[f"slide {n}" for n in range(1, 12)]),
             "\n\n".join(f"slide {n}" for n in range(1, 12))),
    "odt": ("a.odt", "x/y", zipped(mimetype="x", content_dot_xml=f"<office:document {ODF}><text:h>Head</text:h><text:p>"
            "Pier <text:span>9</text:span> is<text:s/>free<text:tab/>now</text:p></office:document>"),
            "Head\nPier 9 is free now"),
    "pdf": ("a.pdf", "application/octet-stream", pdf("Pier 9 is free.", "Second page"), "Pier 9 is free.\n\nSecond page"),
    "html": ("a.html", "text/html", b"<html><body><p>Pier 9<script>evil()</script></p><p>free</p></body></html>",
             "Pier 9\n\nfree"),
    "txt": ("a.txt", "application/octet-stream", "Grüße\r\nPier 9".encode("cp1252"), "Grüße\nPier 9"),
    "utf-16": ("a.txt", "text/plain", "\ufeffGrüße".encode("utf-16-le"), "Grüße"),
    "csv": ("a.csv", "text/csv", b"berth;free\n9;yes\n", "berth;free\n9;yes"),
    "rtf": ("a.rtf", "application/rtf", rb"{\rtf1\ansi Pier 9\par free}", "Pier 9\nfree"),
    "ics": ("a.ics", "text/calendar", ICS,
            "Berths\nWhen: 2024-03-12 16:00 UTC\nWhere: Pier 9\nAttendees: Tom <tom@byrne.example>"),
    "message": ("", "message/rfc822", MAIL,
                "From: Tom Byrne\nTo: ada@quill.example\nSubject: Grüße\n\nThe berth is free."),
    "eml": ("a.eml", "application/octet-stream", MAIL,
            "From: Tom Byrne\nTo: ada@quill.example\nSubject: Grüße\n\nThe berth is free."),
}  # fmt: skip


@pytest.fixture(autouse=True)
def nothing_remembered() -> Iterator[None]:
    attachments._done.clear()
    yield
    attachments._done.clear()


@pytest.mark.parametrize("kind", READ)
def test_every_kind_is_read(kind: str) -> None:
    name, type_, content, text = READ[kind]
    assert read_text(name, type_, content) == (text, "read", "")


NOT_READ = {
    "picture": ("a.png", "image/png", b"\x89PNG\r\n\x1a\n" + bytes(50), "skipped", "a picture"),
    "picture by content": ("a", "application/octet-stream", b"\xff\xd8\xff" + bytes(50), "skipped", "a picture"),
    "signature": ("smime.p7s", "application/pkcs7-signature", b"0\x82" + bytes(50), "skipped", "signature"),
    "old office": ("a.doc", "application/msword", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600), "skipped", "old office"),
    "archive": ("a.zip", "application/zip", zipped(a="x"), "failed", "zip archive"),
    "binary": ("a.bin", "application/octet-stream", bytes(range(256)), "skipped", "a kind that is not read"),
    "binary text": ("a.txt", "text/plain", b"MUI\x00\x01\x02", "skipped", "binary"),
    "no bytes": ("a.pdf", "application/pdf", b"", "failed", "no bytes"),
    "empty": ("a.txt", "text/plain", b" \n\n ", "empty", "no text"),
    "scanned": ("a.pdf", "application/pdf", pdf(""), "empty", "no text"),
    "broken pdf": ("a.pdf", "application/pdf", b"%PDF-1.4\nnothing more", "failed", "broken"),
    "broken docx": ("a.docx", "x/y", docx("<w:p/>")[:150], "failed", "broken"),
    "broken xml": ("a.docx", "x/y", zipped(word__document_dot_xml="\x00\x01 no xml"), "failed", "broken"),
}  # fmt: skip


@pytest.mark.parametrize("kind", NOT_READ)
def test_what_is_not_read_says_why(kind: str) -> None:
    name, type_, content, state, detail = NOT_READ[kind]
    text, found, why = read_text(name, type_, content)
    assert (text, found) == ("", state)
    assert detail in why


def test_a_protected_document_says_so() -> None:
    held = bytearray(docx("<w:p><w:r><w:t>secret</w:t></w:r></w:p>"))
    held[held.rfind(b"PK\x01\x02") + 8] |= 1
    assert read_text("a.docx", "x/y", bytes(held))[1:] == ("failed", "it is protected by a password")


def test_long_texts_and_documents_are_cut_and_it_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    text, state, detail = read_text("a.txt", "text/plain", b"word " * 50_000)
    assert (len(text), state) == (99_999, "cut")
    assert "100,000 characters" in detail
    monkeypatch.setattr("ingest.attachments.pdf.MAX_PAGES", 2)
    text, state, detail = read_text("a.pdf", "application/pdf", pdf("one", "two", "three"))
    assert (text, state, detail) == ("one\n\ntwo", "cut", "the first 2 of 3 pages")
    monkeypatch.setattr("ingest.attachments.MAX_BYTES", 10)
    assert read_text("a.txt", "text/plain", b"x" * 11)[1] == "failed"


def test_an_expanding_document_is_stopped() -> None:
    body = "<w:p w:a='" + "x" * 1600 + "'/>"
    bomb = docx(body * 90_000)
    assert len(bomb) < 2_000_000
    started = time.process_time()
    assert read_text("a.docx", "x/y", bomb)[1:] == ("failed", "it unpacks to more than 128 MB")
    assert time.process_time() - started < 20


def test_a_large_document_gives_its_beginning() -> None:
    large = docx(("<w:p><w:r><w:t>" + "x" * 1000 + "</w:t></w:r></w:p>") * 140_000)
    text, *rest = read_text("a.docx", "x/y", large)
    assert (len(text), rest) == (100_000, ["cut", "the first 100,000 characters"])


def test_an_element_that_holds_millions_of_others_is_stopped() -> None:
    bomb = docx("<w:p>" + "<w:r/>" * 2_000_000 + "</w:p>")
    assert read_text("a.docx", "x/y", bomb)[1:] == ("failed", "an element of its XML is larger than 8 MB")


def test_entities_are_not_expanded_and_nothing_is_fetched() -> None:
    lol = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 12))
    laughs = f'<!DOCTYPE x [<!ENTITY l0 "lol">{lol}<!ENTITY f SYSTEM "file:///etc/passwd">]>'
    document = f"{laughs}<w:document {W}><w:p><w:r><w:t>free &l11; &f;</w:t></w:r></w:p></w:document>"
    text, state, _ = read_text("a.docx", "x/y", zipped(word__document_dot_xml=document))
    assert state in ("read", "failed")
    assert "lol" not in text and "root:" not in text


def test_a_reader_that_does_not_end_is_ended() -> None:
    started = time.monotonic()
    with pytest.raises(Unread, match="longer than"), within(0.2):
        while True:
            try:
                sum(range(10_000))
            except Exception:
                pytest.fail("the end of the time must not be an ordinary error")
    assert time.monotonic() - started < 5


def test_outside_the_main_thread_reading_works_without_the_clock() -> None:
    found: list[tuple[str, str, str]] = []
    thread = threading.Thread(target=lambda: found.append(read_text("a.txt", "text/plain", b"Pier 9")))
    thread.start()
    thread.join()
    assert found == [("Pier 9", "read", "")]


def test_a_message_has_a_limit_for_all_its_attachments(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(attachments, "MAX_SECONDS_MESSAGE", 0.0)
    info = AttachmentInfo("2", "a.txt", "text/plain", hashlib.sha256(b"x").digest(), 1)
    (found,) = with_text([info], [b"x"])
    assert (found.state, found.detail) == ("failed", "the attachments before it took too long")


def test_collected_text_ends_at_its_limit() -> None:
    into = Collected(5)
    assert into.add("abc")
    assert not into.add("defg")
    assert (into.text(), into.cut) == ("abcde", "the first 5 characters")
    assert limits.MAX_CHARACTERS == 100_000


def test_broken_files_of_every_kind_do_no_harm() -> None:
    for name, type_, content, _ in READ.values():
        for at in range(0, len(content), max(1, len(content) // 25)):
            for broken in (content[:at], content[:at] + struct.pack("<I", 0xFFFFFFFF) + content[at + 4 :]):
                text, state, detail = read_text(name, type_, broken)
                assert state in ("read", "cut", "empty", "skipped", "failed")
                assert (state == "read") == (detail == "")
                assert "\x00" not in text.encode().decode()


def test_attachments_of_a_message_carry_their_text() -> None:
    data = (
        b"From: ada@quill.example\nSubject: x\nContent-Type: multipart/mixed; boundary=x\n\n--x\n\nSee the file.\n--x\n"
        b"Content-Type: text/csv\nContent-Disposition: attachment; filename=a.csv\n\nberth,9\n--x\n"
        b"Content-Type: message/rfc822\n\n" + MAIL + b"\n--x--\n"
    )
    message = parse(RawMessage("a", data))
    assert [(a.name, a.state) for a in message.attachments] == [("a.csv", "read"), ("Grüße", "read")]
    assert message.attachments[0].text == "berth,9"
    assert "The berth is free." in message.attachments[1].text
    assert "berth" not in message.body


def test_real_documents() -> None:
    folder = shared_data("exports", "partial-emlx-converter", "__testdata", "input", "Attachments")
    texts = {path.suffix: read_text(path.name, "application/octet-stream", path.read_bytes())
             for path in (*folder.glob("207046/2/*"), *folder.glob("114892/*/*"))}  # fmt: skip
    assert texts[".pdf"] == ("A .pdf file", "read", "")
    assert texts[".doc"][1] == "skipped"
    (japanese,) = folder.glob("465622/2/*.pdf")
    text, state, _ = read_text(japanese.name, "application/pdf", japanese.read_bytes())
    assert state == "read" and "日本学術振興会" in text
