"""A small fingerprint of a text, by which a quotation is found in the message it was taken from.

The hashes of all runs of four words, thinned when there are many: at level n only hashes divisible by 2^n are kept,
the same ones in every text, so that two sketches of different levels can be compared at the higher of the two (sampling
"modulo 2^n" after Broder, On the resemblance and containment of documents, 1997). White space, line breaks,
punctuation and case do not matter, since quoting changes them.
"""

from __future__ import annotations

import re
import zlib

import numpy as np

WORDS = 4
MOST = 192

_WORD = re.compile(r"\w+")
# odd numbers without a pattern: the place of a word in its run matters
_FACTORS = np.array([0x9E3779B1, 0x85EBCA77, 0xC2B2AE3D, 0x27D4EB2F], np.uint32)


def sketch(text: str) -> bytes:
    """The level (one byte), then the hashes in ascending order, four bytes each, little endian; empty for no words."""
    words = _WORD.findall(text.casefold())
    if not words:
        return b""
    codes = np.fromiter((zlib.crc32(word.encode("utf-8", "replace")) for word in words), np.uint32, len(words))
    runs = max(1, len(words) - WORDS + 1)
    mixed = np.zeros(runs, np.uint32)
    for place, factor in enumerate(_FACTORS[: len(words)]):
        mixed += codes[place : place + runs] * factor
    # the products' low bits depend on the words' low bits alone
    mixed ^= mixed >> np.uint32(15)
    hashes = np.unique(mixed)
    level = 0
    while len(hashes) > MOST:
        level += 1
        hashes = hashes[hashes & np.uint32((1 << level) - 1) == 0]
    return bytes([level]) + hashes.astype("<u4").tobytes()
