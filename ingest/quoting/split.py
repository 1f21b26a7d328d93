"""Tell a message's new text from what it carries along: quotations, forwarded mail, signature, disclaimer, footer.

The full text is kept, and spans over it say what each piece is, so that nothing is lost and a page can show what it
hides. Programs quote in few ways: they mark lines (``>``), put a sentence before them ("On … wrote:"), or put a banner
or the headers before an unmarked copy of the mail, which then goes to the end. So the text is cut into the author's
own lines, markers and marked runs (``quoting.scan``), an unmarked copy takes all that follows, and the ends of the
author's own pieces are looked at for signatures and the like. Answers between quotations stay new. In HTML the
containers of the mail programs tell the same, and more reliably (``html_text``).
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, Literal

from ingest.html_text import Container, html_to_text
from ingest.quoting.endings import endings, list_footer
from ingest.quoting.lines import Lines, read
from ingest.quoting.scan import Section, introduces_run, sections

SpanKind = Literal["new", "quoted", "forwarded", "attribution", "signature", "disclaimer", "list_footer"]

_WORD: Final = re.compile(r"\w")
_MANY_BULLETS: Final = 6  # marked lines that stand alone
_LONGEST_SIGNATURE: Final = 1500  # characters
_LOOKS_LIKE_HTML: Final = re.compile(
    r"\s*(?:<!doctype html|<html[\s>]|<head[\s>]|<body[\s>]|<div[\s>]|<meta\s)", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Span:
    """Characters ``start`` to ``end`` of the full text are of ``kind``."""

    start: int
    end: int
    kind: SpanKind


@dataclass(frozen=True, slots=True)
class Split:
    """The full plain text and spans that cover all of it in order. ``containers`` are the HTML quoting containers."""

    text: str
    spans: tuple[Span, ...]
    containers: tuple[Container, ...] = ()

    @property
    def new(self) -> str:
        """The author's new text: pieces on both sides of a quotation are put together by a blank line."""
        return self.of("new")

    def of(self, *kinds: SpanKind) -> str:
        """The text of the spans of these kinds, in order."""
        return self.join([span for span in self.spans if span.kind in kinds])

    def join(self, spans: Sequence[Span]) -> str:
        """The text of ``spans``: neighbours as they stand, others parted by a blank line."""
        pieces: list[str] = []
        end = -1
        for span in spans:
            piece = self.text[span.start : span.end]
            if span.start == end and pieces:
                pieces[-1] += piece
            else:
                pieces.append(piece)
            end = span.end
        return "\n\n".join(piece.strip("\n").rstrip() for piece in pieces if piece.strip())

    @property
    def hidden(self) -> tuple[Span, ...]:
        """The spans that are not new text."""
        return tuple(span for span in self.spans if span.kind != "new")


def split(text: str, html: str | None = None) -> Split:
    """Split a message. ``html`` is its HTML part: where given, the text and the spans are made from it.

    A ``text`` that is an HTML document in disguise is read as HTML.
    """
    if html is None and "<" in text[:200] and _LOOKS_LIKE_HTML.match(text):
        text, html = "", text
    if html is not None:
        converted = html_to_text(html)
        found = _split(converted.text, converted.containers)
        if not text.strip() or _WORD.search(found.new):
            return found
    plain = _split(text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text, ())
    # Where the HTML leaves nothing, the author may have written into a container: the plain part knows none.
    return plain if html is None or _WORD.search(plain.new) or not converted.text.strip() else found


def _split(text: str, containers: tuple[Container, ...]) -> Split:
    lines = read(text, [(c.start, c.end) for c in containers if c.kind in {"quoted", "forwarded"}])
    return Split(text, _spans(text, lines, _kinds(lines, containers)), containers)


