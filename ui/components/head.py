"""The head that all pages share: the sign, the store that the page shows, and the parts of a page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from ui.components import column, coverage
from ui.components.markup import html, join, show
from ui.links import address, linked
from ui.workspace import Workspace

MOST_IN_A_ROW = 4


def head(space: Workspace, *, keeps: Sequence[str] = ()) -> str:
    """Draws it. Returns the store's name: what the address or the person chose, else the one of the settings.

    ``keeps``: parameters of the address that mean the same in another store.
    """
    names = space.store_names()
    given = st.query_params.get("store", space.settings.store)
    store = given if given in names else space.settings.store
    chosen = store
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center", key="head"):
        show(coverage.brand(), narrow=True)
        if len(names) > MOST_IN_A_ROW:
            chosen = st.selectbox(
                "Store", names, names.index(store), key="chosen_store", label_visibility="collapsed", width=180
            )
        elif len(names) > 1:
            chosen = st.segmented_control(
                "Store", names, default=store, key="chosen_store", required=True, label_visibility="collapsed"
            )
    if given != store:
        show(column.empty(f"There is no store “{given}” here; this is “{store}”."))
    if chosen and chosen != store:
        # what else stands in the address are numbers of the other store
        kept = {name: st.query_params.get_all(name) for name in keeps if name in st.query_params}
        st.query_params.from_dict({**kept, "store": str(chosen)})
        store = str(chosen)
    return store


def tabs(page: str, parts: Mapping[str, str], parameter: str, **others: object) -> str:
    """The parts of a page as links; the one that ``parameter`` of the address names, else the first, is returned.

    ``parts``: names and labels. ``others``: parameters that every link keeps.
    """
    given = st.query_params.get(parameter, "")
    here = given if given in parts else next(iter(parts))
    links = [
        html(
            '<a href="{}" class="mw-tab{}" aria-current="{}">{}</a>',
            address(page, **others, **{parameter: name}), " here" if name == here else "",
            "page" if name == here else "false", label,
        )
        for name, label in parts.items()
    ]  # fmt: skip
    linked(html('<div class="mw-tabs" role="navigation">{}</div>', join(links)), key=f"tabs-{page}-{parameter}")
    return here


def part(title: str) -> None:
    """The heading of a part of a page."""
    show(html('<h3 class="mw-part">{}</h3>', title))
