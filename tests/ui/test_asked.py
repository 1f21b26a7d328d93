"""Past questions and votes: each question once, the last one first; a vote is one of a comparison."""

from datetime import date

import psycopg
import pytest

from sql.store import Store
from ui import asked
from ui.asked import Standing, Vote


def test_a_question_that_is_asked_again_moves_to_the_front(store: Store) -> None:
    for text, columns in (("Who?", ["vector", "graph"]), ("When?", ["sql", "agent"]), ("Who?", ["graph", "auto"])):
        with store.owner() as conn:
            asked.remember(conn, text, date(2025, 3, 1), columns)
    with store.reader() as conn:
        past = asked.past(conn)
    assert [(one.question, one.columns) for one in past] == [("Who?", ("graph", "auto")), ("When?", ("sql", "agent"))]
    assert past[0].as_of == date(2025, 3, 1) and past[0].at.tzinfo is not None


def test_of_too_many_questions_the_oldest_go_and_all_can_be_forgotten(store: Store) -> None:
    for number in range(asked.KEPT + 2):
        with store.owner() as conn:
            asked.remember(conn, f"question {number}", None, ["vector", "graph"])
    with store.reader() as conn:
        past = asked.past(conn)
    assert len(past) == asked.KEPT
    assert past[-1].question == "question 2"
    with store.owner() as conn:
        asked.forget(conn)
        assert asked.past(conn) == []


def test_a_vote_is_of_the_columns_in_any_order_and_replaces_the_earlier_one(store: Store) -> None:
    with store.owner() as conn:
        asked.vote(conn, "Who?", ["vector", "graph"], Vote("vector", False))
        asked.vote(conn, "Who?", ["graph", "vector"], Vote("graph", True))
        asked.vote(conn, "Who?", ["graph", "vector", "sql"], Vote(None, True))
        asked.vote(conn, "When?", ["graph", "vector"], Vote("graph", True))
        assert asked.voted(conn, "Who?", ["vector", "graph"]) == Vote("graph", True)
        assert asked.voted(conn, "Who?", ["vector", "sql"]) is None
        assert asked.standings(conn) == [
            Standing("graph", 2, 1, 0), Standing("sql", 0, 1, 0), Standing("vector", 0, 1, 2),
        ]  # fmt: skip
        asked.take_back(conn, "Who?", ["vector", "graph"])
        assert asked.voted(conn, "Who?", ["vector", "graph"]) is None


def test_a_column_that_was_not_compared_cannot_be_better(store: Store) -> None:
    with pytest.raises(psycopg.errors.CheckViolation), store.owner() as conn:
        asked.vote(conn, "Who?", ["vector", "graph"], Vote("sql", False))
