"""The strongest bots of GRA: strategy tables or a search in rounds between two players, sampled deals in all others."""

from __future__ import annotations

import random
from dataclasses import dataclass

from gramy.bots.gra import search_play, table_play
from gramy.bots.gra.deal_sampling import DealSampler
from gramy.bots.gra.heuristics import NoisyBidder
from gramy.bots.gra.match_value import win_probability
from gramy.bots.gra.observation import score_of, variant_of
from gramy.bots.protocol import Bot, seat_of
from gramy.contract import START, View
from gramy.games.gra.rules import prepared
from gramy.matches import Entry


@dataclass(frozen=True)
class Expert(Bot):
    """Plays by a strategy table or by the search in the rounds that have one, and otherwise by sampled deals."""

    sampler: DealSampler

    def choose(self, view: View, history: tuple[Entry, ...], rng: random.Random, budget: float) -> str:
        if view.moves == (START,):
            return START
        return (
            table_play.choose(view, history, rng)
            or search_play.choose(view, history, rng, budget)
            or self.sampler.choose(view, history, rng, budget)
        )

    def evaluate(self, view: View, history: tuple[Entry, ...], rng: random.Random, budget: float) -> dict[str, float]:
        """Return the probability to win the match after each legal move."""
        if view.moves == (START,):
            return {START: _chance_as_starter(view)}
        return (
            table_play.evaluate(view, history)
            or search_play.evaluate(view, history, budget)
            or self.sampler.evaluate(view, history, rng, budget)
        )

    def eagerness(self, view: View, history: tuple[Entry, ...], rng: random.Random) -> float:
        """Nobody has seen a card. Between two players the tables say what opening is worth; otherwise it is chance."""
        return _chance_as_starter(view) if len(view.board.active) == 2 else rng.random()


def _chance_as_starter(view: View) -> float:
    """Return the probability that the seat wins the match if it opens the first round."""
    seat = seat_of(view)
    return win_probability(prepared(score_of(view), seat, variant_of(view)), seat)


@dataclass(frozen=True)
class WeakenedExpert(Bot):
    """Leaves a share of its moves to a heuristic bot, and plays the others like an expert."""

    expert: Expert
    heuristic: NoisyBidder
    heuristic_rate: float

    def choose(self, view: View, history: tuple[Entry, ...], rng: random.Random, budget: float) -> str:
        player = self.heuristic if rng.random() < self.heuristic_rate else self.expert
        return player.choose(view, history, rng, budget)

    def eagerness(self, view: View, history: tuple[Entry, ...], rng: random.Random) -> float:
        player = self.heuristic if rng.random() < self.heuristic_rate else self.expert
        return player.eagerness(view, history, rng)
