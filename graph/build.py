"""Builds the graph from the tables, all at once, under a new versioned name, and swaps it in.

Rows go from table to table inside the server (INSERT … SELECT), which takes the place of a bulk load: no row passes
through Python, so memory does not grow with the mailbox. Edge indexes are made after the rows. A vertex's id in the
graph is computed from the row's own id, so neither edges nor later updates look anything up.

Everything happens in one transaction: a reader sees the old graph or the new one. Old graphs are dropped after it,
or, when somebody is still reading one, by the next build.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

import psycopg
from psycopg import sql

from graph import current, mentions, participation, schema
from graph.current import GraphState
from sql.migrate import READER
from sql.store import Store

Progress = Callable[[str, int, int], None]


def build(store: Store, *, progress: Progress | None = None) -> GraphState:
    """Builds a new graph from the tables and makes it the current one. ``progress(label, done, of)`` is called after
    each label. The caller holds the store's writer lock."""
    with store.session() as conn:
        # from here on the tables write down what changes; what they wrote until now is read with everything else
        conn.execute("TRUNCATE mail.graph_change")
        name = current.next_name(conn)
        conn.execute(_NARROW)
        conn.execute(_NOT_AUTOMATED)
        counts = _fill(conn, name, progress or (lambda label, done, of: None))
        state = current.put(conn, name, schema.FINGERPRINT, counts)
    with store.session() as conn:
        drop_unused(conn, keep=name)
    _vacuum(store, name)
    # the graph is there and can be asked; until this is done, a question for a word reads all mail
    with store.owner() as conn:
        mentions.ensure_index(conn)
    return state


def drop_unused(conn: psycopg.Connection, *, keep: str) -> list[str]:
    """Drops all graphs of mailweave but ``keep``; one that somebody reads just now stays. Returns what was dropped."""
    dropped = []
    for name in current.all_names(conn):
        if name != keep:
            with suppress(psycopg.errors.LockNotAvailable), conn.transaction():
                conn.execute("SET LOCAL lock_timeout = '500ms'")
                _lock(conn, name)
                conn.execute("SELECT drop_graph(%s::text::name, true)", (name,))
                dropped.append(name)
    return dropped


def _lock(conn: psycopg.Connection, name: str) -> None:
    """Waits for the readers of a graph. Before dropping it, since a session of AGE 1.5 is lost when that fails."""
    rows = conn.execute("SELECT tablename FROM pg_tables WHERE schemaname = %s", (name,)).fetchall()
    if rows:
        tables = sql.SQL(", ").join(sql.Identifier(name, table) for (table,) in rows)
        conn.execute(sql.SQL("LOCK TABLE {} IN ACCESS EXCLUSIVE MODE").format(tables))


def rows_into(label: schema.Vertex | schema.Edge, name: str, ids: dict[str, int], where: str = "") -> sql.Composed:
    """The statement that inserts the rows of a label into the graph ``name``; ``where`` restricts them (over ``id``
    for vertices, ``a`` and ``b`` for edges, with bound parameters)."""
    pairs = sql.SQL(", ").join(
        sql.SQL("{}, {}").format(sql.Literal(column), sql.Identifier(column)) for column in label.properties
    )
    made = sql.SQL("agtype_build_map_nonull({})" if label.properties else "'{{}}'::agtype").format(pairs)
    rows = sql.SQL("({}) made {}").format(sql.SQL(label.rows), sql.SQL(where))
    target = sql.Identifier(name, label.label)
    if isinstance(label, schema.Vertex):
        return sql.SQL("INSERT INTO {} (id, properties) SELECT _graphid({}, id), {} FROM {}").format(
            target, ids[label.label], made, rows
        )
    return sql.SQL(
        "INSERT INTO {} (start_id, end_id, properties) SELECT _graphid({}, a), _graphid({}, b), {} FROM {}"
    ).format(target, ids[label.start], ids[label.end], made, rows)


# What plans need of a message without its texts: rows of mail.message are wide, and reading all of them to count takes
# three times as long. Made after the mail is loaded, like the index of words.
_NARROW = """
CREATE INDEX IF NOT EXISTS message_narrow ON mail.message (id)
    INCLUDE (sender, thread, local_at, sent_at, kind, recovered, counted)
"""

# Whether somebody ever wrote a mail that is not automated: one look-up, however much they wrote.
_NOT_AUTOMATED = """
CREATE INDEX IF NOT EXISTS message_not_automated ON mail.message (sender) WHERE counted AND kind <> 'automated'
"""


