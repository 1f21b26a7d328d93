"""Copies of one mail in several folders are one message with several occurrences.

Copies have the same content key (sender, subject without marks, white-space-normalised body) and dates that form
a chain with gaps of at most 24 hours; copies without a date belong together when they have the same Message-ID.
The same words sent again later are another message, and two different mails under one Message-ID stay two. The
groups are connected components, so they do not depend on the order in which copies arrive: a late copy between two
groups joins them. The message carries the headers of its first copy (earliest date, then smallest Message-ID, then
smallest sha256 of the raw bytes).
"""

from __future__ import annotations

from typing import Any


def place(cur: Any) -> tuple[int, int]:
    """Give every row of the temporary table ``incoming`` its message: table ``placed(n, message)``.

    Messages that did not exist are made with the content of the row that comes first; messages that a new copy
    joins are merged. Returns how many messages are new and how many rows are copies.
    """
    cur.execute(_PLACED)
    cur.execute(
        "SELECT DISTINCT unnest(existing) AS gone, message AS target FROM placed WHERE cardinality(existing) > 1"
    )
    merged = [(gone, target) for gone, target in cur.fetchall() if gone != target]
    if merged:
        _merge(cur, merged)
    cur.execute(_NEW_MESSAGES)
    new = cur.rowcount
    cur.execute("SELECT count(*) FROM placed")
    return new, cur.fetchone()[0] - new


def first_headers(cur: Any) -> None:
    """Where a new occurrence comes before those that were known, the message takes its headers and body.

    Leaves the table ``first(n, message)``: the rows that are now the first copy of their message.
    """
    cur.execute(_FIRST)
    cur.execute(_FIRST_HEADERS)
    cur.execute(_KINDS)


def _merge(cur: Any, merged: list[tuple[int, int]]) -> None:
    gone, target = [g for g, _ in merged], [t for _, t in merged]
    cur.execute(_JOINED, (gone, target))
    cur.execute(
        "INSERT INTO mail.recipient (message, kind, address) SELECT j.target, t.kind, t.address"
        " FROM mail.recipient t JOIN joined j ON j.gone = t.message ON CONFLICT DO NOTHING"
    )
    cur.execute(
        "INSERT INTO mail.attachment (message, part, name, type, bytes, sha256)"
        " SELECT j.target, t.part, t.name, t.type, t.bytes, t.sha256"
        " FROM mail.attachment t JOIN joined j ON j.gone = t.message ON CONFLICT DO NOTHING"
    )
    cur.execute("UPDATE mail.occurrence o SET message = j.target FROM joined j WHERE j.gone = o.message")
    cur.execute("UPDATE mail.quote q SET quoted = j.target FROM joined j WHERE j.gone = q.quoted")
    cur.execute("DELETE FROM mail.message m USING joined j WHERE j.gone = m.id")
    cur.execute("DROP TABLE joined")


