"""One or several of a few things, kept in the address by name (Streamlit's own binding would write what is shown)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st


def choice(
    label: str,
    options: Mapping[str, str],
    parameter: str,
    default: str,
    *,
    clears: tuple[str, ...] = (),
    named: bool = False,
) -> str:
    """Draws the choice; what is chosen, by its key in ``options``, whose values are shown.

    ``clears``: other parameters of the address that mean nothing after another choice. ``named``: with its label above,
    as the fields beside it have; else the label is for screen readers.
    """
    box = f"{parameter}_choice"
    given = st.query_params.get(parameter, default)
    chosen = given if given in options else default

    def changed() -> None:
        for name in clears:
            st.query_params.pop(name, None)
        st.query_params[parameter] = st.session_state[box]

    st.session_state[box] = chosen
    st.segmented_control(
        label, list(options), format_func=options.__getitem__, key=box, required=True, on_change=changed,
        label_visibility="visible" if named else "collapsed", width="content",
    )  # fmt: skip
    return chosen


def several(label: str, options: Mapping[str, str], parameter: str, default: Sequence[str] = ()) -> list[str]:
    """Draws the choice of any of ``options``; what is chosen, by key, in the order of ``options``.

    None chosen is another thing than nothing said, so it stands in the address as an empty value.
    """
    box = f"{parameter}_several"
    given = st.query_params.get_all(parameter) if parameter in st.query_params else list(default)
    chosen = [name for name in options if name in given]

    def changed() -> None:
        now = [name for name in options if name in st.session_state[box]]
        if now == [name for name in options if name in default]:
            st.query_params.pop(parameter, None)
        else:
            st.query_params[parameter] = now or [""]

    st.session_state[box] = chosen
    st.pills(
        label, list(options), selection_mode="multi", format_func=options.__getitem__, key=box, on_change=changed,
        label_visibility="collapsed", wrap=True,
    )  # fmt: skip
    return chosen
