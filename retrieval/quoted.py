"""Mail as it may stand in a prompt: what nobody sees is gone, what forges a prompt's marks is broken, orders are out.

Fences tell a large model what is quoted, a small one obeys all the same. So a paragraph that surely gives an order to a
program does not reach it, and of a text that does so twice or opens a turn of a chat nothing does; the message says so
in its place. Of what is less sure, the first answer to a question is written without (``doubtful``, see
``retrieval.reading``): what is missed and where it errs is in docs/reliability.md.

An order is told by how it is made rather than by known phrases (``retrieval.orders``), and by marks (``programs``). It
is a filter before the real walls, which do not depend on it: the model has nothing that changes anything, its queries
are bound by grammars, and what it says is checked.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from retrieval.orders import likeness
from retrieval.programs import ASIDE, FORGED, TURN

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
# Likeness to an order: of messages of unseen mailboxes 1 in 800 reaches the first, 3 in 100 the second.
SURE, DOUBT = 0.5, -1.5


@dataclass(frozen=True)
class Quoted:
    """``text`` as it may stand in a prompt; ``instructs``: something was left out since it speaks to a program."""

    text: str
    instructs: bool


def quoted(text: str) -> Quoted:
    """``text`` of a stranger for a prompt."""
    seen = visible(text)
    parts = _PARAGRAPH.split(seen)  # paragraphs, and between them what parts them
    orders = [nth for nth, part in enumerate(parts) if nth % 2 == 0 and _orders(part)]
    if len(orders) > 1 or TURN.search(seen):
        return Quoted("", True)
    kept = "".join(part for nth, part in enumerate(parts) if nth not in orders)
    return Quoted(_NUMBER.sub(r"(\1)", kept), bool(orders))


def instructs(text: str) -> bool:
    """Whether a text surely gives orders to a program rather than to a person."""
    return quoted(text).instructs


def doubtful(text: str) -> bool:
    """Whether a text may give orders to a program."""
    return likeness(visible(text)) > DOUBT or instructs(text)


def visible(text: str) -> str:
    """``text`` without characters that are not seen (those that join letters of other scripts stay)."""
    return _UNSEEN.sub("", text)


def _orders(paragraph: str) -> bool:
    """Whether a paragraph gives an order to a program."""
    marks = any(sign.search(sentence) for sentence in _SENTENCE.split(paragraph) for sign in (ASIDE, FORGED))
    return marks or likeness(paragraph) > SURE
