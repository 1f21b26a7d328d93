# ruff: noqa: S608 - the text is made of constants and the graph's own name; ids are bound
"""Who takes part in which message: one narrow table beside the labels, from which SQL counts.

Counting over ``mail.message`` and ``mail.recipient`` joins four tables for each message, which is what makes the owner
of a big mailbox slow. Here a row is one address in one message, with everything that a plan filters, groups or orders
by, so that a person's mail is one range of an index that holds all of it ("covering"), by date.

It stands in the graph's own schema: it is built with the graph, swapped in with it and dropped with it, and an update
writes the rows of touched messages again. Drafts, spam and trash are not in it. A person or organisation with several
addresses in one message has its roles on one of these rows and none on the others, so that counting rows is counting
messages. One row of each message is its ``lead``, the sender's where there is one; a message of nobody has that alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import psycopg
from psycopg import sql

TABLE = "participation"
# Roles are bits, so that one test asks for several.
SENDER, TO, CC, BCC = 1, 2, 4, 8

# Ids of one mailbox fit into four bytes; the narrower the rows, the more of them a page of an index holds.
_ROWS = f"""
WITH message AS MATERIALIZED (
    SELECT m.id, m.sender AS address, s.person AS sender, m.thread, m.local_at, m.sent_at, m.recovered,
           m.counted AND m.thread IS NOT NULL AND row_number() OVER (
               PARTITION BY m.thread ORDER BY m.counted DESC, m.sent_at NULLS LAST, m.id) = 1 AS opens,
           EXISTS (SELECT FROM mail.reply y JOIN mail.message w ON w.id = y.message
                   WHERE y.parent = m.id AND w.counted) AS answered
    FROM mail.message m LEFT JOIN mail.person_address s ON s.address = m.sender
    WHERE (m.counted OR m.recovered) {{only}}
), used AS (
    SELECT message, address, bit_or(role) AS roles FROM (
        SELECT id AS message, address, {SENDER} AS role FROM message WHERE address IS NOT NULL
        UNION ALL
        SELECT r.message, r.address, CASE r.kind WHEN 'to' THEN {TO} WHEN 'cc' THEN {CC} ELSE {BCC} END
        FROM mail.recipient r JOIN message ON message.id = r.message
    ) u GROUP BY message, address
), each AS (
    SELECT u.message, u.address, o.person, d.organization, u.roles,
           CASE row_number() OVER p WHEN 1 THEN bit_or(u.roles) OVER (PARTITION BY u.message, o.person)
                ELSE 0 END AS person_roles,
           CASE row_number() OVER g WHEN 1 THEN bit_or(u.roles) OVER (PARTITION BY u.message, d.organization)
                ELSE 0 END AS organization_roles,
           row_number() OVER l = 1 AS lead
    FROM used u JOIN mail.address d ON d.id = u.address LEFT JOIN mail.person_address o ON o.address = u.address
    WINDOW g AS (PARTITION BY u.message, d.organization ORDER BY u.roles & {SENDER} DESC, u.address),
           p AS (PARTITION BY u.message, o.person ORDER BY u.roles & {SENDER} DESC, u.address),
           l AS (PARTITION BY u.message ORDER BY u.roles & {SENDER} DESC, u.address)
)
SELECT m.id::integer AS message, e.address::integer, e.person::integer, e.organization::integer, m.sender::integer,
       m.thread::integer, m.local_at, m.sent_at, coalesce(e.roles, 0)::smallint AS roles,
       coalesce(e.person_roles, 0)::smallint AS person_roles,
       coalesce(e.organization_roles, 0)::smallint AS organization_roles,
       coalesce(e.lead, true) AS lead, m.opens, m.answered, m.recovered
FROM message m LEFT JOIN each e ON e.message = m.id"""

# Each index is as good as the table: nothing has to be looked up behind it.
_OF_MESSAGE = "message, thread, sent_at, lead, opens, answered, recovered"
_OF_ADDRESS = "person_roles, person, organization_roles, organization, roles, address"
_INDEXES = (
    f"(person, local_at) INCLUDE (person_roles, sender, organization, {_OF_MESSAGE})",
    f"(sender, local_at) INCLUDE ({_OF_ADDRESS}, {_OF_MESSAGE})",
    # between two people: both may have much mail, and little with one another
    "(sender, person) INCLUDE (person_roles, message, sent_at, recovered)",
    f"(organization, local_at) INCLUDE (organization_roles, sender, {_OF_MESSAGE})",
    f"(message) INCLUDE ({_OF_ADDRESS}, sender, local_at, {_OF_MESSAGE.removeprefix('message, ')})",
    f"(local_at) INCLUDE ({_OF_ADDRESS}, sender, {_OF_MESSAGE}) WHERE lead",
)
# Sorting and index builds take what they need while a graph is built, and no more than this.
_MEMORY = "256MB"


def build(conn: psycopg.Connection[Any], graph: str) -> None:
    """Makes the table in the new graph ``graph``, within its transaction."""
    table = sql.Identifier(graph, TABLE)
    conn.execute(f"SET LOCAL work_mem = '{_MEMORY}'")
    conn.execute(sql.SQL("CREATE TABLE {} AS {}").format(table, sql.SQL(_ROWS.format(only=""))))
    conn.execute("SET LOCAL work_mem TO DEFAULT")
    for index in _INDEXES:
        conn.execute(sql.SQL("CREATE INDEX ON {} {}").format(table, sql.SQL(index)))
    conn.execute(sql.SQL("ANALYZE {}").format(table))


def update(conn: psycopg.Connection[Any], graph: str, messages: Sequence[int]) -> None:
    """Writes the rows of these messages again, and of all others of their conversations, since who opens one may have
    changed. What they were and are stands afterwards in the temporary tables ``taken_before`` and ``taken_after``."""
    table = sql.Identifier(graph, TABLE)
    rows = conn.execute(
        sql.SQL(
            """
            WITH thread AS (
                SELECT thread::bigint FROM {} WHERE message = ANY(%(ids)s::integer[])
                UNION SELECT thread FROM mail.message WHERE id = ANY(%(ids)s)
            )
            SELECT id FROM mail.message WHERE thread IN (SELECT thread FROM thread WHERE thread IS NOT NULL)
            """
        ).format(table),
        {"ids": list(messages)},
    )
    ids = list({*messages, *(row[0] for row in rows)})
    for name in ("before", "after"):
        conn.execute(sql.SQL("CREATE TEMP TABLE {} (LIKE {}) ON COMMIT DROP").format(sql.SQL(f"taken_{name}"), table))
    of_ids = "WHERE message = ANY(%(ids)s::integer[])"
    steps = (
        ("INSERT INTO taken_before SELECT * FROM {} " + of_ids, ""),
        ("DELETE FROM {} " + of_ids, ""),
        ("INSERT INTO taken_after {1}", _ROWS.format(only="AND m.id = ANY(%(ids)s)")),
        ("INSERT INTO {} SELECT * FROM taken_after", ""),
    )
    for statement, rows_of in steps:
        conn.execute(sql.SQL(statement).format(table, sql.SQL(rows_of)), {"ids": ids})
