"""The bounds of the queries that a model writes, and which values of the mailbox it is shown, in either language."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from graph.cypher import Rows
from retrieval.text_to_query.values import safe
from sql.store import Store

MOST_ROWS = 1_000
TIMEOUT = 4.5  # seconds; the reader's own is five
SHOWN = 3
LONGEST = 40


def shown(found: Iterable[object]) -> list[str]:
    """The first three values that can stand in a prompt, quoted: they come from headers, which strangers write."""
    kept = (value for value in found if isinstance(value, str) and safe(value) and len(value) <= LONGEST)
    return [f"'{value}'" for value in dict.fromkeys(kept)][:SHOWN]


def bounded(store: Store, run: Callable[..., Rows]) -> Callable[[str], Rows]:
    """``run`` (``graph.cypher.run`` or ``graph.views.run``) within the bounds. Each query has a connection of its own:
    one that crashes or lasts too long takes it with it. Raises QueryFailed."""

    def alone(query: str) -> Rows:
        with store.reader() as conn:
            return run(conn, query, limit=MOST_ROWS, timeout=TIMEOUT)

    return alone
