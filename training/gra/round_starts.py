"""How a round between two players begins: choices of faces, what they tell of the other hand, and the opening bid.

Computed by CFR+ on the bid graph of the search at play time, together with a choice of faces for every hand. A hand is
a set of cards; once its faces are chosen, both seats know it by its type only.
"""

from __future__ import annotations

import json
from functools import cache
from math import comb, prod
from pathlib import Path
from typing import NamedTuple
from zipfile import ZIP_LZMA, ZipFile, ZipInfo

import numpy as np

from gramy.bots.gra.bid_graph import GraphRoot
from gramy.bots.gra.hand_abstraction import COPIES, DECK_SIZE, HandAbstraction
from gramy.bots.gra.hand_types import RANK, type_hits, type_index
from gramy.bots.gra.observation import CHECK
from gramy.bots.gra.round_search import RoundStart, best_value
from gramy.bots.gra.round_solver import RoundSolver
from gramy.bots.gra.round_starts import StartEntry, pack_start
from gramy.games.gra.rules import VALUES
from training.gra.cfr import Array
from training.gra.chance import Transitions
from training.gra.face_decision import FaceDecision

DEAL_EVERY = 40
"""After so many iterations it is counted again what a type tells of the other hand."""

UNIFORM_SHARE = 0.001
"""How much of a choice of faces is random when that is counted, so that every type tells something."""

FAVOURITE_SHARE = 0.8
"""How often plain players turn as many cards as they can to one value."""

FITTING_STEPS, LEAST_WEIGHT = 200, 1e-9
"""Steps by which face weights are fitted to the types that are to be shown, and the least of them."""


class HandOptions(NamedTuple):
    """All hands of a size with the types that they can show."""

    probability: Array  # [hand]
    decision: FaceDecision  # its private states are types

    @property
    def types(self) -> Array:
        """The type that each option shows."""
        return self.decision.transitions[0].state

    def types_shown(self, strategy: Array) -> Array:
        """Return how often each type is shown."""
        return np.bincount(self.types, self.probability[self.decision.info_set] * strategy)

    def matrix(self, strategy: Array) -> Array:
        """Return how often each hand shows each type, by [hand][type]."""
        hand, types = self.decision.info_set, self.types
        found = np.zeros((len(self.probability), types.max() + 1), np.float32)
        found[hand, types] = self.probability[hand] * strategy
        return found


@cache
def hand_options(cards: int) -> HandOptions:
    """Return all hands of a size."""
    hands, index = HandAbstraction(range(1, VALUES + 1), cards), type_index(cards)
    states = [(at, index[shown]) for at, hand in enumerate(hands.hands) for shown in sorted(hands.ways_to_show(hand))]
    hand, shown = np.array(states).T
    probability = [prod(comb(COPIES, number) for number in hand) / comb(DECK_SIZE, cards) for hand in hands.hands]
    options = np.arange(len(states))
    return HandOptions(np.array(probability), FaceDecision(hand, [Transitions(options, shown, np.ones(len(states)))]))


def plain_types(options: HandOptions, cards: int, jokers: bool) -> Array:
    """Return how often plain players show each type: as many faces of one value as they can, or any."""
    hand, types = options.decision.info_set, options.types
    hits = type_hits(cards)[int(jokers), 1:]
    rating = (hits + np.arange(1, VALUES + 1)[:, None] / 10).max(0)[types]
    best = np.zeros(len(options.probability))
    np.maximum.at(best, hand, rating)
    favourite = options.decision.strategy((rating == best[hand]).astype(float))
    at_random = options.decision.strategy(np.zeros(len(hand)))
    return options.types_shown(FAVOURITE_SHARE * favourite + (1 - FAVOURITE_SHARE) * at_random)


@cache
def deal_ratios(mine: int, theirs: int) -> Array:
    """Return how much likelier two hands are together than if each had a deck of its own."""
    first, second = (np.array(HandAbstraction(range(1, VALUES + 1), cards).hands) for cards in (mine, theirs))
    ways = [
        [comb(COPIES - own, other) / comb(COPIES, other) for other in range(COPIES + 1)] for own in range(COPIES + 1)
    ]
    found = np.full((len(first), len(second)), comb(DECK_SIZE, theirs) / comb(DECK_SIZE - mine, theirs), np.float32)
    for pair in range(first.shape[1]):
        found *= np.array(ways, np.float32)[first[:, pair, None], second[None, :, pair]]
    return found


def factors_of(
    options: tuple[HandOptions, HandOptions], cards: tuple[int, int], choices: list[Array]
) -> tuple[Array, Array]:
    """Return factors of how much likelier two types are together than apart, if hands choose their faces like this.

    They are of low rank, by a singular value decomposition in which frequent types count most.
    """
    shown = [
        of_seat.matrix((1 - UNIFORM_SHARE) * choice + UNIFORM_SHARE * of_seat.decision.strategy(0 * choice))
        for of_seat, choice in zip(options, choices, strict=True)
    ]
    first, second = (np.sqrt(matrix.sum(0, dtype=float)) for matrix in shown)
    together = (shown[0].T @ deal_ratios(*cards) @ shown[1]) / np.outer(first, second)
    left, sizes, right = np.linalg.svd(together, full_matrices=False)
    root, rank = np.sqrt(sizes[:RANK]), min(RANK, len(sizes))
    factors = np.zeros((len(first), RANK)), np.zeros((len(second), RANK))
    factors[0][:, :rank] = left[:, :rank] * root / first[:, None]
    factors[1][:, :rank] = right[:rank].T * root / second[:, None]
    return factors


