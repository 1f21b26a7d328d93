"""Apple Mail's message files: a line with the number of bytes, the message, then a property list with its flags.

In a ``.partial.emlx`` the parts that Apple Mail keeps as files of their own (``Attachments/NUMBER/PART/NAME`` beside
the folder of messages) are empty; they are put back, encoded as the part says, so that the message is whole again.
"""

from __future__ import annotations

import base64
import binascii
import plistlib
import re
from pathlib import Path
from xml.parsers.expat import ExpatError

from ingest.errors import UnreadableMessage
from ingest.mime import Part, parse_tree
from ingest.sources.limits import MAX_MESSAGE, read_file, readable_name

COUNT = re.compile(rb"\A(\d{1,12})[ \t]*\r?\n")
_LINE = 76
# bits of Apple Mail's flags, as letters of Maildir
_FLAGS = ((0, "S"), (1, "T"), (2, "R"), (4, "F"), (6, "D"), (8, "P"))


def whole_message(file: Path) -> tuple[bytes, str]:
    """The message in ``file`` with the parts that are kept apart, and its flags as Maildir letters.

    Raises UnreadableMessage when there is none in it, OSError when it cannot be read.
    """
    data, flags = message_in(readable_name(file.name), read_file(file))
    return _with_attachments(data, file), flags


def message_in(key: str, held: bytes) -> tuple[bytes, str]:
    """The message in the bytes of such a file as it stands there, and its flags. Raises UnreadableMessage."""
    counted = COUNT.match(held)
    if not counted:
        raise UnreadableMessage(key, "it does not begin with a number of bytes")
    start = counted.end()
    stop = start + int(counted[1])
    if not held[stop:].lstrip().startswith((b"<?xml", b"<!DOCTYPE plist", b"<plist", b"bplist")):
        # a wrong number: the property list is the last thing in the file
        at = held.rfind(b"<?xml", start)
        stop = at if at >= 0 and b"<plist" in held[at:] else len(held)
    data = held[start:stop]
    if not data.strip():
        raise UnreadableMessage(key, "there is no message in it")
    return data, _flags(held[stop:].strip())


def _with_attachments(data: bytes, file: Path) -> bytes:
    number = file.name.partition(".")[0]
    folder = file.parent.parent / "Attachments" / number
    if b"X-Apple-Content-Length" not in data or not folder.is_dir():
        return data
    out: list[bytes] = []
    position = 0
    room = MAX_MESSAGE - len(data)
    for part in parse_tree(data).walk():
        if part.parts or not part.headers.get("x-apple-content-length") or part.content().strip():
            continue
        kept = _kept_apart(folder / part.path, part.name)
        if kept is None or kept.stat().st_size * 4 // 3 > room:
            continue
        encoded = _encoded(kept.read_bytes(), part)
        room -= len(encoded)
        out += [data[position : part.start], b"" if data[: part.start].endswith(b"\n\n") else b"\n", encoded]
        position = part.stop
    return b"".join([*out, data[position:]]) if out else data


def _kept_apart(folder: Path, name: str) -> Path | None:
    """The part's file: names in the header and on the disk need not agree, and there is one file a part."""
    if not folder.is_dir():
        return None
    files = sorted(entry for entry in folder.iterdir() if entry.is_file() and not entry.name.startswith("."))
    return next((entry for entry in files if entry.name == name), files[0] if files else None)


def _encoded(content: bytes, part: Part) -> bytes:
    encoding = part.headers.get("content-transfer-encoding").lower()
    if "base64" in encoding:
        text = base64.b64encode(content)
        return b"\n".join(text[at : at + _LINE] for at in range(0, len(text), _LINE))
    if "quoted" in encoding:
        return binascii.b2a_qp(content, istext=part.type.startswith("text/"))
    return content


def _flags(plist: bytes) -> str:
    try:
        held = plistlib.loads(plist)
    except (ExpatError, ValueError, LookupError, plistlib.InvalidFileException, OverflowError):
        return ""
    bits = held.get("flags", 0) if isinstance(held, dict) else 0
    return "".join(sorted(letter for bit, letter in _FLAGS if isinstance(bits, int) and bits >> bit & 1))
