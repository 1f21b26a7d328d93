"""Attachments written into the text itself between "begin 644 name" and "end", as mail programs did before MIME."""

from __future__ import annotations

import binascii
import re
from typing import NamedTuple

_BLOCK = re.compile(
    r"^begin [0-7]{3,4} (?P<name>[^\n]{1,255})\n(?P<lines>(?:[ -`][ -~]{1,85}\n)+)(?:[ `][ ]*\n)?"
    r"end[ \t]*(?:\n|\Z)",
    re.M,
)


class Encoded(NamedTuple):
    """A file within a text: ``name`` as written, ``content`` decoded, ``start`` and ``stop`` its place in the text."""

    name: str
    content: bytes
    start: int
    stop: int


def uuencoded_files(text: str) -> list[Encoded]:
    """The files in a text, in order."""
    if "begin " not in text:
        return []
    return [
        Encoded(match["name"].strip(), decoded(match["lines"].encode("ascii", "replace")), match.start(), match.end())
        for match in _BLOCK.finditer(text)
    ]


def decoded(raw: bytes) -> bytes:
    """The bytes of uuencoded lines; "begin" and "end" are passed over, lines of wrong length are read as far as
    possible."""
    out = []
    for line in raw.splitlines():
        if line.startswith((b"begin ", b"end")) or not line.strip():
            continue
        try:
            out.append(binascii.a2b_uu(line))
        except binascii.Error:
            # too long a line: some writers count wrongly
            length = (((line[0] - 32) & 63) * 4 + 5) // 3
            try:
                out.append(binascii.a2b_uu(line[: length + 1]))
            except binascii.Error:
                continue
    return b"".join(out)