def fitted_weights(options: HandOptions, shown: Array) -> Array:
    """Return weights of types so that hands that choose in proportion to them show each type as often as asked."""
    weights = np.ones(len(shown))
    for _ in range(FITTING_STEPS):
        found = options.types_shown(options.decision.strategy(weights[options.types]))
        weights *= np.where(found > 0, shown / np.maximum(found, LEAST_WEIGHT), 1)
        weights = np.maximum(weights / weights.max(), LEAST_WEIGHT)
    return weights


class StartSolver:
    """Computes the beginning of a round."""

    def __init__(self, cards: tuple[int, int], jokers: bool) -> None:
        self.cards, self.jokers = cards, jokers
        self.options = hand_options(cards[0]), hand_options(cards[1])
        sizes = [len(of_seat.decision.info_set) for of_seat in self.options]
        self.regret, self.total = [np.zeros(size) for size in sizes], [np.zeros(size) for size in sizes]
        self.solver = self._solver(self._choices(self.regret))

    def iterate(self, iterations: int) -> None:
        """Improve the choices of faces and the bids of both seats."""
        for _ in range(iterations):
            if self.solver.iterations % DEAL_EVERY == 0:
                self.solver.set_factors(*factors_of(self.options, self.cards, self._choices(self.total)))
            self.solver.begin_iteration()
            for seat in (0, 1):
                self._improve(seat)

    def start(self, iterations: int) -> RoundStart:
        """Return the round as the search takes it.

        The opening is learnt for the choices of faces as they are stored.
        """
        shown = self._shown(self._choices(self.total))
        weights = [fitted_weights(of_seat, types) for of_seat, types in zip(self.options, shown, strict=True)]
        solver = self._solver(
            self._choices([each[of_seat.types] for each, of_seat in zip(weights, self.options, strict=True)])
        )
        solver.iterate(iterations)
        first, second = (plain_types(self.options[seat], self.cards[seat], self.jokers) for seat in (0, 1))
        return RoundStart(
            self.cards,
            self.jokers,
            (solver.range(0), solver.range(1)),
            (first, second),
            (solver.sides[0].factors, solver.sides[1].factors),
            (weights[0], weights[1]),
            (best_value(solver.action_values()), solver.waiting_value()),
            solver.strategy(),
            {bid: best_value(solver.action_values(bid)) for bid in solver.nodes[0].actions},
        )

    def _solver(self, choices: list[Array]) -> RoundSolver:
        """Return a solver of the bids after such choices of faces."""
        first, second = self._shown(choices)
        factors = factors_of(self.options, self.cards, choices)
        return RoundSolver(GraphRoot(CHECK, sum(self.cards), self.jokers), self.cards, (first, second), factors)

    def _choices(self, weights: list[Array]) -> list[Array]:
        """Return the choices of faces of both seats, in proportion to weights."""
        return [of_seat.decision.strategy(each) for of_seat, each in zip(self.options, weights, strict=True)]

    def _shown(self, choices: list[Array]) -> list[Array]:
        """Return how often each seat shows each type."""
        return [of_seat.types_shown(choice) for of_seat, choice in zip(self.options, choices, strict=True)]

    def _improve(self, seat: int) -> None:
        """Improve the bids of a seat, and then its choice of faces."""
        choices = self._choices(self.regret)
        self.solver.set_ranges(*self._shown(choices))
        hand = self.options[seat].decision.info_set
        values = self.solver.improve(seat)[self.options[seat].types]
        expected = np.bincount(hand, choices[seat] * values)
        self.total[seat] += self.solver.iterations**2 * choices[seat]
        self.regret[seat] = np.maximum(0, self.regret[seat] + values - expected[hand])


def opener_wins(start: RoundStart) -> float:
    """Return the opener's probability to win the round, in the game that the search plays."""
    first, second = start.ranges
    together = second * (start.factors[1] @ (start.factors[0].T @ first))
    return float(1 - together @ start.values[1] / together.sum())


def write_starts(path: Path, starts: dict[str, RoundStart], iterations: int) -> None:
    """Write an archive of beginnings."""
    index = {name: StartEntry(iterations, round(opener_wins(start), 5)) for name, start in starts.items()}
    path.parent.mkdir(parents=True, exist_ok=True)
    with ZipFile(path, "w", ZIP_LZMA) as packed:
        packed.writestr(ZipInfo("index.json"), json.dumps(index))
        for name, start in starts.items():
            packed.writestr(ZipInfo(name), pack_start(start), ZIP_LZMA)
