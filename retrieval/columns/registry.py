"""The columns by name."""

from __future__ import annotations

from collections.abc import Callable

from retrieval.columns.base import Tools
from retrieval.columns.graph import Graph
from retrieval.columns.vector import Vector
from retrieval.errors import UnknownColumn
from retrieval.types import Retriever

COLUMNS: dict[str, Callable[[Tools], Retriever]] = {
    "vector": Vector,
    "graph": Graph,
}


def make(name: str, tools: Tools) -> Retriever:
    """The column of that name. Raises UnknownColumn."""
    try:
        return COLUMNS[name](tools)
    except KeyError:
        raise UnknownColumn(f"There is no column '{name}'.", hint="Columns: " + ", ".join(COLUMNS)) from None
