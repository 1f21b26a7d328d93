"""Runs a Cypher query that a person or a model wrote: only reading, only so long, only so many rows.

Each query has a read-only transaction of its own with its own time-out. The text is quoted with a random tag, values
are bound, the rows are cut by the server. What fails comes back as one of the named errors, with the place in the
query and what to write instead.
"""

from __future__ import annotations

import json
import secrets
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import psycopg
from psycopg import errors as pg
from psycopg.rows import tuple_row

from graph import agtype, current, cypher_text
from graph.errors import QueryCrashed, QuerySyntax
from graph.failures import failure
from sql.deadline import deadline

MOST_COLUMNS = 24


@dataclass(frozen=True)
class Rows:
    """What a query gave: ``rows`` in the order of ``columns``, at most as many as asked for; ``cut`` says that there
    were more. ``query`` is the statement that ran."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    cut: bool
    milliseconds: float
    query: str


def run(
    conn: psycopg.Connection[Any],
    query: str,
    parameters: Mapping[str, Any] | None = None,
    *,
    limit: int = 200,
    timeout: float = 3.0,
) -> Rows:
    """Runs ``query`` over the current graph and returns at most ``limit`` rows; ``timeout`` in seconds.

    ``conn`` is a reader's, between transactions. Where the server's Apache AGE does not know names of RETURN in ORDER
    BY, the query runs with WITH before it. Raises one of the QueryFailed errors, or GraphMissing; after
    QueryCrashed the connection is closed.
    """
    bare = cypher_text.check(query)
    graph = current.graph_name(conn)
    conn.rollback()
    names = cypher_text.columns(bare)
    widths = [len(names)] if names else []
    values = json.dumps(dict(parameters or {}))
    statement = ""
    started = time.perf_counter()
    for width in [*widths, *(n for n in range(1, MOST_COLUMNS + 1) if n not in widths)]:
        tag = f"$q{secrets.token_hex(8)}$"
        statement, prefix = _statement(graph, query, tag, width)
        try:
            # for the driver a percent sign begins a parameter
            escaped, _ = _statement(graph, query.replace("%", "%%"), tag, width)
            rows = _fetch(conn, escaped, (values, limit + 1), timeout)
        except pg.DatatypeMismatch as error:
            if "column definition list" in str(error):
                continue
            raise failure(error, query, prefix) from None
        except psycopg.Error as error:
            if not conn.closed:
                conn.rollback()
            failed = failure(error, query, prefix)
            if isinstance(failed, QueryCrashed):
                conn.close()
            other = cypher_text.with_names_first(query) if "could not find rte" in failed.message else None
            if other is not None:
                return run(conn, other, parameters, limit=limit, timeout=timeout)
            raise failed from None
        columns = names if names and len(names) == width else [f"column {n}" for n in range(1, width + 1)]
        decoded = tuple(tuple(agtype.decode(value) for value in row) for row in rows[:limit])
        milliseconds = (time.perf_counter() - started) * 1000
        return Rows(tuple(columns), decoded, len(rows) > limit, milliseconds, statement)
    raise QuerySyntax(
        f"The query returns more than {MOST_COLUMNS} columns, or none.", query=query, hint="Name what to RETURN."
    )


def _statement(graph: str, query: str, tag: str, width: int) -> tuple[str, int]:
    """The statement, and how many characters stand before the query in it."""
    head = f"SELECT * FROM cypher('{graph}', {tag} "  # noqa: S608 - own name and random tag; the query is quoted by it
    columns = ", ".join(f"c{n} agtype" for n in range(1, width + 1))
    return f"{head}{query}\n{tag}, %s) AS ({columns}) LIMIT %s", len(head)


def _fetch(
    conn: psycopg.Connection[Any], statement: str, values: tuple[str, int], timeout: float
) -> list[tuple[Any, ...]]:
    # Rolled back whatever it was: AGE 1.5 lets Cypher write without asking for rights or for a read-only transaction.
    whole = conn.transaction(force_rollback=True)
    with deadline(conn, timeout), whole, conn.cursor(row_factory=tuple_row) as cursor:
        cursor.execute("SET LOCAL transaction_read_only = on")
        cursor.execute(f"SET LOCAL statement_timeout = {max(1, int(timeout * 1000))}")
        # the extended protocol takes one statement at a time, whatever the text says
        cursor.execute(statement, values, prepare=False)
        return cursor.fetchall()
