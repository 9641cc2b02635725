"""Statistics of a comparison. Matches of the same deal are correlated; deals are independent.

So every interval is computed over the mean scores of deals. Duplicate deals make these intervals narrower.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import log, sqrt
from statistics import fmean
from typing import NamedTuple

Z = 1.959964
"""Half the width of a 95% interval, in standard errors."""


class ConfidenceInterval(NamedTuple):
    """A mean with its 95% interval."""

    mean: float
    low: float
    high: float


def win_share(scores: Sequence[float], parts: int) -> ConfidenceInterval:
    """Return a share of wins with its interval, from the score of each deal, the mean of so many parts.

    This is Wilson's interval, which is right near 0 and 1 too. Its sample size is the number of independent matches
    whose mean would have the variance of these deals.
    """
    mean = fmean(scores)
    number = mean * (1 - mean) * len(scores) / _variance(scores, parts) if 0 < mean < 1 else len(scores)
    centre = (mean + Z * Z / (2 * number)) / (1 + Z * Z / number)
    margin = Z * sqrt(mean * (1 - mean) / number + Z * Z / (4 * number * number)) / (1 + Z * Z / number)
    return ConfidenceInterval(mean, max(0.0, centre - margin), min(1.0, centre + margin))


def difference(ones: Sequence[float], others: Sequence[float]) -> ConfidenceInterval:
    """Return the mean difference of two entrants' scores on the same deals, with its interval."""
    gaps = [one - other for one, other in zip(ones, others, strict=True)]
    mean = fmean(gaps)
    margin = Z * sqrt((sum((gap - mean) ** 2 for gap in gaps) + 1) / len(gaps) / len(gaps))
    return ConfidenceInterval(mean, mean - margin, mean + margin)


def _variance(scores: Sequence[float], parts: int) -> float:
    """Return the variance of a deal's score.

    A few deals that happen to be equal prove little, so one more deal with the variance of a coin (1/4) is added. And
    a score is a multiple of 1 / parts, so its variance is at least that of the two multiples nearest to the mean.
    """
    mean = fmean(scores)
    between = mean * parts % 1
    least = between * (1 - between) / parts**2
    return max((sum((score - mean) ** 2 for score in scores) + 0.25) / len(scores), least)


class Sprt(NamedTuple):
    """A sequential probability ratio test of two shares of wins, `low` and `high`, with an error rate of `error`."""

    low: float
    high: float
    error: float = 0.05
    least: int = 10  # deals before the first decision, because the variance is estimated

    def ratio(self, scores: Sequence[float], parts: int) -> float:
        """Return the log-likelihood ratio of `high` against `low`, by the mean and variance of the scores."""
        gap = self.high - self.low
        middle = (self.high + self.low) / 2
        return len(scores) * gap * (fmean(scores) - middle) / _variance(scores, parts)

    def decided(self, scores: Sequence[float], parts: int) -> float | None:
        """Return the accepted share, None while the scores do not suffice."""
        if len(scores) < self.least:
            return None
        ratio, limit = self.ratio(scores, parts), log((1 - self.error) / self.error)
        return None if abs(ratio) < limit else self.high if ratio > 0 else self.low
