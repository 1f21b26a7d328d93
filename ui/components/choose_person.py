"""Choosing a person: those who write most in a list, anybody else by typing a part of their name."""

from __future__ import annotations

import streamlit as st

from ui import who
from ui.components.markup import clickable, html, join
from ui.who import Who
from ui.workspace import Workspace


def choose_person(
    space: Workspace, store: str, label: str, parameter: str, *, default: int | None = None
) -> int | None:
    """Draws the field. The choice is the parameter of the address of that name; None when nobody is chosen.

    Where what was typed fits several people, the one with most mail is taken and the others are offered below.
    """
    box, missed, others = f"{parameter}_box", f"{parameter}_missed", f"{parameter}_others"
    given = st.query_params.get(parameter, "")
    chosen = int(given) if given.isdecimal() and len(given) < 18 else default
    listed = space.read(store, "frequent people", who.frequent)
    people = {one.id: one for one in listed}
    if chosen is not None and chosen not in people:
        people |= {one.id: one for one in space.read(store, ("person", chosen), lambda conn: who.these(conn, [chosen]))}

    def changed() -> None:
        value = st.session_state[box]
        st.session_state[others], st.session_state[missed] = [], ""
        if isinstance(value, str):
            with space.store(store).reader() as conn:
                found = who.named(conn, value)
            if not found:
                st.session_state[missed] = value
                return
            st.session_state[others] = found[1:]
            value = found[0].id
        _set(parameter, value)

    st.session_state[box] = chosen if chosen in people else None
    st.selectbox(
        label, list(people), key=box, format_func=lambda one: _called(people, one), accept_new_options=True,
        on_change=changed, placeholder="Choose, or type a name or address …",
    )  # fmt: skip
    if st.session_state.get(missed):
        st.caption(f"Nobody in this mailbox is called “{st.session_state[missed]}”. Try a part of the name or address.")
    if offered := st.session_state.get(others):
        _offer(offered, parameter)
    return chosen if chosen in people else None


def _offer(offered: list[Who], parameter: str) -> None:
    def take(person: str) -> None:
        st.session_state[f"{parameter}_others"] = []
        _set(parameter, int(person))

    chips = join(
        html(
            '<button type="button" class="mw-pick" data-open="{}" title="{}">{}</button>', one.id, one.address, one.name
        )
        for one in offered
    )
    clickable(html('<div class="mw-picks">or {}</div>', chips), key=f"{parameter}_offered", on_open=take)


def _set(parameter: str, value: int | None) -> None:
    if value is None:
        st.query_params.pop(parameter, None)
    else:
        st.query_params[parameter] = str(value)


def _called(people: dict[int, Who], one: object) -> str:
    found = people.get(one) if isinstance(one, int) else None
    return str(one) if found is None else f"{found.name} (you)" if found.is_owner else found.name
