"""A few messages of each kind, so that a person can check whether the kinds are told rightly."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from psycopg import Connection

from ingest.resolve.owner import SENT_FOLDER

# What makes a message one of a kind; the condition is about a row m of mail.message.
KINDS: Final = {
    **{
        kind: f"m.kind = '{kind}' AND NOT m.recovered"
        for kind in ("mail", "automated", "draft", "spam", "trash", "chat")
    },
    "sent": "EXISTS (SELECT FROM mail.occurrence o JOIN mail.occurrence_label ol ON ol.occurrence = o.id"
    f" JOIN mail.label l ON l.id = ol.label WHERE o.message = m.id AND l.name ~* '{SENT_FOLDER}')",
    "recovered": "m.recovered",
    "empty": "NOT m.recovered AND m.body ~ '\\w' AND m.new_text !~ '\\w'",
}
SAMPLES: Final = 20


@dataclass(frozen=True, slots=True)
class Sample:
    """A message with what its kind was told by. ``folders``: the labels of its copies."""

    id: int
    local_at: datetime | None
    sender: str
    subject: str
    folders: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Samples:
    """``of``: how many there are of the kind."""

    kind: str
    of: int
    samples: tuple[Sample, ...]


def samples(conn: Connection[Any], kind: str) -> Samples:
    """Up to twenty messages of ``kind``, spread over all of them, the same ones each time."""
    row = conn.execute(f"SELECT count(*) FROM mail.message m WHERE {KINDS[kind]}".encode()).fetchone()  # noqa: S608
    assert row is not None
    found = conn.execute(_SAMPLES.format(condition=KINDS[kind]).encode(), {"most": SAMPLES})
    return Samples(
        kind, row[0], tuple(Sample(id_, at, who, what, tuple(folders)) for id_, at, who, what, folders in found)
    )


_SAMPLES = """
SELECT m.id, m.local_at, coalesce(nullif(m.sender_name, ''), a.address, ''), m.subject, (
        SELECT coalesce(array_agg(DISTINCT l.name), '{{}}') FROM mail.occurrence o
        JOIN mail.occurrence_label ol ON ol.occurrence = o.id JOIN mail.label l ON l.id = ol.label
        WHERE o.message = m.id)
FROM (SELECT * FROM mail.message m WHERE {condition} ORDER BY md5(m.message_id), m.id LIMIT %(most)s) AS m
LEFT JOIN mail.address a ON a.id = m.sender
ORDER BY m.local_at, m.id
"""
