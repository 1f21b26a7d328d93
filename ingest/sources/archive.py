"""Mail inside archives: zip, and tar or a single file within gz, bz2, xz, zst. Nothing is unpacked to the disk.

A message's key is the member's path, for an mbox with the place in it ("Takeout/Mail/Inbox.mbox:1234"), which counts
bytes of what was unpacked. Members that are small are held in memory, larger ones read as streams. What is no mail is
told as NotMail; how far an archive may expand is bounded (``streams``).
"""

from __future__ import annotations

import io
import tarfile
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator, Set
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path, PurePosixPath

from ingest.errors import ExpandsTooFar, MessageError, NoMessage, UnreadableMessage
from ingest.large import LARGE, bounded
from ingest.sources import eml, maildir, mbox
from ingest.sources.detect import HEAD, RECORDS, SINGLE, Format, detect_in
from ingest.sources.labels import apple_label, label
from ingest.sources.limits import MAX_MESSAGE, readable_name, streamed
from ingest.sources.streams import (
    BROKEN,
    COMPRESSED,
    FLOOR,
    RATIO,
    Bounded,
    Forward,
    Readable,
    as_file,
    measure,
    open_compressed,
)
from ingest.types import RawMessage, Unreadable

# a member up to this size is held in memory; a larger one is read as a stream
SMALL = 32 << 20
# enough to tell an mbox whose first message is long
PEEK = 4 * HEAD

# the first thing in documents that are zip archives inside
_OFFICE = ("[Content_Types].xml", "mimetype", "META-INF/MANIFEST.MF")

Piece = RawMessage | Unreadable


@dataclass(frozen=True, slots=True)
class Member:
    """A file in an archive. ``name`` is unique within it; ``size`` in bytes is None where nothing tells it."""

    name: str
    size: int | None
    open: Callable[[], Readable]


def look(path: Path) -> str:
    """ "" when there is mail in the archive, else what it is instead. Raises OSError."""
    names = 0
    reason = ""
    try:
        for member in _members(path):
            names += 1
            if member.name in _OFFICE:
                return "an office document"
            try:
                if _format(member)[0]:
                    return ""
            except MessageError as error:
                reason = f" that can be read: {error}"
    except (ExpandsTooFar, *BROKEN) as error:
        return f"an archive that cannot be read ({error})"
    return f"an archive without mail{reason} ({names} files)"


def read(path: Path, labels: tuple[str, ...], known: Set[str] = frozenset()) -> Iterator[Piece]:
    """Yields every message whose key is not in ``known``, and what is no mail or cannot be unpacked."""
    try:
        for member in _members(path):
            yield from _read_member(member, labels, known)
    except (ExpandsTooFar, *BROKEN) as error:
        yield Unreadable(readable_name(path.name), "ArchiveBroken", f"What follows in it cannot be unpacked: {error}")


def read_one(path: Path, labels: tuple[str, ...], key: str) -> RawMessage | None:
    """The message of that key, or None when it is not there any more."""
    name, _, place = key.rpartition(":")
    for member in _members(path):
        if member.name == key or (member.name == name and place.isdigit()):
            for piece in _read_member(member, labels, frozenset(), int(place) if member.name == name else 0):
                if piece.key == key and isinstance(piece, RawMessage):
                    return piece
                if member.name == name:
                    return None
    return None


def keys(path: Path) -> Iterator[str]:
    """Every message's key."""
    return (piece.key for piece in read(path, ()) if isinstance(piece, RawMessage))


def _read_member(member: Member, labels: tuple[str, ...], known: Set[str], start: int = 0) -> Iterator[Piece]:
    format_: Format | None = None
    try:
        format_, reason = _format(member)
        if format_ is None:
            yield Unreadable(member.name, "NotMail", f"it is {reason}")
        elif format_ == "mbox":
            yield from _read_mbox(member, labels, known, start)
        elif member.name not in known:
            yield from _read_single(member, format_, labels)
    except NoMessage as error:
        yield Unreadable(member.name, "NotMail", f"it is {error.what}")
    except MessageError as error:
        yield Unreadable(member.name, type(error).__name__, str(error))
    except BROKEN as error:
        yield Unreadable(member.name, "ArchiveBroken", f"It cannot be unpacked: {error}")