_PLACED = """
CREATE TEMP TABLE placed ON COMMIT DROP AS
WITH pool AS (
    SELECT i.content_key, i.sent_at, i.message_id, i.raw_sha256, i.n, NULL::bigint AS message FROM incoming i
    UNION ALL
    SELECT m.content_key, o.sent_at, o.message_id, o.raw_sha256, NULL, m.id
    FROM (SELECT DISTINCT content_key FROM incoming) k
    JOIN mail.message m USING (content_key) JOIN mail.occurrence o ON o.message = m.id
    WHERE NOT m.recovered
), steps AS (
    SELECT *, CASE WHEN sent_at IS NULL THEN lag(message_id) OVER w IS DISTINCT FROM message_id
                   ELSE coalesce(sent_at - lag(sent_at) OVER w > interval '24 hours', true) END AS opens
    FROM pool
    WINDOW w AS (PARTITION BY content_key, sent_at IS NULL
                 ORDER BY sent_at, message_id COLLATE "C", raw_sha256, message, n)
), numbered AS (
    SELECT *, sum(opens::int) OVER (PARTITION BY content_key, sent_at IS NULL
                                    ORDER BY sent_at, message_id COLLATE "C", raw_sha256, message, n) AS part
    FROM steps
), ranked AS (
    SELECT *, row_number() OVER g AS place,
           first_value(message) OVER (PARTITION BY content_key, sent_at IS NULL, part
               ORDER BY message IS NULL, sent_at, message_id COLLATE "C", raw_sha256, message) AS target
    FROM numbered
    WINDOW g AS (PARTITION BY content_key, sent_at IS NULL, part
                 ORDER BY sent_at, message_id COLLATE "C", raw_sha256, message, n)
), groups AS (
    SELECT content_key, sent_at IS NULL AS undated, part, min(target) AS target,
           array_agg(DISTINCT message) FILTER (WHERE message IS NOT NULL) AS existing,
           (array_agg(n ORDER BY place) FILTER (WHERE n IS NOT NULL))[1] AS first_n
    FROM ranked GROUP BY 1, 2, 3
    HAVING bool_or(n IS NOT NULL)
), targets AS MATERIALIZED (
    SELECT *, coalesce(target, nextval(pg_get_serial_sequence('mail.message', 'id'))) AS message
    FROM (SELECT * FROM groups ORDER BY first_n) AS ordered
)
SELECT r.n, t.message, t.target IS NULL AS is_new, r.n = t.first_n AS is_first, t.existing
FROM ranked r JOIN targets t ON t.content_key = r.content_key AND t.undated = (r.sent_at IS NULL) AND t.part = r.part
WHERE r.n IS NOT NULL
"""

_JOINED = """
CREATE TEMP TABLE joined ON COMMIT DROP AS SELECT * FROM unnest(%s::bigint[], %s::bigint[]) AS j (gone, target)
"""

_NEW_MESSAGES = """
INSERT INTO mail.message (
    id, content_key, message_id, sender, sender_name, subject, subject_base, is_reply, is_forward, sent_at, local_at,
    date_from, in_reply_to, reference_ids, thread_index, gm_thread, kind, body, hidden, new_text, language, sketch)
SELECT p.message, i.content_key, i.message_id, a.id, i.sender_name, i.subject, i.subject_base, i.is_reply,
    i.is_forward, i.sent_at, i.local_at, i.date_from, i.in_reply_to, i.reference_ids, i.thread_index, i.gm_thread,
    i.kind, i.body, i.hidden, i.new_text, i.language, i.sketch
FROM incoming i JOIN placed p USING (n) LEFT JOIN mail.address a ON a.address = i.sender
WHERE p.is_new AND p.is_first
ORDER BY n
"""

_FIRST = """
CREATE TEMP TABLE first ON COMMIT DROP AS
SELECT i.n, o.message
FROM (
    SELECT DISTINCT ON (o.message) o.message, o.source, o.key
    FROM mail.occurrence o
    WHERE o.message IN (SELECT message FROM placed)
    ORDER BY o.message, o.sent_at, o.message_id COLLATE "C", o.raw_sha256, o.id
) AS o
JOIN incoming i ON i.source = o.source AND i.key = o.key
"""

_FIRST_HEADERS = """
UPDATE mail.message m SET
    message_id = i.message_id, sender_name = i.sender_name, subject = i.subject, is_reply = i.is_reply,
    is_forward = i.is_forward, sent_at = i.sent_at, local_at = i.local_at, date_from = i.date_from,
    in_reply_to = i.in_reply_to, reference_ids = i.reference_ids, thread_index = i.thread_index,
    gm_thread = i.gm_thread, body = i.body, hidden = i.hidden, new_text = i.new_text, language = i.language,
    sketch = i.sketch
FROM first f JOIN incoming i USING (n) JOIN placed p USING (n)
WHERE m.id = f.message AND NOT p.is_new
"""

# A copy in the inbox counts although another lies in the trash; a header that proves automation counts on any copy.
_KINDS = """
UPDATE mail.message m SET kind = best.kind
FROM (
    SELECT DISTINCT ON (o.message) o.message, o.kind
    FROM mail.occurrence o
    WHERE o.message IN (SELECT message FROM placed)
    ORDER BY o.message, array_position(ARRAY['automated', 'mail', 'chat', 'draft', 'spam', 'trash'], o.kind)
) AS best
WHERE m.id = best.message AND m.kind <> best.kind
"""
