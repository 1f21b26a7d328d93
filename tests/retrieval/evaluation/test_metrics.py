"""Ranking metrics agree with ir-measures wherever each group is one document, and count copies once."""

from __future__ import annotations

import random

import ir_measures
import pytest
from ir_measures import AP, RR, R, nDCG

from retrieval.evaluation.metrics import average_precision, gains, ndcg, recall, reciprocal_rank


@pytest.mark.parametrize("seed", range(25))
def test_metrics_equal_those_of_ir_measures(seed: int) -> None:
    rng = random.Random(seed)
    documents = [f"d{i}" for i in range(30)]
    grades = {document: rng.choice([1, 2]) for document in rng.sample(documents, rng.randint(1, 9))}
    ranking = rng.sample(documents, rng.randint(1, 25))
    theirs = ir_measures.calc_aggregate(
        [R @ 5, R @ 12, RR, nDCG @ 10, AP],
        {"q": grades},
        {"q": {document: -rank for rank, document in enumerate(ranking)}},
    )
    found = gains([[document] for document in ranking], [[document] for document in grades], list(grades.values()))
    ours = {
        R @ 5: recall(found, len(grades), 5),
        R @ 12: recall(found, len(grades), 12),
        RR: reciprocal_rank(found),
        nDCG @ 10: ndcg(found, list(grades.values()), 10),
        AP: average_precision(found, len(grades)),
    }
    assert ours == pytest.approx(theirs)


def test_any_copy_finds_its_group_and_a_second_copy_finds_nothing_new() -> None:
    groups = [["a1", "a2"], ["b"]]
    assert gains([["a2"], ["a1"], ["x"], ["b"]], groups) == [1, 0, 0, 1]


def test_nothing_found_is_zero_everywhere() -> None:
    found = gains([["x"], ["y"]], [["a"]])
    assert (recall(found, 1, 12), reciprocal_rank(found), ndcg(found, [1], 10), average_precision(found, 1)) == (
        0,
        0,
        0,
        0,
    )
    assert reciprocal_rank(gains([], [["a"]])) == 0
