"""Players of Quick & Easy who try whole turns in deals that agree with all that was said and laid."""

from __future__ import annotations

import random
from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from gramy import compiled
from gramy.bots.kernel import kernel
from gramy.bots.protocol import Bot
from gramy.bots.quick_easy import team
from gramy.bots.quick_easy.judgement import judge
from gramy.bots.quick_easy.listening import Known, Past, heard_only, listened
from gramy.bots.quick_easy.talk import SILENT, announce, describe, table
from gramy.bots.quick_easy.team import NO, Guess
from gramy.bots.search import Ranking, halving
from gramy.cards import bit_of, codes, count, positions, replace_at
from gramy.contract import View
from gramy.games.quick_easy import RULES
from gramy.games.quick_easy.notation import format_move
from gramy.games.quick_easy.rules import DECK, State, apply, legal_moves, won
from gramy.matches import Entry
from gramy.playout import first_word

RATE, PLAIN_RATE = 100_000, 400
"""Turns tried in a second on one core, compiled and plain."""

CERTAIN = 1000
"""The weight of the likeliest card."""

MANY = 4
"""Players who look farther ahead if they talk: in a few turns not everybody has had his."""


class Turn(NamedTuple):
    """A way to finish the turn: the orders of moves that come to it, and the table as it is left before the draw."""

    orders: list[tuple[int, ...]]
    left: State


def turns(state: State) -> list[Turn]:
    """Every way to finish the turn, told apart by the table that it leaves."""
    found: dict[tuple[int, int, int], Turn] = {}
    for moves, left in _endings(state, ()):
        key = left.up, left.down, left.hands[left.seat]
        found.setdefault(key, Turn([], left)).orders.append(moves)
    return list(found.values())


def _endings(state: State, moves: tuple[int, ...]) -> Iterator[tuple[tuple[int, ...], State]]:
    *rows, may_end = legal_moves(state, state.seat)
    if may_end or won(state):
        yield (*moves, NO), state
    for code in codes(tuple(rows)):
        yield from _endings(apply(state, state.seat, code), (*moves, code))


@dataclass(frozen=True)
class Thinker(Bot):
    """Tries whole turns, `ahead` turns on (`far` among many who talk), at most `trials` of them. Where nobody talks,
    trials differ by luck most of all: what judgement says beforehand counts as much as `trust` of them. One that
    `listens` hears more than plain words."""

    ahead: int
    far: int
    trials: int
    trust: int
    listens: bool

    def choose(self, view: View, history: tuple[Entry, ...], rng: random.Random, budget: float) -> str:
        if len(view.moves) == 1:
            return view.moves[0]
        state = table(view)
        ways = turns(state)
        wins = [way for way in ways if won(way.left)]
        best = wins[0] if wins else ways[self._rank(view, history, state, ways, rng, budget).order[0]]
        return format_move(state, state.seat, best.orders[0][0])

    def evaluate(self, view: View, history: tuple[Entry, ...], rng: random.Random, budget: float) -> dict[str, float]:
        """For each offered move, the team's chance to win after the best turn that begins with it."""
        state = table(view)
        ways = turns(state)
        means = self._rank(view, history, state, ways, rng, budget).means
        chances = dict.fromkeys(view.moves, 0.0)
        for way, mean in zip(ways, means, strict=True):
            for first, *_ in way.orders:
                move = format_move(state, state.seat, first)
                chances[move] = max(chances[move], mean)
        return chances

    def say(self, view: View, history: tuple[Entry, ...], rng: random.Random) -> tuple[str, ...]:
        wishes = announce(view, history) if self.listens and view.options["pro"] == "on" else ()
        return describe(view, history, heights=True) + wishes

    def _rank(
        self,
        view: View,
        history: tuple[Entry, ...],
        state: State,
        ways: Sequence[Turn],
        rng: random.Random,
        budget: float,
    ) -> Ranking:
        known = listened(view, history) if self.listens else heard_only(view, history)
        world = state._replace(deck=DECK & ~(known.laid | state.up | state.down | state.hands[state.seat]))
        mind, seed = judge(bool(state.pro)), rng.getrandbits(64)
        guess = guessed(known, world)
        plans = array("q", [code for way in ways for code in (*way.orders[0], NO)[:2]])
        silent = all(manner == SILENT for manner in known.manners)
        tried, ahead = kernel(RULES, team.tried), self.ahead if silent or state.players < MANY else self.far

        def trial(chosen: Sequence[int], first_world: int, worlds: int) -> Sequence[float]:
            sums = array("d", [0.0] * len(chosen))
            word = first_word(seed + first_world)
            tried(world, plans, array("q", chosen), worlds, word, ahead, view.board.in_deck, guess, mind, sums)
            return sums

        rate = RATE if compiled.available() else PLAIN_RATE
        trials = min(int(budget * rate / ahead), self.trials)
        if not (silent and self.trust):
            return halving(len(ways), trials, trial)
        guesses = array("d", [0.0] * len(ways))
        kernel(RULES, team.weighed)(world, plans, view.board.in_deck, first_word(seed), guess, mind, guesses)
        return halving(len(ways), trials, trial, guesses, self.trust)


