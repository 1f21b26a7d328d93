"""mbox files: many messages in one file, streamed, each with its byte offset so that reading can go on from there.

All dialects: what escapes "From " in bodies (mboxo, mboxrd, mboxcl) loses one ">"; what counts bytes instead and lets
"From " stand (mboxcl2) is left as it is. Where messages begin is ``separators``' business.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import BinaryIO

from ingest.large import LARGE
from ingest.sources.limits import MAX_MESSAGE, streamed
from ingest.sources.separators import Piece, pieces
from ingest.types import RawMessage, Unreadable

_ESCAPED = re.compile(rb"^>(>*From )", re.M)


def read(path: Path, labels: tuple[str, ...], start: int = 0) -> Iterator[RawMessage | Unreadable]:
    """Yields every message from byte ``start``, in file order. The key is the offset as text; ``offset + length`` is
    the next message's offset, the place to start from another time.

    Raises OSError when the file cannot be opened or read.
    """
    with path.open("rb") as places, path.open("rb") as file:
        yield from messages(places, file, labels, start)


def messages(
    places: BinaryIO, file: BinaryIO, labels: tuple[str, ...], start: int = 0
) -> Iterator[RawMessage | Unreadable]:
    """The same of a file that is open twice: ``places`` to look for separators, ``file`` to read what is between."""
    for piece in pieces(places, start):
        file.seek(piece.head)
        length = piece.stop - piece.start
        if length > LARGE:
            rest = _Rest(file, piece.stop - piece.head)
            yield streamed(b"", rest.read, partial(_message, piece, labels))
            continue
        data = file.read(piece.stop - piece.head)
        if not data.strip():
            if piece.envelope is not None:
                yield Unreadable(
                    str(piece.start),
                    "UnreadableMessage",
                    "a separator with nothing behind it",
                    piece.start,
                    length,
                )
            continue
        yield _message(piece, labels, data)


def read_one(path: Path, labels: tuple[str, ...], offset: int, length: int) -> RawMessage | None:
    """The message at ``offset``, or None when no message of that length stands there."""
    with path.open("rb") as file:
        piece = next(pieces(file, offset), None)
        if piece is None or piece.stop - piece.start != length:
            return None
        file.seek(piece.head)
        return _message(piece, labels, file.read(min(piece.stop - piece.head, MAX_MESSAGE)))


class _Rest:
    """The next ``size`` bytes of a file, without the blank line at their end."""

    def __init__(self, file: BinaryIO, size: int) -> None:
        self._file = file
        self._left = size

    def read(self, size: int) -> bytes:
        data = self._file.read(min(size, self._left))
        self._left -= len(data)
        return data if self._left else _without_blank_line(data)


def _message(piece: Piece, labels: tuple[str, ...], data: bytes) -> RawMessage:
    if b">From " in data and not (piece.counted and b"\nFrom " in data):
        data = _ESCAPED.sub(rb"\1", data)
    return RawMessage(
        key=str(piece.start),
        data=_without_blank_line(data),
        labels=labels,
        offset=piece.start,
        length=piece.stop - piece.start,
        envelope=(piece.envelope or b"").decode("utf-8", "replace"),
    )


def _without_blank_line(data: bytes) -> bytes:
    """The blank line before the next separator belongs to the mbox."""
    if data.endswith(b"\r\n\r\n"):
        return data[:-2]
    return data[:-1] if data.endswith(b"\n\n") else data
