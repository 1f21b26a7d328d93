"""Addresses that are nobody's own: offices, lists, machines, placeholders. They are never merged with a person."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

from ingest.resolve.names import fold
from ingest.resolve.role_words import ALONE, ANYWHERE, DEPARTMENTS, HEADS, NAME_WORDS

_SERIAL = re.compile(r"[._+=-]\d{5,}(?:$|[._+=-])|\d{9,}")
_DEVICE = re.compile(r"\(.*\bfax\b.*\)|\bpager\b", re.I)


@cache
def is_role_local_part(local: str) -> bool:
    """Whether a local part names a function and not a person."""
    local = local.partition("+")[0] or local
    words = _words(local)
    joined = "".join(words)
    if any(word in ANYWHERE for word in words) or joined in ANYWHERE or joined in ALONE:
        return True
    if _SERIAL.search(local):
        return True
    return all(word in ALONE or word in DEPARTMENTS or len(word) <= 1 or word.isdigit() for word in words)


@cache
def is_department(local: str) -> bool:
    """Whether a local part has a word that says a department or a purpose, whatever stands beside it."""
    words = _words(local)
    return any(word in DEPARTMENTS or _ends_with_head(word) for word in (*words, "".join(words)))


def _words(local: str) -> list[str]:
    return [fold(word) for word in re.split(r"[._=-]+", local) if word]


def _ends_with_head(word: str) -> bool:
    return any(word.endswith(head) and len(word) - len(head) > 2 for head in HEADS)


def is_role(local: str, names: Mapping[str, int], surnames: int, own: bool) -> bool:
    """Whether an address is nobody's own.

    ``names``: display names with how often they were seen. ``surnames``: how many last names are among them; three or
    more mean that several people share the address, unless the local part says whose it is (``own``).
    """
    if is_role_local_part(local) or (not own and is_department(local)):
        return True
    total = sum(names.values())
    if total and not own:
        functions = sum(n for name, n in names.items() if set(fold(name).split()) & NAME_WORDS or _DEVICE.search(name))
        if 2 * functions > total:
            return True
    return surnames >= 3 and not own