def _vacuum(store: Store, name: str) -> None:
    """Marks pages as visible to all: only then is an index enough to answer from. Cannot stand in a transaction."""
    with store.owner() as conn:
        conn.autocommit = True
        try:
            taken = sql.Identifier(name, participation.TABLE)
            conn.execute(sql.SQL("VACUUM mail.message, mail.recipient, mail.person_address, {}").format(taken))
            conn.execute("ANALYZE mail.message, mail.recipient, mail.person_address")
        finally:
            conn.autocommit = False


def _fill(conn: psycopg.Connection, name: str, progress: Progress) -> dict[str, int]:
    labels: list[schema.Vertex | schema.Edge] = [*schema.VERTICES, *schema.EDGES]
    conn.execute("SELECT create_graph(%s::text::name)", (name,))
    for label in labels:
        kind = "create_vlabel" if isinstance(label, schema.Vertex) else "create_elabel"
        # without a type: before AGE 1.7 the arguments are names, since then they are C strings
        conn.execute(f"SELECT {kind}(%s, %s)", (name, label.label))
    conn.execute("SELECT create_elabel(%s, %s)", (name, schema.RECIPIENT))
    for child in schema.RECIPIENT_OF:
        conn.execute(
            sql.SQL("ALTER TABLE {} INHERIT {}").format(
                sql.Identifier(name, child), sql.Identifier(name, schema.RECIPIENT)
            )
        )
    ids = current.label_ids(conn, name)
    counts = {}
    # Label tables are new in this transaction and each is filled once: no other plan than hashing everything fits.
    conn.execute("SET LOCAL enable_nestloop = off")
    for done, label in enumerate(labels, 1):
        _drop_indexes(conn, name, label)
        counts[label.label] = conn.execute(rows_into(label, name, ids)).rowcount
        _make_indexes(conn, name, label)
        progress(label.label, done, len(labels))
    participation.build(conn, name)
    # statistics of the parent with its children, without which the planner takes it for an empty table
    conn.execute(sql.SQL("ANALYZE {}").format(sql.Identifier(name, schema.RECIPIENT)))
    conn.execute("SET LOCAL enable_nestloop = on")
    conn.execute(sql.SQL("GRANT USAGE ON SCHEMA {} TO {}").format(sql.Identifier(name), sql.Identifier(READER)))
    conn.execute(
        sql.SQL("GRANT SELECT ON ALL TABLES IN SCHEMA {} TO {}").format(sql.Identifier(name), sql.Identifier(READER))
    )
    return counts


def _drop_indexes(conn: psycopg.Connection, name: str, label: schema.Vertex | schema.Edge) -> None:
    """What AGE has made of itself, which differs by its version: a vertex's primary key, an edge's two indexes."""
    table = sql.Identifier(name, label.label)
    if isinstance(label, schema.Vertex):
        key = sql.Identifier(f"{label.label}_pkey")
        conn.execute(sql.SQL("ALTER TABLE {} DROP CONSTRAINT IF EXISTS {}").format(table, key))
        return
    found = conn.execute(
        "SELECT indexname FROM pg_indexes WHERE (schemaname, tablename) = (%s, %s)", (name, label.label)
    )
    for (index,) in found.fetchall():
        conn.execute(sql.SQL("DROP INDEX {}").format(sql.Identifier(name, index)))


def _make_indexes(conn: psycopg.Connection, name: str, label: schema.Vertex | schema.Edge) -> None:
    table = sql.Identifier(name, label.label)
    if isinstance(label, schema.Vertex):
        conn.execute(sql.SQL("ALTER TABLE {} ADD PRIMARY KEY (id)").format(table))
        for column in ("id", *label.indexed):
            conn.execute(
                sql.SQL("CREATE {} INDEX ON {} (agtype_access_operator(properties, {}::agtype))").format(
                    sql.SQL("UNIQUE" if column == "id" else ""), table, sql.Literal(f'"{column}"')
                )
            )
    else:
        # Unique: an edge stands once for its two ends. Both ways round, so that either end finds the other
        # without reading the row.
        conn.execute(sql.SQL("CREATE UNIQUE INDEX ON {} (start_id, end_id)").format(table))
        conn.execute(sql.SQL("CREATE INDEX ON {} (end_id, start_id)").format(table))
    conn.execute(sql.SQL("ANALYZE {}").format(table))
