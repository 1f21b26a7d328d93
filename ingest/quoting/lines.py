"""Every line of a message with its place and its quoting depth.

The depth is the number of ``>`` in front plus the number of quoting containers around it where the text came from
HTML. Everything after this module works on lines and depths, so that ``>`` marks and HTML containers are one thing.
One pass, and the work is linear in the number of characters.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

# Up to three blanks in front, then marks; a few blanks may part them, one belongs to the last.
_PREFIX: Final = re.compile(r"[ \t]{0,3}(?:>[ \t]{0,4}(?=>)|>[ \t]?)+")
# Directions of writing and widths of nothing, which programs put around names; no program needs them to be read.
_INVISIBLE: Final = re.compile("[\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]")
# Emacs and older programs put the initials of the author before the mark: "JD> text".
_NAMED_PREFIX: Final = re.compile(r"[ \t]{0,3}[^\W\d_][^\W_]{0,9}> ?")
# What a program that wraps at 72 leaves of an attribution on the next line: ">:" or "> wrote:".
_TAIL: Final = re.compile(r"[^>:：]{0,30}[:：]$")
# A line of this length was probably wrapped by the program that sent it.
_WRAPPED: Final = 60
_RULE: Final = 20


@dataclass(slots=True)
class Lines:
    """Parallel lists, one entry a line: ``start`` and ``end`` (offsets, without the line's end), ``depth``, and
    ``body``: the text without quoting marks and without blanks at both ends; ``indent`` counts the blanks cut in
    front."""

    start: list[int]
    end: list[int]
    depth: list[int]
    body: list[str]
    indent: list[int]

    def __len__(self) -> int:
        return len(self.start)


def read(text: str, containers: Sequence[tuple[int, int]] = ()) -> Lines:
    """Lines of ``text``; ``containers`` are (start, end) offsets of HTML quoting containers, which may nest."""
    starts: list[int] = []
    ends: list[int] = []
    depths: list[int] = []
    bodies: list[str] = []
    indents: list[int] = []
    position = 0
    marks = _INVISIBLE.search(text) is not None
    for raw in text.split("\n"):
        length = len(raw)
        if marks:
            raw = _INVISIBLE.sub("", raw)
        depth = 0
        cut = 0
        if ">" in raw[:4]:
            found = _PREFIX.match(raw)
            if found and not raw.startswith(">From "):
                cut = found.end()
                depth = raw.count(">", 0, cut)
        rest = raw[cut:]
        body = rest.strip()
        if depth >= _RULE and not body and (depths[-1] if depths else 0) < depth // 2:
            # A row of these signs parts two pieces of text and quotes nothing.
            depth, rest, body = 0, raw, raw.strip()
        starts.append(position)
        ends.append(position + length)
        depths.append(depth)
        bodies.append(body)
        indents.append(len(rest) - len(rest.lstrip()) if body else 0)
        position += length + 1
    lines = Lines(starts, ends, depths, bodies, indents)
    if any(depths):
        _rejoin_wrapped(lines)
    else:
        _find_named_prefixes(lines)
    if containers:
        _add_containers(lines, containers)
    return lines


def _rejoin_wrapped(lines: Lines) -> None:
    """Give lines the depth that a wrapping program took from them, or gave them by accident."""
    depth, body = lines.depth, lines.body
    for i in range(1, len(lines)):
        before = depth[i - 1]
        here = depth[i]
        if here == before + 1 and _TAIL.match(body[i]) and _open_angle(body[max(0, i - 4) : i]):
            # "<someone@example.com" / "> wrote:" is an address that was cut in two, not a quotation.
            depth[i] = before
            body[i] = ">" + body[i]
        elif (
            here < before
            and body[i]
            and i + 1 < len(lines)
            and depth[i + 1] >= before
            and len(body[i - 1]) >= _WRAPPED
            and body[i][0].islower()
        ):
            depth[i] = before


def _open_angle(bodies: list[str]) -> bool:
    """Do these lines, or the last of them, open an address and not close it?"""
    return any(sum(body.count("<") - body.count(">") for body in bodies[first:]) > 0 for first in range(len(bodies)))


def _find_named_prefixes(lines: Lines) -> None:
    """Two or more lines in a row that begin with the same "JD>" are quoted."""
    run = 0
    previous = ""
    for i, body in enumerate([*lines.body, ""]):
        found = _NAMED_PREFIX.match(body) if ">" in body[:14] else None
        prefix = found.group().strip() if found else ""
        if prefix and prefix == previous:
            run += 1
            continue
        if run >= 1:
            for j in range(i - run - 1, i):
                lines.depth[j] = 1
                lines.body[j] = lines.body[j][len(previous) :].strip()
        run = 0
        previous = prefix


def _add_containers(lines: Lines, containers: Sequence[tuple[int, int]]) -> None:
    """Add to each line the number of containers open where its text begins (a sweep over sorted starts and ends)."""
    opens = sorted(start for start, _ in containers)
    closes = sorted(end for _, end in containers)
    a = b = 0
    for i in range(len(lines)):
        at = lines.start[i]
        while a < len(opens) and opens[a] <= at:
            a += 1
        while b < len(closes) and closes[b] <= at:
            b += 1
        lines.depth[i] += a - b
