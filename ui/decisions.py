"""Carrying out what a person decided about people: people, threads, graph and figures follow at once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import psycopg

from ingest.people import Decision
from sql.store import Store


def carry_out(store: Store, decision: Callable[[psycopg.Connection[Any]], Decision]) -> Decision:
    """Takes a decision, or takes one back, and brings what follows from people up to date.

    Raises an ingest.errors.PeopleError where it cannot be taken, StoreBusy while another program writes.
    """
    from ingest.resolve import resolve
    from ui.reading import build_graph

    with store.writer_lock("people"), store.owner() as conn:
        taken = decision(conn)
        resolve(conn)
    build_graph(store)
    return taken
