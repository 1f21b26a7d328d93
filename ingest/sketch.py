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
# the same for text of ASCII alone, several times faster: all that is no letter, digit or underscore is a blank
_BLANKS = bytes(code if re.match(rb"\w", bytes([code])) else 32 for code in range(256))
# odd numbers without a pattern: the place of a word in its run matters
_FACTORS = np.array([0x9E3779B1, 0x85EBCA77, 0xC2B2AE3D, 0x27D4EB2F], np.uint32)


class _Codes(dict[bytes, int]):
    """The hash of each word, computed once: most words of a mailbox occur often."""

    def __missing__(self, word: bytes) -> int:
        code = self[word] = zlib.crc32(word)
        return code


_CODES = _Codes()
_MOST_CODES = 200_000


def sketch(text: str) -> bytes:
    """The level (one byte), then the hashes in ascending order, four bytes each, little endian; empty for no words."""
    words = (
        text.lower().encode().translate(_BLANKS).split()
        if text.isascii()
        else [word.encode("utf-8", "replace") for word in _WORD.findall(text.casefold())]
    )
    if not words:
        return b""
    codes = np.fromiter(map(_CODES.__getitem__, words), np.uint32, len(words))
    if len(_CODES) > _MOST_CODES:
        _CODES.clear()
    # of every run of four the sum of the products, modulo 2^32; of a shorter text the one sum
    mixed = np.correlate(codes, _FACTORS[: len(words)], "valid")
    # the products' low bits depend on the words' low bits alone
    mixed ^= mixed >> np.uint32(15)
    mixed.sort()
    first = np.empty(len(mixed), bool)
    first[0] = True
    np.not_equal(mixed[1:], mixed[:-1], out=first[1:])
    hashes = mixed[first]
    level = 0
    while len(hashes) > MOST:
        level += 1
        hashes = hashes[hashes & np.uint32((1 << level) - 1) == 0]
    return level.to_bytes() + bytes(hashes.astype("<u4").data)
