"""Small made-up mailboxes, and a view of a store that does not depend on how it was filled."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from email.utils import format_datetime
from pathlib import Path
from typing import Any

from sql.store import Store

START = datetime.fromisoformat("2024-03-04T09:00:00+01:00")


def mail(
    body: str = "The pump at the quay is fixed.",
    *,
    sender: str = "Ada Quill <ada.quill@harbour.example>",
    to: str = "Joe Quay <joe.quay@harbour.example>",
    cc: str = "",
    subject: str = "Pump",
    hours: float = 0.0,
    date: str | None = None,
    id_: str | None = None,
    headers: str = "",
) -> bytes:
    """A message; ``hours`` after START unless ``date`` is given; without ``id_`` the id follows from the content."""
    when = format_datetime(START + timedelta(hours=hours)) if date is None else date
    lines = [
        f"From: {sender}", f"To: {to}", f"Cc: {cc}" if cc else "", f"Subject: {subject}",
        f"Date: {when}" if when else "", f"Message-ID: <{id_}>" if id_ else "", headers,
        "Content-Type: text/plain; charset=utf-8",
    ]  # fmt: skip
    return ("\n".join(line for line in lines if line) + "\n\n" + body + "\n").encode()


def mbox(path: Path, mails: Iterable[bytes]) -> Path:
    """Write an mbox file; its modification time moves on even when a clock does not."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"".join(b"From - Mon Mar  4 09:00:00 2024\n" + each + b"\n" for each in mails))
    return path


def rows(store: Store, query: str, *parameters: object) -> list[tuple[Any, ...]]:
    with store.owner() as conn:
        return conn.execute(query.encode(), parameters).fetchall()


def one(store: Store, query: str, *parameters: object) -> Any:
    return rows(store, query, *parameters)[0][0]


def snapshot(store: Store) -> dict[str, list[tuple[Any, ...]]]:
    """Everything that ingest writes, by natural keys: ids, and so the order of reading, leave no trace in it."""
    return {name: rows(store, query) for name, query in _VIEWS.items()}


_PERSON = (
    "(SELECT array_agg(b.address ORDER BY b.address) FROM mail.person_address x JOIN mail.person_address y USING (person)"
    " JOIN mail.address b ON b.id = y.address WHERE x.address = a.id)"
)
_KEY = "encode(m.content_key, 'hex') || m.message_id"
_VIEWS = {
    "messages": (
        f"SELECT {_KEY}, a.address, m.sender_name, m.subject, m.subject_base, m.is_reply, m.is_forward, m.sent_at,"
        " m.local_at, m.date_from, m.in_reply_to, m.reference_ids, m.kind, m.recovered, m.body, m.hidden, m.new_text,"
        " m.thread_rule FROM mail.message m LEFT JOIN mail.address a ON a.id = m.sender ORDER BY 1"
    ),
    "occurrences": (
        f"SELECT s.path, o.key, o.message_id, o.sent_at, o.kind, o.recipients, {_KEY}, (SELECT array_agg(l.name"
        " ORDER BY l.name) FROM mail.occurrence_label ol JOIN mail.label l ON l.id = ol.label"
        " WHERE ol.occurrence = o.id) FROM mail.occurrence o"
        " JOIN mail.source s ON s.id = o.source JOIN mail.message m ON m.id = o.message ORDER BY 1, 2"
    ),
    "recipients": (
        f"SELECT {_KEY}, r.kind, a.address FROM mail.recipient r JOIN mail.message m ON m.id = r.message"
        " JOIN mail.address a ON a.id = r.address ORDER BY 1, 2, 3"
    ),
    "addresses": (
        "SELECT a.address, a.domain, a.is_role, o.domain, (SELECT array_agg((n.name, n.n)::text ORDER BY n.name)"
        " FROM mail.address_name n WHERE n.address = a.id) FROM mail.address a"
        " LEFT JOIN mail.organization o ON o.id = a.organization ORDER BY 1"
    ),
    "people": (
        f"SELECT a.address, p.name, p.is_owner, p.is_role, {_PERSON} FROM mail.person_address pa"
        " JOIN mail.person p ON p.id = pa.person JOIN mail.address a ON a.id = pa.address ORDER BY 1"
    ),
    "links": (
        "SELECT least(a.address, b.address), greatest(a.address, b.address), l.same, l.rule, l.by_hand"
        " FROM mail.person_link l JOIN mail.address a ON a.id = l.a JOIN mail.address b ON b.id = l.b ORDER BY 1, 2, 4"
    ),
    "threads": (
        f"SELECT array_agg({_KEY} ORDER BY {_KEY}), t.subject, t.messages, t.participants, t.first_at, t.last_at"
        " FROM mail.thread t JOIN mail.message m ON m.thread = t.id GROUP BY t.id ORDER BY 1"
    ),
    "replies": (
        f"SELECT {_KEY}, p.message_id, r.rule FROM mail.reply r JOIN mail.message m ON m.id = r.message"
        " JOIN mail.message p ON p.id = r.parent ORDER BY 1, 2"
    ),
    "quotes": (
        f"SELECT {_KEY}, q.position, q.start, q.stop, q.kind, q.author_name, q.local_at, q.text, q.rule, p.message_id"
        " FROM mail.quote q JOIN mail.message m ON m.id = q.message LEFT JOIN mail.message p ON p.id = q.quoted"
        " ORDER BY 1, 2"
    ),
    "attachments": (
        f"SELECT {_KEY}, t.part, t.name, t.type, t.bytes, encode(t.sha256, 'hex') FROM mail.attachment t"
        " JOIN mail.message m ON m.id = t.message ORDER BY 1, 2, 6"
    ),
    "chunks": (
        f"SELECT {_KEY}, c.position, c.text, c.start, c.stop, encode(c.sha256, 'hex') FROM mail.chunk c"
        " JOIN mail.message m ON m.id = c.message ORDER BY 1, 2"
    ),
    "sources": "SELECT path, format, bytes, read_to, finished FROM mail.source ORDER BY 1",
    "ledger": "SELECT path, key, place_offset, place_length, error FROM mail.ingest_error ORDER BY 1, 2",
}
