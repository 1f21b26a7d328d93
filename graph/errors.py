"""Everything that can go wrong with the graph, on one page.

GraphError
├── GraphMissing              no graph has been built in this store
├── GraphStale                it was built by another version of mailweave and has to be rebuilt
├── PlanError                 a plan cannot be compiled (a role without people, an inner plan of the wrong target)
└── QueryFailed               a query was refused or failed: holds the query, position, SQLSTATE and a hint
    ├── QueryRefused          not run: it would write, leave the graph, or never end
    │   └── WritingRefused
    ├── QuerySyntax           the grammar does not know it
    ├── UnknownName           a variable, label, property or function that does not exist
    ├── QueryTimeout          stopped after its time
    ├── QueryForbidden        the reader has no right to what it asks for
    ├── QueryValue            a value does not fit (division by zero, wrong type, missing parameter)
    └── QueryCrashed          the graph extension failed inside; the connection is thrown away
"""

from __future__ import annotations


class GraphError(Exception):
    """Base of all errors of the graph."""


class GraphMissing(GraphError):
    """No graph has been built in this store yet."""

    def __init__(self) -> None:
        super().__init__("There is no graph in this store yet. `mailweave ingest PATH` reads mail and builds it.")


class GraphStale(GraphError):
    """The graph was built by another version of mailweave."""

    def __init__(self) -> None:
        super().__init__(
            "The graph was built by another version of mailweave. `mailweave ingest` without a path rebuilds it."
        )


class PlanError(GraphError):
    """A plan that says nothing that can be computed."""


class QueryFailed(GraphError):
    """A query that gave no result. ``position`` counts characters of ``query`` from 0; None where unknown."""

    def __init__(
        self,
        message: str,
        *,
        query: str = "",
        position: int | None = None,
        sqlstate: str | None = None,
        hint: str = "",
    ) -> None:
        super().__init__(message)
        self.message = message
        self.query = query
        self.position = position
        self.sqlstate = sqlstate
        self.hint = hint


class QueryRefused(QueryFailed):
    """Refused before it ran."""


class WritingRefused(QueryRefused):
    """The query would change the graph."""


class QuerySyntax(QueryFailed):
    """The query does not parse."""


class UnknownName(QueryFailed):
    """A variable, label, property or function that is not there."""


class QueryTimeout(QueryFailed):
    """The query was stopped after its time."""


class QueryForbidden(QueryFailed):
    """The reader may not do this."""


class QueryValue(QueryFailed):
    """A value of the query does not fit where it is used."""


class QueryCrashed(QueryFailed):
    """The graph extension failed inside; its connection is not used again."""
