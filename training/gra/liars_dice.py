"""Liar's dice between two players, solved by the code that makes the tables of GRA and held against known values.

Every player rolls their dice in secret. Bids and checks are those of GRA with bids by quantity first. There is no
choice of faces: a die shows what was rolled. With wild ones, a one counts for every value; a bid on ones counts
ones only.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations_with_replacement
from math import factorial, prod
from typing import NamedTuple

import numpy as np

from gramy.bots.gra.bid_tree import OPENER, ActionAbstraction, BidTree
from training.gra.bidding import Bidding, BiddingSolver
from training.gra.cfr import Array
from training.gra.chance import Transitions
from training.gra.face_decision import FaceDecision
from training.gra.solver import RoundSolver


class LiarsDice(NamedTuple):
    """The dice of both players, the sides of a die, and whether ones count for every value."""

    opener_dice: int
    responder_dice: int
    sides: int
    ones_wild: bool


def _published(opener: int, responder: int, wild: bool, values: Sequence[str]) -> dict[LiarsDice, Fraction]:
    """Return published values for dice of three sides, four, and so on."""
    return {LiarsDice(opener, responder, sides, wild): Fraction(value) for sides, value in enumerate(values, 3)}


PUBLISHED = {
    **_published(1, 1, False, ("-1/9", "-1/8", "-3/25", "-1/9")),
    **_published(1, 1, True, ("1/3", "0", "0", "-7/327")),
    **_published(2, 1, False, ("1/9", "345/1696", "2128/8375")),
    **_published(2, 1, True, ("1/3", "1/4", "34/125")),
    **_published(1, 2, False, ("-1/27", "-1/8", "-27/125")),
    **_published(1, 2, True, ("-1/27", "-1/32", "-3/125")),
}
"""Values for the opener, in rounds won minus rounds lost, that others computed by linear programming.

Source: https://github.com/thomasahle/snyd. It prints -3/35 for one die of five sides each. `Bounds` exclude that and
leave -3/25, so we take the 35 for a misprint.
"""


class Bounds(NamedTuple):
    """What both average strategies prove about the value for the opener, in rounds won minus rounds lost."""

    lower: float  # what the opener's strategy is worth against a best response
    upper: float  # what a best response to the responder's strategy is worth


def liars_dice_solver(game: LiarsDice) -> RoundSolver:
    """Return a solver of a game, before its first iteration."""
    bidding = dice_bidding(game)
    first, second = (_no_choice(len(hands)) for hands in bidding.hand)
    return RoundSolver([BiddingSolver(bidding)], (first, second))


def value_bounds(solver: RoundSolver) -> Bounds:
    """Return the bounds that best responses to both averages prove."""
    return Bounds(1 - 2 * solver.best_response_value(1), 2 * solver.best_response_value(0) - 1)


def report(iterations: int) -> Iterator[str]:
    """Solve all games with a published value, and return a line on each."""
    yield "dice  sides  ones   published  at least   at most    seconds"
    for game, value in PUBLISHED.items():
        began = time.process_time()
        solver = liars_dice_solver(game)
        solver.iterate(iterations)
        lower, upper = value_bounds(solver)
        verdict = "" if lower <= value <= upper else "  contradicts the published value"
        ones = "wild" if game.ones_wild else "plain"
        yield (
            f"{game.opener_dice}v{game.responder_dice}   {game.sides:5}  {ones:5}  {value!s:>9}  {lower:9.6f}  "
            f"{upper:9.6f}  {time.process_time() - began:7.1f}{verdict}"
        )


def dice_bidding(game: LiarsDice) -> Bidding:
    """Return a game as the solver of biddings takes it, without any abstraction."""
    dice, values = game.opener_dice + game.responder_dice, tuple(range(1, game.sides + 1))
    unlimited = ActionAbstraction(
        OPENER, dice, quantity_first=True, values=values, max_number=dice, max_bids=dice * game.sides, max_jump=dice
    )
    rolls = [list(combinations_with_replacement(values, own)) for own in (game.opener_dice, game.responder_dice)]
    first, second = (np.array([_probability(roll, game.sides) for roll in of_seat]) for of_seat in rolls)
    every = [np.arange(len(of_seat)) for of_seat in rolls]
    hits = [_hits(of_seat, game) for of_seat in rolls]
    return Bidding(BidTree(unlimited, values).nodes, np.outer(first, second), every, every, hits, (False, False))


def _probability(roll: tuple[int, ...], sides: int) -> float:
    """Return how likely dice show these values, in any order."""
    orders = factorial(len(roll)) // prod(factorial(roll.count(value)) for value in set(roll))
    return float(Fraction(orders, sides ** len(roll)))


def _hits(rolls: Sequence[tuple[int, ...]], game: LiarsDice) -> Array:
    """Return how many dice count for each value, by value and roll. Value 0 is not used."""
    wild = [roll.count(1) if game.ones_wild else 0 for roll in rolls]
    return np.array(
        [
            [roll.count(value) + (ones if value > 1 else 0) for roll, ones in zip(rolls, wild, strict=True)]
            for value in range(game.sides + 1)
        ]
    )


def _no_choice(rolls: int) -> FaceDecision:
    """Return the choice of faces of dice: each roll has one option, which is to show it."""
    every = np.arange(rolls)
    return FaceDecision(every, [Transitions(every, every, np.ones(rolls))])
