"""People: everybody in a table, who may be one person, and what was decided by hand; each has a page.

The table is sorted and searched in what was read once and kept until the mail changes.
"""

from __future__ import annotations

from typing import Any, get_args

import psycopg
import streamlit as st

from graph import analytics
from ingest import people as deciding
from ingest.duplicates import duplicates
from ui import people, workspace
from ui.components import column
from ui.components import person as parts
from ui.components.head import head, tabs
from ui.components.markup import clickable, show
from ui.components.message_list import page_number, pager
from ui.components.people_table import table
from ui.links import follow, linked
from ui.pages import person
from ui.people import Listed, Sort
from ui.workspace import Workspace

SIZE = 25
LIKELY = 50
VIEWS = {"all": "Everybody", "likely": "Likely one person", "decisions": "Decided by hand"}


@column.errors_shown()
def page() -> None:
    """Draws the page."""
    space = workspace.current()
    store = head(space)
    if space.coverage(store).messages == 0:
        show(column.empty("There is no mail here yet, so nobody is known. Read some on the page Mailbox."))
        return
    everybody = _everybody(space, store)
    given = st.query_params.get("person", "")
    if given.isdecimal():
        one = next((each for each in everybody if each.id == int(given)), None)
        if one is None:
            show(column.empty("This person has another number since a merge, a split or new mail. Look for the name."))
        else:
            person.show_person(space, store, one, everybody)
            return
    view = tabs("people", VIEWS, "view", store=store)
    if view == "likely":
        _likely(space, store)
    elif view == "decisions":
        _decisions(space, store)
    else:
        _table(space, store, everybody)


def _everybody(space: Workspace, store: str) -> list[Listed]:
    def read(conn: psycopg.Connection[Any]) -> list[Listed]:
        with st.spinner("Counting who wrote with whom …", show_time=True):
            analytics.current(space.store(store))
            conn.rollback()  # what was computed just now is to be seen
            return people.everybody(conn)

    return space.read(store, "everybody", read)


def _table(space: Workspace, store: str, everybody: list[Listed]) -> None:
    def from_the_first() -> None:
        st.query_params.pop("page", None)

    text = st.text_input(
        "Filter by name or address", key="filter", bind="query-params", icon=":material/search:",
        placeholder="Name or address …", label_visibility="collapsed", on_change=from_the_first,
    )  # fmt: skip
    given = st.query_params.get("sort", "-messages")
    name, descending = given.removeprefix("-"), given.startswith("-")
    sort: Sort = name if name in get_args(Sort) else "messages"  # type: ignore[assignment]
    found = people.chosen(everybody, text or "", sort, descending=descending)
    if not found:
        show(column.empty(f"Nobody here has “{text}” in their name or addresses. Try a part of it."))
        return
    number = min(page_number("page"), -(-len(found) // SIZE))
    shown = found[(number - 1) * SIZE : number * SIZE]
    with space.store(store).reader() as conn:
        months = people.months(conn, [one.id for one in shown])
    within = space.read(store, "span of months", people.span)
    bars = {one: people.bars(of, within) for one, of in months.items()} if within else {}

    def sorted_by(opened: str) -> None:
        what, _, chosen = opened.partition(":")
        if what == "sort":
            # names begin with A, numbers with the largest; the same head again turns it around
            again = chosen == sort
            down = not descending if again else chosen != "name"
            st.query_params["sort"] = f"-{chosen}" if down else chosen
            st.query_params.pop("page", None)

    opened = clickable(table(shown, bars, store, sort, descending=descending), key="people", on_open=sorted_by)
    if opened is not None and not opened.startswith("sort:"):
        follow(opened)
    pager("page", number, len(found), SIZE)


def _likely(space: Workspace, store: str) -> None:
    st.caption("People with one name that no rule has joined, those with most mail first. Nothing is merged by itself.")

    def read(conn: psycopg.Connection[Any]) -> Any:
        with st.spinner("Comparing names …", show_time=True), conn.transaction():
            conn.execute("SET LOCAL statement_timeout = '60s'")
            return duplicates(conn, LIKELY)

    pairs = space.read(store, "likely", read)
    if pairs:
        linked(parts.likely(pairs, store), key="likely")
    else:
        show(column.empty("Nobody here looks like two people with one name."))


def _decisions(space: Workspace, store: str) -> None:
    with space.store(store).reader() as conn:
        taken = deciding.decisions(conn)
    if not taken:
        show(column.empty(
            "Nothing was decided by hand. Open a person and their addresses to merge or split them; it can be undone."
        ))  # fmt: skip
    for one in reversed(taken):
        person.undo_row(space, store, one)
