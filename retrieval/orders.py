"""How much a text sounds like an order to a program: a logistic regression over words and kinds of words.

A list of known phrases recognises its own phrases. What orders share is how they are made: somebody (a machine, you)
is to say or to leave out something, in an answer, if a user asks, and not what the other mails say. So a sentence is
described by its words, their pairs, and the kinds of its words (``orders.toml``: saying, leaving out, machines,
answers, the others, ...) with their pairs, in order and in any; each is hashed to one of 2**16 weights.

How the weights (``orders.txt``: signed bytes in base 85) came about. Orders: 19,000 sentences composed of some 900
invented parts in nine languages (whom they address, when, what is to be said, given, cited, deleted or withheld, what
is to be set aside), half of them once more with words dropped, a quarter beside a sentence of mail. The others: 141,000
sentences of nine mailboxes; 37,000 of fortunes and manual pages in eight other languages; some 20,000 invented ones of
people and of automatic senders, with the same things and values as the orders. Logistic regression, L2, C = 3. No text
of a mail is in them: a weight belongs to a hash that many words share. The limits (``retrieval.quoted``) were chosen on
two further mailboxes; what they miss and where they err: docs/reliability.md.
"""

from __future__ import annotations

import math
import re
import tomllib
import zlib
from base64 import b85decode
from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Final

_HERE: Final = Path(__file__).parent
BITS: Final = 16
LONGEST: Final = 600  # characters of a sentence that are looked at
SHORTEST: Final = 5  # words: fewer order little on their own, and are looked at with their neighbours

_WORD: Final = re.compile(r"https?://\S+|www\.\S+|[^\W\d_]+(?:'[^\W\d_]+)?|\d[\d.,]*|[<>\[\]{}#|:=?!@\"]")
_PARAGRAPH: Final = re.compile(r"\n\s*\n")
_SENTENCE: Final = re.compile(r"(?<=[.!?;])\s+")


def likeness(text: str) -> float:
    """How much the sentence of ``text``, or the two beside each other, that sound most like an order to a program do:
    logits, below 0 where mail between people is likelier."""
    return max(map(_score, sentences(text)), default=-math.inf)


def sentences(text: str) -> Iterator[str]:
    """The sentences of a text and each two neighbours of a paragraph."""
    for paragraph in _PARAGRAPH.split(text):
        parts = [" ".join(part.split()) for part in _SENTENCE.split(paragraph) if part.strip()]
        for one in (*parts, *(f"{a} {b}" for a, b in pairwise(parts))):
            if len(_WORD.findall(one[:LONGEST])) >= SHORTEST:
                yield one[:LONGEST]


def features(sentence: str) -> set[int]:
    """The hashes of what a sentence is described by."""
    words = ["^", *map(_plain, _WORD.findall(sentence.lower())), "$"]
    hashes = [_hash(word) for word in words]
    out = set(hashes)
    out.update(hash for word in words for hash in _beginnings(word))
    for apart in (1, 2):
        out.update(_pair(a, b, apart) for a, b in zip(hashes, hashes[apart:], strict=False))
    kinds = [_kinds(word) for word in words]
    present = sorted({kind for some in kinds for kind in some})
    out.update(_pair(kind, kind, 3) for kind in present)
    out.update(_pair(a, b, 4) for nth, a in enumerate(present) for b in present[nth + 1 :])
    for apart in (1, 2, 3):
        for one, two in zip(kinds, kinds[apart:], strict=False):
            out.update(_pair(a, b, 5 + (apart == 1)) for a in one for b in two)
    out.update(_pair(kind, kind, 7) for kind in kinds[1])
    return {hash & ((1 << BITS) - 1) for hash in out}


@lru_cache(4096)
def _score(sentence: str) -> float:
    weights, scale, base = _model()
    found = features(sentence)
    return base + scale * sum(weights[hash] for hash in found) / math.sqrt(len(found))


@cache
def _model() -> tuple[memoryview, float, float]:
    """The weights, what one step of them is worth, and the intercept."""
    head, *lines = (_HERE / "orders.txt").read_text(encoding="ascii").split("\n")
    scale, base = (float(number) for number in head.split())
    return memoryview(b85decode("".join(lines))).cast("b"), scale, base


def _plain(word: str) -> str:
    if word.startswith(("http", "www.")):
        return "<url>"
    return "<n>" if word[0].isdigit() else word


def _pair(a: int, b: int, how: int) -> int:
    mixed = (a * 0x9E3779B1 + b * 0x85EBCA77 + how * 0xC2B2AE3D) & 0xFFFFFFFF
    return mixed ^ (mixed >> 15)


@lru_cache(65_536)
def _hash(word: str) -> int:
    return zlib.crc32(word.encode())


@lru_cache(65_536)
def _beginnings(word: str) -> tuple[int, ...]:
    return (_hash("<" + word[:4]), _hash("<" + word[:6])) if len(word) > 4 and word[0] != "<" else ()


@lru_cache(65_536)
def _kinds(word: str) -> tuple[int, ...]:
    """The kinds of a word, as hashes."""
    whole, beginnings = _lexicon()
    found = set(whole.get(word, ()))
    for n in range(1, len(word) + 1):
        found.update(beginnings.get(word[:n], ()))
    return tuple(sorted(found))


@cache
def _lexicon() -> tuple[dict[str, set[int]], dict[str, set[int]]]:
    """Kinds by whole words and by beginnings."""
    whole: dict[str, set[int]] = {}
    beginnings: dict[str, set[int]] = {}
    for kind, words in tomllib.loads((_HERE / "orders.toml").read_text(encoding="utf-8")).items():
        for word in words.split():
            to = beginnings if word.endswith("*") else whole
            to.setdefault(word.rstrip("*"), set()).add(_hash(kind))
    return whole, beginnings
