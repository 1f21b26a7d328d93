"""A store as one file, and back: the rows of its tables with a list of what is in it and a hash of each.

The file is a zip archive: ``manifest.json`` and one member a table in COPY's text form, which every version of Postgres
reads; so it can be looked into without this program. It is written under another name first and then put in place, so
that an older backup stays until the new one is whole. Graph and word index are derived and not in it; vectors are
derived as well, but take hours to make, and are.

Restoring checks every hash before anything is written, and writes in one transaction: an interrupted one leaves the
store empty. pg_dump is not used: it cannot dump AGE's graphs apart from its catalogue, and wants a program of the
server's own version.
"""

from __future__ import annotations

import hashlib
import json
import os
import zipfile
import zlib
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import psycopg
from psycopg import sql

from sql import bm25
from sql.copy import columns, follow_sequence, tables
from sql.errors import BackupDamaged, BackupError, BackupTooNew, NoBackup, StoreNotEmpty
from sql.store import Store

FORMAT = 1
MANIFEST = "manifest.json"
_BLOCK = 1 << 20
# In index_state, which backup the store was filled with: a restore that was cut short behind that is gone on with.
RESTORED = "restored"
# index_state rows that are of no use elsewhere: the target builds its own
_STATE = (
    "SELECT name, fingerprint, relation, counts::text FROM mail.index_state "  # noqa: S608
    f"WHERE name NOT IN ('graph', 'bm25', '{RESTORED}')"
)
Advance = Callable[[int], None]


@dataclass(frozen=True)
class Table:
    """A table in the file. ``types``: of all columns in order, as Postgres writes them. ``bytes`` unpacked."""

    name: str
    types: dict[str, str]
    rows: int
    bytes: int
    sha256: str


@dataclass(frozen=True)
class Manifest:
    """What is in a backup. ``state``: name, fingerprint, table and counts of chunks and vectors."""

    format: int
    made_at: str
    messages: int
    tables: list[Table] = field(default_factory=list)
    state: list[list[str | None]] = field(default_factory=list)

    @property
    def bytes(self) -> int:
        """Unpacked size."""
        return sum(table.bytes for table in self.tables)


def backup(store: Store, path: Path, *, vectors: bool = True, advance: Advance = lambda n: None) -> Manifest:
    """Writes the store to ``path``, readable by its owner alone; an older backup there is replaced. Others may go on
    reading and writing. ``advance`` is told bytes of rows. Raises NoBackup where something else stands at ``path``, and
    BackupError where it cannot be written."""
    if path.exists():
        read_manifest(path)
    partial = path.with_name(path.name + ".partial")
    try:
        with store.owner() as conn, open(partial, "wb", opener=_private) as file:
            conn.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as archive:
                kept = [name for name in tables(conn) if vectors or not name.startswith("vector_")]
                written = [_write(conn, archive, name, advance) for name in kept]
                row = conn.execute("SELECT count(*) FROM mail.message WHERE NOT recovered").fetchone()
                assert row is not None
                state = [list(one) for one in conn.execute(_STATE) if one[2] is None or one[2] in kept]
                manifest = Manifest(FORMAT, datetime.now(UTC).isoformat(timespec="seconds"), row[0], written, state)
                archive.writestr(MANIFEST, json.dumps(asdict(manifest), indent=1))
            file.flush()
            os.fsync(file.fileno())
        partial.replace(path)
    except OSError as error:
        raise BackupError(f"The backup {path} cannot be written ({error.strerror}). Choose another place.") from None
    finally:
        partial.unlink(missing_ok=True)
    return manifest


