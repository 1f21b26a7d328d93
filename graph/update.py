# ruff: noqa: S608 - the text is made of constants and label names; ids are bound
"""Brings the graph up to date with the tables by touching only what changed; the result is that of a rebuild.

The tables write down themselves which rows came and went (``mail.graph_change``). Vertices and edges of what was
touched are deleted and inserted again by the same statements that build them. The two counted edges would need all
messages of a person for that; so a new message only adds to them, and a pair is counted again only where a message
that was there before has changed or gone. When a good part of the mailbox changed, a rebuild is faster.
"""

from __future__ import annotations

from typing import Any

import psycopg
from psycopg import sql

from graph import build, current, mentions, participation, schema
from graph.build import Progress
from graph.current import GraphState
from sql.store import Store

# Share of the messages above which everything is built again.
REBUILD_SHARE = 0.1
_SMALL = 2000

_MESSAGE_EDGES = {
    "SENT": "end_id", "TO": "start_id", "CC": "start_id", "BCC": "start_id", "REPLY_TO": "start_id",
    "QUOTES": "start_id", "IN_THREAD": "start_id", "HAS_ATTACHMENT": "start_id", "HAS_LABEL": "start_id",
}  # fmt: skip
_VERTICES = {v.label: v for v in schema.VERTICES}
_EDGES = {e.label: e for e in schema.EDGES}


def update(store: Store, *, progress: Progress | None = None) -> GraphState:
    """Makes the graph equal to the tables: builds it where there is none, changes what changed otherwise. Costs a
    look at one table when nothing did. The caller holds the store's writer lock."""
    with store.owner() as conn:
        state = current.state(conn)
        if state is not None and not state.stale:
            found = update_in(conn, state)
            if found is not None:
                return found
    return build.build(store, progress=progress)


def update_in(conn: psycopg.Connection[Any], state: GraphState) -> GraphState | None:
    """The same within the transaction of ``conn``; None, with nothing changed, when a rebuild is the better way."""
    conn.execute("LOCK TABLE mail.graph_change IN EXCLUSIVE MODE")
    if conn.execute("SELECT FROM mail.graph_change LIMIT 1").fetchone() is None:
        return state
    _collect(conn)
    row = conn.execute(
        "SELECT (SELECT count(*) FROM touched WHERE what = 'message'), (SELECT reltuples FROM pg_class "
        "WHERE oid = 'mail.message'::regclass)"
    ).fetchone()
    assert row is not None
    if row[0] > max(_SMALL, row[1] * REBUILD_SHARE):
        conn.execute("DROP TABLE touched, changed")
        return None
    name, ids = state.name, current.label_ids(conn, state.name)
    changes = _Changes(conn, name, ids, dict(state.counts))
    changes.counted_before()
    changes.messages()
    changes.others()
    changes.counted_after()
    conn.execute("TRUNCATE mail.graph_change")
    conn.execute("DROP TABLE touched, changed, before_pair, before_work")
    mentions.ensure_index(conn)
    return current.put(conn, name, schema.FINGERPRINT, changes.counts)


def _collect(conn: psycopg.Connection[Any]) -> None:
    """Tables ``changed`` (net changes) and ``touched`` (what, id): messages, people, ... whose rows are made anew."""
    conn.execute(
        """
        CREATE TEMP TABLE changed ON COMMIT DROP AS
        SELECT what, a, b FROM mail.graph_change GROUP BY what, a, b, row_hash HAVING sum(n) <> 0;
        CREATE TEMP TABLE touched ON COMMIT DROP AS
        WITH address AS (SELECT DISTINCT a AS id FROM changed WHERE what = 'address'),
        counting AS (
            SELECT a AS id FROM changed WHERE what = 'counting'
            UNION SELECT m.id FROM mail.message m JOIN address ON address.id = m.sender
            UNION SELECT r.message FROM mail.recipient r JOIN address ON address.id = r.address
        )
        SELECT 'counting' AS what, id FROM counting
        UNION SELECT 'message', a FROM changed WHERE what = 'message'
        UNION SELECT 'message', id FROM counting
        UNION SELECT what, a FROM changed WHERE what IN ('person', 'organization', 'thread', 'label')
        UNION SELECT 'person', o.person FROM mail.person_address o JOIN address ON address.id = o.address;
        """
    )
    conn.execute("CREATE INDEX ON touched (what, id)")
    conn.execute("ANALYZE touched")


