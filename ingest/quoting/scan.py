"""Cut the text at one quoting depth into the author's own lines, markers and quoted runs.

The same scan serves the message itself (depth 0) and, one depth further in, everything it quotes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal

from ingest.quoting.lines import Lines
from ingest.quoting.markers import Marker, marker_at

_BETWEEN: Final = 200  # lines written between an attribution and the quotation


@dataclass(slots=True)
class Section:
    """Lines ``start`` to ``end`` (exclusive): "own" text, a "marker", or a "run" of deeper lines."""

    kind: Literal["own", "marker", "run"]
    start: int
    end: int
    marker: Marker | None = None


def sections(lines: Lines, start: int, stop: int, level: int) -> Iterator[Section]:
    """Sections of lines ``start`` to ``stop`` in order, covering all of them. Lazy: a caller may stop early."""
    own = i = start
    fenced = False
    while i < stop:
        if lines.depth[i] > level:
            if own < i:
                yield Section("own", own, i)
            end = _run_end(lines, i, stop, level)
            yield Section("run", i, end)
            own = i = end
            continue
        if lines.body[i].startswith("```"):
            # Program text between fences is the author's, whatever it looks like.
            fenced = not fenced and _closes(lines, i, stop)
        marker = None if fenced else marker_at(lines, i, stop, level)
        if marker is None:
            i += 1
            continue
        if own < i:
            yield Section("own", own, i)
        yield Section("marker", i, marker.end, marker)
        own = i = marker.end
    if own < stop:
        yield Section("own", own, stop)


def introduces_run(lines: Lines, section: Section, stop: int, level: int) -> bool:
    """Is the text of this marker the marked run that follows, rather than all that follows?

    So it is when the run comes next. Some people write their answer between the sentence "On … wrote:" and the
    quotation; then the run comes before any other marker, and has none of its own.
    """
    marker = section.marker
    if marker is None or marker.headers:
        return False
    i = section.end
    while i < stop and not lines.body[i]:
        i += 1
    if i >= stop or lines.depth[i] > level:
        return i < stop
    if not marker.attribution or level:
        return False
    for j in range(i, min(stop, i + _BETWEEN)):
        if lines.depth[j] > level:
            return marker_at(lines, j, stop, lines.depth[j]) is None
        if marker_at(lines, j, stop, level):
            return False
    return False


def _run_end(lines: Lines, i: int, stop: int, level: int) -> int:
    """The line after a run of deeper lines; blank lines inside belong to it, blank lines after it do not."""
    end = i + 1
    for j in range(i + 1, stop):
        if lines.depth[j] > level:
            end = j + 1
        elif lines.body[j]:
            break
    return end


def _closes(lines: Lines, i: int, stop: int) -> bool:
    """Is there a closing fence within a readable distance?"""
    return any(lines.body[j].startswith("```") for j in range(i + 1, min(stop, i + 200)))
