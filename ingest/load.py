"""Parsed messages become rows. Each batch is one transaction together with the checkpoint of its sources.

A batch is copied into a temporary table and merged from there with set operations, so that a message costs a
few microseconds of SQL instead of a round trip per row. Because rows and checkpoint commit together, a process
that is killed leaves the store as it was after some batch, and the next run goes on from there. Rows that are
stored already (same source and key) are left out, so that reading a batch twice changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from psycopg import Connection

from ingest.resolve import copies
from ingest.rows import COLUMNS, Row
from ingest.types import Unreadable


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """How far a source is committed. ``read_to`` is a byte offset (None for directories). The other fields are
    known once the source is read to its end (``finished``)."""

    source: int
    read_to: int | None
    finished: bool = False
    size: int | None = None
    modified_ns: int | None = None
    head_sha256: bytes | None = None
    tail_sha256: bytes | None = None


@dataclass(slots=True)
class Batch:
    """What one transaction stores: messages and unreadable pieces with the id of their source, and checkpoints."""

    messages: list[tuple[int, Row]] = field(default_factory=list)
    unreadable: list[tuple[int, str, Unreadable]] = field(default_factory=list)
    checkpoints: dict[int, Checkpoint] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Loaded:
    """Counts of one batch: new messages, new copies of known ones, and pieces that went to the ledger."""

    messages: int
    copies: int
    unreadable: int


def load(conn: Connection[Any], run: int, batch: Batch) -> Loaded:
    """Store ``batch`` and its checkpoints in one transaction on ``conn``; commits.

    Raises psycopg.Error when the database fails; nothing of the batch is stored then.
    """
    with conn.transaction(), conn.cursor() as cur:
        messages = known = 0
        if batch.messages:
            cur.execute(_INCOMING)
            with cur.copy(f"COPY incoming (n, source, {', '.join(COLUMNS)}) FROM STDIN") as copy:
                for n, (source, row) in enumerate(batch.messages):
                    copy.write_row((n, source, *row.values))
            cur.execute("DELETE FROM incoming i USING mail.occurrence o WHERE o.source = i.source AND o.key = i.key")
            cur.execute("ANALYZE incoming")
            cur.execute(_ADDRESSES)
            messages, known = copies.place(cur)
            cur.execute(_OCCURRENCES)
            for statement in (
                _RECIPIENTS,
                _ATTACHMENTS,
                _ATTACHMENT_TEXTS,
                _LABELS,
                _OCCURRENCE_LABELS,
                _READ_AFTER_ALL,
            ):
                cur.execute(statement)
            copies.first_headers(cur)
            cur.execute(_OLD_QUOTES)
            cur.execute(_QUOTES)
            cur.execute("DROP TABLE incoming, placed, first")
        _ledger(cur, run, batch.unreadable)
        _checkpoints(cur, run, batch.checkpoints.values())
    return Loaded(messages, known, len(batch.unreadable))


def _ledger(cur: Any, run: int, unreadable: Iterable[tuple[int, str, Unreadable]]) -> None:
    for source, path, piece in unreadable:
        cur.execute("DELETE FROM mail.ingest_error WHERE path = %s AND key = %s", (path, piece.key))
        cur.execute(
            "INSERT INTO mail.ingest_error (run, source, path, key, place_offset, place_length, error, detail)"
            " VALUES (%s, %s, %s, %s, %s, %s, %s, %s)",
            (run, source, path, piece.key, piece.offset, piece.length, piece.error, piece.detail),
        )


def _checkpoints(cur: Any, run: int, checkpoints: Iterable[Checkpoint]) -> None:
    for c in checkpoints:
        cur.execute(
            "UPDATE mail.source SET read_to = %s, finished = %s, bytes = coalesce(%s, bytes),"
            " modified_ns = coalesce(%s, modified_ns), head_sha256 = coalesce(%s, head_sha256),"
            " tail_sha256 = coalesce(%s, tail_sha256) WHERE id = %s",
            (c.read_to, c.finished, c.size, c.modified_ns, c.head_sha256, c.tail_sha256, c.source),
        )
        if c.finished:  # what once kept the whole source from being read does so no more, also when nothing is in it
            cur.execute("DELETE FROM mail.ingest_error WHERE source = %s AND key = '' AND run <> %s", (c.source, run))


_INCOMING = """
CREATE TEMP TABLE incoming (
    n integer PRIMARY KEY, source bigint, key text, place_offset bigint, place_length bigint, raw_sha256 bytea,
    message_id text, message_id_derived boolean, sender text, sender_name text, subject text, subject_base text,
    is_reply boolean, is_forward boolean, sent_at timestamptz, local_at timestamp, date_from text,
    in_reply_to text[], reference_ids text[], thread_index bytea, gm_thread text, kind text, labels text[],
    body text, hidden jsonb, new_text text, language text, content_key bytea, recipients jsonb, attachments jsonb,
    address_pairs jsonb, quotes jsonb, sketch bytea
) ON COMMIT DROP
"""

_ADDRESSES = """
INSERT INTO mail.address (address, domain)
SELECT address, nullif(lower(substring(address FROM '@([^@]+)$')), '')
FROM (
    SELECT sender AS address FROM incoming WHERE sender IS NOT NULL
    UNION
    SELECT r ->> 1 FROM incoming, jsonb_array_elements(recipients) AS r
) AS seen
ORDER BY address COLLATE "C"
ON CONFLICT (address) DO NOTHING
"""

_OCCURRENCES = """
INSERT INTO mail.occurrence (
    message, source, key, place_offset, place_length, raw_sha256, message_id, message_id_derived, sender_name, subject,
    sent_at, local_at, date_from, in_reply_to, reference_ids, thread_index, gm_thread, kind, recipients, address_pairs)
