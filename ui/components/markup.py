"""HTML of our own around texts of strangers: every text is escaped on its way in, by construction.

Only :class:`markupsafe.Markup` reaches the browser, and only literals of this program become Markup; whatever is
formatted into one is escaped by it. Streamlit's own sanitizer is the second line, the page's content security policy
the third.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

import streamlit as st
from markupsafe import Markup

# Embeddings, overrides and isolates of directions. Letters of all scripts have their direction without them.
_TURNS = dict.fromkeys([*range(0x202A, 0x202F), *range(0x2066, 0x206A)])
_STYLE = Path(__file__).with_name("style.css")

# A row that can be clicked tells Python its data-open, a link to a page of this program its address. The HTML comes
# from our own escaped Markup; it is still taken apart and rebuilt from a short list of elements and attributes, since
# the component has no sanitizer of its own. What is marked data-here is scrolled to when it comes; data-bars, numbers
# with blanks between, are drawn as small bars.
_CLICKABLE = """
const ELEMENTS = new Set(['DIV','SPAN','P','OL','UL','LI','BUTTON','B','I','EM','STRONG','SMALL','DETAILS','SUMMARY',
  'TABLE','THEAD','TBODY','TR','TH','TD','TIME','BR','MARK','A','CAPTION','H2','H3','DL','DT','DD']);
const ATTRIBUTES = new Set(['class','title','data-open','data-here','type','aria-label','aria-sort','aria-current',
  'aria-hidden','role','open','scope']);
const OWN_PAGE = /^\\/[a-z]*\\?/;
function bars(made, numbers) {
  const values = numbers.split(' ').map(Number), most = Math.max(1, ...values);
  for (const value of values) {
    const bar = document.createElement('i');
    bar.style.height = value ? `${Math.max(8, 100 * value / most)}%` : '0';
    made.append(bar);
  }
}
function copy(from, to) {
  for (const node of from.childNodes) {
    if (node.nodeType === Node.TEXT_NODE) to.append(node.data);
    else if (node.nodeType === Node.ELEMENT_NODE && ELEMENTS.has(node.tagName)) {
      const made = document.createElement(node.tagName);
      for (const {name, value} of node.attributes) {
        if (ATTRIBUTES.has(name) || (name === 'href' && OWN_PAGE.test(value))) made.setAttribute(name, value);
        else if (name === 'data-share') made.style.setProperty('--share', parseFloat(value));
      }
      if (node.dataset.bars) bars(made, node.dataset.bars);
      copy(node, made);
      to.append(made);
    }
  }
}
export default function (component) {
  const { data, parentElement, setTriggerValue } = component;
  const root = parentElement.querySelector('.mw-root');
  if (root.drawn !== data) {
    root.replaceChildren();
    copy(new DOMParser().parseFromString(data, 'text/html').body, root);
    root.drawn = data;
    root.querySelector('[data-here]')?.scrollIntoView({ block: 'center' });
  }
  root.onclick = (event) => {
    const row = event.target.closest('[data-open], a[href]');
    if (!row || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    setTriggerValue('opened', row.dataset.open ?? row.getAttribute('href'));
  };
}
"""
_component = st.components.v2.component(
    "mailweave_clickable", html='<div class="mw-root"></div>', js=_CLICKABLE, isolate_styles=False
)


def html(template: str, *values: object, **named: object) -> Markup:
    """``template`` (a literal of this program) with ``values`` escaped into its ``{}``."""
    made = Markup(template).format(*values, **named)  # noqa: S704 - the one place; values are escaped by it
    return Markup(made.translate(_TURNS))  # noqa: S704 - the same without turns


def straight(text: str) -> str:
    """``text`` without the characters that turn what follows around: ``invoice<turn>fdp.exe`` is no PDF."""
    return text.translate(_TURNS)


def join(parts: Iterable[Markup], between: str = "") -> Markup:
    """Parts one after the other."""
    return Markup(between).join(parts)  # noqa: S704 - between is a literal


def show(markup: Markup, *, narrow: bool = False) -> None:
    """Draws it. ``narrow``: only as wide as it has to be, for a place in a row of other things."""
    st.html(_escaped(markup), width="content" if narrow else "stretch")


def clickable(markup: Markup, key: str, on_open: Callable[[str], None] | None = None) -> str | None:
    """Draws it; the ``data-open`` of the element that was just clicked, else None. ``on_open`` is told of a click
    before the page is drawn again, when widgets can still be set."""

    def opened() -> None:
        if on_open is not None:
            on_open(str(st.session_state[key].opened))

    result = _component(key=key, data=str(_escaped(markup)), on_opened_change=opened)
    return str(result.opened) if result.opened is not None else None


def _escaped(markup: Markup) -> Markup:
    if not isinstance(markup, Markup):
        raise TypeError("a text that was not escaped must not be drawn")
    return markup


@st.cache_data(show_spinner=False)
def _read_style(modified: float) -> str:
    return _STYLE.read_text(encoding="utf-8")


def style() -> None:
    """The stylesheet, once a page.

    Dialogs stand outside the element to which Streamlit gives its colour scheme, so the whole page is told.
    """
    scheme = {"light": "light", "dark": "dark"}.get(str(st.context.theme.type), "light dark")
    st.html(f"<style>:root {{ color-scheme: {scheme}; }}\n{_read_style(_STYLE.stat().st_mtime)}</style>")
