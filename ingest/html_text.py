"""HTML mail to plain text, keeping what the mail programs' containers tell.

Nothing runs and nothing is loaded: the tree is only read. Hidden elements, scripts, styles and comments are dropped.
Blocks become lines, lists and tables stay readable, a link keeps its words. The containers by which programs mark
quotations, forwarded mail, signatures and attributions come out as offsets into the text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import islice
from typing import Final, Literal

from bs4 import BeautifulSoup
from bs4.element import CData, NavigableString, PageElement, Tag

from ingest.html_hidden import Shade, Styles

ContainerKind = Literal["quoted", "forwarded", "attribution", "signature", "rest"]


@dataclass(frozen=True, slots=True)
class Container:
    """Characters ``start`` to ``end`` of the text stood in a container of ``kind``. "rest": all that follows."""

    start: int
    end: int
    kind: ContainerKind


@dataclass(frozen=True, slots=True)
class HtmlText:
    """The plain text of an HTML mail and its containers, in document order."""

    text: str
    containers: tuple[Container, ...]


_DROPPED: Final = frozenset(
    "script style head title meta link noscript template object embed iframe svg math select option button".split()
)
_BLOCKS: Final = frozenset(
    "address article aside blockquote body center dd details dir div dl dt fieldset figcaption figure footer form h1 h2"
    " h3 h4 h5 h6 header hr html li main menu nav ol p pre section table tbody td tfoot th thead tr ul".split()
)
_PARAGRAPHS: Final = frozenset("p h1 h2 h3 h4 h5 h6 ul ol dl pre table blockquote".split())
# "<ann@example.com>" that a careless program did not escape is an address, not an element.
_BARE_ADDRESS: Final = re.compile(r"<((?:mailto:)?[\w.+=-]{1,64}@[\w.-]{1,255})>")
_SPACES: Final = re.compile(r"[ \t\r\n\f\u00a0\u200b\ufeff]+")
_QUOTE_NAMES: Final = re.compile(
    r"yahoo_quoted|protonmail_quote|tutanota_quote|zmail_extra|gmx-quote|front-blockquote|wmi-quote|mail-quote-collapse"
    r"|freshdesk_quote|hs_reply|mail-editor-reference-message-container|ms-outlook-mobile-reference-message|iwm_quote"
    r"|messageReplySection|__QUOTED_TEXT__|AppleOriginalContents|cm_quote|quoted-mail|x_protonmail_quote"
)
_SIGNATURE_NAMES: Final = re.compile(
    r"gmail_signature|moz-signature|AppleMailSignature|ms-outlook-mobile-signature|protonmail_signature_block"
    r"|(?:^|\s)(?:x_)?Signature(?:\s|$)|yahoo-signature|ydp\w*signature|zmail_signature|__SIG_POST__|__SIG_PRE__"
)
_ATTRIBUTION_NAMES: Final = re.compile(r"gmail_attr|moz-cite-prefix|airmail_on|protonmail_quote_header")
_REST_NAMES: Final = re.compile(
    r"divRplyFwdMsg|appendonsend|stopSpelling|OutlookMessageHeader|ms-outlook-mobile-body-separator-line|zwchr|__DIVIDER__"
)
_OUTLOOK_LINE: Final = re.compile(r"border-top\s*:\s*(?:solid|[\d.]+pt\s+solid|1px\s+solid)[^;]*(?:;|$)", re.I)
_INDENT_ONLY: Final = re.compile(
    r"border\s*:\s*(?:none|medium none|0)|margin[^;:]*:\s*0(?:px)?\s+0(?:px)?\s+0(?:px)?\s+40px", re.I
)
_TAG: Final = re.compile(r"<[^<>]{0,2000}>?")
_MOST_TAGS: Final = 250_000
_MOST_TAGGED: Final = 8_000_000  # characters
_FEW_NODES: Final = 60  # that are looked into for a header label


def html_to_text(html: str) -> HtmlText:
    """The text of an HTML source and its containers. Never raises on broken HTML; time is linear in its length."""
    if html.count("<") > _MOST_TAGS:  # no mail of a person: told from its tags, no tree is made of it
        html = _TAG.sub(" ", html[:_MOST_TAGGED])
    source = _BARE_ADDRESS.sub(r"&lt;\1&gt;", html) if "@" in html else html
    soup = BeautifulSoup(source, "lxml")
    writer = _Writer()
    _walk(soup, writer)
    return writer.finish()


class _Writer:
    """Collects text line by line: blanks run together, breaks are kept apart from blanks."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.length = 0
        self.breaks = 2  # line breaks at the end of what is written; no blank lines at the start
        self.space = False
        self.pre = 0
        self.numbers: dict[int, int] = {}  # numbered lists by identity: how many items are written
        self.containers: list[Container] = []

    def write(self, text: str) -> None:
        if self.pre:
            for n, line in enumerate(text.split("\n")):
                if n:
                    self.line_break()
                if line:
                    self._emit(line.replace("\u00a0", " "))
            return
        collapsed = _SPACES.sub(" ", text)
        if not collapsed:
            return
        if collapsed[0] == " ":
            self.space = True
        words = collapsed.strip(" ")
        if words:
            self._emit((" " if self.space and not self.breaks else "") + words)
            self.space = collapsed[-1] == " "

    def _emit(self, text: str) -> None:
        self.parts.append(text)
        self.length += len(text)
        self.breaks = 0

    def line_break(self) -> None:
        if self.length and self.breaks < 3:
            self.parts.append("\n")
            self.length += 1
            self.breaks += 1
        self.space = False

    def block(self, lines: int = 1) -> None:
        """At least ``lines`` breaks before what comes."""
        while self.length and self.breaks < lines:
            self.line_break()
        self.space = False

    def container(self, start: int, kind: ContainerKind) -> None:
        if self.length > start or kind == "rest":
            self.containers.append(Container(start, self.length, kind))

    def finish(self) -> HtmlText:
        text = "".join(self.parts)
        return HtmlText(text.rstrip(), tuple(sorted(self.containers, key=lambda c: (c.start, -c.end))))


