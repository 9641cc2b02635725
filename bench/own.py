"""What `make bench` measures of Gramy: play-outs, one match from Python, batches, and a policy of one's own.

Each function returns one that plays for about a given processor time and returns its speed. A decision is an action of
a player, forced or not; deals are none. The peers' decisions are counted in the same way.
"""

import random
import time
from collections.abc import Callable
from dataclasses import asdict
from typing import Any, NamedTuple

import numpy

import gramy
import gramy.env
from bench import peers
from gramy import playout
from gramy.cards import code_of, highest, lowest, pick
from gramy.compiled import compiled
from gramy.contract import Game


class Speed(NamedTuple):
    """Games and decisions per second of one contender."""

    games: float
    decisions: float


def repeated(play: Callable[[], tuple[int, int]]) -> Callable[[float], Speed]:
    """Return a measurement of a function that plays some games and returns their number and that of the decisions."""
    play()  # compiles, or loads what is compiled

    def run(seconds: float) -> Speed:
        games = decisions = 0
        began, took = time.process_time(), 0.0
        while took < seconds:
            more_games, more_decisions = play()
            games, decisions = games + more_games, decisions + more_decisions
            took = time.process_time() - began
        return Speed(games / took, decisions / took)

    return run


def play_outs(game: Game, policy: playout.Policy | None = None, chunk: int = 10_000) -> Callable[[float], Speed]:
    """Measure compiled play-outs: `play_many` in one thread, by random players or by a policy."""
    others = (("policy", policy),) if policy else ()
    play = compiled(game.rules, playout.play_many, others=others)
    word, share = playout.first_word(7), decisions_a_move(game, policy)

    def some() -> tuple[int, int]:
        nonlocal word
        endings = numpy.zeros(playout.ENDINGS, numpy.int64)
        moves, word = play(game.start(), chunk, word, endings)
        return chunk, round(moves * share)

    return repeated(some)


def decisions_a_move(game: Game, policy: playout.Policy | None = None, matches: int = 300) -> float:
    """Return the share of moves that players make: the others are deals."""
    decisions = moves = 0
    step = playout.specialise(game.rules, playout.step, others={"policy": policy} if policy else {})
    word = playout.first_word(3)
    for _ in range(matches):
        state = game.start()
        while seats := game.rules.to_act(state):
            state, word = step(state, word)
            moves += 1
            decisions += seats != 1 << gramy.DEALER
    return decisions / moves


def roll_outs(game: Game, each: int = 200, deals: int = 50) -> Callable[[float], Speed]:
    """Measure what `peers.spiel_rollouts` does: random games from each of many deals, which are made beforehand.

    Returns all moves as decisions: the players' and the dealer's, because both sides make chance moves on the way.
    """
    play, step = compiled(game.rules, playout.play_many), playout.specialise(game.rules, playout.step)
    word, states, at = playout.first_word(7), [], 0
    for _ in range(deals):
        state = game.start()
        while game.rules.to_act(state) == 1 << gramy.DEALER:
            state, word = step(state, word)
        states.append(state)
    endings = numpy.zeros(playout.ENDINGS, numpy.int64)

    def some() -> tuple[int, int]:
        nonlocal word, at
        moves, word = play(states[at % deals], each, word, endings)
        at += 1
        return each, moves

    return repeated(some)


def choices_a_decision(game: Game, matches: int = 300) -> float:
    """Return the share of decisions that are cards laid, faces chosen, bids or checks: without `end` and `start`."""
    rules, word, found, decisions = game.rules, playout.first_word(3), 0, 0
    choose, step = (playout.specialise(rules, each) for each in (playout.random_move, playout.step))
    for _ in range(matches):
        state = game.start()
        while seats := rules.to_act(state):
            if seats != 1 << gramy.DEALER:
                seat, code, _ = choose(state, word)
                decisions += 1
                found += rules.format_move(state, seat, code) not in ("end", "start")
            state, word = step(state, word)
    return found / decisions


def from_python(game: Game) -> Callable[[float], Speed]:
    """Measure one match at a time from a Python loop, as `peers.spiel_python` does: list the actions, choose, play."""
    batch = gramy.Batch(game, 1, seed=1)

    def match() -> tuple[int, int]:
        decisions, over = 0, False
        while not over:
            legal = batch.legal()
            over = batch.play(legal[int(random.random() * len(legal))])
            decisions += 1
        return 1, decisions

    return repeated(match)


def environment(game: Game, talk: bool = False) -> Callable[[float], Speed]:
    """Measure the PettingZoo environment of a game by the same loop as PettingZoo's own (`peers.agent_loop`)."""
    env = gramy.env.aec(game.name, talk=talk, **asdict(game.options))

    def run(seconds: float) -> Speed:
        games, decisions, spent = peers.agent_loop(env, seconds)
        return Speed(games / spent, decisions / spent)

    return run


def batch(game: Game, n: int, step: Callable[[gramy.Batch], None], arrays: bool) -> Callable[[float], Speed]:
    """Measure a batch; if `arrays`, read everything that a learner needs before each step."""
    matches, steps = gramy.Batch(game, n, seed=1), 20

    def some() -> tuple[int, int]:
        games = 0
        for _ in range(steps):
            if arrays:
                _ = matches.observations, matches.masks, matches.to_act, matches.rewards
            step(matches)
            games += int(numpy.count_nonzero(matches.done))
        return games, n * steps

    return repeated(some)


def random_step(matches: gramy.Batch) -> None:
    """Make random moves in one compiled call."""
    matches.step()


def chosen_step(matches: gramy.Batch) -> None:
    """Draw actions, take them to Python, and make these moves, each of which is checked."""
    matches.step(matches.choose())


def numpy_step(matches: gramy.Batch) -> None:
    """Let NumPy choose at random from the masks."""
    masks = matches.masks
    matches.step((RNG.random(masks.shape, numpy.float32) * masks).argmax(axis=1))


RNG = numpy.random.default_rng(1)


def greedy(state: Any, seat: int, moves: Any, word: int) -> int:
    """A policy for Face to Face: lay the card that is nearest to an own pile, and end the turn as soon as possible."""
    up, down, _, _, end = moves
    if end:
        return code_of(4, 0)
    if up | down == 0:
        return pick(moves, 0)
    rise = lowest(up) - lowest(state.me.up) if up else 99
    fall = lowest(state.me.down) - highest(down) if down else 99
    return code_of(0, lowest(up)) if rise <= fall else code_of(1, highest(down))
