"""Thread: a conversation as a tree of who answered whom, with its new text and its history folded."""

from __future__ import annotations

import streamlit as st

from graph.plan import Plan
from ui import workspace
from ui.components import column
from ui.components.head import head
from ui.components.message_list import message_list


def page() -> None:
    """Draws the page."""
    with column.errors_shown():
        space = workspace.current()
        store = head(space)
        message_list(space, store, Plan())
