"""The worked examples: each runs over the fictional mailbox, and its two languages and independent SQL agree."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

import pytest

from graph import cypher, views
from graph.cypher_rewrite import rewrite as rewrite_cypher
from retrieval.columns.sql import rewrite as rewrite_sql
from retrieval.models.embed import Embedder
from retrieval.text_to_query import results
from retrieval.text_to_query.examples import Example, load, mask, nearest
from retrieval.text_to_query.values import Values
from sql.store import Store
from ui.demo.gold import QUESTIONS

KINDS = ("count", "rank", "list", "negation", "period", "thread", "attachment", "label", "two-hop", "path")


def test_there_are_forty_of_ten_kinds_and_at_least_four_of_each() -> None:
    counts = Counter(one.kind for one in load() if one.cypher and one.sql)
    assert sum(counts.values()) >= 40
    assert all(counts[kind] >= 4 for kind in KINDS)
    assert len({one.question for one in load()}) == len(load())


def test_no_example_is_a_labelled_question() -> None:
    labelled = QUESTIONS.read_text(encoding="utf-8")
    assert not [one.question for one in load() if one.question in labelled]


NEWER = re.compile(r"exists \{|WITH [^W]*ORDER BY")  # what Apache AGE 1.5 does not know
EXAMPLES = [
    pytest.param(one, id=one.question[:60], marks=[pytest.mark.age17] if NEWER.search(one.cypher) else [])
    for one in load()
]


@pytest.mark.parametrize("example", EXAMPLES)
def test_what_it_gives_is_right(demo_store: Store, example: Example) -> None:
    """Cypher over the graph and SQL over the views share neither tables nor text; where Cypher cannot say it, SQL over
    the tables themselves stands in."""
    with demo_store.reader() as conn:
        query = rewrite_sql(example.sql)[0]
        rows = views.run(conn, query)
        if example.cypher:
            other = cypher.run(conn, rewrite_cypher(example.cypher)[0])
        else:
            other = cypher.Rows(rows.columns, tuple(conn.execute(example.counted.encode()).fetchall()), False, 0.0, "")
        given, right = (_value(results.fact(conn, r, "", "").value, example) for r in (rows, other))
    assert given == right
    assert given not in (0, [])


def _value(value: Any, example: Example) -> Any:
    if isinstance(value, int):
        return value
    items = [(item["label"], item["n"]) for item in value]
    return items if " LIMIT " in example.sql else sorted(items, key=str)


def test_near_is_what_has_the_same_form_whoever_it_is_about(embedder: Embedder) -> None:
    question = "How many messages did Quirin Abendroth send in July 1999?"
    values = Values(people=("Quirin Abendroth",), said=(("Quirin Abendroth",) * 2,), wants="number")
    assert mask(question, values) == "How many messages did somebody send in a month?"
    for model in (embedder, None):
        found = nearest(question, values, "cypher", model)
        assert len(found) == 7
        assert found[-1].kind in ("count", "period")
        assert "How many messages" in found[-1].question


def test_an_example_without_a_query_in_a_language_is_not_shown_for_it(embedder: Embedder) -> None:
    mention = "How many messages mention the lantern?"
    assert nearest(mention, Values(words=("lantern",), wants="number"), "sql", embedder)[-1].kind == "mention"
    assert all(one.cypher for one in nearest(mention, Values(words=("lantern",)), "cypher", embedder))
