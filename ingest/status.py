"""What became of the mail that was read: by source, and how complete it is.

Every message of a source is either stored, or a copy of a stored one, or stands in the ledger; the figures here are
counted from the tables, never remembered.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from psycopg import Connection, sql
from psycopg.rows import dict_row

from sql.store import Store


@dataclass(frozen=True, slots=True)
class SourceStatus:
    """``read`` = ``stored`` + ``copies`` + ``unreadable``. A message is ``stored`` by the source that has its first
    copy; in others it is one of the ``copies``."""

    path: str
    format: str
    finished: bool
    read: int
    stored: int
    copies: int
    unreadable: int


@dataclass(frozen=True, slots=True)
class OwnerStatus:
    """Whose mailbox it is. ``evidence`` says why the owner was proposed; empty when the person named them."""

    mailbox: str
    addresses: tuple[str, ...]
    confirmed: bool
    evidence: str


@dataclass(frozen=True, slots=True)
class VectorStatus:
    """Vectors of one model: of ``chunks`` different chunk texts ``embedded`` have one."""

    model: str
    embedded: int
    chunks: int


@dataclass(frozen=True, slots=True)
class AttachmentStatus:
    """Attached files, each counted once however many messages carry it. ``read`` whole, ``cut`` at a limit, ``empty``
    of text, ``skipped`` as of a kind that is not read, ``failed``, or ``untried`` by an older version. ``reasons``:
    why files were not read whole, the most frequent first."""

    files: int
    read: int
    cut: int
    empty: int
    skipped: int
    failed: int
    untried: int
    reasons: dict[str, int]


@dataclass(frozen=True, slots=True)
class Status:
    """Counts over the store. Shares ``without_…`` are of ``messages``, as numbers of messages. ``characters`` are those
    of all bodies, ``new_characters`` those of the new text. ``empty``: ids of messages with a body but no new text."""

    messages: int
    recovered: int
    occurrences: int
    without_sender: int
    without_date: int
    without_message_id: int
    without_thread_headers: int
    characters: int
    new_characters: int
    median_new_characters: int
    empty: tuple[int, ...]
    addresses: int
    people: int
    threads_by_rule: dict[str, int]
    kinds: dict[str, int]
    chunks: int
    messages_without_chunks: int
    attachments: AttachmentStatus
    sources: tuple[SourceStatus, ...]
    vectors: tuple[VectorStatus, ...]
    owners: tuple[OwnerStatus, ...]


def status(store: Store) -> Status:
    """Count everything. A second or two for a large store."""
    with store.owner() as conn:
        counts = conn.cursor(row_factory=dict_row).execute(_MESSAGES).fetchone()
        assert counts is not None
        empty = conn.execute(
            "SELECT id FROM mail.message WHERE NOT recovered AND body ~ '\\w' AND new_text !~ '\\w' ORDER BY id"
        ).fetchall()
        return Status(
            **counts,
            empty=tuple(id_ for (id_,) in empty),
            threads_by_rule=_counts(
                conn, "SELECT coalesce(thread_rule, 'none'), count(*) FROM mail.message GROUP BY 1"
            ),
            kinds=_counts(conn, "SELECT kind, count(*) FROM mail.message WHERE NOT recovered GROUP BY 1"),
            attachments=_attachments(conn),
            sources=source_statuses(conn),
            vectors=tuple(_vectors(conn)),
            owners=tuple(
                OwnerStatus(name, tuple(addresses), confirmed, "" if confirmed else evidence)
                for name, addresses, confirmed, evidence in conn.execute(
                    "SELECT name, owner_addresses, owner_confirmed, owner_evidence FROM mail.mailbox ORDER BY name"
                )
            ),
        )


def source_statuses(conn: Connection[Any]) -> tuple[SourceStatus, ...]:
    """What became of each source, in order of their paths."""
    return tuple(SourceStatus(*source) for source in conn.execute(_SOURCES))


def _attachments(conn: Connection[Any]) -> AttachmentStatus:
    row = conn.execute(_ATTACHMENTS).fetchone()
    assert row is not None
    files, read, cut, empty, skipped, failed, untried = row
    return AttachmentStatus(files, read, cut, empty, skipped, failed, untried, _counts(conn, _REASONS))


def _counts(conn: Connection[Any], query: str) -> dict[str, int]:
    return dict(sorted(conn.execute(query.encode()).fetchall(), key=lambda row: (-row[1], row[0])))


def _vectors(conn: Connection[Any]) -> list[VectorStatus]:
    found = []
    rows = conn.execute("SELECT name, relation FROM mail.index_state WHERE name LIKE 'vectors:%%' ORDER BY name", ())
    for name, relation in rows.fetchall():
        row = conn.execute(
            sql.SQL(
                "SELECT count(DISTINCT c.sha256) FILTER (WHERE v.sha256 IS NOT NULL), count(DISTINCT c.sha256)"
                " FROM mail.chunk c LEFT JOIN {} v USING (sha256)"
            ).format(sql.Identifier("mail", relation))
        ).fetchone()
        assert row is not None
        found.append(VectorStatus(name.removeprefix("vectors:"), *row))
    return found


_MESSAGES = """
SELECT count(*) FILTER (WHERE NOT recovered) AS messages, count(*) FILTER (WHERE recovered) AS recovered,
    (SELECT count(*) FROM mail.occurrence) AS occurrences,
    count(*) FILTER (WHERE NOT recovered AND sender IS NULL) AS without_sender,
    count(*) FILTER (WHERE NOT recovered AND sent_at IS NULL) AS without_date,
    (SELECT count(DISTINCT message) FROM mail.occurrence WHERE message_id_derived) AS without_message_id,
    count(*) FILTER (WHERE NOT recovered AND in_reply_to = '{}' AND reference_ids = '{}' AND thread_index IS NULL
                     AND gm_thread IS NULL) AS without_thread_headers,
    coalesce(sum(length(body)) FILTER (WHERE NOT recovered), 0)::bigint AS characters,
    coalesce(sum(length(new_text)) FILTER (WHERE NOT recovered), 0)::bigint AS new_characters,
    coalesce(percentile_cont(0.5) WITHIN GROUP (ORDER BY length(new_text)) FILTER (WHERE NOT recovered), 0)::integer
        AS median_new_characters,
    (SELECT count(*) FROM mail.address) AS addresses, (SELECT count(*) FROM mail.person) AS people,
    (SELECT count(*) FROM mail.chunk) AS chunks,
    count(*) FILTER (WHERE NOT EXISTS (SELECT 1 FROM mail.chunk c WHERE c.message = message.id))
        AS messages_without_chunks
