"""Each column over the office mailbox: what it finds, what its trace tells, how it fails."""

from __future__ import annotations

from dataclasses import replace

import pytest

from retrieval.columns.auto import choose
from retrieval.columns.base import Tools
from retrieval.columns.lexical import full_text, query_words
from retrieval.columns.registry import COLUMNS, make
from retrieval.columns.vector import Vector
from retrieval.errors import ColumnUnavailable, IndexStale, NoVectors
from retrieval.planning import Planner
from retrieval.types import Question, Retrieved
from sql.store import Store

NEED_CHAT = ("cypher", "sql", "agent", "themes")
NEED_VECTORS = ("vector", "hybrid", "vector_graph")


def found(tools: Tools, name: str, question: str, limit: int = 12) -> Retrieved:
    return make(name, tools).retrieve(Question(question), limit)


def ids(result: Retrieved) -> list[int]:
    return [h.message for h in result.hits]


@pytest.mark.parametrize("name", [name for name in COLUMNS if name not in NEED_CHAT])
def test_ranks_begin_at_one_no_message_stands_twice_and_each_says_where_it_was_found(tools: Tools, name: str) -> None:
    result = found(tools, name, "What did Otto Berg offer for the steel in October 2021?", 6)
    assert [h.rank for h in result.hits] == list(range(1, len(result.hits) + 1))
    assert 0 < len(result.hits) <= 6
    assert len(set(ids(result))) == len(result.hits)
    assert all(h.found_by for h in result.hits)
    assert all(step.milliseconds >= 0 for step in result.trace)
    assert {step.name for step in result.trace}


def test_vector_finds_what_was_said_in_other_words(tools: Tools) -> None:
    assert 8 in ids(found(tools, "vector", "Do the musicians charge us for changing the date?"))[:2]


def test_lexical_finds_a_rare_word_and_nothing_where_no_word_occurs(tools: Tools) -> None:
    assert set(ids(found(tools, "lexical", "Zinkplatten"))[:2]) == {3, 10}
    nothing = found(tools, "lexical", "xylophone qwertz")
    assert nothing.hits == []
    assert nothing.outcome_note


def test_lexical_works_without_bm25(tools: Tools, store: Store) -> None:
    """On a server without pg_textsearch the table has a column of words instead."""
    with store.owner() as conn:
        conn.execute("ALTER TABLE mail.chunk ADD COLUMN IF NOT EXISTS words tsvector")
        assert full_text(conn, "steel bridge", 5) == []
    assert query_words("How many tonnes of steel did we order in the end?") == "tonnes steel order end"


@pytest.mark.bm25
def test_words_that_a_message_only_quotes_are_found_and_messages_without_any_are_not(store: Store) -> None:
    from sql import bm25
    from tests.graph.mailboxes import load
    from tests.retrieval import office

    with store.owner() as conn:
        box = office.office()
        load(conn, box)
        office.chunks(conn, box)
        conn.execute("UPDATE mail.message SET body = new_text || E'\\n> the gangway of larch' WHERE id IN (4, 13)")
        bm25.rebuild(conn)
    lexical = make("lexical", Tools(store, Planner(store, "rules")))
    result = lexical.retrieve(Question("Who spoke of the gangway?"))
    assert ids(result) == [4]  # and not the draft
    assert result.hits[0].found_by[0].step == "whole message"
    assert lexical.retrieve(Question("xylophone qwertz")).hits == []


def test_hybrid_brings_the_terse_reply_beside_what_it_answers(tools: Tools) -> None:
    result = found(tools, "hybrid", "At which price a tonne did Otto offer the steel before Friday?")
    assert ids(result)[0] == 3
    assert 4 in ids(result)[:6]
    assert "expand" in [step.name for step in result.trace]


def test_messages_of_one_conversation_lift_each_other(tools: Tools) -> None:
    from retrieval.columns.base import Found, Trace
    from retrieval.columns.hybrid import with_threads
    from retrieval.types import FoundBy

    ranking = [Found(m, 1 / (60 + n), [FoundBy("vector", n)]) for n, m in enumerate((3, 12, 9, 10, 11, 5, 4), 1)]
    with tools.store.reader() as conn:
        after = with_threads(conn, ranking, Trace())
    lifted = next(f for f in after if f.message == 4)
    assert [f.message for f in after].index(4) < 6
    assert lifted.found_by[-1].step == "thread of #1"


def test_hybrid_weighs_automated_mail_down(tools: Tools) -> None:
    order = ids(found(tools, "hybrid", "steel footbridge"))
    assert order.index(9) > order.index(1)


