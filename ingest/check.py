"""Proof that nothing was lost between reading and asking: figures that must agree, and the differences where not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from psycopg import Connection

from ingest.resolve import state


@dataclass(frozen=True, slots=True)
class Difference:
    """What should hold, and what was found instead."""

    what: str
    found: str

    def __str__(self) -> str:
        return f"{self.what}: {self.found}"


def check(conn: Connection[Any]) -> list[Difference]:
    """Look at the whole store; empty when all agrees."""
    found = []
    for what, query in _RULES:
        row = conn.execute(query.encode()).fetchone()
        assert row is not None
        n, examples = row
        if n:
            some = ", ".join(map(str, (examples or [])[:5]))
            found.append(Difference(what, f"{n:,} do not, such as {some}"))
    row = conn.execute("SELECT fingerprint FROM mail.index_state WHERE name = 'resolved'").fetchone()
    if conn.execute("SELECT 1 FROM mail.occurrence LIMIT 1").fetchone() and (row is None or row[0] != state(conn)):
        found.append(Difference("people, threads and chunks follow the messages", "they are older: run ingest again"))
    return found


def _wrong(rows: str) -> str:
    """How many rows a query finds, with their first columns."""
    return f"SELECT count(*), (array_agg(id::text ORDER BY id))[:5] FROM ({rows}) AS wrong (id)"  # noqa: S608


_RULES = tuple(
    (what, _wrong(rows))
    for what, rows in (
        (
            "every message stands in a source, unless it is known only from quotations",
            "SELECT id FROM mail.message m WHERE recovered ="
            " EXISTS (SELECT 1 FROM mail.occurrence o WHERE o.message = m.id)",
        ),
        (
            "every recovered message is quoted somewhere",
            "SELECT id FROM mail.message m WHERE recovered"
            " AND NOT EXISTS (SELECT 1 FROM mail.quote q WHERE q.quoted = m.id)",
        ),
        (
            "every source is read to its end",
            "SELECT path FROM mail.source WHERE NOT finished",
        ),
        (
            "every byte of an mbox is a message or stands in the ledger",
            "SELECT s.path FROM mail.source s WHERE s.format = 'mbox' AND s.finished AND s.read_to <> ("
            " SELECT coalesce(sum(place_length), 0) FROM ("
            "  SELECT place_length FROM mail.occurrence WHERE source = s.id"
            "  UNION ALL SELECT place_length FROM mail.ingest_error WHERE source = s.id) AS pieces)",
        ),
        (
            "no message is in the ledger and in the store",
            "SELECT e.path FROM mail.ingest_error e JOIN mail.occurrence o ON o.source = e.source AND o.key = e.key",
        ),
        (
            "every message has its chunks",
            "SELECT id FROM mail.message m WHERE NOT EXISTS (SELECT 1 FROM mail.chunk c WHERE c.message = m.id)",
        ),
        (
            "chunks hold the new text to its end",
            "SELECT m.id FROM mail.message m JOIN mail.chunk c ON c.message = m.id AND c.attachment IS NULL"
            " GROUP BY m.id, m.new_text"
            " HAVING substr(m.new_text, max(c.stop) + 1) ~ '\\w' OR max(c.stop) > length(m.new_text)",
        ),
        (
            "every text of an attachment has its chunks, with one message",
            "SELECT encode(t.sha256, 'hex') FROM mail.attachment_text t WHERE t.text <> '' AND 1 <>"
            " (SELECT count(DISTINCT a.id) FROM mail.attachment a JOIN mail.chunk c ON c.attachment = a.id"
            "  WHERE a.sha256 = t.sha256)",
        ),
        (
            "chunks of attachments hold their text to its end",
            "SELECT m.id FROM"
            " (SELECT message, max(stop) AS stop FROM mail.chunk WHERE attachment IS NOT NULL GROUP BY 1) c"
            " JOIN mail.message m ON m.id = c.message, mail.searched_text(m.id, m.new_text) AS text"
            " WHERE substr(text, c.stop + 1) ~ '\\w' OR c.stop > length(text) UNION ALL"
            " SELECT m.id FROM mail.chunk c JOIN mail.message m ON m.id = c.message,"
            " btrim(substr(mail.searched_text(m.id, m.new_text), c.start + 1, c.stop - c.start), E' \\n') AS piece"
            " WHERE c.attachment IS NOT NULL AND right(c.text, length(piece)) <> piece",
        ),
        (
            "recipients are the union over the copies",
            "SELECT message FROM (("
            " SELECT o.message, r ->> 0 AS kind, a.id FROM mail.occurrence o, jsonb_array_elements(o.recipients) AS r"
            "  JOIN mail.address a ON a.address = r ->> 1"
            " EXCEPT SELECT message, kind, address FROM mail.recipient) UNION ALL ("
            " SELECT r.message, r.kind, r.address FROM mail.recipient r JOIN mail.message m ON m.id = r.message"
            "  WHERE NOT m.recovered"
            " EXCEPT SELECT o.message, r ->> 0, a.id FROM mail.occurrence o, jsonb_array_elements(o.recipients) AS r"
            "  JOIN mail.address a ON a.address = r ->> 1)) AS different",
        ),
        (
            "every address is one person's",
            "SELECT address FROM mail.address a"
            " WHERE NOT EXISTS (SELECT 1 FROM mail.person_address p WHERE p.address = a.id)",
        ),
        (
            "every message is in one thread, and threads count their messages",
            "SELECT m.id FROM mail.message m WHERE m.thread IS NULL UNION ALL"
            " SELECT t.id FROM mail.thread t WHERE t.messages <>"
            " (SELECT count(*) FROM mail.message m WHERE m.thread = t.id)",
        ),
    )
)
