"""Messages too large to be held: their heads and texts are read as a stream, what is attached stays where it is.

A message beyond ``LARGE`` bytes is rewritten while it is read: every head and the beginning of every text is kept, of
an attachment only the first bytes, by which its kind is told. What was left out is hashed and counted, decoded, on the
way past, so that the same file is known again in another mail; a mark at its place leads from the part to these figures
(``restore``). Memory does not grow with the message, whether it is a film or one line of a gigabyte.
"""

from __future__ import annotations

import binascii
import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from ingest.headers import parameters, read_head
from ingest.mime import MAX_DEPTH, Part, is_delimiter
from ingest.types import LeftOut, RawMessage

LARGE = 25 * 1024 * 1024
# bytes, before transfer decoding, of a part that belongs to the text, of one that is attached, and of that left out
MAX_TEXT = 4 * 1024 * 1024
MAX_FILE = 1024 * 1024
BEGINNING = 64 * 1024
# of all parts together: behind it nothing but heads is kept, and behind LARGE not even these
MAX_PARTS = 16 * 1024 * 1024

_BLOCK = 1 << 20
_MAX_HEAD = 1 << 20
_MAX_LINE = 4096
_MARK = b"mailweave-left-out-"
_BLANKS = b" \t\r\n\f\v"

Read = Callable[[int], bytes]


def reduced(read: Read) -> tuple[bytes, bytes, tuple[LeftOut, ...]]:
    """The message that ``read`` gives, block by block, without what is too large: its bytes (at most a little more than
    ``LARGE``), the sha256 of the whole message, and what was left out."""
    return _Reducer(_Stream(read)).message()


def restore(root: Part, left_out: tuple[LeftOut, ...]) -> dict[str, LeftOut]:
    """What was left out of each part, by the part's path; the parts end before the mark from now on."""
    marks = {left.mark: left for left in left_out}
    found: dict[str, LeftOut] = {}
    for part in root.walk() if marks else ():
        if part.parts:
            continue
        start, _, mark = part.data[max(part.start, part.stop - 200) : part.stop].rstrip().rpartition(b"\n")
        if left := marks.get(bytes(mark)):
            part.stop = max(part.start, part.stop - 200) + len(start)
            found[part.path] = left
    return found


def bounded(message: RawMessage) -> RawMessage:
    """The same message, reduced where it is too large: for formats that cannot be read as a stream."""
    if len(message.data) <= LARGE:
        return message
    place = [0]

    def read(size: int) -> bytes:
        block = message.data[place[0] : place[0] + size]
        place[0] += len(block)
        return block

    data, sha256, left_out = reduced(read)
    return RawMessage(
        message.key, data, message.labels, message.offset, message.length, message.envelope, message.flags,
        message.thread, sha256, left_out,
    )  # fmt: skip


class _Stream:
    """Blocks with a place in them; what was passed is let go of."""

    def __init__(self, read: Read) -> None:
        self._read = read
        self._held = b""
        self._at = 0
        self.ended = False
        self.sha256 = hashlib.sha256()

    def more(self) -> bool:
        block = b"" if self.ended else self._read(_BLOCK)
        self.ended = not block
        self.sha256.update(block)
        self._held = self._held[self._at :] + block
        self._at = 0
        return bool(block)

    def line(self, take: bool = True) -> bytes:
        """The next line, or the next ``_MAX_LINE`` bytes of a longer one; empty at the end."""
        while (end := self._held.find(b"\n", self._at) + 1) == 0:
            if len(self._held) - self._at >= _MAX_LINE or not self.more():
                end = len(self._held)
                break
        end = min(end, self._at + _MAX_LINE)
        line = self._held[self._at : end]
        if take:
            self._at = end
        return line

    def until(self, boundaries: list[bytes]) -> Iterator[bytes]:
        """What stands before the next delimiter line of one of the boundaries, in pieces."""
        at_start = True
        while True:
            at = self._at if at_start and self._held.startswith(b"--", self._at) else -1
            if at < 0 and (found := self._held.find(b"\n--", self._at)) >= 0:
                at = found + 1
            if at < 0:
                keep = 0 if self.ended else 2
                if len(self._held) - self._at > keep:
                    stop = len(self._held) - keep
                    # a delimiter at the very start of a part may not be seen whole yet
                    if not (at_start and not self.ended and len(self._held) - self._at < 3):
                        yield self._held[self._at : stop]
                        self._at, at_start = stop, False
                if not self.more():
                    yield self._held[self._at :]
                    self._at = len(self._held)
                    return
                continue
            end = self._held.find(b"\n", at)
            if end < 0 and len(self._held) - at < _MAX_LINE and not self.ended:
                before = at - self._at
                if before > 0:
                    yield self._held[self._at : at]
                    self._at, at_start = at, True
                self.more()
                continue
            if _opened(self._held[at : end + 1 if end >= 0 else at + _MAX_LINE], boundaries) is not None:
                yield self._held[self._at : at]
                self._at = at
                return
            yield self._held[self._at : at + 2]
            self._at, at_start = at + 2, False


