"""The page's entry: Streamlit runs this file for every visit and every click.

Everything that lives longer than one run (stores, models, answers) belongs to the workspace of the server process.
"""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from ui.components import markup
from ui.pages import ask

st.set_page_config(
    page_title="mailweave", page_icon=str(Path(__file__).with_name("components") / "icon.svg"), layout="wide"
)
markup.style()
st.navigation([st.Page(ask.page, title="Ask", default=True)], position="hidden").run()
