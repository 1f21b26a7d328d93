"""What a file is, by its content: names lie, and a mail program's folder holds much that is no mail.

Looks at the first bytes, and at an archive's list of what is in it. What is no mail is named ("a PDF document"), so
that a person who picked the wrong file sees it at once, and a folder's report can say why a file was passed over.
"""

from __future__ import annotations

from pathlib import Path
from typing import BinaryIO, Literal

from ingest.heads import is_head
from ingest.sources.emlx import COUNT
from ingest.sources.separators import pieces

Format = Literal["mbox", "eml", "emlx", "msg", "tnef", "pst", "olm", "archive", "json", "csv"]
# a file of these is one message, and a folder of them one source
SINGLE: frozenset[Format] = frozenset({"eml", "emlx", "msg", "tnef"})

HEAD = 16 * 1024

_OTHERS: tuple[tuple[bytes, str], ...] = (
    (b"%PDF", "a PDF document"),
    (b"PK\x03\x04", "a zip archive or an office document"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"\x28\xb5\x2f\xfd", "a zstd archive"),
    (b"BZh", "a bzip2 archive"),
    (b"\xfd7zXZ\x00", "an xz archive"),
    (b"7z\xbc\xaf", "a 7z archive"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old office document"),
    (b"\x00\x05\x16\x07", "a macOS companion file (AppleDouble)"),
    (b"\x00\x05\x16\x00", "a macOS companion file (AppleSingle)"),
    (b"\x89PNG", "a PNG picture"),
    (b"\xff\xd8\xff", "a JPEG picture"),
    (b"GIF8", "a GIF picture"),
    (b"{\\rtf", "an RTF document"),
    (b"SQLite format 3\x00", "an SQLite database"),
    (b"bplist00", "an Apple property list"),
    (b"<?xml", "an XML document"),
    (b"// <!-- <mdb:mork", "Thunderbird's index of a folder"),
    (b"\x7fELF", "a program"),
    (b"MZ", "a Windows program"),
)
_COMPOUND = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_TNEF = b"\x78\x9f\x3e\x22"
# names in the directory of a compound file that is a message
_MESSAGE_STREAMS = tuple(name.encode("utf-16-le") for name in ("__properties_version1.0", "__substg1.0_"))
_RECORDS = frozenset((".csv", ".tsv", ".json", ".jsonl", ".ndjson"))
RECORDS = "JSON or a table"
TEXT = "text, but no mail"


def detect(path: Path) -> tuple[Format | None, str]:
    """The format and "", or None and what the file is instead. Raises OSError."""
    with path.open("rb") as file:
        return detect_in(file, path.name)


def detect_in(file: BinaryIO, name: str) -> tuple[Format | None, str]:
    """The same for a file that is open at its start. Raises OSError."""
    head = file.read(HEAD)
    ending = Path(name).suffix.lower()
    if not head.strip(b"\r\n\t \x00"):
        return None, "empty" if not head else "nothing but blanks"
    if head.startswith(_COMPOUND) and _is_message(file, head):
        return "msg", ""
    if head.startswith(b"!BDN"):
        return "pst", ""
    if head.startswith(_TNEF):
        return "tnef", ""
    for magic, what in _OTHERS:
        if head.startswith(magic):
            return None, what
    if ending in _RECORDS:
        # a message in a cell looks like one
        return None, RECORDS
    text = head.removeprefix(b"\xef\xbb\xbf").lstrip(b"\r\n")
    if text.startswith(b"From "):
        found = pieces(file, len(head) - len(text))
        first = next(found)
        if first.envelope is None and not is_head(text.split(b"\n", 1)[-1]):
            return None, TEXT
        # a single message saved together with its From_ line is still a single message
        alone = ending == ".eml" and next(found, None) is None
        return ("eml" if alone else "mbox"), ""
    counted = COUNT.match(text)
    if counted and is_head(text[counted.end() :].lstrip(b"\r\n")):
        return "emlx", ""
    if head[257:262] == b"ustar":
        return None, "a tar archive"
    if not is_head(text):
        return None, TEXT if _is_text(head) else "binary data that is no mail"
    if ending == ".eml":
        return "eml", ""
    # a file cut out of an mbox starts in the middle: its first From_ line is missing, others are there
    found = pieces(file)
    next(found)
    return ("mbox" if next(found, None) or ending == ".mbox" else "eml"), ""


def _is_text(head: bytes) -> bool:
    return b"\x00" not in head and sum(byte < 9 for byte in head[:4096]) == 0


def _is_message(file: BinaryIO, head: bytes) -> bool:
    """Whether a compound file's directory, which stands anywhere in it, names what Outlook's messages have."""
    sector = 1 << min(int.from_bytes(head[30:32], "little"), 16)
    file.seek((int.from_bytes(head[48:52], "little") + 1) * sector)
    directory = file.read(HEAD)
    return all(name in directory or name in head for name in _MESSAGE_STREAMS)
