"""A message as it stands in its source, and what is attached to it: read again from there, never kept twice.

A source may have moved or changed since it was read; then another copy of the message is taken, and when there is none
the error says what became of the source.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from psycopg import Connection

from ingest import sources
from ingest.body import attachment_content
from ingest.errors import OnServer, SourceChanged, SourceError, SourceMissing, UnreadableMessage
from ingest.sources import SourceFile, imap
from ingest.types import AttachmentState, RawMessage

# of a piece that is no message, so that a person can see what it is
MOST_OF_LEDGER = 64 * 1024


@dataclass(frozen=True, slots=True)
class Attached:
    """An attachment with what is known of its text. ``state`` and ``detail`` as in mail.attachment_text; ``state`` is
    "" where an older version did not try."""

    id: int
    message: int
    part: str
    name: str
    type: str
    bytes: int
    text: str
    state: AttachmentState
    detail: str


def original(conn: Connection[Any], message: int) -> RawMessage:
    """The message in one of its sources, as it was when it was ingested. Raises SourceError when no source has it any
    more, and UnreadableMessage for a message that no source has had (known only from a quotation)."""
    rows = conn.execute(
        "SELECT s.path, s.format, o.key, o.place_offset, o.place_length, o.raw_sha256 FROM mail.occurrence o"
        " JOIN mail.source s ON s.id = o.source WHERE o.message = %s ORDER BY o.id",
        (message,),
    ).fetchall()
    failed: SourceError | None = None
    for path, format_, key, offset, length, sha256 in rows:
        try:
            if imap.is_address(path):
                raise OnServer(path)
            found = sources.read_one(SourceFile(Path(path), format_, ()), key, offset, length)
        except SourceError as error:
            failed = failed or error
            continue
        if hashlib.sha256(found.data).digest() == sha256:
            return found
        failed = failed or SourceChanged(Path(path), key)
    raise failed or UnreadableMessage(str(message), "no source holds it; it is known only from a quotation")


def attached(conn: Connection[Any], attachment: int) -> Attached | None:
    """One attachment by its id, or None."""
    row = conn.execute(
        "SELECT a.id, a.message, a.part, a.name, a.type, a.bytes, coalesce(t.text, ''), coalesce(t.state, ''),"
        " coalesce(t.detail, '') FROM mail.attachment a LEFT JOIN mail.attachment_text t USING (sha256)"
        " WHERE a.id = %s",
        (attachment,),
    ).fetchone()
    return Attached(*row) if row else None


def content(raw: RawMessage, part: str) -> bytes:
    """The decoded bytes of an attachment of ``raw``; none where it is not in it."""
    return attachment_content(raw.data, part) or b""


def ledger_piece(conn: Connection[Any], entry: int) -> bytes:
    """The first bytes of what could not be read, for an entry of mail.ingest_error. Raises SourceError."""
    row = conn.execute(
        "SELECT e.path, e.key, e.place_offset, e.place_length, s.format FROM mail.ingest_error e"
        " LEFT JOIN mail.source s ON s.id = e.source WHERE e.id = %s",
        (entry,),
    ).fetchone()
    if row is None:
        return b""
    path, key, offset, length, format_ = row
    path = Path(path)
    if offset is None and key and format_:
        inside = path / key
        if not (path.is_dir() and inside.is_file()):
            return sources.read_one(SourceFile(path, format_, ()), key).data[:MOST_OF_LEDGER]
        path = inside
    try:
        with path.open("rb") as file:
            file.seek(offset or 0)
            return bytes(file.read(min(length or MOST_OF_LEDGER, MOST_OF_LEDGER)))
    except OSError:
        raise SourceMissing(path) from None
