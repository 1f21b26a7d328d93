"""Judging is blind and kept; grades become gold."""

from __future__ import annotations

from retrieval.ask import ask
from retrieval.evaluation.pool import NEEDED, NOT, RESTATES, keep, kept, labelled, pool
from sql.store import Store
from tests.retrieval.evaluation.conftest import id_of

TEXT = "What does the crane cost?"


def test_a_pool_holds_what_any_column_found_in_an_order_that_tells_nothing(lock: Store) -> None:
    asked = ask(
        lock, "Which messages of Tom Weller mention the crane?", ["lexical", "graph"], planner="rules", answer=False
    )
    found = [[hit.message for hit in column.retrieved.hits] for column in asked.columns]
    mixed = pool(asked.question, asked.columns)
    assert set(mixed) == set(found[0]) | set(found[1])
    assert mixed == pool(asked.question, asked.columns)
    assert mixed != [*dict.fromkeys(found[0] + found[1])]


def test_grades_are_kept_and_become_gold(lock: Store) -> None:
    with lock.owner() as conn:
        ids = dict(conn.execute("SELECT message_id, message FROM mail.occurrence").fetchall())
        for key, grade in (("crane", NOT), ("crane", NEEDED), ("crane-yes", RESTATES), ("fair", NOT)):
            keep(conn, TEXT, ids[id_of(key)], grade)
        assert kept(conn, TEXT)[ids[id_of("crane")]] == NEEDED
        made = labelled(conn, "L001", TEXT, None, "840 a day")
        nothing = labelled(conn, "L002", "Who has the key?", None)
    assert made["gold_message_ids"] == [sorted([id_of("crane"), id_of("crane", "archive")])]
    assert made["also_ok_message_ids"] == [[id_of("crane-yes")]]
    assert (made["kind"], made["gold_answer"]) == ("lookup", "840 a day")
    assert nothing["kind"] == "unanswerable"