class _Changes:
    """One update of the graph ``name``, step by step. ``counts`` follows the rows of each label."""

    def __init__(self, conn: psycopg.Connection[Any], name: str, ids: dict[str, int], counts: dict[str, int]) -> None:
        self.conn, self.name, self.ids, self.counts = conn, name, ids, counts

    def counted_before(self) -> None:
        """Remembers which pairs the changed messages counted for, as the graph still has them."""
        self._run(
            """
            CREATE TEMP TABLE before_pair ON COMMIT DROP AS
            SELECT DISTINCT s.start_id::agtype::bigint - {person} AS a, r.end_id::agtype::bigint - {person} AS b
            FROM (SELECT _graphid({message_label}, id) AS id FROM touched WHERE what = 'counting') t
            JOIN {SENT} s ON s.end_id = t.id JOIN {RECIPIENT} r ON r.start_id = t.id
            """
        )
        self._run(
            """
            CREATE TEMP TABLE before_work ON COMMIT DROP AS
            SELECT DISTINCT s.start_id::agtype::bigint - {person} AS a
            FROM (SELECT _graphid({message_label}, id) AS id FROM touched WHERE what = 'counting') t
            JOIN {SENT} s ON s.end_id = t.id
            UNION
            SELECT r.end_id::agtype::bigint - {person}
            FROM (SELECT _graphid({message_label}, id) AS id FROM touched WHERE what = 'counting') t
            JOIN {RECIPIENT} r ON r.start_id = t.id
            """
        )
        # messages that the graph does not have yet: they only add
        self._run(
            """
            INSERT INTO touched SELECT 'new', t.id FROM touched t
            WHERE t.what = 'counting'
              AND NOT EXISTS (SELECT FROM {Message} m WHERE m.id = _graphid({message_label}, t.id))
            """
        )

    def messages(self) -> None:
        """Touched messages with all their edges, who takes part in them, and their attachments."""
        self._run(
            """
            INSERT INTO touched
            SELECT 'attachment', h.end_id::agtype::bigint - {attachment} FROM touched t
            JOIN {HAS_ATTACHMENT} h ON h.start_id = _graphid({message_label}, t.id) WHERE t.what = 'message'
            UNION
            SELECT 'attachment', f.id FROM touched t JOIN mail.attachment f ON f.message = t.id
            WHERE t.what = 'message'
            """
        )
        for label, end in _MESSAGE_EDGES.items():
            self._delete(label, f"WHERE {end} IN ({_TOUCHED.format(label='message', what='message')})")
        for what, label in (("message", "Message"), ("attachment", "Attachment")):
            self._replace_vertices(what, label)
        for label, end in _MESSAGE_EDGES.items():
            key = "b" if end == "end_id" else "a"
            self._insert(_EDGES[label], f"WHERE {key} = ANY(%(message)s)", {"message": self._touched("message")})
        participation.update(self.conn, self.name, self._touched("message"))

    def others(self) -> None:
        """Touched people, organisations, threads and labels."""
        for what, label in (
            ("person", "Person"), ("organization", "Organization"), ("thread", "Thread"), ("label", "Label"),
        ):  # fmt: skip
            self._replace_vertices(what, label)

    def counted_after(self) -> None:
        """The counted edges: pairs of changed messages are counted again, new messages are added."""
        old = "SELECT id FROM touched WHERE what = 'counting' EXCEPT SELECT id FROM touched WHERE what = 'new'"
        self.conn.execute(
            f"""
            INSERT INTO before_pair
            SELECT DISTINCT s.person, o.person FROM ({old}) t JOIN mail.message m ON m.id = t.id
            JOIN mail.person_address s ON s.address = m.sender
            JOIN mail.recipient r ON r.message = m.id JOIN mail.person_address o ON o.address = r.address
            """
        )
        self.conn.execute(
            f"""
            INSERT INTO before_work
            SELECT o.person FROM ({old}) t JOIN mail.message m ON m.id = t.id
            JOIN mail.person_address o ON o.address = m.sender
            UNION
            SELECT o.person FROM ({old}) t JOIN mail.recipient r ON r.message = t.id
            JOIN mail.person_address o ON o.address = r.address
            """
        )
        pair = (
            "USING before_pair p WHERE start_id = _graphid({person_label}, a) AND end_id = _graphid({person_label}, b)"
        )
        self._count_again("WROTE_TO", _PAIRS_AGAIN, pair)
        self._count_again("WORKS_AT", _WORK_AGAIN, "USING before_work p WHERE start_id = _graphid({person_label}, a)")
        self._add("WROTE_TO", _PAIRS_NEW)
        self._add("WORKS_AT", _WORK_NEW)

    def _count_again(self, label: str, rows: str, touched: str) -> None:
        """Deletes the edges of ``label`` that ``touched`` selects and inserts ``rows`` instead."""
        self._delete(label, touched)
        edge = _EDGES[label]
        self.counts[label] += self._run(
            f"""
            INSERT INTO {{{label}}} (start_id, end_id, properties)
            SELECT _graphid({{{edge.start.lower()}_label}}, a), _graphid({{{edge.end.lower()}_label}}, b),
                   agtype_build_map_nonull('n', n, 'first', first, 'last', last) FROM ({rows}) made
            """
        ).rowcount

    def _add(self, label: str, rows: str) -> None:
        """Adds the counts of new messages to the edges there are, or makes them."""
        edge = _EDGES[label]
        n = self._run(
            f"""
            INSERT INTO {{{label}}} AS w (start_id, end_id, properties)
            SELECT _graphid({{{edge.start.lower()}_label}}, a), _graphid({{{edge.end.lower()}_label}}, b),
                   agtype_build_map_nonull('n', n, 'first', first, 'last', last)
            FROM ({rows}) made
            ON CONFLICT (start_id, end_id) DO UPDATE SET properties = agtype_build_map_nonull(
                'n', {_value("w", "n")} + {_value("excluded", "n")},
                'first', least({_value("w", "first")}, {_value("excluded", "first")}),
                'last', greatest({_value("w", "last")}, {_value("excluded", "last")}))
            RETURNING (xmax = 0)
            """
        )
        self.counts[label] += sum(1 for row in n.fetchall() if row[0])

    def _replace_vertices(self, what: str, label: str) -> None:
        touched = self._touched(what)
        if touched:
            self._delete(label, f"WHERE id IN ({_TOUCHED.format(label=label.lower(), what=what)})")
            self._insert(_VERTICES[label], "WHERE id = ANY(%(ids)s)", {"ids": touched})

    def _touched(self, what: str) -> list[int]:
        rows = self.conn.execute("SELECT DISTINCT id FROM touched WHERE what = %s", (what,))
        return [row[0] for row in rows]

    def _delete(self, label: str, where: str) -> None:
        self.counts[label] -= self._run(f"DELETE FROM {{{label}}} e {where}").rowcount

    def _insert(self, label: schema.Vertex | schema.Edge, where: str, ids: dict[str, object]) -> None:
        self.counts[label.label] += self.conn.execute(build.rows_into(label, self.name, self.ids, where), ids).rowcount

    def _run(self, query: str) -> psycopg.Cursor[Any]:
        """Runs ``query`` with {Label} = the label's table, {label} = what its graph ids begin at, {label_label} = its
        number."""
        names: dict[str, sql.Composable] = {label: sql.Identifier(self.name, label) for label in self.ids}
        for label in _VERTICES:
            names[label.lower()] = sql.SQL("{}::bigint").format(sql.Literal(self.ids[label] << 48))
            names[f"{label.lower()}_label"] = sql.Literal(self.ids[label])
        return self.conn.execute(sql.SQL(query).format(**names))


