"""A parsed message as the row that is copied into the database.

Rows are made where messages are parsed: a few texts cross to the process that writes, not a tree of objects, which
costs both sides less than half.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from ingest.types import Mailbox, Message, Quote

COLUMNS = (
    "key", "place_offset", "place_length", "raw_sha256", "message_id", "message_id_derived", "sender", "sender_name",
    "subject", "subject_base", "is_reply", "is_forward", "sent_at", "local_at", "date_from", "in_reply_to",
    "reference_ids", "thread_index", "gm_thread", "kind", "labels", "body", "hidden", "new_text", "language",
    "content_key", "recipients", "attachments", "address_pairs", "quotes", "sketch",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Row:
    """``values`` are those of COLUMNS; ``characters`` those of body and attachments, as a measure of its size."""

    key: str
    offset: int | None
    length: int | None
    characters: int
    values: tuple[Any, ...]


def row_of(m: Message) -> Row:
    """The row of a message."""
    people = [(kind, box) for kind in ("to", "cc", "bcc") for box in getattr(m, kind)]
    values = (
        m.key, m.offset, m.length, m.raw_sha256, m.message_id, m.message_id_derived,
        m.sender.address if m.sender else None, m.sender.name if m.sender else "",
        m.subject, m.subject_base, m.is_reply, m.is_forward, m.sent_at, m.local_at, m.date_from,
        list(m.in_reply_to), list(m.reference_ids), m.thread_index, m.gm_thread, m.kind,
        list(dict.fromkeys(m.labels)), m.body, _json(m.hidden), m.new_text, m.language, m.content_key,
        _json([_recipient(kind, box) for kind, box in people]),
        _json([[a.part, a.name, a.type, a.bytes, a.sha256.hex(), a.text, a.state, a.detail] for a in m.attachments]),
        _json(m.address_pairs), _json([_quote(q) for q in m.quotes]), m.sketch,
    )  # fmt: skip
    return Row(m.key, m.offset, m.length, len(m.body) + sum(len(a.text) for a in m.attachments), values)


def _quote(q: Quote) -> list[object]:
    author = q.author or Mailbox("")
    people = [[kind, box.address, box.name] for kind, boxes in (("to", q.to), ("cc", q.cc)) for box in boxes]
    local_at = q.local_at.replace(tzinfo=None).isoformat() if q.local_at else None
    return [
        q.start, q.stop, q.depth, q.parent, q.kind, author.name, author.address, q.date_text, local_at, q.subject,
        people, q.text, q.sketch.hex(),
    ]  # fmt: skip


def _recipient(kind: str, box: Mailbox) -> list[str]:
    return [kind, box.address, box.name]


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
