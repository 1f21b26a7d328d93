"""The columns by name, in the order in which they are offered."""

from __future__ import annotations

from collections.abc import Callable

from retrieval.columns.agent import Agent
from retrieval.columns.auto import Auto
from retrieval.columns.base import Tools
from retrieval.columns.combined import Combined
from retrieval.columns.cypher import Cypher
from retrieval.columns.graph import Graph
from retrieval.columns.graph_rerank import GraphRerank
from retrieval.columns.hybrid import Hybrid
from retrieval.columns.lexical import Lexical
from retrieval.columns.sql import Sql
from retrieval.columns.themes import Themes
from retrieval.columns.vector import Vector
from retrieval.columns.vector_graph import VectorGraph
from retrieval.errors import UnknownColumn
from retrieval.types import Retriever

COLUMNS: dict[str, Callable[[Tools], Retriever]] = {
    "vector": Vector,
    "graph": Graph,
    "lexical": Lexical,
    "hybrid": Hybrid,
    "graph_rerank": GraphRerank,
    "vector_graph": VectorGraph,
    "combined": Combined,
    "cypher": Cypher,
    "sql": Sql,
    "agent": Agent,
    "themes": Themes,
    "auto": lambda tools: Auto(tools, make),
}


def make(name: str, tools: Tools) -> Retriever:
    """The column of that name. Raises UnknownColumn."""
    if name not in COLUMNS:
        raise UnknownColumn(f"There is no column '{name}'.", hint="Columns: " + ", ".join(COLUMNS))
    return COLUMNS[name](tools)
