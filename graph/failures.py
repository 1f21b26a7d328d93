"""What the server says about a query, as one of the named errors.

A server that went away is no failure of a query: the driver's error passes, and the store, whose connection it was,
gives it its name.
"""

from __future__ import annotations

import psycopg

from graph import cypher_text
from graph.errors import (
    QueryCrashed,
    QueryFailed,
    QueryForbidden,
    QuerySyntax,
    QueryTimeout,
    QueryValue,
    UnknownName,
    WritingRefused,
)
from sql.failures import lost


def failure(error: psycopg.Error, query: str, prefix: int = 0) -> QueryFailed:
    """The named error for ``error``. ``prefix``: how many characters of the statement stood before ``query``. Raises
    ``error`` itself where the server went away."""
    if lost(error):
        raise error
    message = error.diag.message_primary or str(error) or type(error).__name__
    position = None
    if error.diag.statement_position:
        place = int(error.diag.statement_position) - 1 - prefix
        position = place if 0 <= place < len(query) else None
    kind, hint = _kind(error, query)
    return kind(message, query=query, position=position, sqlstate=error.sqlstate, hint=hint)


def _kind(error: psycopg.Error, query: str) -> tuple[type[QueryFailed], str]:
    state = error.sqlstate or ""
    if state == "57014":
        return QueryTimeout, "Begin at something with an id or a name, or ask for less."
    if state in ("25006", "25001"):
        return WritingRefused, "The graph is only read here."
    if state == "42501":
        return QueryForbidden, "Only the graph can be read here."
    if state in ("42601", "0A000", "42803", "42P10", "22023"):
        return QuerySyntax, cypher_text.hint_for_syntax(query)
    if state in ("42703", "42883", "42P01", "3F000", "42704"):
        return UnknownName, "Variables must stand in MATCH before they are used; functions are those of Cypher."
    if state == "XX000" or state[:2] in ("57", "XX", "58"):
        return QueryCrashed, "The graph extension failed inside; simplify the query. The next one runs as usual."
    return QueryValue, "A value does not fit where it is used."
