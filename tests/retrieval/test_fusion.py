"""Reciprocal rank fusion against values computed by hand."""

from __future__ import annotations

import pytest

from retrieval.columns.base import Found
from retrieval.fusion import fuse
from retrieval.types import FoundBy


def ranking(step: str, *messages: int) -> list[Found]:
    return [Found(m, 1.0, [FoundBy(step, rank)]) for rank, m in enumerate(messages, 1)]


def test_the_score_is_the_sum_of_one_over_ten_plus_rank() -> None:
    fused = fuse([ranking("a", 7, 8), ranking("b", 8, 9)])
    assert [f.message for f in fused] == [8, 7, 9]
    assert fused[0].score == pytest.approx(1 / 12 + 1 / 11)
    assert fused[1].score == pytest.approx(1 / 11)
    assert fused[2].score == pytest.approx(1 / 12)


def test_each_message_keeps_where_it_was_found() -> None:
    fused = fuse([ranking("a", 7, 8), ranking("b", 8)])
    assert fused[0].message == 8
    assert fused[0].found_by == [FoundBy("a", 2), FoundBy("b", 1)]


def test_ties_are_in_the_order_of_ids_and_weights_count() -> None:
    assert [f.message for f in fuse([ranking("a", 9), ranking("b", 3)])] == [3, 9]
    assert [f.message for f in fuse([ranking("a", 9), ranking("b", 3)], [2.0, 1.0])] == [9, 3]


def test_what_one_ranking_puts_first_stands_before_what_both_put_far_down() -> None:
    far = list(range(100, 119))
    fused = fuse([ranking("a", 7, *far, 9), ranking("b", *(m + 50 for m in far), 9)])
    assert [f.message for f in fused].index(7) < [f.message for f in fused].index(9)
