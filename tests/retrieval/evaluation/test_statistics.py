"""Intervals and tests against textbook values."""

import pytest

from retrieval.evaluation.statistics import estimate, mcnemar, median_estimate, paired, wilson


def test_wilson_matches_published_values() -> None:
    # Newcombe 1998, table I: 81/263 gives .2553 to .3662, 0/20 gives 0 to .1611, 29/29 gives .8830 to 1
    assert (wilson(81, 263).low, wilson(81, 263).high) == pytest.approx((0.2553, 0.3662), abs=1e-4)
    assert (wilson(0, 20).low, wilson(0, 20).high) == pytest.approx((0, 0.1611), abs=1e-4)
    assert (wilson(29, 29).low, wilson(29, 29).high) == pytest.approx((0.8830, 1), abs=1e-4)


def test_mcnemar_is_the_exact_binomial() -> None:
    assert mcnemar(12, 1) == pytest.approx(0.00341796875)
    assert mcnemar(16, 3) == pytest.approx(0.0044250, abs=1e-6)
    assert mcnemar(5, 5) == 1
    assert mcnemar(0, 0) == 1


def test_an_interval_holds_the_mean_and_narrows_with_more_questions() -> None:
    few, many = estimate([0.2, 0.5, 0.9]), estimate([0.2, 0.5, 0.9] * 30)
    assert few is not None and many is not None
    assert few.low <= few.value <= few.high
    assert many.value == pytest.approx(few.value)
    assert many.high - many.low < few.high - few.low
    assert estimate([]) is None


def test_a_paired_difference_uses_the_same_questions() -> None:
    result = paired([1, 1, 1, 1, 0, 1, 1, 1], [0, 0, 1, 0, 0, 0, 0, 0])
    assert result.difference == pytest.approx(6 / 8)
    assert result.p == pytest.approx(mcnemar(6, 0))
    assert paired([0.5, 0.5], [0.5, 0.5]).p == 1
    with pytest.raises(ValueError, match="same questions"):
        paired([1], [1, 0])


def test_the_median_stands_inside_its_interval() -> None:
    made = median_estimate([1.0, 2.0, 3.0, 4.0, 100.0])
    assert made is not None and made.value == 3.0 and made.low <= 3.0 <= made.high and made.n == 5
    assert median_estimate([]) is None
