"""What columns and outcomes are called, in words a person uses; one place, so that a column keeps name and colour."""

from __future__ import annotations

HOW = {
    "vector": "Messages whose words mean something close to the question.",
    "lexical": "Messages that hold the question's words (BM25).",
    "hybrid": "Words and meaning merged by rank, then the threads around them.",
    "graph": "People, organisations, dates and threads named in the question, followed through the graph.",
    "graph_rerank": "The graph picks the neighbourhood, meaning picks the messages.",
    "vector_graph": "Messages close in meaning, then two steps along people and threads from there.",
    "combined": "Exact facts from the graph and messages from hybrid, in one context.",
    "cypher": "The chat model writes a graph query in Cypher; its rows are the result.",
    "sql": "The chat model writes a query in SQL; its rows are the result.",
    "agent": "The chat model looks around by itself, one tool after the other.",
    "themes": "Summaries of the groups of people who write each other, each asked for its part.",
    "auto": "One way of looking, chosen from the question's plan before anything is retrieved.",
}

# They call the chat model many times for one question: from seconds to minutes.
SLOW = ("cypher", "sql", "agent", "themes")
# They look with hybrid, which is slow where a model puts what it found in order once more.
RERANKED = ("hybrid", "combined", "auto")

OUTCOMES = {
    "answered": "answered",
    "retrieved": "found",
    "declined": "not in what was found",
    "nothing_retrieved": "nothing found",
    "failed": "failed",
    "not_run": "not run",
    "looking": "looking …",
}


def title(column: str) -> str:
    """The column's name for a heading."""
    return column.replace("_", " + ")


def colour(column: str) -> str:
    """The CSS class that carries the column's colour."""
    return f"mw-{column}" if column in HOW else "mw-other"
