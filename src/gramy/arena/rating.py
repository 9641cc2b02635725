"""Elo ratings: one number for each bot from all matches, by maximum likelihood.

A seat wins with a probability proportional to 10 ** (rating / 400). For two players this is the Bradley-Terry model.
The first entrant is rated 0, and the intervals of the others are those of their differences from the first.
"""

from __future__ import annotations

from math import log
from typing import TYPE_CHECKING, Any

from gramy.arena.figures import ConfidenceInterval, Z
from gramy.optional import library

if TYPE_CHECKING:
    from gramy.arena import Comparison

SCALE = 400 / log(10)
"""Elo points for one unit of log-odds."""

PRIOR = (SCALE / 1000) ** 2
"""A normal prior of about 1000 points keeps the rating finite for a bot that wins every match."""

STEPS = 30
"""Iterations of Newton's method; ten suffice."""


def ratings(comparison: Comparison) -> tuple[ConfidenceInterval, ...]:
    """Return the rating of every entrant."""
    numpy = library("numpy", "arena")
    number = len(comparison.setting.entrants)
    seat_rows = [numpy.eye(number)[list(seating)] for seating in comparison.setting.seatings]  # one-hot
    credits = _credits(comparison, numpy)
    strength = numpy.zeros(number)
    for _ in range(STEPS):
        gradient, hessian = -PRIOR * strength, PRIOR * numpy.eye(number)
        for seats, won in zip(seat_rows, credits, strict=True):
            chance = _softmax(seats @ strength, numpy)
            gradient += seats.T @ (won.sum(axis=0) - won.sum() * chance)
            hessian += won.sum() * seats.T @ (numpy.diag(chance) - numpy.outer(chance, chance)) @ seats
        strength += numpy.linalg.solve(hessian, gradient).clip(-2, 2)
    scores: Any = 0  # the gradient of each deal; its variance over deals gives the sandwich estimator
    for seats, won in zip(seat_rows, credits, strict=True):
        scores += (won - won.sum(axis=1, keepdims=True) * _softmax(seats @ strength, numpy)) @ seats
    differences = numpy.eye(number) - numpy.eye(number)[0]  # from the first entrant
    inverse = numpy.linalg.inv(hessian)
    over_deals = differences @ inverse @ scores.T @ scores @ inverse @ differences.T
    by_model = differences @ inverse @ differences.T
    margins = Z * numpy.sqrt(numpy.maximum(numpy.diag(over_deals), numpy.diag(by_model)))
    return tuple(
        ConfidenceInterval(*(float(SCALE * value) for value in (mean, mean - margin, mean + margin)))
        for mean, margin in zip(differences @ strength, margins, strict=True)
    )


def _softmax(strengths: Any, numpy: Any) -> Any:
    powers = numpy.exp(strengths - strengths.max())
    return powers / powers.sum()


def _credits(comparison: Comparison, numpy: Any) -> list[Any]:
    """Return, for each seating, the win of each seat in each deal; the winners of a match share its win."""
    seatings = len(comparison.setting.seatings)
    won = numpy.zeros((seatings, comparison.deals, len(comparison.setting.seatings[0])))
    for at, result in enumerate(comparison.results):
        for seat in result.winners:
            won[at % seatings, at // seatings, seat] = 1 / len(result.winners)
    return list(won)
