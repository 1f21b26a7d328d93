"""A list of messages, page by page: date, sender, subject and marks; each line leads to the message in its thread.

The list is given as ids, or as a plan that describes them, so that whatever can be counted can be opened. Only one page
is read at a time. The number of the page stands in the address.
"""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st
from markupsafe import Markup

from graph.execute import answer
from graph.plan import Plan
from ui import messages
from ui.components import column
from ui.components.markup import html, join, show
from ui.components.message import day, own_marks
from ui.links import address, linked
from ui.messages import Headline
from ui.workspace import Workspace

SIZE = 25


def message_list(
    space: Workspace, store: str, which: Sequence[int] | Plan, *, key: str = "messages", empty: str = "No messages."
) -> None:
    """Draws the messages of ``which`` in its order: ids, or a plan over messages.

    ``key`` is also the parameter of the address that holds the page's number. ``empty``: what to say, and what to do,
    when there is none. A plan that cannot be answered shows its error in the list's place.
    """

    @st.fragment(key=f"{key}-list")
    def part() -> None:
        with column.errors_shown():
            lines, total, number = _read(space, store, which, page_number(key))
            if not lines:
                show(column.empty(empty))
                return
            linked(rows(store, lines), key=f"{key}-rows")
            pager(key, number, total, SIZE)

    part()


def rows(store: str, lines: Sequence[Headline]) -> Markup:
    """The lines, each a link."""
    return html('<div class="mw-list">{}</div>', join(_row(store, line) for line in lines))


def page_number(key: str) -> int:
    """The number of the page that the address asks for; the first one is 1."""
    given = str(st.query_params.get(key, "1"))
    return max(1, int(given)) if given.isdecimal() and len(given) < 9 else 1


def pager(key: str, number: int, total: int, size: int) -> None:
    """Where one is among ``total`` lines of ``size`` a page, and two buttons; nothing where all are shown."""
    if total <= size:
        return

    def turn(to: int) -> None:
        st.query_params[key] = str(to)

    pages = -(-total // size)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            "Back", key=f"{key}-back", icon=":material/chevron_left:", disabled=number <= 1, on_click=turn,
            args=(number - 1,), type="tertiary",
        )  # fmt: skip
        st.caption(f"{(number - 1) * size + 1:,} to {min(number * size, total):,} of {total:,}", width="content")
        st.button(
            "On", key=f"{key}-on", icon=":material/chevron_right:", disabled=number >= pages, on_click=turn,
            args=(number + 1,), type="tertiary", icon_position="right",
        )  # fmt: skip


def _read(space: Workspace, store: str, which: Sequence[int] | Plan, number: int) -> tuple[list[Headline], int, int]:
    """Lines of the page, number of all messages, and the page's number: the last one where there are fewer."""
    with space.store(store).reader() as conn:
        if isinstance(which, Plan):
            found = answer(conn, which, limit=number * SIZE)
            ids, total = [int(item.id) for item in found.items], found.total
        else:
            ids, total = list(which[: number * SIZE]), len(which)
        number = max(1, min(number, -(-total // SIZE)))
        shown = ids[(number - 1) * SIZE : number * SIZE]
        lines = messages.headlines(conn, shown)
    return [lines[one] for one in shown if one in lines], total, number


def _row(store: str, line: Headline) -> Markup:
    return html(
        '<a class="mw-row" href="{}"><span class="when">{}</span><span class="who">{}</span>'
        '<span class="what">{}{}</span></a>',
        address("thread", store=store, message=line.message_id),
        day(line.local_at),
        line.sender,
        html("<b>{}</b>", line.subject),
        html('<span class="mw-badges">{}</span>', join(marks)) if (marks := own_marks(line)) else "",
    )
