"""The mark between which quoted material stands in a prompt, so that no mail can close its fence.

It is a hash of all that is quoted: the same prompt has the same mark, so that an answer can be repeated word for word,
and who writes a mail cannot know it, since it depends on the question and on all the other messages.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from itertools import count


def fence(name: str, texts: Iterable[str]) -> str:
    """``name`` with eight hexadecimal digits; nowhere in ``texts``."""
    whole = "\0".join(texts)
    marks = (f"{name}-{hashlib.sha256(f'{n}{whole}'.encode('utf-8', 'replace')).hexdigest()[:8]}" for n in count())
    return next(mark for mark in marks if mark not in whole)
