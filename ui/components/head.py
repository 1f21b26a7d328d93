"""The head that the pages of the explorer share: the sign, and the store that the page shows."""

from __future__ import annotations

import streamlit as st

from ui.components import column, coverage
from ui.components.markup import show
from ui.workspace import Workspace

MOST_IN_A_ROW = 4


def head(space: Workspace) -> str:
    """Draws it. Returns the store's name: what the address or the person chose, else the one of the settings."""
    left, right = st.columns([1, 3], vertical_alignment="center")
    with left:
        show(coverage.brand())
    names = space.store_names()
    given = st.query_params.get("store", space.settings.store)
    store = given if given in names else space.settings.store
    if given != store:
        show(column.empty(f"There is no store “{given}” here; this is “{store}”."))
    if len(names) > 1:
        with right, st.container(horizontal=True, horizontal_alignment="right"):
            if len(names) > MOST_IN_A_ROW:
                chosen = st.selectbox(
                    "Store", names, names.index(store), key="chosen_store", label_visibility="collapsed", width=200
                )
            else:
                chosen = st.segmented_control(
                    "Store", names, default=store, key="chosen_store", required=True, label_visibility="collapsed"
                )
        if chosen and chosen != store:
            # what else stands in the address are numbers of the other store
            st.query_params.from_dict({"store": str(chosen)})
            store = str(chosen)
    return store