def guessed(known: Known, state: State) -> Guess:
    """What a player knows of everybody's cards; those that can be least are dealt first."""
    slots = [(cards, other) for other, held in enumerate(known.cards) if other != state.seat for cards in held]
    slots.sort(key=lambda slot: count(slot[0] & state.deck))
    said = array("q", [DECK] * 50)
    mine = known.cards[state.seat]
    for card in positions(state.hands[state.seat]):
        said[card] = min([cards for cards in mine if cards >> card & 1], key=count, default=DECK)
    likely = array("q", [0] * 50 * len(slots))
    for other, past in enumerate(known.pasts):
        held = known.cards[other]
        if other != state.seat and past and held and all(cards == DECK for cards in held):
            at = 50 * slots.index((DECK, other))
            likely[at : at + 50] = suspected(past, other, state.players, state.pro)
    return Guess(
        array("q", [other for _, other in slots]),
        array("q", [cards for cards, _ in slots]),
        likely,
        array("q", [*known.manners, *[SILENT] * 6][:6]),
        said,
        array("q", [DECK] * 50),
        array("q", [0] * 50),
        array("q", [DECK] * 50),
    )


def suspected(turns: Sequence[Past], seat: int, players: int, pro: int) -> array[int]:
    """How likely a seat that says nothing has kept each card, after turns in which it laid just one: in each it laid
    the one that it had kept, or it kept that and laid the one that it had drawn. What is two thousand times less
    likely than another card is not thought of."""
    held = [1.0] * 50
    for past in turns:
        laid = held[bit_of(past.move)]
        shares = explained(past, seat, players, pro)
        held = [(kept + laid) * share for kept, share in zip(held, shares, strict=True)]
        most = max(held) or 1.0
        held = [kept / most for kept in held]
    return array("q", [round(CERTAIN * kept) for kept in held])


@lru_cache(maxsize=1024)
def explained(past: Past, seat: int, players: int, pro: int) -> Sequence[float]:
    """How often a seat that has this card and any one other lays just this one, for each other card."""
    laid = 1 << bit_of(past.move)
    hands = replace_at((0, 0, 0, 0, 0, 0), seat, laid)
    before = State(past.up, past.down, hands, DECK & ~(past.laid | laid), seat, 0, 0, 0, players, pro)
    into = array("d", [0.0] * 50)
    kernel(RULES, team.shares)(before, past.move, array("q", [DECK] * 50), judge(bool(pro)), into)
    return into


HARD = Thinker(ahead=2, far=2, trials=100, trust=0, listens=False)
EXPERT = Thinker(ahead=2, far=6, trials=1_000_000, trust=20, listens=True)