def test_graph_rerank_stays_in_the_neighbourhood_and_ranks_by_meaning(tools: Tools) -> None:
    result = found(tools, "graph_rerank", "What did Tom write about the mayor in November 2021?")
    assert ids(result)[0] == 5
    assert result.facts == []
    assert found(tools, "graph_rerank", "What does the railing cost?").outcome_note.startswith("nothing linked")


def test_combined_holds_facts_and_messages(tools: Tools) -> None:
    structural = found(tools, "combined", "How many messages did Tom Weiss send?")
    assert structural.facts[0].value == 3
    assert {5, 7, 11} <= set(ids(structural))
    content = found(tools, "combined", "What is said about Zinkplatten?")
    assert content.facts[0].value == 2
    assert content.hits


def test_combined_without_vectors_keeps_its_facts_and_tells_the_error(tools: Tools) -> None:
    result = found(replace(tools, embedder=None), "combined", "How many messages did Tom Weiss send?")
    assert result.facts[0].value == 3
    assert [e.kind for e in result.errors] == ["ColumnUnavailable"]


@pytest.mark.parametrize(
    ("question", "column"),
    [
        ("How many messages did Tom Weiss send?", "graph"),
        ("Who wrote to me most often?", "graph"),
        ("Which messages mention Zinkplatten?", "graph"),
        ("What did the steel cost a tonne?", "hybrid"),
    ],
)
def test_the_router_chooses_from_the_plan_and_says_why(tools: Tools, question: str, column: str) -> None:
    with tools.store.reader() as conn:
        route = choose(tools.planner.plan(conn, Question(question)), tools)
    assert route.column == column
    result = found(tools, "auto", question)
    assert result.trace[0].name == "route"
    assert route.because in result.trace[0].output
    assert ids(result) == ids(found(tools, column, question))


def test_without_an_embedding_model_the_router_falls_back_to_words(tools: Tools) -> None:
    result = found(replace(tools, embedder=None), "auto", "What did the steel cost a tonne?")
    assert result.trace[0].output.startswith("lexical")
    assert result.hits


@pytest.mark.parametrize("name", NEED_VECTORS)
def test_a_column_that_needs_a_model_says_so(tools: Tools, name: str) -> None:
    with pytest.raises(ColumnUnavailable) as error:
        found(replace(tools, embedder=None), name, "steel")
    assert "models pull" in error.value.hint


def test_no_vectors_and_stale_vectors_are_told_apart(tools: Tools, store: Store) -> None:
    empty = Tools(store, Planner(store, "rules"), tools.embedder)
    with pytest.raises(NoVectors):
        Vector(empty).retrieve(Question("steel"))
    assert tools.embedder is not None
    with store.owner() as conn:
        conn.execute(
            "INSERT INTO mail.index_state (name, fingerprint, relation) VALUES (%s, 'older', 'vector_x')",
            (f"vectors:{tools.embedder.name}",),
        )
    with pytest.raises(IndexStale):
        Vector(empty).retrieve(Question("steel"))


def test_words_of_a_message_known_only_from_a_quotation_are_found_through_the_one_that_quotes_it(
    tools: Tools, office: Store
) -> None:
    from retrieval.carriers import carried
    from retrieval.columns.base import Found
    from retrieval.types import FoundBy

    with office.owner() as conn:
        conn.execute("UPDATE mail.message SET recovered = true WHERE id = 1")
        conn.execute(
            "INSERT INTO mail.quote (message, position, start, stop, depth, kind, quoted) "
            "VALUES (3, 0, 0, 1, 1, 'quote', 1), (2, 0, 0, 1, 1, 'quote', 1)"
        )
        ranking = [Found(m, 1.0, [FoundBy("vector", n)], (0, 5)) for n, m in enumerate((1, 5, 2), 1)]
        after = carried(conn, ranking)
        conn.rollback()
    assert [f.message for f in after] == [2, 5]
    assert after[0].quoted == 1
    assert after[0].span is None
    assert after[0].found_by == [FoundBy("vector", 1), FoundBy("vector", 3)]


def test_a_message_that_quotes_a_hit_follows_it_with_less(office: Store) -> None:
    from retrieval.carriers import QUOTED, with_quoting
    from retrieval.columns.base import Found
    from retrieval.types import FoundBy

    with office.owner() as conn:
        conn.execute(
            "INSERT INTO mail.quote (message, position, start, stop, depth, kind, quoted) "
            "VALUES (3, 0, 0, 1, 1, 'quote', 2), (4, 0, 0, 1, 1, 'quote', 2)"
        )
        after = with_quoting(conn, [Found(2, 5.0, [FoundBy("lexical", 1)]), Found(12, 4.9, [FoundBy("lexical", 2)])])
        conn.rollback()
    assert [f.message for f in after] == [2, 12, 3, 4]
    assert after[2].score == pytest.approx(5.0 * QUOTED)
    assert after[2].found_by == [FoundBy("quotes #1", 1)]