def read_manifest(path: Path) -> Manifest:
    """What a file says that it holds. Raises NoBackup and BackupTooNew."""
    try:
        with zipfile.ZipFile(path) as archive:
            given: dict[str, Any] = json.loads(archive.read(MANIFEST))
        if given["format"] > FORMAT:
            raise BackupTooNew(f"{path} was written by a newer mailweave. Install that version, or a later one.")
        return Manifest(**{**given, "tables": [Table(**table) for table in given["tables"]]})
    except OSError as error:
        raise NoBackup(f"{path} cannot be read ({error.strerror}).") from None
    except (zipfile.BadZipFile, KeyError, TypeError, ValueError):
        raise NoBackup(f"{path} is no backup of mailweave, or it is cut off.") from None


def check(path: Path, manifest: Manifest, advance: Advance = lambda n: None) -> None:
    """Reads the whole file. Raises BackupDamaged where a table is not what was written."""
    try:
        with zipfile.ZipFile(path) as archive:
            for table in manifest.tables:
                digest = hashlib.sha256()
                for block in _blocks(archive, table.name):
                    digest.update(block)
                    advance(len(block))
                if digest.hexdigest() != table.sha256:
                    raise BackupDamaged(f"{path} is damaged: the rows of {table.name} are not those that were written.")
    except (zipfile.BadZipFile, zlib.error, KeyError, EOFError, OSError, ValueError) as error:
        raise BackupDamaged(f"{path} is damaged ({error}). Use another copy of it.") from None


def restore(store: Store, path: Path, *, advance: Advance = lambda n: None) -> Manifest:
    """Puts a backup into a store without mail. The graph has to be built afterwards; as long as it is not, the same
    backup can be restored again, and what was filled already is not filled twice. ``advance`` is told bytes, those of
    the file twice: read for checking, then written.

    Raises NoBackup, BackupTooNew, BackupDamaged, StoreNotEmpty and StoreBusy; then nothing was written.
    """
    manifest = read_manifest(path)
    check(path, manifest, advance)
    with store.writer_lock("restore"):
        with store.owner() as conn:
            if _filled(conn, manifest):
                advance(manifest.bytes)
            elif conn.execute("SELECT EXISTS (SELECT FROM mail.source)").fetchone() == (True,):
                raise StoreNotEmpty(
                    f"There is mail in the store '{store.name}' already. Restore into another one (--store NAME), or "
                    "take over only what was decided by hand (--by-hand)."
                )
            else:
                with zipfile.ZipFile(path) as archive:
                    _fill(conn, archive, manifest, advance)
        with store.owner() as conn:
            conn.execute("ANALYZE")
            bm25.rebuild(conn)
    return manifest


def _filled(conn: psycopg.Connection, manifest: Manifest) -> bool:
    """Whether the store holds this backup and has no graph yet."""
    row = conn.execute(
        "SELECT fingerprint = %s AND NOT EXISTS (SELECT FROM mail.index_state WHERE name = 'graph') "
        "FROM mail.index_state WHERE name = %s",
        (_digest(manifest), RESTORED),
    ).fetchone()
    return row == (True,)


def _digest(manifest: Manifest) -> str:
    """Tells backups apart: it holds the hashes of all rows."""
    return hashlib.sha256(json.dumps(asdict(manifest)).encode()).hexdigest()


def _fill(conn: psycopg.Connection, archive: zipfile.ZipFile, manifest: Manifest, advance: Advance) -> None:
    conn.execute("SET CONSTRAINTS ALL DEFERRED")
    bm25.suspend(conn)
    given = {table.name: table for table in manifest.tables}
    for table in given.values():
        _make(conn, table)
    ordered = _by_reference(conn, given)
    # what an ingest that failed at once left behind
    every = sql.SQL(", ").join(sql.Identifier("mail", name) for name in [*tables(conn), "index_state"])
    conn.execute(sql.SQL("TRUNCATE {}, mail.whole_message").format(every))
    for name in ordered:
        if not given[name].rows:
            continue
        stored = [column for column in given[name].types if column in columns(conn, name)]
        into = sql.SQL("COPY {} ({}) FROM STDIN").format(
            sql.Identifier("mail", name), sql.SQL(", ").join(map(sql.Identifier, stored))
        )
        copy_in(conn, archive, name, into, advance)
        follow_sequence(conn, name)
    for state in [*manifest.state, [RESTORED, _digest(manifest), None, "{}"]]:
        conn.execute(
            "INSERT INTO mail.index_state (name, fingerprint, relation, counts) VALUES (%s, %s, %s, %s::jsonb)", state
        )


