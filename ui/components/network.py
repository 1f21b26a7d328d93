"""A network as a picture that can be clicked and walked with the keyboard.

Drawn in the browser from plain values by a small program of our own (network.js), which loads nothing and evaluates
nothing: the page's content security policy holds for it. Nodes that stay keep their place when others come.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import streamlit as st

_HERE = Path(__file__).parent
_HTML = """
<div class="net">
  <svg role="application" tabindex="-1"></svg>
  <div class="foot"><span class="status" aria-hidden="true"></span><span class="zoom">
    <button type="button" data-zoom="out" aria-label="Smaller" title="Smaller">−</button>
    <button type="button" data-zoom="in" aria-label="Larger" title="Larger">+</button>
    <button type="button" data-zoom="all" aria-label="Show all" title="Show all">⤢</button>
  </span></div>
</div>
"""
_component = st.components.v2.component(
    "mailweave_network",
    html=_HTML,
    css=(_HERE / "network.css").read_text(encoding="utf-8"),
    js=(_HERE / "network.js").read_text(encoding="utf-8"),
)
COLOURS = 8
HINT = "Click a person or a line for the messages. With the keyboard: arrows, Enter, + for more people."


@dataclass(frozen=True)
class Node:
    """``r``: radius in pixels. ``colour``: number of a group below COLOURS, or ``other``. ``text``: everything about
    it in a line, for hover and screen readers. ``more``: how many neighbours could be added. ``front``: of labels that
    would overlap the one further in front is shown. ``square``: drawn so, to be told from people."""

    id: str
    label: str
    text: str
    r: float
    colour: int | str = "other"
    more: int = 0
    front: int = 0
    square: bool = False


@dataclass(frozen=True)
class Edge:
    """``width`` in pixels, ``pull``: how strongly it holds its ends together, ``faint``: only seen when one of its ends
    is looked at, ``strong``: part of what was asked for."""

    a: str
    b: str
    text: str
    width: float = 1.0
    pull: float = 1.0
    faint: bool = False
    strong: bool = False


def network(
    nodes: Sequence[Node],
    edges: Sequence[Edge],
    *,
    title: str,
    key: str,
    centre: str = "",
    selected: str = "",
    height: int = 560,
    hint: str = HINT,
    on_pick: Callable[[str], None] | None = None,
) -> None:
    """Draws it. ``on_pick`` is told what was clicked before the page is drawn again: ``node:ID``, ``edge:A-B`` or
    ``more:ID``. ``selected``: the id of a node, or ``A-B`` of an edge."""

    def picked() -> None:
        if on_pick is not None:
            on_pick(str(st.session_state[key].picked))

    data = {
        "nodes": [asdict(node) for node in nodes],
        "edges": [asdict(edge) for edge in edges],
        "title": title,
        "centre": centre,
        "selected": selected,
        "height": height,
        "hint": hint,
    }
    _component(key=key, data=data, on_picked_change=picked)