def _value(row: str, name: str) -> str:
    return f"({row}.properties -> '\"{name}\"'::agtype)::bigint"


_TOUCHED = "SELECT _graphid({{{label}_label}}, t.id) FROM touched t WHERE t.what = '{what}'"
_SPAN = "count(*) AS n, extract(epoch FROM min(at))::bigint AS first, extract(epoch FROM max(at))::bigint AS last"
# Counted from the side with fewer messages: one of the two is often somebody who stands in most of the mailbox.
# OFFSET 0 keeps the planner, which cannot know who that is, from turning it around.
_PAIRS_AGAIN = f"""
    WITH sent AS MATERIALIZED (
        SELECT o.person, count(*) AS n FROM mail.person_address o JOIN mail.message m ON m.sender = o.address
        WHERE o.person IN (SELECT a FROM before_pair) GROUP BY o.person
    ),
    received AS MATERIALIZED (
        SELECT o.person, count(*) AS n FROM mail.person_address o JOIN mail.recipient r ON r.address = o.address
        WHERE o.person IN (SELECT b FROM before_pair) GROUP BY o.person
    ),
    pair AS MATERIALIZED (
        SELECT p.a, p.b, coalesce(s.n, 0) <= coalesce(r.n, 0) AS from_sender
        FROM (SELECT DISTINCT a, b FROM before_pair) p LEFT JOIN sent s ON s.person = p.a
        LEFT JOIN received r ON r.person = p.b
    )
    SELECT a, b, {_SPAN} FROM (
        SELECT p.a, p.b, w.at FROM pair p CROSS JOIN LATERAL (
            SELECT m.sent_at AS at FROM mail.person_address s JOIN mail.message m ON m.sender = s.address AND m.counted
            WHERE s.person = p.a AND EXISTS (
                SELECT FROM mail.recipient r JOIN mail.person_address o ON o.address = r.address
                WHERE r.message = m.id AND o.person = p.b OFFSET 0)
            OFFSET 0
        ) w WHERE p.from_sender
        UNION ALL
        SELECT p.a, p.b, w.at FROM pair p CROSS JOIN LATERAL (
            SELECT DISTINCT m.id, m.at FROM (
                SELECT r.message FROM mail.person_address o JOIN mail.recipient r ON r.address = o.address
                WHERE o.person = p.b OFFSET 0
            ) r CROSS JOIN LATERAL (
                SELECT m.id, m.sent_at AS at FROM mail.message m WHERE m.id = r.message AND m.counted AND EXISTS (
                    SELECT FROM mail.person_address s WHERE s.address = m.sender AND s.person = p.a OFFSET 0)
                OFFSET 0
            ) m
        ) w WHERE NOT p.from_sender
    ) wrote GROUP BY a, b"""
