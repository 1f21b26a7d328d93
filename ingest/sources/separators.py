"""Where one message of an mbox ends and the next begins.

An mbox has no syntax of its own: messages are written one after the other, each opened by a line "From ADDRESS DATE".
Bodies hold lines that start with "From " too, and not every writer escapes them, so a line is taken for a separator
only when it looks like one *and* what follows looks like the head of a message:

* "From " with a date in the form of ctime(3), in any of the orders programs write (time zone before or after the
  year, none at all), after a blank line and before a header field or a blank line;
* the same without a blank line before it, when a field that opens real messages follows (a cut message lost its end);
* "From " alone, or with one word ("From -", "From MAILER-DAEMON"), as some programs write it, when a well-known
  field follows.

When Content-Length (the mboxcl and mboxcl2 dialects) leads exactly to a separator or to the end of the file, it is
believed, and lines within that length separate nothing.

The file is read in windows of a fixed size; memory does not grow with it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO

from ingest.headers import KNOWN_FIELD

WINDOW = 1 << 20
# how far behind a "From " line the head of a message is looked for, and the longest From_ line
LOOKAHEAD = 4096

_CANDIDATE = re.compile(rb"^From ", re.M)
_DATE = re.compile(
    rb"(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,?\s+)?"
    rb"(?:(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*\s+\d{1,2}|"
    rb"\d{1,2}\s+(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*(?:\s+\d{4})?),?"
    rb"\s+\d{1,2}:\d{2}(?::\d{2})?(?:\s+\S+){0,3}\s*(?:remote from \S+)?\s*\Z",
    re.I,
)
_FIELD = re.compile(rb"(?:>From |[!-9;-~]{1,76}[ \t]*:)")
_LENGTH = re.compile(rb"^content-length[ \t]*:[ \t]*(\d{1,12})[ \t]*\r?$", re.M | re.I)
_END_OF_HEAD = re.compile(rb"\r?\n\r?\n")


@dataclass(frozen=True, slots=True)
class Piece:
    """``start`` is the From_ line's first byte (or the file's), ``stop`` the next piece's ``start``. ``envelope`` is
    the From_ line without "From " and line end, None where the file starts without one. ``counted`` tells that the
    length came from Content-Length."""

    start: int
    stop: int
    envelope: bytes | None
    head: int
    counted: bool = False


def pieces(file: BinaryIO, start: int = 0) -> Iterator[Piece]:
    """Yields every message's place from byte ``start`` (a From_ line, or 0) to the end of the file, without a gap."""
    window = _Window(file)
    if start >= window.size:
        return
    opened = _separator_at(window, start, at_start=True)
    envelope, head = opened if opened else (None, start)
    while True:
        counted = _counted_end(window, head)
        found = None
        if counted is None:
            found = _next_separator(window, head)
            stop = found[0] if found else window.size
        else:
            stop = counted
            at = _separator_at(window, stop, at_start=True) if stop < window.size else None
            found = (stop, *at) if at else None
        yield Piece(start, stop, envelope, head, counted is not None)
        if found is None:
            return
        start, envelope, head = found


def _next_separator(window: _Window, position: int) -> tuple[int, bytes, int] | None:
    while position < window.size:
        data, base = window.around(position)
        whole = base + len(data) >= window.size
        limit = len(data) if whole else len(data) - LOOKAHEAD
        for match in _CANDIDATE.finditer(data, position - base, limit if whole else len(data)):
            at = match.start()
            if at >= limit:
                break
            if at == 0 and base > 0:
                continue
            opened = _separator_at(window, base + at)
            if opened:
                return (base + at, *opened)
        # one byte of overlap keeps the line start of a candidate at the border visible
        position = base + limit if not whole else window.size
    return None


def _separator_at(window: _Window, position: int, at_start: bool = False) -> tuple[bytes, int] | None:
    """The envelope and the place of the head behind it when a separator stands at ``position``, else None."""
    data, base = window.around(position)
    at = position - base
    if not data.startswith(b"From ", at):
        return None
    end = data.find(b"\n", at, at + LOOKAHEAD)
    if end < 0:
        end = min(len(data), at + LOOKAHEAD)
        if base + end < window.size:
            return None
    envelope = data[at + 5 : end].strip()
    behind = data[end + 1 : end + 1 + LOOKAHEAD]
    after_blank = at_start or position == 0 or _blank_before(data, at)
    known = KNOWN_FIELD.match(behind) or behind.startswith(b">From ")
    dated = _DATE.search(envelope)
    if dated:
        opens = after_blank and (not behind.strip() or _FIELD.match(behind) or behind[:2].strip(b"\r")[:1] == b"\n")
        opens = opens or known
    else:
        opens = after_blank and known and b" " not in envelope
    return (envelope, min(base + end + 1, window.size)) if opens else None


def _blank_before(data: bytes, at: int) -> bool:
    """Whether the line before ``at`` holds nothing but white space."""
    previous = data.rfind(b"\n", 0, at - 1)
    return not data[previous + 1 : at].strip()


def _counted_end(window: _Window, head: int) -> int | None:
    """Where Content-Length says the message ends, when a separator or the end of the file is really there."""
    data, base = window.around(head)
    at = head - base
    end = _END_OF_HEAD.search(data, at, at + 256 * 1024)
    if not end:
        return None
    length = _LENGTH.search(data, at, end.end())
    if not length or int(length[1]) == 0:
        return None
    stop = base + end.end() + int(length[1])
    if stop > window.size:
        return None
    for _ in range(3):
        if stop == window.size or _separator_at(window, stop, at_start=True):
            return stop
        if window.byte(stop) not in b"\r\n":
            return None
        stop += 1
    return None


class _Window:
    """A file seen through a buffer of fixed size."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self.size = file.seek(0, 2)
        self._base = 0
        self._data = b""

    def around(self, position: int) -> tuple[bytes, int]:
        """A buffer and its offset in the file, holding a line's length before ``position`` and what follows it."""
        end = self._base + len(self._data)
        enough = min(position + LOOKAHEAD * 2, self.size)
        if not (self._base <= max(position - LOOKAHEAD, 0) and enough <= end):
            self._base = max(position - LOOKAHEAD, 0)
            self._file.seek(self._base)
            self._data = self._file.read(WINDOW)
        return self._data, self._base

    def byte(self, position: int) -> bytes:
        data, base = self.around(position)
        return data[position - base : position - base + 1]
