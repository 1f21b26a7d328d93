"""A made-up mailbox of any size, written straight into the tables: what the graph's figures are measured on.

Its shape follows real mailboxes: senders by a Zipf law, the owner in most messages, threads of one to forty messages,
now and then a mail to hundreds of people. All words and people are generated; nothing is read from anywhere.
"""

from __future__ import annotations

import psycopg

FILL = """
SELECT setseed(0.42);
INSERT INTO mail.mailbox (name, owner_addresses) VALUES ('default', '{p1@org1.example}');
INSERT INTO mail.source (mailbox, path, format, finished) SELECT id, '/made-up.mbox', 'mbox', true FROM mail.mailbox;
INSERT INTO mail.organization (id, domain, name)
    SELECT i, 'org' || i || '.example', 'Org ' || i FROM generate_series(1, greatest(10, %(n)s / 100)) i;
-- every tenth person has a second, private address
INSERT INTO mail.address (id, address, domain, organization)
    SELECT i, 'p' || i || '@org' || o || '.example', 'org' || o || '.example', o
    FROM (SELECT i, CASE WHEN i %% 3 > 0 THEN 1 ELSE 1 + i %% greatest(10, %(n)s / 100) END AS o
          FROM generate_series(1, %(people)s) i) p;
INSERT INTO mail.address (id, address, domain)
    SELECT %(people)s + i, 'private' || i || '@webmail.example', 'webmail.example'
    FROM generate_series(10, %(people)s, 10) i;
INSERT INTO mail.address_name SELECT id, 'Person ' || (id - 1) %% %(people)s + 1, 1 FROM mail.address;
INSERT INTO mail.person (id, name, is_owner) SELECT i, 'Person ' || i, i = 1 FROM generate_series(1, %(people)s) i;
INSERT INTO mail.person_address SELECT id, (id - 1) %% %(people)s + 1 FROM mail.address;
INSERT INTO mail.label (name) SELECT 'folder ' || i FROM generate_series(1, 40) i;
-- the cube of a random number: few people write most; thread sizes alike
CREATE TEMP TABLE made ON COMMIT DROP AS
    SELECT i, CASE WHEN random() < 0.2 THEN 1 ELSE 1 + floor(%(people)s * random() ^ 3)::bigint END AS sender,
           1 + floor(%(n)s / 3 * random() ^ 1.5)::bigint AS thread,
           date_trunc('second', timestamp '2000-01-01' + random() * interval '900 days') AS at,
           random() AS chance, random() AS many
    FROM generate_series(1, %(n)s) i;
CREATE TEMP TABLE made_thread ON COMMIT DROP AS SELECT thread, min(i) AS id FROM made GROUP BY thread;
INSERT INTO mail.message (id, content_key, message_id, sender, sender_name, subject, subject_base, is_reply, sent_at,
                          local_at, date_from, kind, recovered, body, new_text, thread, thread_rule)
    SELECT i, sha256(i::text::bytea), '<' || i || '@made.example>', sender, 'Person ' || sender,
           'subject of ' || id, 'subject of ' || id, i <> id, (at + interval '6 hours') AT TIME ZONE 'UTC', at, 'header',
           CASE WHEN chance < 0.05 THEN 'automated' WHEN chance < 0.07 THEN 'draft' ELSE 'mail' END,
           chance > 0.97, words, words, id, 'references'
    FROM made JOIN made_thread USING (thread)
    CROSS JOIN LATERAL (SELECT string_agg('word' || floor(20000 * random() ^ 4)::int, ' ') AS words
                        FROM generate_series(1, 40 + made.i %% 240)) w;
INSERT INTO mail.thread (id, subject, messages, participants, first_at, last_at)
    SELECT thread, min(subject), count(*), count(DISTINCT sender), min(sent_at), max(sent_at)
    FROM mail.message GROUP BY thread;
INSERT INTO mail.occurrence (message, source, key, raw_sha256, message_id, subject, sent_at, local_at)
    SELECT m.id, s.id, m.id || '.' || c, m.content_key, m.message_id, m.subject, m.sent_at, m.local_at
    FROM mail.message m CROSS JOIN mail.source s CROSS JOIN generate_series(0, (m.id %% 20 = 0)::int) c
    WHERE NOT m.recovered;
INSERT INTO mail.occurrence_label SELECT id, 1 + (id * 7 %% 40) FROM mail.occurrence;
INSERT INTO mail.recipient (message, kind, address)
    SELECT DISTINCT i, kind, address FROM (
        SELECT i, CASE WHEN g <= 2 THEN 'to' WHEN random() < 0.9 THEN 'cc' ELSE 'bcc' END AS kind,
               CASE WHEN g = 1 AND sender <> 1 AND random() < 0.8 THEN 1
                    ELSE 1 + floor(%(people)s * random() ^ 3)::bigint END AS address
        FROM made CROSS JOIN LATERAL
             generate_series(1, CASE WHEN many > 0.999 THEN 200 WHEN many > 0.7 THEN 8 ELSE 2 END) g) r
    WHERE address <= %(people)s;
INSERT INTO mail.reply (message, parent, rule)
    SELECT i, parent, 'in-reply-to' FROM
        (SELECT i, lag(i) OVER (PARTITION BY thread ORDER BY i) AS parent FROM made) x WHERE parent IS NOT NULL;
INSERT INTO mail.quote (message, position, start, stop, depth, kind, quoted)
    SELECT message, 0, 0, 0, 1, 'quote', parent FROM mail.reply WHERE message %% 2 = 0;
INSERT INTO mail.attachment (message, part, name, type, bytes, sha256)
    SELECT i, '2', 'file' || i %% 500 || '.pdf', 'application/pdf', 1000, sha256((i %% 500)::text::bytea)
    FROM generate_series(1, %(n)s, 6) i;
"""


def fill(conn: psycopg.Connection, messages: int) -> None:
    """Write ``messages`` made-up messages into the empty tables of ``conn``'s store; the caller commits."""
    for statement in FILL.split(";\n"):
        if statement.strip():
            # bound on the client, since CREATE TABLE AS takes no server-side parameters
            psycopg.ClientCursor(conn).execute(statement, {"n": messages, "people": max(30, messages // 5)})
    for table in ("message", "recipient", "address", "person_address", "thread", "occurrence", "occurrence_label"):
        conn.execute(f"ANALYZE mail.{table}")
