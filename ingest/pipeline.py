"""From a mailbox export to a store that can be asked: reading and storing, then connecting, then cutting chunks.

Phase 1 reads sources in this process, parses in worker processes and stores batches through one writer. Phase 2 works
over the stored rows alone, so that it can be run again at any time and after any interruption; it is skipped when
nothing changed since it last ended.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import psycopg
from psycopg import Connection
from psycopg.types.json import Jsonb

from ingest import changes, known, sources
from ingest.errors import SourceError
from ingest.forget import forget_source, sweep
from ingest.load import Batch, Checkpoint, Loaded, load
from ingest.parallel import Piece, parse_all
from ingest.progress import SILENT, Progress
from ingest.resolve import resolve
from ingest.rows import Row
from ingest.sources import Source
from ingest.sources.imap import Account
from ingest.sync import sync
from ingest.types import Unreadable
from sql.store import Store

BATCH_MESSAGES = 500
BATCH_CHARACTERS = 8_000_000


@dataclass(slots=True)
class IngestResult:
    """What one run did. ``messages`` are new ones, ``copies`` new copies of known ones; ``seconds`` by step."""

    run: int
    sources: int = 0
    unchanged: int = 0
    messages: int = 0
    copies: int = 0
    unreadable: int = 0
    # messages that left the store, since they are no longer in the export
    forgotten: int = 0
    skipped: list[tuple[str, str]] = field(default_factory=list)
    # (old, new) places of sources that were moved, and are known by the new place now
    moved: list[tuple[str, str]] = field(default_factory=list)
    # known sources that are no longer where they were
    missing: list[str] = field(default_factory=list)
    seconds: dict[str, float] = field(default_factory=dict)


def ingest(
    store: Store,
    paths: Sequence[Path | Account],
    *,
    mailbox: str = "default",
    owner: Sequence[str] = (),
    progress: Progress = SILENT,
    jobs: int | None = None,
    stopped: Callable[[], bool] = lambda: False,
    forget_missing: bool = False,
    has_moved: Callable[[str, str], bool] = lambda old, new: False,
    beside: Callable[[], object] = lambda: None,
) -> IngestResult:
    """Ingest every export under ``paths``, and every account, into ``store``; what is known already is not read again.

    ``owner``: addresses of the person whose mailbox this is, where they are known. ``jobs``: worker processes, by
    default one a core. ``stopped`` is asked after every batch; when it says so, the run ends there and the next one
    goes on. ``forget_missing``: what is no longer there leaves the store. ``has_moved`` is asked whether a known source
    that is gone is the new one that looks like it. ``beside`` runs while chunks are cut (ingest.resolve).

    Raises ingest.errors.IngestError for paths that hold no mail and accounts that do not answer, sql.errors.StoreBusy
    while another program writes.
    """
    with store.writer_lock("ingest"), store.owner() as conn:
        run = _one(conn, "INSERT INTO mail.ingest_run DEFAULT VALUES RETURNING id")
        box = _mailbox(conn, mailbox, owner)
        conn.commit()
        result = IngestResult(run)
        started = time.perf_counter()
        files = _find(paths, result)
        for one in known.moved(conn, files):
            if has_moved(one.old, one.new):
                known.move(conn, one)
                result.moved.append((one.old, one.new))
        if forget_missing:
            result.forgotten = sync(conn, box, paths, files)
        conn.commit()
        anew = _read(conn, box, files, result, progress, jobs, stopped)
        result.seconds["read"] = time.perf_counter() - started
        if not stopped():
            resolve(conn, progress, result.seconds, beside)
            if result.forgotten or anew:
                sweep(conn)
        result.missing = known.missing(conn)
        counts = {name: getattr(result, name) for name in ("sources", "unchanged", "messages", "copies", "unreadable")}
        conn.execute(
            "UPDATE mail.ingest_run SET finished = now(), counts = %s WHERE id = %s",
            (Jsonb(counts | {"seconds": result.seconds}), run),
        )
    return result


def _find(paths: Sequence[Path | Account], result: IngestResult) -> list[Source]:
    """All sources of the paths and accounts, each once."""
    files: dict[Source, None] = {}
    for path in paths:
        if isinstance(path, Account):
            files.update(dict.fromkeys(path.find()))
            continue
        found = sources.find(path)
        files.update(dict.fromkeys(found.files))
        result.skipped += [(str(skip.path), skip.reason) for skip in found.skipped]
    return list(files)


def _read(
    conn: Connection[Any],
    box: int,
    files: list[Source],
    result: IngestResult,
    progress: Progress,
    jobs: int | None,
    stopped: Callable[[], bool],
) -> bool:
    """Phase 1. Returns whether anything that was known is read anew."""
    anew = False
    todo: dict[int, tuple[Source, changes.Work]] = {}
    for file in files:
        result.sources += 1
        try:
            work = changes.look(conn, box, file)
        except (OSError, SourceError) as error:
            reason = error.strerror if isinstance(error, OSError) else str(error)
            result.skipped.append((file.name, f"cannot be read: {reason}"))
            continue
        if work.how == "unchanged":
            result.unchanged += 1
            continue
        if work.how == "anew":
            forget_source(conn, work.source, keep_row=True)
            anew = True
        todo[work.source] = (file, work)
    conn.commit()
    if not todo:
        return anew
    progress.step("reading", sum(work.bytes for _, work in todo.values()), "bytes")
    read_whole: dict[int, Checkpoint] = {}
    batch = Batch()
    characters = 0
    last = None
    for source, size, parsed in parse_all(_pieces(conn, todo, read_whole), jobs):
        if last is not None and source != last:
            batch.checkpoints[last] = read_whole.pop(last)
        last = source
        if isinstance(parsed, Row):
            batch.messages.append((source, parsed))
            characters += parsed.characters
        elif parsed.error == "NotMail":
            # a picture in an archive, a contact in an Outlook file: passed over like a file in a folder
            result.skipped.append((f"{todo[source][0].name}/{parsed.key}", parsed.detail))
        else:
            batch.unreadable.append((source, todo[source][0].name, parsed))
        if parsed.offset is not None and parsed.length is not None:
            batch.checkpoints[source] = Checkpoint(source, parsed.offset + parsed.length)
        progress.advance(size)
        if len(batch.messages) >= BATCH_MESSAGES or characters >= BATCH_CHARACTERS:
            _store(conn, result, batch)
            batch, characters = Batch(), 0
            if stopped():
                return anew
    batch.checkpoints |= read_whole
    _store(conn, result, batch)
    return anew


def _pieces(
    conn: Connection[Any], todo: dict[int, tuple[Source, changes.Work]], read_whole: dict[int, Checkpoint]
) -> Iterator[tuple[int, Piece]]:
    """Read all sources in turn. Each leaves its last checkpoint in ``read_whole``.

    A source that has gone or cannot be read does not end the run: the ledger names it, and the next run tries again.
    """
    for source, (file, work) in todo.items():
        read_to = work.start
        last = Checkpoint(source, read_to)
        try:
            begun = changes.begun(file, work)
            load(conn, 0, Batch(checkpoints={source: begun}))
            conn.commit()
            for piece in sources.read(file, work.start, _known(conn, source, file)):
                yield source, piece
                read_to = (piece.offset or 0) + (piece.length or 0)
            last = replace(begun, read_to=None if begun.read_to is None else read_to, finished=True)
        except (SourceError, OSError) as error:
            yield source, Unreadable("", type(error).__name__, str(error))
            last = replace(last, read_to=read_to)
        read_whole[source] = last


def _known(conn: Connection[Any], source: int, file: Source) -> set[str]:
    """Keys that need not be read again; of an mbox the byte to start from says it."""
    if file.format == "mbox":
        return set()
    return {key for (key,) in conn.execute("SELECT key FROM mail.occurrence WHERE source = %s", (source,))}


def _store(conn: Connection[Any], result: IngestResult, batch: Batch) -> None:
    try:
        loaded = [load(conn, result.run, batch)]
    except psycopg.DataError:
        conn.rollback()
        loaded = _one_by_one(conn, result.run, batch)
    conn.commit()
    result.messages += sum(each.messages for each in loaded)
    result.copies += sum(each.copies for each in loaded)
    result.unreadable += sum(each.unreadable for each in loaded)


def _one_by_one(conn: Connection[Any], run: int, batch: Batch) -> list[Loaded]:
    """The database refuses a value of a message: only that message goes to the ledger."""
    loaded = []
    for source, row in batch.messages:
        try:
            loaded.append(load(conn, run, Batch([(source, row)])))
        except psycopg.DataError as error:
            detail = f"The database refuses it: {error.diag.message_primary or error}"
            batch.unreadable.append(
                (source, "", Unreadable(row.key, type(error).__name__, detail, row.offset, row.length))
            )
    paths = dict(conn.execute("SELECT id, path FROM mail.source").fetchall())
    unreadable = [(source, path or paths[source], piece) for source, path, piece in batch.unreadable]
    return [*loaded, load(conn, run, Batch([], unreadable, batch.checkpoints))]


def _mailbox(conn: Connection[Any], name: str, owner: Sequence[str]) -> int:
    box = _one(
        conn,
        "INSERT INTO mail.mailbox (name) VALUES (%s)"
        " ON CONFLICT (name) DO UPDATE SET name = excluded.name RETURNING id",
        (name,),
    )
    if owner:
        conn.execute(
            "UPDATE mail.mailbox SET owner_addresses = %s, owner_confirmed = true WHERE id = %s",
            (sorted({address.strip().lower() for address in owner}), box),
        )
    return box


def _one(conn: Connection[Any], query: str, parameters: Sequence[object] = ()) -> int:
    row = conn.execute(query, parameters).fetchone()
    assert row is not None
    return int(row[0])
