"""How sure a number is: 95 % intervals and paired tests, since thirty questions can be right by luck.

Proportions (right or wrong) get Wilson's interval, which holds for small n and near 0 and 1; means of other values
the percentile bootstrap. Two columns are compared question by question: McNemar's exact test for right or wrong, the
paired bootstrap for the rest. Resampling has a fixed seed, so that a number can be repeated.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from math import comb, sqrt

import numpy as np

Z95 = 1.959964
RESAMPLES = 4000
SEED = 20240229


@dataclass(frozen=True)
class Estimate:
    """A value with its 95 % interval and the number of questions it rests on."""

    value: float
    low: float
    high: float
    n: int

    def to_json(self) -> dict[str, float]:
        """Rounded to four places, as it stands in reports."""
        return {key: round(number, 4) for key, number in asdict(self).items()}


def estimate(values: Sequence[float]) -> Estimate | None:
    """The mean of ``values`` with its interval; None for no values."""
    if not values:
        return None
    if all(value in (0, 1) for value in values):
        return wilson(int(sum(values)), len(values))
    array = np.asarray(values, dtype=float)
    low, high = np.percentile(_resampled_means(array), [2.5, 97.5])
    return Estimate(float(array.mean()), float(low), float(high), len(values))


def median_estimate(values: Sequence[float]) -> Estimate | None:
    """The median of ``values`` with the percentile bootstrap's interval; None for no values."""
    if not values:
        return None
    array = np.asarray(values, dtype=float)
    low, high = np.percentile(np.median(_resampled(array), axis=1), [2.5, 97.5])
    return Estimate(float(np.median(array)), float(low), float(high), len(values))


def wilson(successes: int, n: int) -> Estimate:
    """Wilson's score interval for ``successes`` of ``n`` (Wilson 1927)."""
    share = successes / n
    centre = (share + Z95**2 / (2 * n)) / (1 + Z95**2 / n)
    half = Z95 / (1 + Z95**2 / n) * sqrt(share * (1 - share) / n + Z95**2 / (4 * n**2))
    return Estimate(share, max(0.0, centre - half), min(1.0, centre + half), n)


@dataclass(frozen=True)
class Difference:
    """Mean of a minus mean of b over the same questions, its 95 % interval, and the p-value of "no difference"."""

    difference: float
    low: float
    high: float
    p: float
    n: int


def paired(a: Sequence[float], b: Sequence[float]) -> Difference:
    """Compares two columns over the same questions, in the same order.

    p is McNemar's exact test where all values are 0 or 1, else twice the smaller tail of the paired bootstrap.
    Raises ValueError when the lengths differ or there are no questions.
    """
    if len(a) != len(b) or not a:
        raise ValueError("paired comparison needs the same questions on both sides")
    differences = np.asarray(a, dtype=float) - np.asarray(b, dtype=float)
    means = _resampled_means(differences)
    low, high = np.percentile(means, [2.5, 97.5])
    if all(value in (0, 1) for value in (*a, *b)):
        p = mcnemar(int((differences > 0).sum()), int((differences < 0).sum()))
    else:
        tail = min(float((means <= 0).mean()), float((means >= 0).mean()))
        p = min(1.0, 2 * tail)
    return Difference(float(differences.mean()), float(low), float(high), p, len(a))


def mcnemar(fixes: int, breaks: int) -> float:
    """Exact two-sided p that ``fixes`` against ``breaks`` are a fair coin (McNemar 1947, binomial form)."""
    n = fixes + breaks
    tail = sum(comb(n, i) for i in range(min(fixes, breaks) + 1)) / 2**n
    return float(min(1.0, 2 * tail))


def _resampled_means(values: np.ndarray) -> np.ndarray:
    return np.asarray(_resampled(values).mean(axis=1))


def _resampled(values: np.ndarray) -> np.ndarray:
    rng = np.random.default_rng(SEED)
    return np.asarray(values[rng.integers(0, len(values), (RESAMPLES, len(values)))])
