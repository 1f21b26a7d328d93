"""From one page to another: by the page's name and the parameters of its address.

A link is an ordinary link, so that it can be opened in another tab; a plain click on it changes the page without
loading the program again.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlencode, urlsplit

import streamlit as st
from markupsafe import Markup

from ui.components.markup import clickable

if TYPE_CHECKING:
    from streamlit.navigation.page import StreamlitPage

_pages: dict[str, StreamlitPage] = {}


def register(pages: Mapping[str, StreamlitPage]) -> None:
    """Tells which pages there are, by name; the one at the root of the address is called ``ask``."""
    _pages.update(pages)


def address(page: str, /, **parameters: object) -> str:
    """The address of a page on this server. A parameter that is None is left out; a list is given several times."""
    given = {name: value for name, value in parameters.items() if value is not None}
    path = "" if page == "ask" else page
    return f"/{path}?{urlencode(given, doseq=True)}"


def linked(markup: Markup, key: str) -> None:
    """Draws ``markup``, whose links made with :func:`address` change the page when they are clicked."""
    if (opened := clickable(markup, key)) is not None:
        follow(opened)


def follow(opened: str) -> None:
    """Goes where an address of this server leads; anything else is left alone."""
    parts = urlsplit(opened)
    page = _pages.get(parts.path.strip("/") or "ask")
    if page is not None and not parts.netloc:
        st.switch_page(page, query_params=parse_qs(parts.query))


def go(page: str, /, **parameters: object) -> None:
    """Goes to a page."""
    follow(address(page, **parameters))
