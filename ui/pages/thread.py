"""Thread: a conversation as a tree of who answered whom; what was cited or found stands out where it was written.

The address names a thread, or a message in it; ``cited`` and ``found`` bring the marks along from a question.
"""

from __future__ import annotations

import streamlit as st

from ingest import originals
from ui import messages, threads, workspace
from ui.components import column, message
from ui.components.head import head
from ui.components.markup import clickable, html, show, straight
from ui.components.message_list import page_number, pager
from ui.components.thread import Marked, summary, tree
from ui.links import follow, linked
from ui.threads import Thread
from ui.workspace import Workspace

SIZE = 50
# Threads of up to so many messages are shown open.
SHORT = 6
MOST_SHOWN = 100_000


@column.errors_shown()
def page() -> None:
    """Draws the page."""
    space = workspace.current()
    store = head(space)
    given = st.query_params
    number = given.get("thread", "")
    if not number.isdecimal() and "message" not in given:
        show(column.empty("A conversation opens here: click a message on any other page."))
        return
    with space.store(store).reader() as conn:
        chosen, here = threads.find(conn, int(number) if number.isdecimal() else None, given.get("message"))
        if chosen is None:
            show(column.empty(
                "This message or thread is not in the store any more. Look for it by its words on the page Ask."
            ))  # fmt: skip
            return
        whole = threads.thread(conn, chosen)
        cited, found = (threads.ids(conn, given.get_all(name)) for name in ("cited", "found"))
    linked(summary(whole, store), key="thread-head")
    unfold = False
    if len(whole.nodes) > SHORT:
        unfold = st.toggle("Show all texts", key="open", bind="query-params")
    marked = Marked(frozenset(here), frozenset(cited), frozenset(found), unfold or len(whole.nodes) <= SHORT)
    _branches(space, store, whole, marked)


def _branches(space: Workspace, store: str, whole: Thread, marked: Marked) -> None:
    pages = max(1, -(-len(whole.nodes) // SIZE))
    if "page" in st.query_params:
        number = min(page_number("page"), pages)
    else:
        places = [place for place, node in enumerate(whole.nodes) if node.id in (marked.here or marked.any)]
        number = 1 + (places[0] // SIZE if places else 0)
    nodes = whole.nodes[(number - 1) * SIZE : number * SIZE]
    with space.store(store).reader() as conn:
        texts = messages.fulls(conn, [node.id for node in nodes] + [node.answers for node in nodes if node.answers])
        quoted_in = threads.quotations(conn, [node.id for node in nodes if node.recovered])
    pager("page", number, len(whole.nodes), SIZE)
    opened = clickable(tree(nodes, texts, quoted_in, marked, store), key="thread-tree")
    if opened is not None:
        what, _, id_ = opened.partition(":")
        if id_.isdecimal():
            _dialog(space, store, what, int(id_))
        else:
            follow(opened)


def _dialog(space: Workspace, store: str, what: str, number: int) -> None:
    titles = {"whole": "Message", "source": "Source", "file": "Attachment"}
    if what not in titles:
        return

    @st.dialog(titles[what], width="large")
    def dialog() -> None:
        with column.errors_shown():
            {"whole": _whole, "source": _source, "file": _file}[what](space, store, number)

    dialog()


def _whole(space: Workspace, store: str, number: int) -> None:
    with space.store(store).reader() as conn:
        found = messages.full(conn, number)
    show(message.whole(found) if found else column.empty("This message is no longer in the store."))


def _source(space: Workspace, store: str, number: int) -> None:
    with space.store(store).reader() as conn:
        raw = originals.original(conn, number)
    st.caption(f"{len(raw.data):,} bytes, as they stand in the source.")
    st.download_button("Save as .eml", raw.data, f"message-{number}.eml", "message/rfc822", icon=":material/save:")
    _text(raw.data.decode("utf-8", "replace"), "mw-raw")


def _file(space: Workspace, store: str, number: int) -> None:
    with space.store(store).reader() as conn:
        known = originals.attached(conn, number)
        if known is None:
            show(column.empty("This attachment is no longer in the store."))
            return
        show(html("<b>{}</b> <span class='mw-note'>{}, {:,} bytes</span>", known.name, known.type, known.bytes))
        text, state, detail = known.text, known.state, known.detail
        with column.errors_shown():
            data = originals.content(originals.original(conn, known.message), known.part)
            name = straight(known.name) or "attachment"
            # never under the type that the mail claims, under which a browser might open it in the page's own name
            st.download_button("Save", data, name, "application/octet-stream", icon=":material/save:")
    words = {
        "": "Its text was not read yet: an older version took this mail in",
        "cut": "Only a part is shown",
        "empty": "No text",
        "skipped": "Not read as text",
        "failed": "Not readable",
    }
    if state in words:
        show(column.empty(f"{words[state]}: {detail}." if detail else f"{words[state]}."))
    if text:
        _text(text, "mw-body")


def _text(text: str, name: str) -> None:
    show(html('<div class="{}" tabindex="0"><div class="new">{}</div></div>', name, text[:MOST_SHOWN]))
    if len(text) > MOST_SHOWN:
        st.caption(f"The first {MOST_SHOWN:,} of {len(text):,} characters. Save it to read all.")