_PAIRS_NEW = f"""
    SELECT a, b, {_SPAN} FROM (
        SELECT DISTINCT s.person AS a, o.person AS b, m.id, m.sent_at AS at
        FROM touched t JOIN mail.message m ON m.id = t.id AND m.counted
        JOIN mail.person_address s ON s.address = m.sender
        JOIN mail.recipient r ON r.message = m.id JOIN mail.person_address o ON o.address = r.address
        WHERE t.what = 'new' AND NOT EXISTS (SELECT FROM before_pair p WHERE p.a = s.person AND p.b = o.person)
    ) wrote GROUP BY a, b"""
_USED = """
        SELECT m.sender AS address, m.id AS message, m.sent_at AS at FROM mail.message m WHERE m.counted AND {where}
        UNION ALL
        SELECT r.address, m.id, m.sent_at FROM mail.message m JOIN mail.recipient r ON r.message = m.id
        WHERE m.counted AND {where}"""
_WORK_AGAIN = f"""
    SELECT a, b, {_SPAN} FROM (
        SELECT DISTINCT w.a, d.organization AS b, u.message, u.at
        FROM (SELECT DISTINCT a FROM before_work) w JOIN mail.person_address o ON o.person = w.a
        JOIN mail.address d ON d.id = o.address
        CROSS JOIN LATERAL (
            SELECT m.id AS message, m.sent_at AS at FROM mail.message m WHERE m.counted AND m.sender = o.address
            UNION ALL
            SELECT m.id, m.sent_at FROM mail.recipient r JOIN mail.message m ON m.id = r.message
            WHERE m.counted AND r.address = o.address
        ) u
        WHERE d.organization IS NOT NULL
    ) used GROUP BY a, b"""
_WORK_NEW = f"""
    SELECT a, b, {_SPAN} FROM (
        SELECT DISTINCT o.person AS a, d.organization AS b, u.message, u.at
        FROM ({_USED.format(where="m.id IN (SELECT id FROM touched WHERE what = 'new')")}
        ) u JOIN mail.person_address o USING (address) JOIN mail.address d ON d.id = u.address
        WHERE d.organization IS NOT NULL AND NOT EXISTS (SELECT FROM before_work w WHERE w.a = o.person)
    ) used GROUP BY a, b"""
