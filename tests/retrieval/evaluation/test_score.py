"""What a record is worth: by hand-computed values; a score that does not apply is absent."""

from __future__ import annotations

from typing import Any

import pytest

from retrieval.evaluation.gold import Gold
from retrieval.evaluation.questions import GoldQuestion
from retrieval.evaluation.score import Record, recall_at, score, value_of

A, B, C, D = 1, 2, 3, 4


def gold(**given: Any) -> Gold:
    question = GoldQuestion(id="Q", kind=given.pop("kind", "lookup"), text="?", **given.pop("question", {}))
    groups = tuple(frozenset(group) for group in given.pop("groups", ()))
    threads = tuple(frozenset(group) for group in given.pop("threads", [()] * len(groups)))
    also = tuple(frozenset(group) for group in given.pop("also_ok", ()))
    return Gold(question, groups, (1,) * len(groups), also, threads)


def test_any_copy_finds_a_group_and_a_second_copy_finds_nothing_new() -> None:
    scores = score(gold(groups=[{A, B}, {C}]), Record("retrieved", messages=[B, A, D]), answered=False)
    assert scores["recall@12"] == 0.5
    assert scores["mrr"] == 1.0


def test_a_message_that_restates_the_answer_counts_for_the_rank_but_not_for_recall() -> None:
    scores = score(gold(groups=[{A}], also_ok=[{B}]), Record("retrieved", messages=[D, B]), answered=False)
    assert scores["recall@12"] == 0.0
    assert scores["mrr"] == 0.5


def test_recall_is_cut_at_five_twelve_and_forty() -> None:
    messages = list(range(100, 112))
    messages[5] = A
    deep = [*range(100, 130), B]
    scores = score(gold(groups=[{A}, {B}]), Record("retrieved", messages=messages, deep=deep), answered=False)
    assert (scores["recall@5"], scores["recall@12"], scores["recall@40"]) == (0.0, 0.5, 0.5)
    assert "recall@40" not in score(gold(groups=[{A}]), Record("retrieved"), answered=False)
    assert recall_at(gold(groups=[{A}]), Record("retrieved", messages=messages), 6) == 1.0
    assert recall_at(gold(groups=[{A}]), Record("retrieved", messages=messages), 5) == 0.0
    assert recall_at(gold(), Record("retrieved"), 5) is None


def test_the_conversation_is_found_by_any_of_its_messages() -> None:
    one = gold(groups=[{A}, {B}], threads=[{7}, ()])
    assert score(one, Record("retrieved", [C], threads=[7]), answered=False)["thread_recall@12"] == 0.5
    assert score(one, Record("retrieved", [C, B], threads=[None, None]), answered=False)["thread_recall@12"] == 0.5


def test_values_are_scored_where_there_is_one_and_messages_where_there_are_some() -> None:
    value = gold(kind="aggregate_count", question={"value_type": "number", "value": 3})
    assert score(value, Record("retrieved", values=[3]), answered=False) == {"value_correct": 1, "value_partial": 1.0}
    assert score(value, Record("failed"), answered=False)["value_correct"] == 0


@pytest.mark.parametrize(
    ("values", "kind", "chosen"),
    [([[{"label": "x"}], 4], "number", 4), ([4, [{"label": "x"}]], "set", [{"label": "x"}]), ([], "set", None)],
)
def test_the_fact_of_the_shape_that_was_asked_for_is_compared(values: list[Any], kind: str, chosen: Any) -> None:
    assert value_of(values, kind) == chosen


def test_a_column_that_found_nothing_told_no_fact() -> None:
    told = gold(question={"facts": ("840 a day",)})
    assert score(told, Record("answered", answer="It costs 840 a day."), answered=True)["facts_found"] == 1.0
    assert score(told, Record("nothing_retrieved"), answered=True)["facts_found"] == 0.0
    assert "facts_found" not in score(told, Record("retrieved"), answered=False)


def test_refusing_is_right_only_where_the_mailbox_does_not_say() -> None:
    absent = gold(kind="unanswerable", question={"facts": ("not in the mailbox",)})
    for outcome, right in (("declined", 1.0), ("nothing_retrieved", 1.0), ("answered", 0.0), ("failed", 0.0)):
        assert score(absent, Record(outcome, answer="?"), answered=True) == {"refused_right": right}
    assert "refused_right" not in score(gold(), Record("declined", answer="?"), answered=True)


def test_a_record_is_stored_and_read_back_alike() -> None:
    record = Record("retrieved", [A], [None], values=[{"label": "x"}], milliseconds={"total": 1.5}, route="graph")
    assert Record(**record.to_json()) == record
