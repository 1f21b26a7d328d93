"""What of a source is new: nothing, its end, or all of it.

A source whose size and modification time are those of the last finished reading is not opened. An mbox that only grew
(the first and the last 64 KiB of what was there before are unchanged) is read from where it ended; of a folder only
the keys that are not stored are read. A file of another form was rewritten: its keys, which are offsets, mean nothing
any more, and it is read anew.
"""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from psycopg import Connection

from ingest.load import Checkpoint
from ingest.sources import Source, SourceFile
from ingest.sources.fields_of_mail import mapping_file

EDGE = 65_536


@dataclass(frozen=True, slots=True)
class Work:
    """What to do with a source: nothing (``unchanged``), read it from ``start`` (``goes_on``), or forget what is
    stored of it and read it from its beginning (``anew``). ``source`` is its row; ``bytes`` what is to be read."""

    source: int
    how: Literal["unchanged", "goes_on", "anew"]
    start: int
    bytes: int


def look(conn: Connection[Any], mailbox: int, file: Source) -> Work:
    """Compare a source with its row in mail.source, which is made when it is new. Raises OSError and AccountFailed."""
    conn.execute(
        "INSERT INTO mail.source (mailbox, path, format) VALUES (%s, %s, %s) ON CONFLICT (path) DO NOTHING",
        (mailbox, file.name, file.format),
    )
    row = conn.execute(
        "SELECT id, format, bytes, modified_ns, head_sha256, tail_sha256, coalesce(read_to, 0), finished"
        " FROM mail.source WHERE path = %s",
        (file.name,),
    ).fetchone()
    assert row is not None
    source, format_, known_size, known_time, head, tail, read_to, finished = row
    if not isinstance(file, SourceFile):
        state = file.account.state(file.folder)
        if head is not None and head != state.sha256:
            return Work(source, "anew", 0, sum(file.account.sizes(file.folder).values()))
        if finished and (known_size, known_time) == (state.messages, state.next):
            return Work(source, "unchanged", 0, 0)
        known = {key for (key,) in conn.execute("SELECT key FROM mail.occurrence WHERE source = %s", (source,))}
        sizes = file.account.sizes(file.folder)
        return Work(source, "goes_on", 0, sum(size for key, size in sizes.items() if key not in known))
    size, modified_ns = _size_and_time(file.path, file.format)
    if format_ != file.format:
        conn.execute("UPDATE mail.source SET format = %s WHERE id = %s", (file.format, source))
        return Work(source, "anew", 0, size)
    if (known_size, known_time) == (size, modified_ns):
        if finished:
            return Work(source, "unchanged", 0, 0)
        if file.format != "mbox":
            # interrupted: what is stored of an archive is not read again
            return Work(source, "goes_on", 0, size)
    if file.path.is_dir() or known_size is None:
        return Work(source, "goes_on", 0, size)
    if file.format != "mbox" or size < known_size or _edges(file.path, known_size) != (head, tail):
        return Work(source, "anew", 0, size)
    return Work(source, "goes_on", read_to, size - read_to)


def begun(file: Source, work: Work) -> Checkpoint:
    """The source as it is before reading; as ``finished`` once all of it is read. Raises OSError and AccountFailed."""
    if not isinstance(file, SourceFile):
        state = file.account.state(file.folder)
        return Checkpoint(work.source, None, False, state.messages, state.next, state.sha256)
    size, modified_ns = _size_and_time(file.path, file.format)
    if file.path.is_dir():
        return Checkpoint(work.source, None, False, size, modified_ns)
    return Checkpoint(work.source, work.start, False, size, modified_ns, *_edges(file.path, size))


def is_same(file: SourceFile, size: int, modified_ns: int, head: bytes | None, tail: bytes | None) -> bool:
    """Whether a file is the source of these marks, moved: of the same size and ends, a folder of the same size and
    time."""
    try:
        found = _size_and_time(file.path, file.format)
        if file.path.is_dir():
            return found == (size, modified_ns)
        return found[0] == size and _edges(file.path, size) == (head, tail)
    except OSError:
        return False


def is_changed(conn: Connection[Any], source: int, file: SourceFile) -> bool:
    """Whether size or time are other ones than when the source was last read. Raises OSError."""
    row = conn.execute("SELECT bytes, modified_ns FROM mail.source WHERE id = %s", (source,)).fetchone()
    return row != _size_and_time(file.path, file.format)


def _size_and_time(path: Path, format_: str) -> tuple[int, int]:
    """Size in bytes and latest modification in nanoseconds of a file, or of a folder of messages with its files. The
    file that says what the fields of an export mean belongs to the export."""
    stat = path.stat()
    if not path.is_dir():
        mapping = mapping_file(path) if format_ in ("json", "csv") else None
        if mapping is None:
            return stat.st_size, stat.st_mtime_ns
        said = mapping.stat()
        return stat.st_size + said.st_size, max(stat.st_mtime_ns, said.st_mtime_ns)
    size, modified_ns = 0, stat.st_mtime_ns
    for folder in (path, path / "cur", path / "new"):
        if not folder.is_dir():
            continue
        modified_ns = max(modified_ns, folder.stat().st_mtime_ns)
        with os.scandir(folder) as entries:
            for entry in entries:
                if entry.is_file():
                    stat = entry.stat()
                    size += stat.st_size
                    modified_ns = max(modified_ns, stat.st_mtime_ns)
    return size, modified_ns


def _edges(path: Path, size: int) -> tuple[bytes, bytes]:
    """sha256 of the first and of the last 64 KiB of a file's first ``size`` bytes."""
    with path.open("rb") as file:
        head = file.read(min(EDGE, size))
        file.seek(max(0, size - EDGE))
        tail = file.read(min(EDGE, size))
    return hashlib.sha256(head).digest(), hashlib.sha256(tail).digest()
