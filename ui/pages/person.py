"""One person, as a part of the page People: numbers, correspondents, messages, conversations, and their addresses with
what holds them together.

The address says who (``person``), which part (``view``), and with whom (``with``) or in which month (``month``).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date
from typing import Any

import psycopg
import streamlit as st

from graph.ego import ego
from graph.execute import answer
from graph.plan import Between, People, Period, Plan
from ingest import people as deciding
from ingest.duplicates import effect
from ingest.known_people import Known
from ingest.people import Decision
from ui import people
from ui.components import column
from ui.components import person as parts
from ui.components.choose_person import choose_person
from ui.components.head import part, tabs
from ui.components.markup import html, show
from ui.components.message_list import message_list, page_number, pager
from ui.decisions import carry_out
from ui.links import go, linked
from ui.people import Address, Listed
from ui.workspace import Workspace

CORRESPONDENTS = 20
THREADS = 25
SLOW = "People, threads and graph follow at once: some seconds for each thousand messages. It can be undone."
VIEWS = {"overview": "Overview", "messages": "Messages", "threads": "Threads", "addresses": "Addresses"}


def show_person(space: Workspace, store: str, one: Listed, everybody: Sequence[Listed]) -> None:
    """Draws the person. ``everybody``: all people of the store."""
    addresses = space.read(store, ("addresses", one.id), lambda conn: people.addresses(conn, one.id))
    answered = space.read(store, ("answered", one.id), lambda conn: people.is_answered_after(conn, one.id))
    linked(parts.head(one, addresses, answered, store), key="person-head")
    view = tabs("people", VIEWS, "view", store=store, person=one.id)
    if view == "messages":
        _messages(space, store, one, everybody)
    elif view == "threads":
        _threads(space, store, one)
    elif view == "addresses":
        _addresses(space, store, one, addresses, everybody)
    else:
        _overview(space, store, one)


def _overview(space: Workspace, store: str, one: Listed) -> None:
    with space.store(store).reader() as conn:
        months = people.months(conn, [one.id]).get(one.id, [])
    around = space.read(store, ("around", one.id), lambda conn: ego(conn, one.id, most=CORRESPONDENTS + 1))
    if months:
        part("Over time")
        picked = st.altair_chart(parts.timeline(months), on_select="rerun", key="person_months")
        chosen = picked["selection"].get("month") or []
        if chosen:
            go("people", store=store, person=one.id, view="messages", month=chosen[0]["label"])
        st.caption("Click a bar for the messages of that month.")
    others = [each for each in around.people if each.id != one.id] if around else []
    part("Correspondents")
    if not others or around is None:
        show(column.empty("Nobody: this person stands in no counted mail, only in drafts, spam or quotations."))
        return
    linked(parts.correspondents(one, others, store), key="correspondents")
    if around.correspondents > len(others):
        st.caption(f"The {len(others)} with most mail of {around.correspondents:,}. The page Graph shows more.")


def _messages(space: Workspace, store: str, one: Listed, everybody: Sequence[Listed]) -> None:
    filters: list[Any] = []
    other = _other(everybody)
    filters.append(Between((one.id,), (other.id,)) if other else People("participant", (one.id,)))
    said = [f"between {one.name} and {other.name}"] if other else []
    month = _month(st.query_params.get("month", ""))
    if month:
        filters.append(Period(month, date(month.year + month.month // 12, month.month % 12 + 1, 1)))
        said.append(f"of {month:%B %Y}")
    if said:
        with st.container(horizontal=True, vertical_alignment="center"):
            show(html("<span>Messages {}</span>", " ".join(said)))
            if st.button("Show all", icon=":material/close:", type="tertiary"):
                go("people", store=store, person=one.id, view="messages")
    message_list(
        space, store, Plan(filters=tuple(filters)),
        empty="No counted messages. Drafts, spam and what is known only from quotations are not counted.",
    )  # fmt: skip


def _threads(space: Workspace, store: str, one: Listed) -> None:
    number = page_number("threads")
    plan = Plan(target="threads", filters=(People("participant", (one.id,)),), order_by="date")
    found = space.read(store, ("threads", one.id, number), lambda conn: answer(conn, plan, limit=number * THREADS))
    number = max(1, min(number, -(-found.total // THREADS)))
    shown = found.items[(number - 1) * THREADS : number * THREADS]
    if not shown:
        show(column.empty("This person takes part in no conversation."))
        return
    linked(parts.threads(shown, store), key="person-threads")
    pager("threads", number, found.total, THREADS)


def _addresses(
    space: Workspace, store: str, one: Listed, addresses: Sequence[Address], everybody: Sequence[Listed]
) -> None:
    linked(parts.addresses(addresses), key="addresses")
    with space.store(store).reader() as conn:
        held = people.links(conn, one.id)
        mine = set(one.addresses)
        taken = [each for each in deciding.decisions(conn) if any(address in each.what for address in mine)]
    if held:
        part("Why these are one person")
        show(parts.evidence(held))
    if len(addresses) > 1:
        _split(space, store, one, addresses)
    _merge(space, store, one, everybody)
    if taken:
        part("Decided by hand")
        for each in reversed(taken):
            undo_row(space, store, each, one.addresses[0])


def _split(space: Workspace, store: str, one: Listed, addresses: Sequence[Address]) -> None:
    part("Is one of them somebody else?")
    chosen = st.selectbox(
        "Address to take away", [each.address for each in addresses], None, key=f"split_{one.id}",
        placeholder="Choose an address …", label_visibility="collapsed",
    )  # fmt: skip
    if chosen is None:
        return
    gone = next(each for each in addresses if each.address == chosen)
    rest = [each for each in addresses if each.address != chosen]
    show(parts.effect(
        [(one.name, f"{len(addresses)} addresses, wrote {one.sent:,}, received {one.received:,}")],
        [
            (one.name, f"{len(rest)} without {chosen}, wrote {one.sent - gone.sent:,}"),
            (gone.names[0] if gone.names else chosen, f"{chosen}, wrote {gone.sent:,}, received {gone.received:,}"),
        ],
    ))  # fmt: skip
    st.caption(SLOW)
    if st.button("Split", type="primary", icon=":material/call_split:"):
        _decide(space, store, lambda conn: deciding.split(conn, _known(space, store, one), chosen), rest[0].address)


def _merge(space: Workspace, store: str, one: Listed, everybody: Sequence[Listed]) -> None:
    part("Is somebody else this person too?")
    choose_person(space, store, "The other one", "with")
    other = _other(everybody)
    if other is None or other.id == one.id:
        return
    both = _known(space, store, one), _known(space, store, other)
    with space.store(store).reader() as conn:
        together = effect(conn, *both)
    show(parts.effect(
        [(each.name, f"{each.addresses[0]}, wrote {each.sent:,}, received {each.received:,}") for each in (one, other)],
        [(one.name, f"{len(one.addresses) + len(other.addresses)} addresses, {together:,} messages")],
    ))  # fmt: skip
    st.caption(SLOW)
    if st.button("Merge", type="primary", icon=":material/call_merge:"):
        _decide(
            space,
            store,
            lambda conn: deciding.merge(conn, _known(space, store, one), _known(space, store, other)),
            one.addresses[0],
        )


def undo_row(space: Workspace, store: str, one: Decision, address: str | None = None) -> None:
    """A decision with its undo; after it the person who has ``address`` is shown, or the decisions that are left."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.text(f"{one.number}. {one.what}")
        if st.button("Undo", key=f"undo-{one.number}", icon=":material/undo:", type="tertiary"):
            _decide(space, store, lambda conn: deciding.undo(conn, one.number), address)


def _decide(
    space: Workspace, store: str, decision: Callable[[psycopg.Connection[Any]], Decision], address: str | None
) -> None:
    """Carries out a decision while the person waits."""
    with st.spinner("People, threads and graph are brought up to date …", show_time=True):
        carry_out(space.store(store), decision)
    if address is None:
        go("people", store=store, view="decisions")
    with space.store(store).reader() as conn:
        now = people.of_address(conn, address or "")
    go("people", store=store, person=now, view="addresses")


def _other(everybody: Sequence[Listed]) -> Listed | None:
    given = st.query_params.get("with", "")
    return next((each for each in everybody if given == str(each.id)), None)


def _known(space: Workspace, store: str, one: Listed) -> Known:
    """The same person for those who decide: the most used address first."""
    used = space.read(store, ("addresses", one.id), lambda conn: people.addresses(conn, one.id))
    return Known(
        one.id, one.name, tuple(each.address for each in used), one.sent, one.received, "", one.is_owner, one.is_role
    )


def _month(text: str) -> date | None:
    try:
        return date.fromisoformat(f"{text}-01")
    except ValueError:
        return None
