"""Players of Face to Face that look ahead: what the best turns lead to, in many worlds that agree with what was seen.

The other's cards are all that he has not laid; which of them he holds, and what both will draw, differs from world to
world. The most promising turns are tried in the same worlds, and trials go to those that do well (`halving`). A turn
that wins whatever the other does is not tried but played (`endgame`).
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from math import comb, inf
from typing import Any

from gramy import compiled, playout
from gramy.bots.face_to_face.endgame import sure_table
from gramy.bots.face_to_face.network import packed, read
from gramy.bots.face_to_face.plain import table
from gramy.bots.face_to_face.turns import (
    FIELDS,
    GREEDY,
    NETWORK,
    OPEN,
    UNDECIDED,
    WON,
    Desk,
    fields,
    noted_table,
    trials,
)
from gramy.bots.face_to_face.value import SUMS, Sums, chance
from gramy.bots.kernel import floats, integers, kernel, zeros
from gramy.bots.protocol import Bot, seat_of
from gramy.bots.search import Ranking, halving
from gramy.cards import bit_of, codes, count, from_positions, positions, row_of
from gramy.contract import View
from gramy.games.face_to_face import RULES
from gramy.games.face_to_face.notation import format_move
from gramy.games.face_to_face.rules import DECK, END, HAND, Side, State, apply, legal_moves
from gramy.matches import Entry

UNTIL_THE_END = 1000
TRUST = 3  # trials that the first judgement of a turn counts like
FINISHING_SHARE = 1 / 4  # of the trials: the whole turn was thought over before its first card
EQUALS = 64  # tables that may be worth the same, if they are worth most
SLOWER = 300  # times, where nothing is compiled: then so much less is tried


def ways(cards: int) -> int:
    """How many tables at most so many cards can leave, laid at home: which of them, and which are on top."""
    return sum(comb(cards, laid) * (laid * laid + laid) for laid in range(cards + 1))


EVERY = [ways(cards) + 2 * cards * ways(cards - 1) + 1 if cards else 1 for cards in range(HAND + 1)]
"""More tables than a hand of so many cards can leave: one of them may be given, to either pile."""


@dataclass(frozen=True)
class Searcher(Bot):
    """Goes by a mind; tries so many candidates, `rate` trials a second of its budget, each followed for `ahead` turns.
    When its own deck is empty nothing at home is left to chance, and trials are followed until the match ends; when
    both are, nothing is hidden, and who `solves` looks for a turn that is sure to win."""

    mind: int
    candidates: int
    ahead: int
    rate: int
    solves: bool = False

    def choose(self, view: View, history: tuple[Entry, ...], rng: random.Random, budget: float) -> str:
        state = known_table(view, history)
        tables, worths = self._candidates(state)
        best = self._ranked(state, tables, worths, rng, budget).order[0] if len(worths) > 1 else 0
        return format_move(state, state.seat, openings(state, noted_table(state, tables, best))[0])

    def evaluate(self, view: View, history: tuple[Entry, ...], rng: random.Random, budget: float) -> dict[str, float]:
        """The chance to win the match by each offered move, the turn being finished as well as possible."""
        state = known_table(view, history)
        seat = state.seat
        tables, worths = self._candidates(state)
        known = [openings(state, noted_table(state, tables, k)) for k in range(len(worths))]
        chances: dict[str, float] = {}
        for code in codes(legal_moves(state, seat)):
            if not any(code in moves for moves in known):
                after = state if row_of(code) == END else apply(state, seat, code)
                if after.winner == 1 - seat:
                    chances[format_move(state, seat, code)] = 0.0
                    continue
                best, worth = [*fields(after)], [WON]
                if row_of(code) == END:
                    worth = [min(worths)]  # it was not among the best
                elif after.winner != seat:
                    best, worth = best_tables(after, 1, self.mind)
                tables, worths = tables + best, worths + worth
                known.append([code])
        order, means = self._ranked(state, tables, worths, rng, budget)
        for candidate in order:
            for code in known[candidate]:
                chances.setdefault(format_move(state, seat, code), min(means[candidate], means[order[0]]))
        return chances

    def _candidates(self, state: State) -> tuple[list[int], list[float]]:
        """The tables to try, and what each is worth at once: the best, or one that is sure."""
        if self.solves and not state.me.deck | state.foe.deck:
            certain = sure_table(state, turns_of)
            if certain:
                return [*fields(certain)], [WON]
        return best_tables(state, self.candidates, self.mind)

    def _ranked(
        self, state: State, tables: list[int], worths: list[float], rng: random.Random, budget: float
    ) -> Ranking:
        number = int(budget * self.rate * (FINISHING_SHARE if state.laid else 1))
        seed, desk = rng.getrandbits(32) << 32, new_desk(1)
        ahead = self.ahead if state.me.deck else UNTIL_THE_END

        def trial(candidates: Sequence[int], first: int, worlds: int) -> list[float]:
            words = [playout.first_word(seed + world) for world in range(first, first + worlds)]
            return tried(state, tables, candidates, words, ahead, self.mind, desk)

        trials = number if compiled.available() else number // SLOWER
        if self.mind != NETWORK:
            return halving(len(worths), trials, trial)
        return halving(len(worths), trials, trial, [chance(worth) for worth in worths], TRUST)


@dataclass(frozen=True)
class Greedy(Bot):
    """Plays the turn that is worth most to a mind; among equals, any."""

    mind: int

    def choose(self, view: View, history: tuple[Entry, ...], rng: random.Random, budget: float) -> str:
        state = known_table(view, history)
        tables, worths = best_tables(state, EQUALS, self.mind)
        best = noted_table(state, tables, rng.randrange(worths.count(worths[0])))
        return format_move(state, state.seat, rng.choice(openings(state, best)))


def tried(
    state: State,
    tables: Sequence[int],
    candidates: Sequence[int],
    words: Sequence[int],
    ahead: int,
    mind: int,
    desk: Desk,
) -> list[float]:
    """`trials` with its arguments in the form that it takes, compiled or plain."""
    sums = floats([0.0] * len(candidates))
    unseen, most = state.foe.hand | state.foe.deck, len(desk.worths)
    numbers = integers(tables), integers(candidates), integers(words)
    kernel(RULES, trials)(state, unseen, *numbers, most, ahead, mind, network(), desk, sums)
    return [float(value) for value in sums]


def known_table(view: View, history: tuple[Entry, ...]) -> State:
    """The table as the seat knows it: of the other's cards which they are, but not which of them he holds."""
    state, seat = table(view, history), seat_of(view)
    other = view.board.halves[1 - seat]
    laid = from_positions(
        [int(entry.text.split()[1]) for entry in history if entry.seat == 1 - seat and " " in entry.text]
    )
    unseen = positions(DECK & ~laid)[: other.in_hand + other.in_deck]
    hand, deck = from_positions(unseen[: other.in_hand]), from_positions(unseen[other.in_hand :])
    return state._replace(foe=Side(state.foe.up, state.foe.down, hand, deck))