def _opened(line: bytes, boundaries: list[bytes]) -> int | None:
    """The number of the outermost boundary whose delimiter the line is."""
    for number, boundary in enumerate(boundaries):
        if line.startswith(boundary) and is_delimiter(line[len(boundary) :]):
            return number
    return None


class _Reducer:
    def __init__(self, stream: _Stream) -> None:
        self._stream = stream
        self._out = bytearray()
        self._left_out: list[LeftOut] = []
        self._boundaries: list[bytes] = []

    def message(self) -> tuple[bytes, bytes, tuple[LeftOut, ...]]:
        self._entity()
        while line := self._stream.line():
            number = _opened(line, self._boundaries)
            self._keep(line)
            if number is None:
                continue
            boundary = self._boundaries[number]
            del self._boundaries[number + 1 :]
            if line[len(boundary) :].lstrip(b" \t").startswith(b"--"):
                del self._boundaries[number:]
                self._part("", "", True)
            else:
                self._entity()
        return bytes(self._out), self._stream.sha256.digest(), tuple(self._left_out)

    def _entity(self) -> None:
        """A head, and what belongs to it up to the next delimiter."""
        head = self._head()
        headers = read_head(head, 0, len(head))[0]
        type_, params = parameters(headers.get("content-type"))
        boundary = params.get("boundary", "").strip()
        if type_.startswith("multipart/") and boundary and len(self._boundaries) < MAX_DEPTH:
            self._boundaries.append(b"--" + boundary.encode("utf-8", "replace"))
        is_text = type_.startswith(("text/", "multipart/")) or "/" not in type_
        attached = headers.get("content-disposition").strip().lower().startswith("attachment")
        self._part(type_, headers.get("content-transfer-encoding").lower(), is_text and not attached)

    def _head(self) -> bytes:
        head = bytearray()
        while line := self._stream.line(take=False):
            if self._boundaries and _opened(line, self._boundaries) is not None:
                break
            self._stream.line()
            if len(head) < _MAX_HEAD:
                head += line
            if not line.strip(b"\r\n") and head.strip():
                break
        self._keep(bytes(head))
        return bytes(head)

    def _part(self, type_: str, encoding: str, is_text: bool) -> None:
        limit = MAX_TEXT if is_text else MAX_FILE
        kept = bytearray()
        whole: _Hashed | None = None
        for piece in self._stream.until(self._boundaries):
            if whole is None and len(kept) + len(piece) <= limit and len(self._out) + len(kept) <= MAX_PARTS:
                kept += piece
                continue
            if whole is None:
                whole = _Hashed(encoding)
                whole.add(bytes(kept))
                kept += piece[: max(0, limit - len(kept))]
            whole.add(piece)
        if whole is None:
            self._keep(bytes(kept))
            return
        size, sha256 = whole.end(delimited=not self._stream.ended)
        mark = _MARK + f"{len(self._left_out)}-{sha256.hex()[:32]}".encode()
        del kept[limit if is_text else BEGINNING :]
        if len(self._out) > MAX_PARTS:
            kept.clear()
        # whole lines: half of an encoded byte is none
        last = kept.rfind(b"\n") + 1
        if last and last > len(kept) - _MAX_LINE:
            del kept[last:]
        self._left_out.append(LeftOut(mark, size, sha256))
        self._keep(bytes(kept) + b"\n" + mark + b"\n")

    def _keep(self, data: bytes) -> None:
        if len(self._out) + len(data) <= LARGE:
            self._out += data


@dataclass(slots=True)
class _Hashed:
    """The size and hash of a part's content, its transfer encoding undone as far as a stream allows."""

    encoding: str
    size: int = 0
    _sha256: hashlib._Hash = field(default_factory=hashlib.sha256)
    _rest: bytes = b""

    def add(self, piece: bytes) -> None:
        data = self._rest + piece
        if "base64" in self.encoding:
            data = data.translate(None, _BLANKS)
            stop = len(data) - len(data) % 4
            self._take(_base64(data[:stop]))
        elif "quoted" in self.encoding:
            stop = data.rfind(b"\n", 0, -2) + 1 or (len(data) if len(data) > _BLOCK else 0)
            self._take(binascii.a2b_qp(data[:stop]))
        else:
            # the line end before a delimiter is the delimiter's
            stop = max(0, len(data) - 2)
            self._take(data[:stop])
        self._rest = data[stop:]

    def end(self, delimited: bool) -> tuple[int, bytes]:
        rest = self._rest
        if delimited and "base64" not in self.encoding and rest.endswith(b"\n"):
            rest = rest[:-2] if rest.endswith(b"\r\n") else rest[:-1]
        if "base64" in self.encoding:
            rest = _base64(rest + b"=" * (-len(rest) % 4))
        elif "quoted" in self.encoding:
            rest = binascii.a2b_qp(rest)
        self._take(rest)
        return self.size, self._sha256.digest()

    def _take(self, content: bytes) -> None:
        self.size += len(content)
        self._sha256.update(content)


def _base64(data: bytes) -> bytes:
    try:
        return binascii.a2b_base64(data)
    except binascii.Error:
        return data
