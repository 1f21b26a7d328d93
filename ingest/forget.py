"""Mail leaves the store: a whole source, or some of what stood in one, and the messages that stood nowhere else.

What remains of a message that has other copies is recomputed from those: headers, kind and recipients.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from psycopg import Connection

from ingest.embed import prune
from ingest.subjects import read_subject


def forget_source(conn: Connection[Any], source: int, keep_row: bool = False) -> int:
    """Remove the occurrences of ``source`` and, unless ``keep_row``, the source itself. Returns how many messages
    left the store. Threads, people, graph and chunks follow with the next run of the second phase."""
    with conn.transaction():
        gone = _forget(conn, source, None)
        if keep_row:
            conn.execute(
                "UPDATE mail.source SET read_to = 0, finished = false, bytes = NULL, modified_ns = NULL WHERE id = %s",
                (source,),
            )
            conn.execute("DELETE FROM mail.ingest_error WHERE source = %s", (source,))
        else:
            conn.execute("DELETE FROM mail.source WHERE id = %s", (source,))
    return gone


def forget_keys(conn: Connection[Any], source: int, keys: Collection[str]) -> int:
    """Remove what stood at ``keys`` of a source. Returns how many messages left the store."""
    with conn.transaction():
        return _forget(conn, source, list(keys))


def sweep(conn: Connection[Any]) -> None:
    """After the second phase: what only mail that left had to do with goes too, that is labels, organisations and the
    vectors of texts."""
    conn.execute("DELETE FROM mail.label l WHERE NOT EXISTS (SELECT FROM mail.occurrence_label o WHERE o.label = l.id)")
    conn.execute(
        "DELETE FROM mail.organization o WHERE NOT EXISTS (SELECT FROM mail.address a WHERE a.organization = o.id)"
    )
    prune(conn)


def _forget(conn: Connection[Any], source: int, keys: list[str] | None) -> int:
    conn.execute("CREATE TEMP TABLE touched (message bigint PRIMARY KEY) ON COMMIT DROP")
    conn.execute(
        "WITH gone AS ("
        " DELETE FROM mail.occurrence WHERE source = %s AND (%s::text[] IS NULL OR key = ANY (%s)) RETURNING message)"
        " INSERT INTO touched SELECT DISTINCT message FROM gone",
        (source, keys, keys),
    )
    gone = conn.execute(
        "DELETE FROM mail.message m USING touched t WHERE m.id = t.message"
        " AND NOT EXISTS (SELECT 1 FROM mail.occurrence o WHERE o.message = m.id)"
    ).rowcount
    conn.execute("DELETE FROM touched t WHERE NOT EXISTS (SELECT 1 FROM mail.message m WHERE m.id = t.message)")
    conn.execute(_HEADERS)
    for message, subject in conn.execute(
        "SELECT id, subject FROM mail.message JOIN touched ON message = id"
    ).fetchall():
        _, is_reply, is_forward = read_subject(subject)
        conn.execute(
            "UPDATE mail.message SET is_reply = %s, is_forward = %s WHERE id = %s", (is_reply, is_forward, message)
        )
    conn.execute("DELETE FROM mail.recipient r USING touched t WHERE r.message = t.message")
    conn.execute(_RECIPIENTS)
    conn.execute("DROP TABLE touched")
    conn.execute("DELETE FROM mail.label l WHERE NOT EXISTS (SELECT FROM mail.occurrence_label o WHERE o.label = l.id)")
    return gone


_HEADERS = """
UPDATE mail.message m SET
    message_id = f.message_id, sender_name = f.sender_name, subject = f.subject, sent_at = f.sent_at,
    local_at = f.local_at, date_from = f.date_from, in_reply_to = f.in_reply_to, reference_ids = f.reference_ids,
    thread_index = f.thread_index, gm_thread = f.gm_thread, kind = f.best_kind
FROM (
    SELECT DISTINCT ON (o.message) o.*, (
        SELECT k.kind FROM mail.occurrence k WHERE k.message = o.message
        ORDER BY array_position(ARRAY['automated', 'mail', 'chat', 'draft', 'spam', 'trash'], k.kind) LIMIT 1
    ) AS best_kind
    FROM mail.occurrence o JOIN touched t ON t.message = o.message
    ORDER BY o.message, o.sent_at, o.message_id COLLATE "C", o.raw_sha256, o.id
) AS f
WHERE m.id = f.message
"""

_RECIPIENTS = """
INSERT INTO mail.recipient (message, kind, address)
SELECT DISTINCT o.message, r ->> 0, a.id
FROM mail.occurrence o JOIN touched t ON t.message = o.message, jsonb_array_elements(o.recipients) AS r
JOIN mail.address a ON a.address = r ->> 1
"""