FROM mail.message
"""

_ATTACHMENTS = """
SELECT count(*), count(*) FILTER (WHERE state = 'read'), count(*) FILTER (WHERE state = 'cut'),
    count(*) FILTER (WHERE state = 'empty'), count(*) FILTER (WHERE state = 'skipped'),
    count(*) FILTER (WHERE state = 'failed'), count(*) FILTER (WHERE state IS NULL)
FROM (SELECT DISTINCT sha256 FROM mail.attachment) a LEFT JOIN mail.attachment_text t USING (sha256)
"""

_REASONS = "SELECT detail, count(*) FROM mail.attachment_text WHERE state <> 'read' GROUP BY 1"

_SOURCES = """
WITH first AS (
    SELECT id, source, row_number() OVER (
        PARTITION BY message ORDER BY sent_at, message_id COLLATE "C", raw_sha256, id) = 1 AS yes
    FROM mail.occurrence
), stored AS (
    SELECT source, count(*) FILTER (WHERE yes) AS stored, count(*) FILTER (WHERE NOT yes) AS copies
    FROM first GROUP BY 1
), ledger AS (
    SELECT source, count(*) AS n FROM mail.ingest_error GROUP BY 1
)
SELECT s.path, s.format, s.finished, coalesce(t.stored, 0) + coalesce(t.copies, 0) + coalesce(l.n, 0),
    coalesce(t.stored, 0), coalesce(t.copies, 0), coalesce(l.n, 0)
FROM mail.source s LEFT JOIN stored t ON t.source = s.id LEFT JOIN ledger l ON l.source = s.id
ORDER BY s.path
"""
