"""Elo: one number for each bot from all matches, by maximum likelihood.

At a table of any size a seat wins with a chance in proportion to 10 ** (rating / 400), which for two is Bradley and
Terry's model. The first entrant's rating is 0; each other's interval is that of its distance from the first.
"""

from __future__ import annotations

from math import log
from typing import TYPE_CHECKING, Any

from gramy.arena.figures import Estimate, Z
from gramy.optional import library

if TYPE_CHECKING:
    from gramy.arena import Comparison

SCALE = 400 / log(10)
"""Elo for each unit of the logarithm of chances."""

PRIOR = (SCALE / 1000) ** 2
"""As if ratings lay within a thousand or so of each other: who wins every match is not rated infinitely."""

STEPS = 30
"""Newton's method needs ten."""


def ratings(comparison: Comparison) -> tuple[Estimate, ...]:
    """The rating of every entrant."""
    numpy = library("numpy", "arena")
    number = len(comparison.setting.entrants)
    taken = [numpy.eye(number)[list(seating)] for seating in comparison.setting.seatings]  # a row for each seat
    credits = _credits(comparison, numpy)
    strength = numpy.zeros(number)
    for _ in range(STEPS):
        slope, curve = -PRIOR * strength, PRIOR * numpy.eye(number)
        for seats, won in zip(taken, credits, strict=True):
            chance = _chances(seats @ strength, numpy)
            slope += seats.T @ (won.sum(axis=0) - won.sum() * chance)
            curve += won.sum() * seats.T @ (numpy.diag(chance) - numpy.outer(chance, chance)) @ seats
        strength += numpy.linalg.solve(curve, slope).clip(-2, 2)
    pulls: Any = 0  # of each deal, which the variance over deals follows from
    for seats, won in zip(taken, credits, strict=True):
        pulls += (won - won.sum(axis=1, keepdims=True) * _chances(seats @ strength, numpy)) @ seats
    apart = numpy.eye(number) - numpy.eye(number)[0]  # from the first
    inverse = numpy.linalg.inv(curve)
    over_deals = apart @ inverse @ pulls.T @ pulls @ inverse @ apart.T
    by_model = apart @ inverse @ apart.T
    margins = Z * numpy.sqrt(numpy.maximum(numpy.diag(over_deals), numpy.diag(by_model)))
    return tuple(
        Estimate(*(float(SCALE * value) for value in (mean, mean - margin, mean + margin)))
        for mean, margin in zip(apart @ strength, margins, strict=True)
    )


def _chances(strengths: Any, numpy: Any) -> Any:
    powers = numpy.exp(strengths - strengths.max())
    return powers / powers.sum()


def _credits(comparison: Comparison, numpy: Any) -> list[Any]:
    """For each seating, what each seat won in each deal; winners of one match share its win."""
    seatings = len(comparison.setting.seatings)
    won = numpy.zeros((seatings, comparison.deals, len(comparison.setting.seatings[0])))
    for at, played in enumerate(comparison.results):
        for seat in played.winners:
            won[at % seatings, at // seatings, seat] = 1 / len(played.winners)
    return list(won)
