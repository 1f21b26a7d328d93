"""Mail as it may stand in a prompt: what nobody sees is gone, what forges a prompt's marks is broken, orders are out.

Fences tell a large model what is quoted, a small one obeys all the same. So a paragraph that speaks to a program (sets
aside its rules, says what it has to answer, speaks as another turn) does not reach it, and of a text that does so twice
or forges the marks of a prompt nothing does; the message says so in its place. The signs are kinds of speech in several
languages (``retrieval.programs``), not known attacks. One certain sign is enough, or two weak ones; mail between
people ("if anybody asks, I am away") has one at most. It is a filter before the real walls, which do not depend on it:
the model has nothing that changes anything, its queries are bound by grammars, and what it says is checked.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from retrieval.programs import ADDRESSED, ASIDE, ASKED, DUTY, MARKUP, ORDER, SOLELY, TURN

MARK: Final = "(This message seems to give instructions to a program; they are left out.)"
SEEMS: Final = "seems to give instructions to a program"

# Soft hyphens, zero widths, directions, tags and variation selectors: seen by a model and by nobody else.
_UNSEEN: Final = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e0fff\ue000-\uf8ff]"
    "|[\u200c\u200d](?=[\x00-\x7f]|$)|(?<=[\x00-\x7f])[\u200c\u200d]|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]"
)
# The numbers by which an answer cites.
_NUMBER: Final = re.compile(r"\[(\d{1,3}(?:\s*[,;]\s*\d{1,3})*)\]")
_SENTENCE: Final = re.compile(r"(?<=[.!?])\s+|\n|(?<=[。！？])")
_PARAGRAPH: Final = re.compile(r"(\n\s*\n| \| )")
CERTAIN, ENOUGH, ALL = 2, 2, 4


@dataclass(frozen=True)
class Quoted:
    """``text`` as it may stand in a prompt; ``instructs``: something was left out since it speaks to a program."""

    text: str
    instructs: bool


def quoted(text: str) -> Quoted:
    """``text`` of a stranger for a prompt."""
    seen = visible(text)
    parts = _PARAGRAPH.split(seen)  # paragraphs, and between them what parts them
    weights = [0 if nth % 2 else _signs(part) for nth, part in enumerate(parts)]
    total = sum(weights)
    if total >= ALL:
        return Quoted("", True)
    if total >= ENOUGH:
        seen = "".join(part for part, weight in zip(parts, weights, strict=True) if not weight)
    return Quoted(_NUMBER.sub(r"(\1)", seen), total >= ENOUGH)


def instructs(text: str) -> bool:
    """Whether a text speaks to a program rather than to a person."""
    return quoted(text).instructs


def visible(text: str) -> str:
    """``text`` without characters that are not seen (those that join letters of other scripts stay)."""
    return _UNSEEN.sub("", text)


def _signs(paragraph: str) -> int:
    """How much a paragraph speaks to a program."""
    if TURN.search(paragraph):
        return ALL
    return sum(map(_weight, _SENTENCE.split(paragraph)))


def _weight(sentence: str) -> int:
    """How much a sentence does: 0, 1 (it may), CERTAIN."""
    if MARKUP.search(sentence) or ASIDE.search(sentence):
        return CERTAIN
    ordered = ORDER.search(sentence) is not None
    if (ordered or DUTY.search(sentence)) and ADDRESSED.search(sentence):
        return CERTAIN
    if ordered and ASKED.search(sentence):
        return CERTAIN if SOLELY.search(sentence) else 1
    return 0
