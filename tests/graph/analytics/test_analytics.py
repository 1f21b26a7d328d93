"""What is kept is read again, and computed again when the graph is another."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import datetime

import pytest

from graph import build
from graph.analytics import current
from graph.errors import GraphMissing
from sql.store import Store
from tests.graph.mailboxes import Mail, Mailbox, load


def test_without_a_graph_there_is_nothing_to_compute(store: Store) -> None:
    with pytest.raises(GraphMissing):
        current(store)


def test_a_mailbox_without_correspondence_has_no_figures(store: Store) -> None:
    with store.owner() as conn:
        load(conn, Mailbox({"Ada": ("a@x.example",)}, []))
    build.build(store)
    found = current(store)
    assert (found.people, found.communities, found.pivots) == ((), (), None)


def test_figures_are_kept_until_the_graph_changes(store: Store) -> None:
    people = {"Ada": ("a@x.example",), "Bo": ("b@x.example",)}
    with store.owner() as conn:
        load(conn, Mailbox(people, [Mail(1, "a@x.example", to=("b@x.example",), sent=datetime(2001, 1, 1), thread=1)]))
    build.build(store)
    first = current(store)
    assert current(store) == first
    build.build(store)
    second = current(store)
    assert second.computed_at > first.computed_at and second.people == first.people


def test_two_that_ask_at_once_compute_once(store: Store) -> None:
    with store.owner() as conn:
        load(conn, Mailbox({"Ada": ("a@x.example",), "Bo": ("b@x.example",)}, []))
    build.build(store)
    with ThreadPoolExecutor(4) as pool:
        times = {one.computed_at for one in pool.map(lambda _: current(store), range(4))}
    assert len(times) == 1
