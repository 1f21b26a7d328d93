"""How words of strangers stand in a prompt: between marks that no mail can know, names and subjects on one line.

The mark is a hash of all that is quoted: the same prompt has the same mark, so that an answer can be repeated word for
word, and who writes a mail cannot know it, since it depends on the question and on all the other messages.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from itertools import count
from typing import Final

from retrieval.quoted import quoted

LEFT_OUT: Final = "(left out)"


def fence(name: str, texts: Iterable[str]) -> str:
    """``name`` with eight hexadecimal digits; nowhere in ``texts``."""
    whole = "\0".join(texts)
    marks = (f"{name}-{hashlib.sha256(f'{n}{whole}'.encode('utf-8', 'replace')).hexdigest()[:8]}" for n in count())
    return next(mark for mark in marks if mark not in whole)


def fenced(name: str, text: str) -> str:
    """The text between marks that it does not hold."""
    mark = fence(name, (text,))
    return f"<{mark}>\n{text}\n</{mark}>"


def line(text: str) -> str:
    """A name, subject, label or header on one line of a prompt; where it speaks to a program, LEFT_OUT."""
    kept = quoted(" ".join(text.split()))
    return kept.text.strip() or (LEFT_OUT if kept.instructs else "")


def letter(header: str, text: str) -> str:
    """A message, its header on the first line; of the text what does not speak to a program."""
    return f"{line(header)}\n{quoted(text.strip()).text.strip()}"
