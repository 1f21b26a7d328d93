# ruff: noqa: S608 - the text is made of constants and label names; ids are bound
"""Brings the graph up to date with the tables by touching only what changed; the result is that of a rebuild.

The tables write down themselves which rows came and went (``mail.graph_change``). Vertices and edges of what was
touched are deleted and inserted again by the same statements that build them. The two counted edges would need all
messages of a person for that; so they are changed by what the touched messages counted for before and count for now.
When a good part of the mailbox changed, a rebuild is faster.
"""

from __future__ import annotations

from dataclasses import dataclass
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
    changes.messages()
    changes.others()
    changes.counted()
    conn.execute("TRUNCATE mail.graph_change")
    conn.execute("DROP TABLE touched, changed, taken_before, taken_after")
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
        SELECT 'message' AS what, a AS id FROM changed WHERE what = 'message'
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

    def messages(self) -> None:
        """Touched messages with all their edges, who takes part in them, and their attachments."""
        self._run(
            """
            INSERT INTO touched
            SELECT 'attachment', h.end_id::agtype::bigint - {attachment} FROM touched t
            JOIN {HAS_ATTACHMENT} h ON h.start_id = _graphid({message_label}, t.id) WHERE t.what = 'message'
            UNION
            SELECT 'attachment', f.id FROM touched t JOIN mail.file f ON f.message = t.id
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
        rows = self.conn.execute(_ANSWERED_BY_TOUCHED)
        participation.update(self.conn, self.name, [*self._touched("message"), *(row[0] for row in rows)])

    def others(self) -> None:
        """Touched people, organisations, threads and labels."""
        for what, label in (
            ("person", "Person"), ("organization", "Organization"), ("thread", "Thread"), ("label", "Label"),
        ):  # fmt: skip
            self._replace_vertices(what, label)

    def counted(self) -> None:
        """The counted edges of pairs that lost or won messages: their number is that of before, less and more. First
        and last are looked up again only where the message that was first or last has gone."""
        for label, pair in (("WROTE_TO", _WROTE), ("WORKS_AT", _WORKED)):
            edge = _EDGES[label]
            ends = f"_graphid({{{edge.start.lower()}_label}}, c.a), _graphid({{{edge.end.lower()}_label}}, c.b)"
            of_pair = f"(e.start_id, e.end_id) = ({ends})"
            before, after = (pair.rows.format(taken=f"taken_{name}") for name in ("before", "after"))
            self._run(_PAIR_CHANGE.format(before=before, after=after, label=label, of_pair=of_pair))
            self._delete(label, f"USING pair_change c WHERE {of_pair}")
            self.counts[label] += self._run(
                f"""
                INSERT INTO {{{label}}} (start_id, end_id, properties)
                SELECT {ends}, agtype_build_map_nonull('n', c.n, 'first', c.first, 'last', c.last) FROM (
                    SELECT a, b, n, first, last FROM pair_change WHERE NOT again
                    UNION ALL
                    SELECT c.a, c.b, c.n, r.first, r.last FROM pair_change c CROSS JOIN LATERAL (
                        SELECT extract(epoch FROM min(x.sent_at))::bigint AS first,
                               extract(epoch FROM max(x.sent_at))::bigint AS last
                        FROM {{participation}} x WHERE {pair.again} AND NOT x.recovered
                    ) r WHERE c.again
                ) c WHERE c.n > 0
                """
            ).rowcount
            self.conn.execute("DROP TABLE pair_change")

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
        tables = (*self.ids, participation.TABLE)
        names: dict[str, sql.Composable] = {table: sql.Identifier(self.name, table) for table in tables}
        for label in _VERTICES:
            names[label.lower()] = sql.SQL("{}::bigint").format(sql.Literal(self.ids[label] << 48))
            names[f"{label.lower()}_label"] = sql.Literal(self.ids[label])
        return self.conn.execute(sql.SQL(query).format(**names))


@dataclass(frozen=True)
class _Pair:
    """What a counted edge counts: ``rows`` gives (a, b, message, at) of the rows of a participation table, ``again``
    restricts its rows to those of a pair ``c``."""

    rows: str
    again: str


_RECEIVED = participation.TO | participation.CC | participation.BCC
_WROTE = _Pair(
    f"SELECT sender AS a, person AS b, message, sent_at AS at FROM {{taken}} "
    f"WHERE NOT recovered AND person_roles & {_RECEIVED} <> 0 AND sender IS NOT NULL AND person IS NOT NULL",
    f"(x.sender, x.person) = (c.a, c.b) AND x.person_roles & {_RECEIVED} <> 0",
)
_WORKED = _Pair(
    "SELECT DISTINCT person AS a, organization AS b, message, sent_at AS at FROM {taken} "
    "WHERE NOT recovered AND person IS NOT NULL AND organization IS NOT NULL",
    "(x.person, x.organization) = (c.a, c.b)",
)
# again: the first or the last message of the pair is among those that have gone
_PAIR_CHANGE = """
    CREATE TEMP TABLE pair_change ON COMMIT DROP AS
    WITH before AS ({before}), after AS ({after}), change AS (
        SELECT a, b, sum(n) AS n, extract(epoch FROM min(at) FILTER (WHERE n > 0))::bigint AS first,
               extract(epoch FROM max(at) FILTER (WHERE n > 0))::bigint AS last,
               extract(epoch FROM min(at) FILTER (WHERE n < 0))::bigint AS gone_first,
               extract(epoch FROM max(at) FILTER (WHERE n < 0))::bigint AS gone_last
        FROM (
            SELECT *, 1 AS n FROM (SELECT * FROM after EXCEPT SELECT * FROM before) came
            UNION ALL SELECT *, -1 FROM (SELECT * FROM before EXCEPT SELECT * FROM after) gone
        ) u GROUP BY a, b
    )
    SELECT c.a, c.b, coalesce(e.n, 0) + c.n AS n, least(e.first, c.first) AS first, greatest(e.last, c.last) AS last,
           coalesce(c.gone_first <= e.first OR c.gone_last >= e.last, false) AS again
    FROM change c LEFT JOIN LATERAL (
        SELECT (properties -> '"n"'::agtype)::bigint AS n, (properties -> '"first"'::agtype)::bigint AS first,
               (properties -> '"last"'::agtype)::bigint AS last
        FROM {{{label}}} e WHERE {of_pair}
    ) e ON true
"""
_ANSWERED_BY_TOUCHED = """
    SELECT b FROM changed WHERE what = 'message' AND b > 0
    UNION SELECT y.parent FROM mail.reply y JOIN touched t ON t.id = y.message WHERE t.what = 'message'"""
_TOUCHED = "SELECT _graphid({{{label}_label}}, t.id) FROM touched t WHERE t.what = '{what}'"
