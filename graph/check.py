"""Proves that the graph is what the tables say: for every label the same keys, for edges with a count the same counts.

The other side of the comparison is written here once more, by hand and in another form than in ``graph.schema``
(sets and EXISTS instead of joins and DISTINCT ON), since a query compared with itself proves nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import psycopg
from psycopg import sql
from psycopg.rows import tuple_row

from graph import current, participation, schema

EXAMPLES = 5


@dataclass(frozen=True)
class Difference:
    """Where graph and tables differ: the label, the numbers of rows in each, how many keys are in one only or with
    another count, and some of them in natural keys."""

    label: str
    in_graph: int
    in_tables: int
    different: int
    examples: tuple[str, ...]

    def __str__(self) -> str:
        return (
            f"{self.label}: {self.in_graph} in the graph, {self.in_tables} in the tables, {self.different} differ, "
            f"such as {'; '.join(self.examples)}"
        )


def check(conn: psycopg.Connection[Any]) -> list[Difference]:
    """All differences between the current graph and the tables; empty when there is none."""
    name, numbers = current.graph_labels(conn)
    found = []
    for label in (*schema.VERTICES, *schema.EDGES):
        difference = _compare(conn, name, numbers, label)
        if difference:
            found.append(difference)
    difference = _participation(conn, name)
    return [*found, difference] if difference else found


def _participation(conn: psycopg.Connection[Any], name: str) -> Difference | None:
    """The same for who takes part in what: a row for each address in each message, all its columns in n as a hash."""
    in_graph = sql.SQL(
        "SELECT message::bigint AS a, coalesce(address, 0)::bigint AS b, hashtextextended(ROW(person, organization, "
        "sender, thread, local_at, sent_at, roles, person_roles, organization_roles, lead, opens, answered, "
        "recovered)::text, 0) AS n FROM {}"
    ).format(sql.Identifier(name, participation.TABLE))
    key = sql.SQL("'message ' || a || ', address ' || b")
    return _difference(conn, "participation", in_graph, _PARTICIPATION, key)


def _compare(
    conn: psycopg.Connection[Any], name: str, numbers: dict[str, int], label: schema.Vertex | schema.Edge
) -> Difference | None:
    table = sql.Identifier(name, label.label)
    if isinstance(label, schema.Vertex):
        in_graph = sql.SQL(
            "SELECT id::agtype::bigint - ({0}::bigint << 48) AS a, 0::bigint AS b, "
            "(properties -> '\"id\"'::agtype)::bigint AS n FROM {1}"
        ).format(numbers[label.label], table)
    else:
        n = sql.SQL("(properties -> '\"n\"'::agtype)::bigint" if "n" in label.properties else "1::bigint")
        in_graph = sql.SQL(
            "SELECT start_id::agtype::bigint - ({0}::bigint << 48) AS a, end_id::agtype::bigint - ({1}::bigint << 48) "
            "AS b, {2} AS n FROM {3}"
        ).format(numbers[label.start], numbers[label.end], n, table)
    return _difference(conn, label.label, in_graph, _TABLES[label.label], _key(label))


def _difference(
    conn: psycopg.Connection[Any], label: str, in_graph: sql.Composable, in_tables: str, key: sql.Composable
) -> Difference | None:
    row = (
        conn.cursor(row_factory=tuple_row)
        .execute(
            sql.SQL(
                """
                WITH g AS MATERIALIZED ({graph}), t AS MATERIALIZED ({tables}),
                d AS (
                    (SELECT 'only in the graph' AS side, * FROM (SELECT * FROM g EXCEPT ALL SELECT * FROM t) x)
                    UNION ALL
                    (SELECT 'only in the tables', * FROM (SELECT * FROM t EXCEPT ALL SELECT * FROM g) x)
                )
                SELECT (SELECT count(*) FROM g), (SELECT count(*) FROM t), (SELECT count(DISTINCT (a, b)) FROM d),
                       ARRAY(SELECT {key} || ' (n ' || n || ') ' || side FROM d ORDER BY a, b, side LIMIT {examples})
                """
            ).format(graph=in_graph, tables=sql.SQL(in_tables), key=key, examples=EXAMPLES)
        )
        .fetchone()
    )
    assert row is not None
    return Difference(label, row[0], row[1], row[2], tuple(row[3])) if row[2] else None


def _key(label: schema.Vertex | schema.Edge) -> sql.Composable:
    if isinstance(label, schema.Vertex):
        return sql.SQL(_NATURAL[label.label].format(id="d.a"))
    return sql.SQL("{} || ' → ' || {}").format(
        sql.SQL(_NATURAL[label.start].format(id="d.a")), sql.SQL(_NATURAL[label.end].format(id="d.b"))
    )


_NATURAL = {
    "Person": "coalesce((SELECT p.name FROM mail.person p WHERE p.id = {id}), 'person ' || {id})",
    "Organization": "coalesce((SELECT o.domain FROM mail.organization o WHERE o.id = {id}), 'organisation ' || {id})",
    "Message": "coalesce((SELECT m.message_id FROM mail.message m WHERE m.id = {id}), 'message ' || {id})",
    "Thread": "coalesce((SELECT 'thread ' || t.subject FROM mail.thread t WHERE t.id = {id}), 'thread ' || {id})",
    "Attachment": "coalesce((SELECT f.name FROM mail.file f WHERE f.id = {id}), 'attachment ' || {id})",
    "Label": "coalesce((SELECT l.name FROM mail.label l WHERE l.id = {id}), 'label ' || {id})",
}


def _received(kind: str) -> str:
    return f"""
        SELECT DISTINCT r.message AS a, o.person AS b, 1::bigint AS n
        FROM mail.person_address o, mail.recipient r WHERE r.address = o.address AND r.kind = '{kind}'"""  # noqa: S608


# Who takes part in a counted message, by which address: the base of both counted edges.
_SENT = """SELECT id AS message, sender AS address FROM mail.message
        WHERE NOT recovered AND kind NOT IN ('draft', 'spam', 'trash')"""
_TABLES = {
    "Person": """
        SELECT p.id AS a, 0::bigint AS b, p.id AS n FROM mail.person p
        WHERE EXISTS (SELECT FROM mail.person_address o WHERE o.person = p.id)""",
    "Organization": "SELECT id AS a, 0::bigint AS b, id AS n FROM mail.organization",
    "Message": "SELECT id AS a, 0::bigint AS b, id AS n FROM mail.message",
    "Thread": "SELECT id AS a, 0::bigint AS b, id AS n FROM mail.thread",
    "Attachment": "SELECT id AS a, 0::bigint AS b, id AS n FROM mail.file",
    "Label": "SELECT id AS a, 0::bigint AS b, id AS n FROM mail.label",
    "SENT": """
        SELECT (SELECT o.person FROM mail.person_address o WHERE o.address = m.sender) AS a, m.id AS b, 1::bigint AS n
        FROM mail.message m WHERE m.sender IS NOT NULL""",
    "TO": _received("to"),
    "CC": _received("cc"),
    "BCC": _received("bcc"),
    "REPLY_TO": "SELECT message AS a, parent AS b, 1::bigint AS n FROM mail.reply",
    "QUOTES": """
        SELECT message AS a, quoted AS b, 1::bigint AS n FROM mail.quote
        WHERE quoted <> message GROUP BY message, quoted""",
    "IN_THREAD": "SELECT id AS a, thread AS b, 1::bigint AS n FROM mail.message WHERE thread IS NOT NULL",
    "HAS_ATTACHMENT": "SELECT message AS a, id AS b, 1::bigint AS n FROM mail.file",
    "HAS_LABEL": """
        SELECT m.id AS a, l.id AS b, 1::bigint AS n FROM mail.message m
        JOIN LATERAL (SELECT c.id FROM mail.occurrence c WHERE c.message = m.id) c ON true
        JOIN mail.occurrence_label x ON x.occurrence = c.id JOIN mail.label l ON l.id = x.label
        GROUP BY m.id, l.id""",
    "WORKS_AT": f"""
        SELECT o.person AS a, d.organization AS b, count(DISTINCT u.message) AS n
        FROM ({_SENT} UNION SELECT s.message, r.address FROM ({_SENT}) s JOIN mail.recipient r USING (message)) u
        JOIN mail.person_address o USING (address) JOIN mail.address d ON d.id = o.address AND d.organization > 0
        GROUP BY 1, 2""",  # noqa: S608
    "WROTE_TO": f"""
        SELECT o.person AS a, q.person AS b, count(DISTINCT s.message) AS n
        FROM ({_SENT}) s JOIN mail.person_address o USING (address)
        JOIN mail.recipient r USING (message) JOIN mail.person_address q ON q.address = r.address
        GROUP BY 1, 2""",  # noqa: S608
}
_PARTICIPATION = """
    WITH received AS (
        SELECT message, address, array_agg(kind) AS kinds FROM mail.recipient GROUP BY 1, 2
    ), role AS (
        SELECT m.id AS message, a.id AS address, (m.sender = a.id)::integer * 1
            + coalesce('to' = ANY(r.kinds), false)::integer * 2 + coalesce('cc' = ANY(r.kinds), false)::integer * 4
            + coalesce('bcc' = ANY(r.kinds), false)::integer * 8 AS roles
        FROM (SELECT id, coalesce(sender, 0) AS sender FROM mail.message WHERE recovered OR counted) m
        JOIN (SELECT message, address FROM mail.recipient UNION SELECT id, sender FROM mail.message) u
            ON u.message = m.id
        JOIN mail.address a ON a.id = u.address
        LEFT JOIN received r ON (r.message, r.address) = (m.id, a.id)
    ), person AS (
        SELECT r.message, o.person, bit_or(r.roles) AS roles,
               (array_agg(r.address ORDER BY r.roles % 2 DESC, r.address))[1] AS first
        FROM role r JOIN mail.person_address o USING (address) GROUP BY 1, 2
    ), organization AS (
        SELECT r.message, d.organization, bit_or(r.roles) AS roles,
               (array_agg(r.address ORDER BY r.roles % 2 DESC, r.address))[1] AS first
        FROM role r JOIN mail.address d ON d.id = r.address GROUP BY 1, 2
    ), opening AS (
        SELECT DISTINCT ON (thread) id FROM mail.message WHERE counted AND thread > 0
        ORDER BY thread, sent_at NULLS LAST, id
    )
    SELECT m.id AS a, coalesce(r.address, 0) AS b, hashtextextended(ROW(o.person, d.organization,
        (SELECT s.person FROM mail.person_address s WHERE s.address = m.sender), m.thread, m.local_at, m.sent_at,
        coalesce(r.roles, 0), CASE p.first WHEN r.address THEN p.roles ELSE 0 END,
        CASE g.first WHEN r.address THEN g.roles ELSE 0 END,
        r.address IS NULL OR r.address = coalesce(m.sender, (SELECT min(x.address) FROM mail.recipient x
                                                             WHERE x.message = m.id)),
        m.id IN (SELECT id FROM opening), m.id IN (SELECT y.parent FROM mail.reply y JOIN mail.message w
                                                   ON w.id = y.message WHERE w.counted), m.recovered)::text, 0) AS n
    FROM mail.message m LEFT JOIN role r ON r.message = m.id LEFT JOIN mail.address d ON d.id = r.address
    LEFT JOIN mail.person_address o ON o.address = r.address
    LEFT JOIN person p ON p.message = m.id AND p.person = o.person
    LEFT JOIN organization g ON g.message = m.id AND g.organization IS NOT DISTINCT FROM d.organization
    WHERE m.counted OR m.recovered"""
