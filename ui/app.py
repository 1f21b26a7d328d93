"""The page's entry: Streamlit runs this file for every visit and every click.

Everything that lives longer than one run (stores, models, answers) belongs to the workspace of the server process.
"""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from ui import links
from ui.components import markup
from ui.pages import ask, graph, label, mailbox, people, query, results, thread, time

st.set_page_config(
    page_title="mailweave", page_icon=str(Path(__file__).with_name("components") / "icon.svg"), layout="wide"
)
markup.style()
asking = st.Page(ask.page, title="Ask", icon=":material/search:", default=True)


def _results() -> None:
    results.page(lambda parameters: st.switch_page(asking, query_params=parameters))


# In the order of the navigation; a page that needs something chosen elsewhere is led to, and not in it.
pages = {
    "ask": asking,
    "people": st.Page(people.page, title="People", icon=":material/group:", url_path="people"),
    "graph": st.Page(graph.page, title="Graph", icon=":material/hub:", url_path="graph"),
    "time": st.Page(time.page, title="Time", icon=":material/schedule:", url_path="time"),
    "query": st.Page(query.page, title="Query", icon=":material/terminal:", url_path="query"),
    "mailbox": st.Page(mailbox.page, title="Mailbox", icon=":material/inbox:", url_path="mailbox"),
    "results": st.Page(_results, title="Results", icon=":material/monitoring:", url_path="results"),
    "label": st.Page(label.page, title="Label", icon=":material/rule:", url_path="label"),
    "thread": st.Page(thread.page, title="Thread", icon=":material/forum:", url_path="thread"),
}
links.register(pages)
chosen = st.navigation(list(pages.values()), position="hidden")
store = st.query_params.get("store")
with st.container(horizontal=True, horizontal_alignment="right", key="navigation"):
    for name, page in pages.items():
        if name != "thread":
            st.page_link(page, query_params={"store": store} if store else None)
chosen.run()