def _read_mbox(member: Member, labels: tuple[str, ...], known: Set[str], start: int) -> Iterator[Piece]:
    size, ended = (member.size, None) if member.size is not None else measure(member.open)
    parts = PurePosixPath(member.name).parts
    own = (label(parts),) if len(parts) > 1 else labels
    found = mbox.messages(as_file(Forward(member.open, size)), as_file(Forward(member.open, size)), own, start)
    for piece in found:
        key = f"{member.name}:{piece.key}"
        if key not in known:
            yield replace(piece, key=key, offset=None, length=None)
    if ended is not None:
        error = type(ended).__name__ if isinstance(ended, ExpandsTooFar) else "ArchiveBroken"
        yield Unreadable(member.name, error, f"It ends after {size:,} bytes: {ended}")


def _read_single(member: Member, format_: Format, labels: tuple[str, ...]) -> Iterator[Piece]:
    parts = PurePosixPath(member.name).parts
    flags = ""
    if len(parts) > 1 and parts[-2] in ("cur", "new"):
        flags = maildir.key_and_flags(parts[-1])[1]
        name = "/".join(maildir.folder_label(part) for part in parts[:-2]) or "INBOX"
    else:
        name = apple_label(parts[:-1]) if format_ == "emlx" else label(parts[:-1])
    make = partial(eml.message_in, member.name, format_=format_, labels=(name,) if name else labels)
    stream = member.open()
    data = _up_to(stream, (LARGE if format_ == "eml" else MAX_MESSAGE) + 1)
    as_stream = format_ == "eml" and len(data) > LARGE
    message = streamed(data, stream.read, make) if as_stream else bounded(make(data))
    yield replace(message, flags=message.flags or flags)


def _format(member: Member) -> tuple[Format | None, str]:
    """What a member is, by its first bytes."""
    name = PurePosixPath(member.name)
    if name.name.startswith(".") or "__MACOSX" in name.parts:
        return None, "a hidden file"
    head = _up_to(member.open(), PEEK)
    format_, reason = detect_in(io.BytesIO(head), name.name)
    if format_ is None and reason != RECORDS:
        return None, reason
    if format_ == "mbox" or format_ in SINGLE:
        return format_, ""
    return None, f"{format_ or reason} inside an archive: unpack it and give its path"


def _up_to(stream: Readable, size: int) -> bytes:
    out = []
    while size > 0 and (block := stream.read(size)):
        out.append(block)
        size -= len(block)
    return b"".join(out)


def _members(path: Path) -> Iterator[Member]:
    """The files in the archive, each with a name of its own. Raises what BROKEN names, and ExpandsTooFar."""
    with path.open("rb") as file:
        magic = file.read(6)
    found = _zip(path) if magic.startswith(b"PK") else _tar_or_file(path, magic.startswith(COMPRESSED))
    seen: Counter[str] = Counter()
    for member in found:
        name = readable_name(member.name.removeprefix("./"))
        seen[name] += 1
        yield replace(member, name=name if seen[name] == 1 else f"{name}#{seen[name]}")


def _zip(path: Path) -> Iterator[Member]:
    with zipfile.ZipFile(path) as archive:
        for info in archive.infolist():
            if info.is_dir():
                continue

            def opened(info: zipfile.ZipInfo = info) -> Readable:
                if info.flag_bits & 1:
                    raise UnreadableMessage(info.filename, "it is protected by a password")
                return Bounded(archive.open(info), FLOOR + RATIO * info.compress_size)

            yield Member(info.filename, None if info.file_size > SMALL else info.file_size, opened)


def _tar_or_file(path: Path, compressed: bool) -> Iterator[Member]:
    def opened() -> Readable:
        return open_compressed(path) if compressed else path.open("rb")

    if not _is_tar(opened()):
        if compressed:
            yield Member(path.stem, None, opened)
        return
    with tarfile.open(fileobj=as_file(opened()), mode="r|") as archive:
        for info in archive:
            if not info.isfile():
                continue
            if info.size <= SMALL:
                held = archive.extractfile(info)
                data = held.read() if held else b""
                yield Member(info.name, len(data), partial(io.BytesIO, data))
            else:
                yield Member(info.name, info.size, partial(_cut, opened, info.offset_data, info.size))


def _is_tar(stream: Readable) -> bool:
    head = b""
    while len(head) < 512 and (block := stream.read(512 - len(head))):
        head += block
    return head[257:262] == b"ustar"


def _cut(opened: Callable[[], Readable], start: int, size: int) -> Readable:
    return _Cut(opened(), start, size)


class _Cut:
    """``size`` bytes of a stream from byte ``start`` on."""

    def __init__(self, stream: Readable, start: int, size: int) -> None:
        self._stream = stream
        self._left = size
        while start > 0 and (block := stream.read(start)):
            start -= len(block)

    def read(self, size: int = -1, /) -> bytes:
        data = self._stream.read(self._left if size < 0 else min(size, self._left))
        self._left -= len(data)
        return data