def _walk(root: BeautifulSoup, writer: _Writer) -> None:
    """Depth first with a stack of its own, since mail nests deeper than Python's stack."""
    quoting = _around_quotes(root)
    styles = Styles(root)
    stack: list[tuple[PageElement, bool, int, ContainerKind | None, Shade]] = [(root, False, 0, None, Shade())]
    while stack:
        node, leaving, start, kind, around = stack.pop()
        if isinstance(node, NavigableString):
            if type(node) in (NavigableString, CData) and not (around.unseen and node.strip()):
                writer.write(str(node))
            continue
        if not isinstance(node, Tag):
            continue
        name = node.name.lower().rpartition(":")[2] if node.name else ""
        if leaving:
            _leave(node, name, writer)
            if kind:
                writer.container(start, kind)
            continue
        shade = None if name in _DROPPED else styles.shade(node, around)
        if shade is None:
            continue
        kind = _container_kind(node, name, quoting)
        if kind == "rest":
            writer.block()
            writer.container(writer.length, "rest")
            kind = None
        _enter(node, name, writer, kind)
        stack.append((node, True, writer.length, kind, shade))
        stack.extend((child, False, 0, None, shade) for child in reversed(node.contents))


def _around_quotes(root: Tag) -> set[int]:
    """Identities of all elements that have a blockquote inside: climbs from each one to the first that is known."""
    around: set[int] = set()
    for quote in root.find_all("blockquote"):
        parent = quote.parent
        while parent is not None and id(parent) not in around:
            around.add(id(parent))
            parent = parent.parent
    return around


def _enter(node: Tag, name: str, writer: _Writer, kind: ContainerKind | None) -> None:
    if name == "br":
        writer.line_break()
    elif name in {"td", "th"}:
        if not writer.breaks:
            writer.write(" ")
            writer.space = True
    elif name in _BLOCKS or kind:
        writer.block(2 if name in _PARAGRAPHS and not _is_office(node) else 1)
    if name == "li":
        writer.write(_bullet(node, writer))
    elif name == "pre":
        writer.pre += 1
    elif name == "img" and (alt := _attribute(node, "alt").strip()) and len(alt) < 60 and not writer.pre:
        writer.write(alt if _attribute(node, "class").find("emoji") >= 0 else "")


def _leave(node: Tag, name: str, writer: _Writer) -> None:
    if name == "pre":
        writer.pre -= 1
    if name in {"td", "th"}:
        writer.space = True
    elif name in _BLOCKS:
        writer.block(2 if name in _PARAGRAPHS and not _is_office(node) else 1)


def _is_office(node: Tag) -> bool:
    """Outlook writes every line as a paragraph without space around it."""
    return "MsoNormal" in _attribute(node, "class")


def _bullet(node: Tag, writer: _Writer) -> str:
    parent = node.parent
    if parent is None or parent.name != "ol":
        return "- "
    number = writer.numbers.get(id(parent), 0) + 1
    writer.numbers[id(parent)] = number
    return f"{number}. "


def _attribute(node: Tag, name: str) -> str:
    value = node.attrs.get(name)
    return "" if value is None else value if isinstance(value, str) else " ".join(value)


def _container_kind(node: Tag, name: str, quoting: set[int]) -> ContainerKind | None:
    """What the element says of its content, by the programs' names for it. ``quoting``: see ``_around_quotes``."""
    if name == "blockquote":
        style = _attribute(node, "style")
        cited = (
            _attribute(node, "type").lower() == "cite" or "cite" in node.attrs or "quote" in _attribute(node, "class")
        )
        return None if not cited and _INDENT_ONLY.search(style) and "border-left" not in style else "quoted"
    if not node.attrs:
        return None
    names = " ".join(_attribute(node, key) for key in ("class", "id", "name", "data-marker"))
    if names.strip():
        if _REST_NAMES.search(names):
            return "rest"
        if _QUOTE_NAMES.search(names) or (name == "div" and _attribute(node, "name") == "quote"):
            return "quoted" if id(node) not in quoting else None
        if "moz-forward-container" in names:
            return "forwarded"
        if "gmail_quote" in names and id(node) not in quoting:
            # Gmail's container without a quotation in it is a forwarded mail, or nothing.
            return "forwarded" if _first_words(node).startswith("---") else None
        if _ATTRIBUTION_NAMES.search(names):
            return "attribution"
        if _SIGNATURE_NAMES.search(names) or _attribute(node, "data-smartmail") == "gmail_signature":
            return "signature"
    style = _attribute(node, "style")
    if name == "div" and style and _OUTLOOK_LINE.search(style) and _names_sender(node):
        return "rest"
    return None


def _names_sender(node: Tag) -> bool:
    """Does the block under Outlook's line begin with a header label?"""
    head, colon, _ = _first_words(node).partition(":")
    return bool(colon) and len(head) < 30


def _first_words(node: Tag) -> str:
    """The first words of an element, looking at few nodes only."""
    words = ""
    for inner in islice(node.next_elements, _FEW_NODES):
        if type(inner) is NavigableString:
            words += inner
        if len(words.strip()) > 80:
            break
    return words.strip()