SELECT p.message, i.source, i.key, i.place_offset, i.place_length, i.raw_sha256, i.message_id, i.message_id_derived,
    i.sender_name, i.subject, i.sent_at, i.local_at, i.date_from, i.in_reply_to, i.reference_ids, i.thread_index,
    i.gm_thread, i.kind, i.recipients, i.address_pairs
FROM incoming i JOIN placed p USING (n)
ORDER BY n
"""

_RECIPIENTS = """
INSERT INTO mail.recipient (message, kind, address)
SELECT DISTINCT p.message, r ->> 0, a.id
FROM incoming i JOIN placed p USING (n), jsonb_array_elements(i.recipients) AS r
JOIN mail.address a ON a.address = r ->> 1
ON CONFLICT DO NOTHING
"""

_ATTACHMENTS = """
INSERT INTO mail.attachment (message, part, name, type, bytes, sha256)
SELECT p.message, a ->> 0, a ->> 1, a ->> 2, (a ->> 3)::bigint, decode(a ->> 4, 'hex')
FROM incoming i JOIN placed p USING (n), jsonb_array_elements(i.attachments) AS a
ON CONFLICT DO NOTHING
"""

_ATTACHMENT_TEXTS = """
INSERT INTO mail.attachment_text (sha256, text, state, detail)
SELECT DISTINCT ON (1) decode(a ->> 4, 'hex'), a ->> 5, a ->> 6, a ->> 7
FROM incoming i, jsonb_array_elements(i.attachments) AS a
WHERE a ->> 6 <> ''
ORDER BY 1, 2 DESC, 3, 4
ON CONFLICT (sha256) DO UPDATE SET text = excluded.text, state = excluded.state, detail = excluded.detail
    WHERE attachment_text.state = 'failed' AND excluded.state <> 'failed'
"""

_LABELS = """
INSERT INTO mail.label (name)
SELECT DISTINCT label FROM incoming, unnest(labels) AS label ORDER BY label
ON CONFLICT DO NOTHING
"""

_OCCURRENCE_LABELS = """
INSERT INTO mail.occurrence_label (occurrence, label)
SELECT o.id, l.id
FROM incoming i JOIN mail.occurrence o USING (source, key), unnest(i.labels) AS given(name)
JOIN mail.label l ON l.name = given.name
ON CONFLICT DO NOTHING
"""

# The spans of quotes are those of the first copy's body.
_OLD_QUOTES = """
DELETE FROM mail.quote q USING first f WHERE q.message = f.message
"""
_QUOTES = """
INSERT INTO mail.quote (message, position, start, stop, depth, parent, kind, author_name, author_address, date_text,
    local_at, subject, recipients, text, sketch)
SELECT f.message, q.place - 1, (x ->> 0)::integer, (x ->> 1)::integer, (x ->> 2)::integer, (x ->> 3)::integer, x ->> 4,
    x ->> 5, x ->> 6, x ->> 7, (x ->> 8)::timestamp, x ->> 9, x -> 10, x ->> 11, decode(x ->> 12, 'hex')
FROM first f JOIN incoming i USING (n), jsonb_array_elements(i.quotes) WITH ORDINALITY AS q (x, place)
"""

# A piece that could not be read before and can now leaves the ledger.
_READ_AFTER_ALL = """
DELETE FROM mail.ingest_error e USING incoming i WHERE e.source = i.source AND e.key IN (i.key, '')
"""
