"""The page's entry: Streamlit runs this file for every visit and every click.

Everything that lives longer than one run (stores, models, answers) belongs to the workspace of the server process.
"""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from ui.components import markup
from ui.pages import ask, label, results

st.set_page_config(
    page_title="mailweave", page_icon=str(Path(__file__).with_name("components") / "icon.svg"), layout="wide"
)
markup.style()
asking = st.Page(ask.page, title="Ask", default=True)


def _results() -> None:
    results.page(lambda parameters: st.switch_page(asking, query_params=parameters))


measured = st.Page(_results, title="Results", url_path="results")
labelling = st.Page(label.page, title="Label", url_path="label")
chosen = st.navigation([asking, measured, labelling], position="hidden")
with st.container(horizontal=True, horizontal_alignment="right"):
    st.page_link(asking, label="Ask", icon=":material/search:")
    st.page_link(measured, label="Results", icon=":material/monitoring:")
    st.page_link(labelling, label="Label", icon=":material/rule:")
chosen.run()
