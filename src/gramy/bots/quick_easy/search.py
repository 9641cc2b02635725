"""Bots of Quick & Easy that search: whole turns are rolled out in deals sampled from what was said and laid."""

from __future__ import annotations

import random
from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from gramy.bots.kernel import is_compiled, kernel, out_of_time
from gramy.bots.protocol import Bot
from gramy.bots.quick_easy import opening, rollouts
from gramy.bots.quick_easy.beliefs import beliefs_of, infer, take_literally
from gramy.bots.quick_easy.evaluation import new_evaluator, package_weights
from gramy.bots.quick_easy.partners import NO_CARD
from gramy.bots.quick_easy.recognition import recognise
from gramy.bots.quick_easy.rollouts import CandidateTurns, RolloutPlan
from gramy.bots.quick_easy.talk import SILENT, card_phrases, say_literally, visible_state
from gramy.bots.search import Ranking, sequential_halving
from gramy.cards import codes
from gramy.contract import START, View
from gramy.games.quick_easy import RULES
from gramy.games.quick_easy.notation import format_move
from gramy.games.quick_easy.rules import DECK, State, apply, legal_moves, won
from gramy.matches import Entry
from gramy.playout import first_word

RATE, PLAIN_RATE = 100_000, 400
"""Turns rolled out in a second of budget, compiled and plain."""

PLAIN_PRIOR_WEIGHT = 5
"""The least `prior_weight` of plain functions, which make few roll-outs."""

MANY = 4
"""Players from which on a talking team rolls out further: a short roll-out does not reach every player's turn."""


class WholeTurn(NamedTuple):
    """A way to finish the turn: the orders of its moves, and the position that it leaves before the draw."""

    orders: list[tuple[int, ...]]
    left: State


def whole_turns(state: State) -> list[WholeTurn]:
    """Return every way to finish the turn, once for each position that it can leave."""
    found: dict[tuple[int, int, int], WholeTurn] = {}
    for moves, left in _endings(state, ()):
        key = left.up, left.down, left.hands[left.seat]
        found.setdefault(key, WholeTurn([], left)).orders.append(moves)
    return list(found.values())


def _endings(state: State, moves: tuple[int, ...]) -> Iterator[tuple[tuple[int, ...], State]]:
    *rows, may_end = legal_moves(state, state.seat)
    if may_end or won(state):
        yield (*moves, NO_CARD), state
    for code in codes(tuple(rows)):
        yield from _endings(apply(state, state.seat, code), (*moves, code))


def move_pairs(turns: Sequence[WholeTurn]) -> array[int]:
    """Return the first two moves of each turn, as the kernels take them."""
    return array("q", [code for turn in turns for code in (*turn.orders[0], NO_CARD)[:2]])


@dataclass(frozen=True)
class TeamSearchBot(Bot):
    """Rolls out whole turns in sampled deals (determinised Monte Carlo).

    In a silent team the results differ mostly by chance, so the evaluation of a turn counts as a prior.
    """

    horizon: int  # turns of a roll-out
    team_horizon: int  # the same, in a talking team of MANY or more
    max_rollouts: int
    prior_weight: int  # roll-outs that the prior counts like; 0: no prior
    infers: bool  # whether silence and partners' turns are evidence, and piles are announced
    told: int | None = None  # the model by which all partners play, instead of recognising it

    def choose(self, view: View, history: tuple[Entry, ...], rng: random.Random, budget: float) -> str:
        if len(view.moves) == 1:
            return view.moves[0]
        state = visible_state(view)
        turns = whole_turns(state)
        wins = [turn for turn in turns if won(turn.left)]
        best = wins[0] if wins else turns[self._rank(view, history, turns, rng, budget).order[0]]
        return format_move(state, state.seat, best.orders[0][0])

    def evaluate(self, view: View, history: tuple[Entry, ...], rng: random.Random, budget: float) -> dict[str, float]:
        """Return, for each legal move, the team's chance to win by the best turn that begins with it."""
        state = visible_state(view)
        turns = whole_turns(state)
        means = self._rank(view, history, turns, rng, budget).means
        if view.moves == (START,):
            return {START: max(means)}
        chances = dict.fromkeys(view.moves, 0.0)
        for turn, mean in zip(turns, means, strict=True):
            for first, *_ in turn.orders:
                move = format_move(state, state.seat, first)
                chances[move] = max(chances[move], mean)
        return chances

    def say(self, view: View, history: tuple[Entry, ...], rng: random.Random) -> tuple[str, ...]:
        return say_literally(view, history, rng) if self.infers else card_phrases(view, history, heights=True)

    def eagerness(self, view: View, history: tuple[Entry, ...], rng: random.Random) -> float:
        return opening.eagerness(view, history, listens=True)

    def _rank(
        self, view: View, history: tuple[Entry, ...], turns: Sequence[WholeTurn], rng: random.Random, budget: float
    ) -> Ranking:
        knowledge = infer(view, history) if self.infers else take_literally(view, history)
        visible = visible_state(view)
        hidden = DECK & ~(knowledge.laid | visible.up | visible.down | visible.hands[visible.seat])
        state, in_deck = visible._replace(deck=hidden), view.board.in_deck
        evaluator, seed = new_evaluator(package_weights(bool(state.pro))), rng.getrandbits(64)
        recognised = recognise(knowledge, state, self.told) if self.infers else ()
        beliefs, pairs = beliefs_of(knowledge, state, recognised), move_pairs(turns)
        silent = all(style == SILENT for style in knowledge.styles)
        horizon = self.horizon if silent or state.players < MANY else self.team_horizon
        roll_out_turns = kernel(RULES, rollouts.roll_out_turns)

        def roll_out(chosen: Sequence[int], first_deal: int, deals: int) -> Sequence[float]:
            sums = array("d", [0.0] * len(chosen))
            plan = RolloutPlan(deals, first_word(seed + first_deal), horizon)
            candidates = CandidateTurns(pairs, array("q", chosen), sums)
            roll_out_turns(state, in_deck, candidates, plan, beliefs, evaluator)
            return sums

        rate = RATE if is_compiled() else PLAIN_RATE
        number = min(int(budget * rate / horizon), self.max_rollouts)
        prior_weight = self.prior_weight if silent else 0
        if not is_compiled():
            prior_weight = max(prior_weight, PLAIN_PRIOR_WEIGHT)
        if not prior_weight:
            return sequential_halving(len(turns), number, roll_out)
        priors = array("d", [0.0] * len(turns))
        prior_values = kernel(RULES, rollouts.prior_values)
        prior_values(state, in_deck, pairs, first_word(seed), beliefs, evaluator, priors)
        return sequential_halving(len(turns), number, roll_out, priors, prior_weight, out_of_time)


HARD = TeamSearchBot(horizon=2, team_horizon=2, max_rollouts=100, prior_weight=0, infers=False)
EXPERT = TeamSearchBot(horizon=2, team_horizon=6, max_rollouts=1_000_000, prior_weight=20, infers=True)


def told(model: int) -> TeamSearchBot:
    """Return an expert that is told how its partners play: a measure for how well the expert recognises them."""
    return replace(EXPERT, told=model)
