"""A small fingerprint of a text, by which a quotation is found in the message it was taken from.

The hashes of all runs of four words, thinned when there are many: at level n only hashes divisible by 2^n are kept,
the same ones in every text, so that two sketches of different levels can be compared at the higher of the two (sampling
"modulo 2^n" after Broder, On the resemblance and containment of documents, 1997). White space, line breaks,
punctuation and case do not matter, since quoting changes them.
"""

from __future__ import annotations

import re
import struct
import zlib

WORDS = 4
MOST = 192

_WORD = re.compile(r"\w+")


def sketch(text: str) -> bytes:
    """The level (one byte), then the hashes in ascending order, four bytes each, little endian; empty for no words."""
    words = _WORD.findall(text.casefold())
    if not words:
        return b""
    runs = (" ".join(words[i : i + WORDS]) for i in range(max(1, len(words) - WORDS + 1)))
    hashes = sorted({zlib.crc32(run.encode("utf-8", "replace")) for run in runs})
    level = 0
    while len(hashes) > MOST:
        level += 1
        hashes = [h for h in hashes if not h % (1 << level)]
    return struct.pack(f"<B{len(hashes)}I", level, *hashes)
