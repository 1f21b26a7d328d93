"""Query: read-only Cypher over the graph and SQL over the views, with the schema beside and what came of it below.

Query and language stand in the address. A query that is opened from an address runs at once: it can only read, runs in
a transaction of its own for some seconds at most, and gives at most some hundred rows.
"""

from __future__ import annotations

import streamlit as st

from graph import current as graph_state
from graph import views
from graph.errors import QueryFailed
from ui import console, links, workspace
from ui.components import column, console_parts
from ui.components.choice import choice
from ui.components.ego_parts import legend
from ui.components.head import head
from ui.components.markup import clickable, show
from ui.components.message import count
from ui.components.network import network
from ui.components.trace import milliseconds
from ui.console import KINDS, ROWS, Language, Result
from ui.console_examples import EXAMPLES
from ui.ego import Group
from ui.links import linked
from ui.workspace import Workspace

LANGUAGES = {"cypher": "Cypher", "sql": "SQL"}
LONGEST = 4000


@column.errors_shown()
def page() -> None:
    """Draws the page."""
    space = workspace.current()
    store = head(space)
    language = _language()
    left, right = st.columns([13, 6], gap="large")
    with left:
        query = _form(language)
        if query:
            _outcome(space, store, language, query)
        else:
            show(
                column.empty(
                    "Write a query, or click an example above. It can only read: nothing in the mailbox changes."
                )
            )
    with right:
        _schema(space, store, language)


def _language() -> Language:
    return "sql" if choice("Language", LANGUAGES, "language", "cypher", clears=("q", "as")) == "sql" else "cypher"


def _form(language: Language) -> str:
    """The text that is to run, from the address."""
    query = str(st.query_params.get("q", ""))[:LONGEST]

    def submitted() -> None:
        _run(st.session_state["query_text"])

    clickable(console_parts.examples(EXAMPLES[language]), key="query_examples", on_open=_run)
    if st.session_state.get("query_shown") != (language, query):
        st.session_state["query_shown"], st.session_state["query_text"] = (language, query), query
    with st.form("console", border=False):
        st.text_area(
            f"{LANGUAGES[language]} query", key="query_text", height=150, max_chars=LONGEST,
            label_visibility="collapsed", placeholder=EXAMPLES[language][0][1],
        )  # fmt: skip
        st.form_submit_button(
            "Run", type="primary", icon=":material/play_arrow:", on_click=submitted, help="Ctrl+Enter"
        )
    return query.strip() and query


def _run(query: str) -> None:
    if query.strip():
        st.query_params["q"] = query
    else:
        st.query_params.pop("q", None)


def _outcome(space: Workspace, store: str, language: Language, query: str) -> None:
    try:
        with st.spinner("Running …", show_time=True):
            result = space.read(
                store, ("query", language, query), lambda conn: console.run(conn, store, language, query)
            )
    except QueryFailed as error:
        show(console_parts.failed(error))
        return
    n = len(result.cells)
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        more = f", the first {ROWS} of more" if result.cut else ""
        st.caption(f"{count(n, 'row')}{more} · {milliseconds(result.milliseconds)}", width="content")
        shown = "table"
        if result.nodes:
            shown = choice("Shown as", {"table": "Table", "graph": "Graph"}, "as", "table")
        if n:
            st.download_button(
                "CSV", console.as_csv(result), "query.csv", "text/csv", icon=":material/download:", type="tertiary",
                on_click="ignore",
            )  # fmt: skip
    if not n:
        show(column.empty("The query ran and gave no rows."))
    elif shown == "graph":
        _network(result)
    else:
        linked(console_parts.rows(result), key="query_rows")


def _network(result: Result) -> None:
    """The rows as a picture; a click on a person or a message goes to its page."""

    def picked(what: str) -> None:
        st.session_state["query_goes"] = result.pages.get(what.removeprefix("node:"))

    network(
        result.nodes, result.edges, key="query_network", centre=str(hash(result.nodes)), on_pick=picked,
        title=f"{len(result.nodes)} vertices and {len(result.edges)} edges of the result. Arrow keys go from one to "
        "the next, Enter opens its page. The same stands in the table.",
        hint="Click a person or a message to open it." + ("" if result.edges else " RETURN edges to see lines."),
    )  # fmt: skip
    groups = [
        Group(place, kind, n)
        for place, kind in enumerate(KINDS)
        if (n := sum(node.colour == place for node in result.nodes))
    ]
    show(legend(groups, 0))
    if goes := st.session_state.pop("query_goes", None):
        links.follow(goes)


def _schema(space: Workspace, store: str, language: Language) -> None:
    if language == "cypher":
        state = space.read(store, "graph state", graph_state.state)
        drawn = console_parts.graph_schema(state.counts if state else {})
    else:
        drawn = console_parts.views_schema(space.read(store, "views", views.documentation))
    clickable(drawn, key="query_schema", on_open=_run)