def _kinds(lines: Lines, containers: tuple[Container, ...]) -> list[SpanKind]:
    """The kind of every line."""
    count = len(lines)
    kinds: list[SpanKind] = ["new"] * count
    body_end = _without_footer(lines, kinds)
    _mark_containers(lines, kinds, containers)
    rest = _rest_by_container(lines, containers, body_end)
    set_by_hand = _marks_are_bullets(lines)
    pending: Section | None = None
    for section in sections(lines, 0, rest, 0):
        if section.kind == "marker":
            assert section.marker is not None
            _fill(kinds, section.start, section.end, "attribution")
            if not introduces_run(lines, section, rest, 0):
                _fill(kinds, section.end, body_end, _kind_of(section))
                rest = section.start
                break
            pending = section
        elif section.kind == "run":
            if pending is None and set_by_hand:
                continue
            kind = _kind_of(pending) if pending else _run_kind(lines, section)
            _fill(kinds, section.start, section.end, kind)
            pending = None
    else:
        if rest < body_end:
            _fill(kinds, rest, body_end, "quoted")
    _mark_endings(lines, kinds, rest if rest < body_end else body_end)
    return kinds


def _without_footer(lines: Lines, kinds: list[SpanKind]) -> int:
    """Mark a list's footer at the very end; the line at which what is before it ends."""
    stop = len(lines)
    while stop and not lines.body[stop - 1]:
        stop -= 1
    footer = list_footer(lines, 0, stop)
    if footer < stop:
        _fill(kinds, footer, len(lines), "list_footer")
        return footer
    return len(lines)


def _mark_containers(lines: Lines, kinds: list[SpanKind], containers: tuple[Container, ...]) -> None:
    """Signatures and attributions that the HTML names as such."""
    for container in containers:
        if container.kind not in {"signature", "attribution"}:
            continue
        inside = _lines_in(lines, container)
        long = container.end - container.start > (_LONGEST_SIGNATURE if container.kind == "signature" else 300)
        if long or not any(lines.body[: inside.start]):
            # Somebody wrote into it: a signature does not come first, an attribution is a sentence.
            continue
        for i in inside:
            if kinds[i] == "new" and lines.depth[i] == 0:
                kinds[i] = container.kind


def _lines_in(lines: Lines, container: Container) -> range:
    return range(bisect_left(lines.start, container.start), bisect_left(lines.start, container.end))


def _rest_by_container(lines: Lines, containers: tuple[Container, ...], stop: int) -> int:
    """The line from which on an HTML mark says that everything is quoted (Outlook has no container), or ``stop``."""
    rest = [container.start for container in containers if container.kind == "rest"]
    if not rest:
        return stop
    return min(stop, bisect_left(lines.start, min(rest)))


def _kind_of(section: Section) -> SpanKind:
    assert section.marker is not None
    return "forwarded" if section.marker.kind == "forwarded" else "quoted"


def _run_kind(lines: Lines, run: Section) -> SpanKind:
    """A run without a marker before it may have one inside, as its first words."""
    first = next(sections(lines, run.start, run.end, lines.depth[run.start]), None)
    return _kind_of(first) if first and first.kind == "marker" else "quoted"


def _marks_are_bullets(lines: Lines) -> bool:
    """One marked line in all, or many that all stand alone, are the author's own doing: a saying, or headlines."""
    single = [i for i, depth in enumerate(lines.depth) if depth]
    apart = all(b - a > 1 for a, b in pairwise(single))
    return len(single) == 1 or (apart and len(single) >= _MANY_BULLETS)


def _fill(kinds: list[SpanKind], start: int, stop: int, kind: SpanKind) -> None:
    kinds[start:stop] = [kind] * (stop - start)


def _mark_endings(lines: Lines, kinds: list[SpanKind], stop: int) -> None:
    """Look at the end of each piece of new text for what is no text."""
    i = 0
    while i < stop:
        if kinds[i] != "new":
            i += 1
            continue
        start = i
        while i < stop and kinds[i] == "new":
            i += 1
        quote_follows = i < len(kinds) and kinds[i] != "list_footer"
        for first, after, kind in endings(lines, start, i, quote_follows=quote_follows):
            _fill(kinds, first, after, kind)


def _spans(text: str, lines: Lines, kinds: list[SpanKind]) -> tuple[Span, ...]:
    """Lines of one kind put together; blank lines go with what stands before them."""
    spans: list[Span] = []
    start = 0
    current: SpanKind | None = None
    for i, kind in enumerate(kinds):
        if not lines.body[i] and lines.depth[i] == 0 and current is not None:
            continue
        if kind == current:
            continue
        if current is not None:
            spans.append(Span(start, lines.start[i], current))
        current, start = kind, (lines.start[i] if current is not None else 0)
    if current is not None and start < len(text):
        spans.append(Span(start, len(text), current))
    return tuple(spans)
