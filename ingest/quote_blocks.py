"""Parse what a message quotes or forwards into the messages it came from: author, date, recipients, subject, text.

A quoted block is a message at second hand. Where the original is in the mailbox the block links to it; where not, the
block is the only copy. Blocks nest: a quoted mail quotes another, and each is its own block with its depth.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final, Literal

from ingest.quoting.dates import read_date
from ingest.quoting.lines import Lines, read
from ingest.quoting.marker import Marker
from ingest.quoting.notes import notes_sender
from ingest.quoting.people import Person, author_of_attribution, people, person
from ingest.quoting.scan import introduces_run, sections
from ingest.quoting.split import Split

# Deeper than any person quotes; what is deeper stays text of the block above.
_DEEPEST: Final = 60


@dataclass(frozen=True, slots=True)
class QuotedBlock:
    """One quoted or forwarded message.

    ``text`` is its own words without quoting marks and without what it quotes in turn. ``start`` and ``end`` are its
    span in the full text, marker included and the blocks inside it too. ``depth`` is 1 for what the message itself
    quotes; ``parent`` is the index of the block that contains it, or None. ``sent_at`` is naive: what the quoting
    program's clock said; ``sent_raw`` is how it was written.
    """

    kind: Literal["quoted", "forwarded"]
    depth: int
    parent: int | None
    author_name: str
    author_address: str
    sent_at: datetime | None
    sent_raw: str
    to: tuple[Person, ...]
    cc: tuple[Person, ...]
    subject: str
    text: str
    start: int
    end: int


@dataclass(slots=True)
class _Open:
    """A block being collected. ``own`` are the line ranges of its own words, ``inner`` the depth of these lines."""

    marker: Marker | None
    kind: Literal["quoted", "forwarded"]
    depth: int
    parent: int | None
    first: int
    last: int
    inner: int
    own: list[tuple[int, int]] = field(default_factory=list)


def blocks(split: Split) -> list[QuotedBlock]:
    """The messages quoted in ``split``, in the order in which they stand. Linear in the length of the text."""
    lines = read(split.text, [(c.start, c.end) for c in split.containers if c.kind in {"quoted", "forwarded"}])
    collector = _Collector(lines)
    collector.level(0, _before_footer(split, lines), 0, None)
    _add_unnamed_rest(split, lines, collector.found)
    return [_finished(lines, block) for block in collector.found]


def _before_footer(split: Split, lines: Lines) -> int:
    footer = next((s.start for s in reversed(split.spans) if s.kind == "list_footer"), None)
    return len(lines) if footer is None else bisect_left(lines.start, footer)


def _add_unnamed_rest(split: Split, lines: Lines, found: list[_Open]) -> None:
    """Quoted text that only the HTML marks, without any words by a marker, is a block without an author."""
    if found:
        return
    for span in split.spans:
        if span.kind in {"quoted", "forwarded"}:
            first, after = bisect_left(lines.start, span.start), bisect_left(lines.start, span.end)
            found.append(_Open(None, "quoted", 1, None, first, after, 0, [(first, after)]))


class _Collector:
    """Walks the sections of each depth. ``found`` are the blocks so far."""

    def __init__(self, lines: Lines) -> None:
        self.lines = lines
        self.found: list[_Open] = []
        # The last marked run that each block (None: the message) quotes: what it quotes next without a word of
        # introduction is more of the same mail, answered piece by piece.
        self.recent: dict[int | None, int] = {}

    def level(self, start: int, stop: int, level: int, owner: int | None) -> None:
        """Collect from the lines at one depth. An unmarked copy owns all that follows, so ``owner`` changes."""
        pending: int | None = None
        for section in sections(self.lines, start, stop, level):
            if section.marker is not None:
                block = self._open(section.marker, owner, section.start, section.end, level)
                if introduces_run(self.lines, section, stop, level):
                    pending = block
                else:
                    owner, pending = block, None
                    self.found[block].last = stop
            elif section.kind == "run":
                self._run(section.start, section.end, level, owner, pending)
                pending = None
            elif owner is not None:
                self.found[owner].own.append((section.start, section.end))

    def _open(self, marker: Marker | None, owner: int | None, start: int, end: int, inner: int) -> int:
        kind: Literal["quoted", "forwarded"] = "forwarded" if marker and marker.kind == "forwarded" else "quoted"
        depth = 1 if owner is None else self.found[owner].depth + 1
        self.found.append(_Open(marker, kind, depth, owner, start, end, inner))
        return len(self.found) - 1

    def _run(self, start: int, stop: int, level: int, owner: int | None, pending: int | None) -> None:
        """A run of deeper lines: the text of the marker before it, more of an earlier one, or a block of its own."""
        inner = min(depth for depth in self.lines.depth[start:stop] if depth > level)
        if inner > _DEEPEST:
            if owner is not None:
                self.found[owner].own.append((start, stop))
            return
        first = next(sections(self.lines, start, stop, inner), None)
        marker = first.marker if first else None
        mine = pending
        if pending is not None:
            self.found[pending].inner = inner
            announced = self.found[pending].marker
            if announced and announced.banner and first and marker and marker.headers:
                # "Begin forwarded message:" stands outside the marks, the headers inside.
                announced.headers = marker.headers
                start = first.end
        elif first and marker and not introduces_run(self.lines, first, stop, inner):
            # The marker stands inside the marks and speaks of all of the run.
            self.recent[owner] = len(self.found)
            self.level(start, stop, inner, owner)
            return
        elif owner is not None and not self.found[owner].own and self.found[owner].inner == level:
            mine = owner  # headers, then a marked copy: the text of the block that the headers opened
        elif owner in self.recent:
            mine = self.recent[owner]
            inner = max(level + 1, min(inner, self.found[mine].inner))
        else:
            mine = self._open(None, owner, start, stop, inner)
        assert mine is not None
        self.found[mine].last = max(self.found[mine].last, stop)
        if mine != owner:
            self.recent[owner] = mine
        self.level(start, stop, inner, mine)


def _finished(lines: Lines, block: _Open) -> QuotedBlock:
    headers = block.marker.headers if block.marker else {}
    attribution = block.marker.attribution if block.marker else ""
    author, sent_raw = Person("", ""), ""
    if headers:
        sender, stamp = notes_sender(headers.get("sender", ""))
        author, sent_raw = person(sender), headers.get("sent", "") or stamp
    elif attribution:
        author, sent_raw = author_of_attribution(attribution), attribution
    return QuotedBlock(
        block.kind,
        block.depth,
        block.parent,
        author.name,
        author.address,
        read_date(sent_raw) if sent_raw else None,
        sent_raw,
        people(headers.get("to", "")),
        people(headers.get("cc", "")),
        headers.get("subject", ""),
        _text(lines, block.own),
        lines.start[block.first],
        lines.end[max(block.first, block.last - 1)],
    )


def _text(lines: Lines, pieces: list[tuple[int, int]]) -> str:
    """The lines of a block, indented as they were against one another."""
    margin = min((lines.indent[i] for start, stop in pieces for i in range(start, stop) if lines.body[i]), default=0)
    text = "\n\n".join(
        "\n".join(" " * min(lines.indent[i] - margin, 12) + lines.body[i] for i in range(start, stop)).strip("\n")
        for start, stop in pieces
    )
    return re.sub(r"\n{3,}", "\n\n", text).strip()