def copy_in(
    conn: psycopg.Connection,
    archive: zipfile.ZipFile,
    name: str,
    into: sql.Composed,
    advance: Advance = lambda n: None,
) -> None:
    """The rows of a table in the file, by a COPY statement ``into`` where they shall be."""
    with conn.cursor().copy(into) as copy:
        for block in _blocks(archive, name):
            copy.write(block)
            advance(len(block))


def _write(conn: psycopg.Connection, archive: zipfile.ZipFile, name: str, advance: Advance) -> Table:
    stored = columns(conn, name)
    out = sql.SQL("COPY {} ({}) TO STDOUT").format(
        sql.Identifier("mail", name), sql.SQL(", ").join(map(sql.Identifier, stored))
    )
    digest, size = hashlib.sha256(), 0
    cursor = conn.cursor()
    with archive.open(f"{name}.copy", "w", force_zip64=True) as member, cursor.copy(out) as copy:
        for block in copy:
            member.write(block)
            digest.update(block)
            size += len(block)
            advance(len(block))
    return Table(name, _types(conn, name, stored), cursor.rowcount, size, digest.hexdigest())


def _types(conn: psycopg.Connection, table: str, stored: list[str]) -> dict[str, str]:
    rows = conn.execute(
        "SELECT attname, format_type(atttypid, atttypmod) FROM pg_attribute WHERE attname = ANY (%s) "
        "AND attrelid = format('mail.%%I', %s::text)::regclass AND NOT attisdropped ORDER BY attnum",
        (stored, table),
    )
    return dict(rows.fetchall())


def _make(conn: psycopg.Connection, table: Table) -> None:
    """A table of vectors, which no migration makes. Of other tables the store has all, and all their columns."""
    known = conn.execute("SELECT to_regclass(format('mail.%%I', %s::text))", (table.name,)).fetchone() != (None,)
    if known and set(table.types) <= set(columns(conn, table.name)):
        return
    digits = table.types.get("embedding", "").removeprefix("halfvec(").removesuffix(")")
    vectors = table.name.startswith("vector_") and set(table.types) == {"sha256", "embedding"} and digits.isdigit()
    if known or not vectors:
        raise BackupTooNew(f"This mailweave does not know the backup's {table.name} in that form. Install a newer one.")
    conn.execute(
        sql.SQL("CREATE TABLE {} (sha256 bytea PRIMARY KEY, embedding halfvec({}) NOT NULL)").format(
            sql.Identifier("mail", table.name), sql.SQL(digits)
        )
    )


def _by_reference(conn: psycopg.Connection, names: Iterable[str]) -> list[str]:
    """Each table behind those that it points to; those that may be looked at last (deferrable) do not count."""
    points: dict[str, set[str]] = {name: set() for name in sorted(names)}
    for name, target in conn.execute(
        "SELECT c.relname, t.relname FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid "
        "JOIN pg_class t ON t.oid = k.confrelid WHERE k.contype = 'f' AND NOT k.condeferrable "
        "AND k.connamespace = 'mail'::regnamespace AND c.oid <> t.oid"
    ):
        if name in points and target in points:
            points[name].add(target)
    ordered: list[str] = []
    while points:
        ready = [name for name, targets in points.items() if targets <= set(ordered)]
        assert ready, "tables point to each other in a circle"
        ordered += ready
        for name in ready:
            del points[name]
    return ordered


def _blocks(archive: zipfile.ZipFile, name: str) -> Iterable[bytes]:
    with archive.open(f"{name}.copy") as member:
        while block := member.read(_BLOCK):
            yield block


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)
