"""Parse what a message quotes or forwards into the messages it came from: author, date, recipients, subject, text.

A quoted block is a message at second hand. Where the original is in the mailbox the block links to it; where not, the
block is the only copy. Blocks nest: a quoted mail quotes another, and each is its own block with its depth.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Literal

from ingest.quoting.dates import read_date
from ingest.quoting.lines import Lines, read
from ingest.quoting.markers import Marker, notes_sender
from ingest.quoting.scan import sections
from ingest.quoting.split import Split
from ingest.quoting.people import Person, author_of_attribution, person, people

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
    """A block being collected."""

    marker: Marker | None
    kind: Literal["quoted", "forwarded"]
    depth: int
    parent: int | None
    first: int
    last: int
    own: list[tuple[int, int]]


def blocks(split: Split) -> list[QuotedBlock]:
    """The messages quoted in ``split``, in the order in which they stand. Linear in the length of the text."""
    lines = read(split.text, [(c.start, c.end) for c in split.containers if c.kind in {"quoted", "forwarded"}])
    found: list[_Open] = []
    stop = _before_footer(split, lines)
    rest = min((c.start for c in split.containers if c.kind == "rest"), default=None)
    _collect(lines, 0, stop, 0, None, found, rest)
    return [_finished(lines, block) for block in found]


def _before_footer(split: Split, lines: Lines) -> int:
    footer = next((s.start for s in reversed(split.spans) if s.kind == "list_footer"), None)
    if footer is None:
        return len(lines)
    return next((i for i in range(len(lines)) if lines.start[i] >= footer), len(lines))


def _collect(
    lines: Lines,
    start: int,
    stop: int,
    level: int,
    owner: int | None,
    found: list[_Open],
    rest: int | None = None,
) -> None:
    """Collect the blocks of one depth. An unmarked copy owns all that follows at its depth, so ``owner`` changes."""
    pending: int | None = None
    for section in sections(lines, start, stop, level):
        if section.kind == "marker":
            assert section.marker is not None
            following = section.end
            while following < stop and not lines.body[following]:
                following += 1
            kind: Literal["quoted", "forwarded"] = "forwarded" if section.marker.kind == "forwarded" else "quoted"
            found.append(_Open(section.marker, kind, _depth(found, owner), owner, section.start, section.end, []))
            if following < stop and lines.depth[following] > level and not section.marker.headers:
                pending = len(found) - 1
            else:
                owner, pending = len(found) - 1, None
                _stretch(found, owner, stop)
        elif section.kind == "run":
            _collect_run(lines, section.start, section.end, level, owner, pending, found)
            pending = None
        elif owner is not None:
            found[owner].own.append((section.start, section.end))
        elif rest is not None and lines.start[section.end - 1] >= rest:
            found.append(_Open(None, "quoted", 1, None, section.start, stop, [(section.start, section.end)]))
            owner = len(found) - 1


def _collect_run(
    lines: Lines,
    start: int,
    stop: int,
    level: int,
    owner: int | None,
    pending: int | None,
    found: list[_Open],
) -> None:
    """A run of deeper lines: the text of the marker before it, or a block that names its author inside or not."""
    inner = min((lines.depth[i] for i in range(start, stop) if lines.depth[i] > level), default=level + 1)
    if inner > _DEEPEST:
        if owner is not None:
            found[owner].own.append((start, stop))
        return
    mine = pending
    if (
        mine is None
        and owner is not None
        and found[owner].marker
        and not found[owner].own
        and found[owner].last >= stop
    ):
        # Headers, then a marked copy: the run is the text of the block that the headers opened.
        mine = owner
    if mine is None:
        first = next(sections(lines, start, stop, inner), None)
        if first is None or first.kind != "marker":
            found.append(_Open(None, "quoted", _depth(found, owner), owner, start, stop, []))
            mine = len(found) - 1
        else:
            _collect(lines, start, stop, inner, owner, found)
            return
    block = found[mine]
    if block.marker is not None and not block.marker.headers and not block.own:
        first = next(sections(lines, start, stop, inner), None)
        if first and first.kind == "marker" and first.marker and first.marker.headers and block.marker.banner:
            # "Begin forwarded message:" outside, its headers inside the marks.
            block.marker.headers = first.marker.headers
            block.last = max(block.last, stop)
            _collect(lines, first.end, stop, inner, mine, found)
            return
    block.last = max(block.last, stop)
    _collect(lines, start, stop, inner, mine, found)


def _depth(found: list[_Open], owner: int | None) -> int:
    return 1 if owner is None else found[owner].depth + 1


def _stretch(found: list[_Open], owner: int, stop: int) -> None:
    found[owner].last = max(found[owner].last, stop)


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
    text = "\n\n".join(
        "\n".join(" " * min(lines.indent[i], 8) + lines.body[i] for i in range(start, stop)).strip("\n")
        for start, stop in pieces
    )
    return re.sub(r"\n{3,}", "\n\n", text).strip()
