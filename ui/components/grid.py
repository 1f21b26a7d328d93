"""Counts over time that can be chosen by dragging: bars along one line, or a heat map of rows and columns.

Drawn in the browser by a small program of our own (grid.js) under the page's content security policy. Every cell says
its number to a screen reader; with the keyboard arrows go from cell to cell, with Shift they choose several, Enter
takes the choice and Escape gives it up.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import streamlit as st

_HERE = Path(__file__).parent
_component = st.components.v2.component(
    "mailweave_grid",
    html='<div class="grid"><svg role="application"></svg><span class="status" aria-hidden="true"></span></div>',
    css=(_HERE / "grid.css").read_text(encoding="utf-8"),
    js=(_HERE / "grid.js").read_text(encoding="utf-8"),
)

Range = tuple[int, int, int, int]


def bars(
    names: Sequence[str],
    values: Sequence[int],
    *,
    key: str,
    title: str,
    long: Sequence[str],
    selected: tuple[int, int] | None,
    on_choose: Callable[[tuple[int, int] | None], None],
    height: int = 150,
) -> None:
    """One bar for each value. ``names`` stand below (as many as there is room for), ``long`` is what is said of each.
    ``on_choose`` is told the first and last chosen place before the page is drawn again; None: nothing is chosen."""
    _draw(
        {
            "rows": [""], "columns": list(names), "long": list(long), "values": [list(values)], "heat": False,
            "height": height, "apart": 62, "title": title, "hint": "Drag over months to choose them.",
            "selected": None if selected is None else [*selected, 0, 0],
        },
        key,
        lambda chosen: on_choose(None if chosen is None else chosen[:2]),
    )  # fmt: skip


def heat(
    rows: Sequence[str],
    columns: Sequence[str],
    values: Sequence[Sequence[int]],
    *,
    key: str,
    title: str,
    hint: str,
    selected: Range | None,
    on_choose: Callable[[Range | None], None],
    height: int = 250,
) -> None:
    """A cell for each row and column. ``selected``: first and last column, first and last row."""
    _draw(
        {
            "rows": list(rows), "columns": list(columns), "values": [list(row) for row in values], "heat": True,
            "height": height, "apart": 30, "title": title, "hint": hint,
            "selected": None if selected is None else list(selected),
        },
        key,
        on_choose,
    )  # fmt: skip


def _draw(data: dict[str, object], key: str, on_choose: Callable[[Range | None], None]) -> None:
    def brushed() -> None:
        parts = [int(part) for part in str(st.session_state[key].brushed).split(",") if part.isdecimal()]
        on_choose((parts[0], parts[1], parts[2], parts[3]) if len(parts) == 4 else None)

    _component(key=key, data=data, on_brushed_change=brushed)
