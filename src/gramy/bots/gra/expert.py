"""The strongest bots of GRA.

Between two players they play by strategy tables, or by a search where there is no table. Sampled deals play all other
rounds: among more players, where there is neither table nor search, and instead of the search against a player who is
surely of one type.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

from gramy.bots.gra import search_play, table_play
from gramy.bots.gra.deal_sampling import DealSampler
from gramy.bots.gra.heuristics import NoisyBidder
from gramy.bots.gra.match_value import win_probability
from gramy.bots.gra.observation import score_of, variant_of
from gramy.bots.gra.opponent_model import profiles_seen
from gramy.bots.protocol import Bot, seat_of
from gramy.contract import START, View
from gramy.games.gra.rules import prepared
from gramy.matches import Entry


@dataclass(frozen=True)
class Expert(Bot):
    """Plays by a strategy table, by the search, or by sampled deals that follow the profiles of the others."""

    sampler: DealSampler

    def choose(self, view: View, history: tuple[Entry, ...], rng: random.Random, budget: float) -> str:
        if view.moves == (START,):
            return START
        move = table_play.choose(view, history, rng)
        if move is None and not _knows_type(view, history):
            move = search_play.choose(view, history, rng, budget)
        return move or self.sampler.choose(view, history, rng, budget)

    def evaluate(self, view: View, history: tuple[Entry, ...], rng: random.Random, budget: float) -> dict[str, float]:
        """Return the probability to win the match after each legal move."""
        if view.moves == (START,):
            return {START: _chance_as_starter(view)}
        values = table_play.evaluate(view, history)
        if values is None and not _knows_type(view, history):
            values = search_play.evaluate(view, history, budget)
        return values or self.sampler.evaluate(view, history, rng, budget)

    def eagerness(self, view: View, history: tuple[Entry, ...], rng: random.Random) -> float:
        """Nobody has seen a card. Between two players the tables say what opening is worth; otherwise it is chance."""
        return _chance_as_starter(view) if len(view.board.active) == 2 else rng.random()


def _knows_type(view: View, history: tuple[Entry, ...]) -> bool:
    """Return whether only one other player is left, and is surely of one type."""
    others: list[int] = [seat for seat in view.board.active if seat != view.seat]
    return len(others) == 1 and profiles_seen(view, history)[others[0]].is_sure


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
