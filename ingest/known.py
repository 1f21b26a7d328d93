"""The sources that a store was filled from: which are gone or have moved; forgetting one; saying where it is now.

A source is known by its path. One that has moved would be read again as another one, each message a copy of itself, and
what it can open (raw text, attachments) would be looked for in the old place; so a new file that is the old one byte
for byte, as far as size and both ends tell, is taken for it once the person says so.
"""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from psycopg import Connection

from ingest import changes
from ingest.errors import SourceKnown, SourceMissing, UnknownSource
from ingest.forget import forget_source, sweep
from ingest.progress import SILENT, Progress
from ingest.resolve import resolve
from ingest.sources import Source, SourceFile, imap
from sql.store import Store


@dataclass(frozen=True, slots=True)
class Moved:
    """A known source whose file is gone, and the new file that is it."""

    source: int
    old: str
    new: str


def missing(conn: Connection[Any]) -> list[str]:
    """The names of the known sources that are no longer where they were. Accounts are not asked."""
    rows = conn.execute("SELECT path FROM mail.source ORDER BY path").fetchall()
    return [name for (name,) in rows if not imap.is_address(name) and not Path(name).exists()]


def moved(conn: Connection[Any], files: Sequence[Source]) -> list[Moved]:
    """Which of ``files``, all new to the store, are known sources that stood elsewhere before."""
    gone = set(missing(conn))
    if not gone:
        return []
    known = {name for (name,) in conn.execute("SELECT path FROM mail.source")}
    new = [file for file in files if isinstance(file, SourceFile) and file.name not in known]
    found = []
    for source, name, format_, *marks in conn.execute(
        "SELECT id, path, format, bytes, modified_ns, head_sha256, tail_sha256 FROM mail.source"
        " WHERE bytes > 0 AND finished ORDER BY path"
    ).fetchall():
        for file in new if name in gone else ():
            if file.format == format_ and changes.is_same(file, *marks):
                found.append(Moved(source, name, file.name))
                new.remove(file)
                break
    return found


def move(conn: Connection[Any], one: Moved) -> None:
    """Writes down the new place."""
    conn.execute("UPDATE mail.source SET path = %s WHERE id = %s", (one.new, one.source))
    conn.execute("UPDATE mail.ingest_error SET path = %s WHERE source = %s", (one.new, one.source))


def relocate(store: Store, old: str, new: Path) -> list[Moved]:
    """The sources at or below ``old`` are at or below ``new`` from now on.

    Raises UnknownSource, SourceMissing when something that was there is not at the new place, and SourceKnown when the
    new place was read as a source of its own.
    """
    new = new.expanduser().absolute()
    with store.writer_lock("sources relocate"), store.owner() as conn:
        found = []
        for source, name in _named(conn, old):
            below = Path(name).relative_to(Path(old).expanduser().absolute())
            place = new / below
            if not place.exists():
                raise SourceMissing(place)
            if conn.execute("SELECT 1 FROM mail.source WHERE path = %s", (str(place),)).fetchone():
                raise SourceKnown(place, name)
            found.append(Moved(source, name, str(place)))
        for one in found:
            move(conn, one)
    return found


def forget(store: Store, names: Sequence[str], progress: Progress = SILENT) -> int:
    """Removes sources, each named by its path or by a folder or account above it, with all that stood nowhere else;
    people, threads, chunks and vectors follow. Returns how many messages left the store. Raises UnknownSource."""
    with store.writer_lock("forget"), store.owner() as conn:
        found = dict(each for name in names for each in _named(conn, name))
        progress.step("forgetting", len(found), "sources")
        gone = 0
        for source in found:
            gone += forget_source(conn, source)
            conn.commit()
            progress.advance()
        resolve(conn, progress)
        sweep(conn)
    return gone


def _named(conn: Connection[Any], name: str) -> list[tuple[int, str]]:
    rows = conn.execute("SELECT id, path FROM mail.source ORDER BY path").fetchall()
    place = name.rstrip("/") if imap.is_address(name) else str(Path(name).expanduser().absolute())
    found = [(source, path) for source, path in rows if path == place or path.startswith(place + "/")]
    if not found:
        raise UnknownSource(name, difflib.get_close_matches(place, [path for _, path in rows], n=1))
    return found
