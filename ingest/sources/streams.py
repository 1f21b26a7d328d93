"""Compressed files read as if they were files: forward, in bounded memory, within a bounded expansion.

Where messages begin in an mbox is found by looking ahead and going back a little. ``Forward`` allows that over a stream
that only goes forward: it keeps the last megabytes, and starts the stream anew when something before them is asked for.
"""

from __future__ import annotations

import bz2
import gzip
import lzma
import tarfile
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO, Protocol, cast

from ingest.errors import ExpandsTooFar
from ingest.libraries import library

BLOCK = 1 << 20
KEPT = 8 << 20
# Text of mail shrinks to a tenth, with much repetition to a hundredth; a bomb to a thousandth.
RATIO = 250
FLOOR = 64 << 20
MAX_REWINDS = 100

GZIP, BZIP2, XZ, ZSTD = b"\x1f\x8b", b"BZh", b"\xfd7zXZ\x00", b"\x28\xb5\x2f\xfd"
COMPRESSED = (GZIP, BZIP2, XZ, ZSTD)

# what a decompressor says of broken data; ZstdError is an Exception of its own library
BROKEN = (EOFError, OSError, zlib.error, lzma.LZMAError, zipfile.BadZipFile, tarfile.TarError, NotImplementedError)


class Readable(Protocol):
    """The little that is asked of a file."""

    def read(self, size: int = ..., /) -> bytes:
        """Like a file's."""


def open_compressed(path: Path) -> Readable:
    """The content of a .gz, .bz2, .xz or .zst file, told by its first bytes. Raises OSError and LibraryMissing."""
    with path.open("rb") as file:
        magic = file.read(6)
    opened: dict[bytes, Callable[[Path], Any]] = {
        GZIP: gzip.GzipFile, BZIP2: bz2.BZ2File, XZ: lzma.LZMAFile, ZSTD: _zstd
    }  # fmt: skip
    stream = next(open_ for start, open_ in opened.items() if magic.startswith(start))(path)
    return Bounded(stream, FLOOR + RATIO * path.stat().st_size)


class Bounded:
    """A stream that may give ``limit`` bytes and no more: then it raises ExpandsTooFar."""

    def __init__(self, stream: Readable, limit: int) -> None:
        # what can be had at once: a longer read of a broken stream loses what came before the break
        self._read: Callable[[int], bytes] = getattr(stream, "read1", stream.read)
        self._limit = limit
        self._given = 0

    def read(self, size: int = -1, /) -> bytes:
        """Like a file's, a block at most. Raises ExpandsTooFar."""
        data = self._read(min(size, BLOCK) if size >= 0 else BLOCK)
        self._given += len(data)
        if self._given > self._limit:
            raise ExpandsTooFar(self._limit)
        return data


def measure(open_: Callable[[], Readable]) -> tuple[int, Exception | None]:
    """How many bytes a stream gives, and what ended it before its end."""
    size = 0
    try:
        stream = open_()
        while block := stream.read(BLOCK):
            size += len(block)
    except (ExpandsTooFar, *BROKEN) as error:
        return size, error
    return size, None


class Forward:
    """A stream of ``size`` bytes with a place in it that can be moved."""

    def __init__(self, open_: Callable[[], Readable], size: int) -> None:
        self._open = open_
        self._size = size
        self._stream = open_()
        self._next = 0  # place of the byte that the stream gives next
        self._kept = b""  # what it gave last
        self._place = 0
        self._rewinds = 0

    def seek(self, offset: int, whence: int = 0, /) -> int:
        """Like a file's."""
        self._place = offset + (0, self._place, self._size)[whence]
        return self._place

    def read(self, size: int = -1, /) -> bytes:
        """Like a file's. Raises what the stream raises, and OSError when it had to be started anew too often."""
        stop = min(self._size, self._place + size if size >= 0 else self._size)
        if self._place >= stop:
            return b""
        if self._place < self._next - len(self._kept):
            self._rewind()
        while self._next < self._place:
            self._more(self._place - self._next)
        out = []
        held = self._next - self._place
        if held:
            out.append(self._kept[len(self._kept) - held :][: stop - self._place])
        while self._next < stop:
            out.append(self._more(stop - self._next))
        data = b"".join(out)
        self._place += len(data)
        return data

    def _more(self, size: int) -> bytes:
        data = self._stream.read(min(size, BLOCK))
        if not data:
            raise EOFError("the stream is shorter than before")
        self._kept = (self._kept + data)[-KEPT:]
        self._next += len(data)
        return data

    def _rewind(self) -> None:
        self._rewinds += 1
        if self._rewinds > MAX_REWINDS:
            raise OSError("the lengths it gives of its messages are wrong too often: unpack it and read the file")
        self._stream = self._open()
        self._next, self._kept = 0, b""


def as_file(readable: Forward | Readable) -> BinaryIO:
    """For functions that read and seek only."""
    return cast(BinaryIO, readable)


def _zstd(path: Path) -> Readable:
    zstandard = library("zstandard", "zstd archives", "zstd")
    reader = zstandard.ZstdDecompressor(max_window_size=1 << 27).stream_reader(
        path.open("rb"), read_across_frames=True, closefd=True
    )
    return cast(Readable, _Translated(reader, zstandard.ZstdError))


class _Translated:
    """A stream whose library's own error becomes an OSError."""

    def __init__(self, stream: Readable, error: type[Exception]) -> None:
        self._stream = stream
        self._error = error

    def read(self, size: int = -1, /) -> bytes:
        try:
            return self._stream.read(size)
        except self._error as error:
            raise OSError(str(error)) from error
