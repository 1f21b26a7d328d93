"""What must hold of every column, those of the future included: a failure is an error, a query shown is one that ran."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import psycopg
import pytest

from retrieval.ask import ask
from retrieval.columns.base import Tools
from retrieval.columns.registry import COLUMNS, make
from retrieval.models.embed import Embedder
from retrieval.types import Question
from sql.store import Store
from tests.retrieval.scripted import Scripted

QUESTION = "How many messages did Tom Weiss send?"
WRITTEN = {
    "cypher": ["MATCH (p:Person)-[s:SENT]->(m:Message) WHERE p.name = 'Tom Weiss' RETURN count(DISTINCT m)"],
    "sql": ["SELECT count(*) AS n FROM messages WHERE sender = 'Tom Weiss'"],
    "agent": ['find_person("Tom Weiss")', "count(sender=P1)", "answer()"],
}
WITH_FACTS = {"graph", "graph_rerank", "combined", "auto", *WRITTEN}


@pytest.mark.parametrize("name", COLUMNS)
def test_a_failure_is_an_error_of_that_column_alone(store: Store, embedder: Embedder, name: str) -> None:
    """The reader is refused every table, as on a server whose administrator took the rights away."""
    with store.owner() as conn:
        conn.execute("REVOKE ALL ON ALL TABLES IN SCHEMA mail FROM mailweave_reader, PUBLIC")
    chat = Scripted(*WRITTEN.get(name, []), *["answer()"] * 12)
    result = ask(store, QUESTION, [name, name], planner="rules", chat=chat, embedder=embedder, answer=False)
    for column in result.columns:
        assert column.outcome == "failed", (column.outcome, column.note)
        assert column.errors
        assert all(error.kind and error.message for error in column.errors)
        assert column.retrieved.hits == []


# themes rests on summaries that were written ahead: test_themes.py holds the same of it
@pytest.mark.parametrize("name", [name for name in COLUMNS if name != "themes"])
def test_the_query_that_a_column_shows_is_one_that_ran(
    tools: Tools, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran: list[str] = []
    execute = psycopg.Cursor.execute

    def noted(self: Any, query: Any, *args: Any, **options: Any) -> Any:
        ran.append(
            query.decode() if isinstance(query, bytes) else query if isinstance(query, str) else query.as_string(self)
        )
        return execute(self, query, *args, **options)

    chat = Scripted(*WRITTEN.get(name, []))
    column = make(name, replace(tools, chat=chat) if name in WRITTEN else tools)
    monkeypatch.setattr(psycopg.Cursor, "execute", noted)
    result = column.retrieve(Question(QUESTION))
    assert not result.errors
    assert bool(result.facts) == (name in WITH_FACTS)
    for fact in result.facts:
        assert any(fact.query in text for text in ran), fact.query
    if result.facts:
        assert result.facts[0].value == 3
