"""From results to figures. The unit is the deal: matches of one deal hang together, deals do not.

So every interval is computed over the mean scores of deals, and duplicate deals pay off as narrower intervals.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import log, sqrt
from statistics import fmean
from typing import NamedTuple

Z = 1.959964
"""Half the width of a 95% interval, in standard errors."""


class Estimate(NamedTuple):
    """A mean with its 95% interval."""

    mean: float
    low: float
    high: float


def share(scores: Sequence[float], parts: int) -> Estimate:
    """A share of wins from its mean in each deal, which is made of so many parts: Wilson's interval, with as many
    independent matches as would vary like these deals do, so that it is honest near 0 and 1 too."""
    mean = fmean(scores)
    number = mean * (1 - mean) * len(scores) / _variance(scores, parts) if 0 < mean < 1 else len(scores)
    centre = (mean + Z * Z / (2 * number)) / (1 + Z * Z / number)
    margin = Z * sqrt(mean * (1 - mean) / number + Z * Z / (4 * number * number)) / (1 + Z * Z / number)
    return Estimate(mean, max(0.0, centre - margin), min(1.0, centre + margin))


def difference(ones: Sequence[float], others: Sequence[float]) -> Estimate:
    """How much more the one scores than the other in the same deals."""
    gaps = [one - other for one, other in zip(ones, others, strict=True)]
    mean = fmean(gaps)
    margin = Z * sqrt((sum((gap - mean) ** 2 for gap in gaps) + 1) / len(gaps) / len(gaps))
    return Estimate(mean, mean - margin, mean + margin)


def _variance(scores: Sequence[float], parts: int) -> float:
    """How much a deal's score varies. A quarter is added, the variance of a coin, as if one more deal had been played,
    for a few deals that happen to be equal prove little; and scores in whole parts cannot vary less than between the
    two that are nearest to the mean."""
    mean = fmean(scores)
    between = mean * parts % 1
    least = between * (1 - between) / parts**2
    return max((sum((score - mean) ** 2 for score in scores) + 0.25) / len(scores), least)


class Sprt(NamedTuple):
    """A sequential test: is the share of wins nearer to `low` or to `high`? It errs in one case of twenty."""

    low: float
    high: float
    error: float = 0.05
    least: int = 10  # deals, before which the variance is not known well enough

    def ratio(self, scores: Sequence[float], parts: int) -> float:
        """The logarithm of how much likelier the scores are under `high`, by their mean and variance."""
        gap = self.high - self.low
        middle = (self.high + self.low) / 2
        return len(scores) * gap * (fmean(scores) - middle) / _variance(scores, parts)

    def decided(self, scores: Sequence[float], parts: int) -> float | None:
        """The share that was accepted, None as long as the scores do not suffice."""
        if len(scores) < self.least:
            return None
        ratio, limit = self.ratio(scores, parts), log((1 - self.error) / self.error)
        return None if abs(ratio) < limit else self.high if ratio > 0 else self.low
