"""What is fuzzed, and what must hold whatever the bytes are: a target takes bytes and raises AssertionError where not.

* ``message``   bytes become a row that the database takes, or are named as empty
* ``words``     new text: the spans cover the text without gap, and nothing in it is lost
* ``markup``    the same for HTML
* ``attachment``  what is read of a file has a state, a reason and a bound; nothing is raised
* ``mailbox``   an mbox around the bytes: every byte is in a piece, and the good messages before and behind come out
* ``export``    a file of any other format: messages or named errors, each found again at its place
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable
from pathlib import Path

from ingest import charsets, sources
from ingest.attachments import read_text
from ingest.attachments.limits import MAX_CHARACTERS
from ingest.errors import SourceError, UnreadableMessage
from ingest.large import bounded
from ingest.new_text import Split, split, strip
from ingest.parse import parse
from ingest.quote_blocks import blocks
from ingest.rows import row_of
from ingest.sources import SourceFile
from ingest.types import RawMessage, Unreadable

GOOD = (
    b"From: Ada Quill <ada@harbour.example>\nTo: joe@harbour.example\nDate: Mon, 4 Mar 2024 09:00:00 +0100\n"
    b"Message-ID: <%s@harbour.example>\nSubject: Pump\n\nThe pump at the quay is fixed.\n"
)
SEPARATOR = b"From - Mon Mar  4 09:00:00 2024\n"
NAMES = ("a.pdf", "a.docx", "a.xlsx", "a.msg", "a.rtf", "a.ics", "a.html", "a.txt", "a.eml", "a.csv", "a.odt")
TYPES = ("application/octet-stream", "text/plain", "text/html", "text/calendar", "message/rfc822", "application/pdf")


def message(data: bytes) -> None:
    """A single message, as it would come out of any source."""
    try:
        found = parse(bounded(RawMessage("1", data)))
    except UnreadableMessage:
        assert not data.strip(b"\r\n\t \x00"), "bytes that are not empty were called empty"
        return
    row = row_of(found)
    for value in row.values:
        for text in value if isinstance(value, list) else [value]:
            if isinstance(text, str):
                assert "\x00" not in text, "a NUL would be refused by the database"
                text.encode()
    place = 0
    for start, stop, _ in found.hidden:
        assert place <= start < stop <= len(found.body), f"hidden spans overlap or leave the body: {found.hidden}"
        place = stop
    for text in row.values:
        if isinstance(text, str) and text[:1] in ("[", "{") and text.endswith(("]", "}")):
            assert "\\u0000" not in text or "\\\\u0000" in text, "jsonb refuses a NUL"
    json.loads(row.values[-5]), json.loads(row.values[-4])


def words(data: bytes) -> None:
    """New text of a plain body."""
    text = charsets.clean(charsets.decode(data))
    _covers(split(text))
    strip(text)


def markup(data: bytes) -> None:
    """New text of an HTML body."""
    text = charsets.clean(charsets.decode(data))
    _covers(split("", html=text))
    strip(text, html=True)


def attachment(data: bytes) -> None:
    """A file; its name and type, which lie as often as not, follow from its bytes."""
    name, type_ = NAMES[len(data) % len(NAMES)], TYPES[sum(data[:64]) % len(TYPES)]
    text, state, detail = read_text(name, type_, data, 5.0)
    assert len(text) <= MAX_CHARACTERS, "more text than the limit"
    assert (state in ("read", "cut")) == bool(text), f"{state} with {len(text)} characters"
    assert state == "read" or detail, f"{state} without a reason"
    assert "\x00" not in text + detail
    (text + detail).encode()


def mailbox(data: bytes) -> None:
    """The bytes as the middle message of an mbox."""
    middle = data if data.endswith(b"\n") else data + b"\n"
    whole = SEPARATOR + GOOD % b"first" + b"\n" + SEPARATOR + middle + b"\n" + SEPARATOR + GOOD % b"last" + b"\n"
    with tempfile.TemporaryDirectory(prefix="mailweave-fuzz-") as folder:
        path = Path(folder) / "box.mbox"
        path.write_bytes(whole)
        pieces = list(sources.read(SourceFile(path, "mbox", ())))
    place = 0
    for piece in pieces:
        assert piece.offset == place, f"bytes {place} to {piece.offset} are in no piece"
        place += piece.length or 0
    assert place == len(whole), f"the last {len(whole) - place} bytes are in no piece"
    held = b"".join(piece.data for piece in pieces if isinstance(piece, RawMessage))
    for each in (b"<first@harbour.example>", b"<last@harbour.example>"):
        assert each in held, f"{each!r} is gone"


def export(data: bytes) -> None:
    """The bytes as a file whose name says nothing, found by content."""
    ending = {b"[": ".json", b"{": ".jsonl", b"\xef": ".csv", b"S": ".csv"}.get(data[:1], ".bin")
    with tempfile.TemporaryDirectory(prefix="mailweave-fuzz-") as folder:
        path = Path(folder) / f"export{ending}"
        path.write_bytes(data)
        try:
            found = sources.find(path).files
        except SourceError:
            return
        for source in found:
            _read(source)


def _read(source: SourceFile) -> None:
    seen: set[str] = set()
    try:
        for number, piece in enumerate(sources.read(source)):
            assert source.format == "mbox" or piece.key not in seen, f"two pieces have the key {piece.key!r}"
            seen.add(piece.key)
            if isinstance(piece, Unreadable):
                assert piece.error and piece.detail, "an entry of the ledger without a reason"
            elif number < 5:
                again = sources.read_one(source, piece.key, piece.offset, piece.length)
                assert again.data == piece.data, "a message is another one when it is read again"
                message(piece.data)
    except SourceError as error:
        assert str(error), "an error without words"


def _covers(found: Split) -> None:
    place = 0
    for span in found.spans:
        assert span.start == place and span.end >= span.start, f"gap or overlap at {place}: {span}"
        place = span.end
    assert place == len(found.text), f"{len(found.text) - place} characters behind the last span"
    for block in blocks(found):
        assert block.text is not None


TARGETS: dict[str, Callable[[bytes], None]] = {
    each.__name__: each for each in (message, words, markup, attachment, mailbox, export)
}
