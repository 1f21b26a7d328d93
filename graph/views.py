"""Runs an SQL query that a person or a model wrote over the five views of the mailbox, and documents them.

As with Cypher: a read-only transaction of its own with its own time-out, rows cut by the server, failures as named
errors. For this one transaction the reader becomes a role that can read the views and nothing else.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import psycopg
from psycopg.rows import tuple_row

from graph import views_text
from graph.cypher import Rows
from graph.errors import QueryCrashed, QueryForbidden
from graph.failures import failure


@dataclass(frozen=True)
class View:
    """A view: what it holds, and for each column its type and what it means ("" where the name says it)."""

    name: str
    meaning: str
    columns: dict[str, tuple[str, str]]


def documentation(conn: psycopg.Connection[Any]) -> list[View]:
    """The views as their comments in the database document them."""
    rows = conn.execute(
        """
        SELECT c.relname::text, coalesce(obj_description(c.oid), ''), a.attname::text,
               format_type(a.atttypid, NULL), coalesce(col_description(c.oid, a.attnum), '')
        FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace JOIN pg_attribute a ON a.attrelid = c.oid
        WHERE n.nspname = 'views' AND c.relkind = 'v' AND a.attnum > 0 ORDER BY c.oid, a.attnum
        """
    ).fetchall()
    found: dict[str, View] = {}
    for name, meaning, column, kind, about in rows:
        found.setdefault(name, View(name, meaning, {})).columns[column] = (kind, about)
    return list(found.values())


def run(conn: psycopg.Connection[Any], query: str, *, limit: int = 200, timeout: float = 5.0) -> Rows:
    """Runs ``query`` over the views and returns at most ``limit`` rows; ``timeout`` in seconds.

    ``conn`` is a reader's. Raises one of the QueryFailed errors.
    """
    views_text.check(query, {v.name: list(v.columns) for v in documentation(conn)})
    conn.rollback()
    head = "SELECT * FROM ("
    # for the driver a percent sign begins a parameter
    statement = head + query.replace("%", "%%") + "\n) AS answer LIMIT %s"
    started = time.perf_counter()
    try:
        # rolled back whatever it was, as in graph.cypher
        with conn.transaction(force_rollback=True), conn.cursor(row_factory=tuple_row) as cursor:
            cursor.execute("SET LOCAL transaction_read_only = on")
            cursor.execute(f"SET LOCAL statement_timeout = {max(1, int(timeout * 1000))}")
            _become_reader_of_views(cursor)
            # the extended protocol, which values bring about, takes one statement at a time, whatever the text says
            cursor.execute(statement.encode(), (limit + 1,), prepare=False)
            rows = cursor.fetchall()
            names = tuple(column.name for column in cursor.description or ())
    except psycopg.Error as error:
        if not conn.closed:
            conn.rollback()
        failed = failure(error, query, len(head))
        if isinstance(failed, QueryCrashed):
            conn.close()
        raise failed from None
    return Rows(names, tuple(rows[:limit]), len(rows) > limit, (time.perf_counter() - started) * 1000, query)


def _become_reader_of_views(cursor: psycopg.Cursor[Any]) -> None:
    try:
        cursor.execute("SET LOCAL search_path = views")
        cursor.execute("SET LOCAL ROLE mailweave_views")
    except psycopg.Error as error:
        raise QueryForbidden(
            "This server has no role for queries over the views.",
            sqlstate=error.sqlstate,
            hint="Let an administrator of the server open the store with mailweave once.",
        ) from None