def best_tables(state: State, most: int, mind: int) -> tuple[list[int], list[float]]:
    """The best tables that the turn can leave, and what each is worth to this mind at once."""
    desk = new_desk(most)
    tried(state, [], [UNDECIDED], [playout.first_word(0)], 1, mind, desk)
    worths = [float(value) for value in desk.worths if value > -inf]
    return [int(number) for number in desk.tables[: len(worths) * FIELDS]], worths


def turns_of(state: State) -> list[State]:
    """All tables that the turn can leave when the deck is empty, the most promising first."""
    tables, worths = best_tables(state, EVERY[count(state.me.hand)], OPEN)
    return [noted_table(state, tables, k) for k in range(len(worths))]


def openings(state: State, left: State) -> list[int]:
    """The moves that lead on to a table that this turn can leave."""
    laid, found = state.me.hand & ~left.me.hand, []
    for code in codes(legal_moves(state, state.seat)):
        if row_of(code) == END:
            leads = fields(state) == fields(left)
        elif laid >> bit_of(code) & 1:
            after = apply(state, state.seat, code)
            leads = fields(after) == fields(left) or bool(openings(after, left))
        else:
            leads = False
        if leads:
            found.append(code)
    return found


# --- numbers for both worlds ------------------------------------------------------------------------------------------


def new_desk(most: int) -> Desk:
    """A desk with room for the notes of so many tables."""
    sums = Sums(*map(zeros, SUMS))
    return Desk(zeros(1 << HAND), zeros(FIELDS * most), floats([-inf] * most), sums)


@cache
def network() -> Any:
    """What `value` goes by."""
    return integers(packed(read()))


GO = Greedy(OPEN)
MC = Searcher(GREEDY, candidates=24, ahead=UNTIL_THE_END, rate=1000)
HARD = Searcher(NETWORK, candidates=1, ahead=1, rate=0)
EXPERT = Searcher(NETWORK, candidates=24, ahead=2, rate=20_000, solves=True)
