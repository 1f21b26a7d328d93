"""The bounds of the queries that a model writes, and which values of the mailbox it is shown, in either language."""

from __future__ import annotations

from collections.abc import Iterable

from retrieval.text_to_query.values import safe

MOST_ROWS = 1_000
TIMEOUT = 4.5  # seconds; the reader's own is five
SHOWN = 3
LONGEST = 40


def shown(found: Iterable[object]) -> list[str]:
    """The first three values that can stand in a prompt, quoted: they come from headers, which strangers write."""
    kept = (value for value in found if isinstance(value, str) and safe(value) and len(value) <= LONGEST)
    return [f"'{value}'" for value in dict.fromkeys(kept)][:SHOWN]
