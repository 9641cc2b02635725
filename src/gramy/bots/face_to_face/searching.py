"""Players of Face to Face that look ahead: what the best turns lead to, in many worlds that agree with what was seen.

The other's cards are all that he has not laid; which of them he holds, and what both will draw, differs from world to
world. The most promising turns are tried in the same worlds, and trials go to those that do well (`halving`).
"""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from math import inf
from pathlib import Path
from typing import Any

from gramy import compiled, playout
from gramy.bots.face_to_face.plain import table
from gramy.bots.face_to_face.turns import FIELDS, GREEDY, NETWORK, UNDECIDED, Desk, fields, noted_table, trials
from gramy.bots.face_to_face.value import HIDDEN, OWN
from gramy.bots.search import Ranking, halving
from gramy.bots.seat import seat_of
from gramy.cards import bit_of, codes, positions, row_of, together
from gramy.game import View
from gramy.games import face_to_face
from gramy.games.face_to_face.notation import format_move
from gramy.games.face_to_face.rules import DECK, END, HAND, Side, State, apply, offers
from gramy.match import Entry

UNTIL_THE_END = 1000
FINISHING_SHARE = 1 / 4  # of the trials: the whole turn was thought over before its first card
SLOWER = 300  # times, where nothing is compiled: then so much less is tried


@dataclass(frozen=True)
class Searcher:
    """Goes by a mind; tries so many candidates, `rate` trials a second of its budget, each followed for `ahead` turns.
    When its own deck is empty nothing at home is left to chance, and trials are followed until the match ends."""

    mind: int
    candidates: int
    ahead: int
    rate: int

    def choose(self, view: View, history: tuple[Entry, ...], rng: random.Random, budget: float) -> str:
        state = known_table(view, history)
        tables = best_tables(state, self.candidates, self.mind)
        best = self._ranked(state, tables, rng, budget).order[0] if len(tables) > FIELDS else 0
        return format_move(state, state.seat, openings(state, noted_table(state, tables, best))[0])

    def say(self, view: View, history: tuple[Entry, ...], rng: random.Random) -> tuple[str, ...]:
        return ()

    def weigh(self, view: View, history: tuple[Entry, ...], rng: random.Random, budget: float) -> dict[str, float]:
        """The chance to win the match by each offered move, the turn being finished as well as possible."""
        state = known_table(view, history)
        seat = state.seat
        tables = best_tables(state, self.candidates, self.mind)
        known = [openings(state, noted_table(state, tables, k)) for k in range(len(tables) // FIELDS)]
        chances: dict[str, float] = {}
        for code in codes(offers(state, seat)):
            if not any(code in moves for moves in known):
                after = state if row_of(code) == END else apply(state, seat, code)
                if after.winner == 1 - seat:
                    chances[format_move(state, seat, code)] = 0.0
                    continue
                decided = row_of(code) == END or after.winner == seat
                tables += fields(after) if decided else best_tables(after, 1, self.mind)
                known.append([code])
        order, means = self._ranked(state, tables, rng, budget)
        for candidate in order:
            for code in known[candidate]:
                chances.setdefault(format_move(state, seat, code), min(means[candidate], means[order[0]]))
        return chances

    def _ranked(self, state: State, tables: list[int], rng: random.Random, budget: float) -> Ranking:
        number = int(budget * self.rate * (FINISHING_SHARE if state.laid else 1))
        seed, desk = rng.getrandbits(32) << 32, new_desk(1)
        ahead = self.ahead if state.me.deck else UNTIL_THE_END

        def trial(candidates: Sequence[int], first: int, worlds: int) -> list[float]:
            words = [playout.first_word(seed + world) for world in range(first, first + worlds)]
            return tried(state, tables, candidates, words, ahead, self.mind, desk)

        return halving(len(tables) // FIELDS, number if compiled.available() else number // SLOWER, trial)


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
    sums = reals([0.0] * len(candidates))
    unseen, most = state.foe.hand | state.foe.deck, len(desk.worths)
    numbers = wholes(tables), wholes(candidates), wholes(words)
    kernel()(state, unseen, *numbers, most, ahead, mind, network(), desk, sums)
    return [float(value) for value in sums]


def known_table(view: View, history: tuple[Entry, ...]) -> State:
    """The table as the seat knows it: of the other's cards which they are, but not which of them he holds."""
    state, seat = table(view, history), seat_of(view)
    other = view.board.halves[1 - seat]
    laid = together([int(entry.text.split()[1]) for entry in history if entry.seat == 1 - seat and " " in entry.text])
    unseen = positions(DECK & ~laid)[: other.in_hand + other.in_deck]
    hand, deck = together(unseen[: other.in_hand]), together(unseen[other.in_hand :])
    return state._replace(foe=Side(state.foe.up, state.foe.down, hand, deck))


def best_tables(state: State, most: int, mind: int) -> list[int]:
    """The best tables that the turn can leave, as they look at once."""
    desk = new_desk(most)
    tried(state, [], [UNDECIDED], [playout.first_word(0)], 1, mind, desk)
    noted = sum(value > -inf for value in desk.worths)
    return [int(number) for number in desk.tables[: noted * FIELDS]]


def openings(state: State, left: State) -> list[int]:
    """The moves that lead on to a table that this turn can leave."""
    laid, found = state.me.hand & ~left.me.hand, []
    for code in codes(offers(state, state.seat)):
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


@cache
def kernel() -> Any:
    """`trials`, compiled, or linked as plain Python where Numba is missing."""
    rules: Any = face_to_face
    return (compiled.compiled if compiled.available() else playout.linked)(rules, trials)


def wholes(values: Sequence[int]) -> Any:
    """Whole numbers as the kernel takes them: an array, or a list where nothing is compiled."""
    if not compiled.available():
        return list(values)
    import numpy

    return numpy.array(values, numpy.int64)


def reals(values: Sequence[float]) -> Any:
    """Real numbers as the kernel takes them."""
    if not compiled.available():
        return list(values)
    import numpy

    return numpy.array(values, numpy.float64)


def new_desk(most: int) -> Desk:
    """A desk with room for the notes of so many tables."""
    return Desk(
        reach=wholes([0] * (1 << HAND)),
        tables=wholes([0] * FIELDS * most),
        worths=reals([-inf] * most),
        seen=reals([0.0] * OWN),
        total=reals([0.0] * HIDDEN),
        others=reals([0.0] * (2 * HAND + 1) * HIDDEN),
    )


@cache
def network() -> Any:
    """What `value` has learned."""
    return reals(json.loads(Path(__file__).with_name("network.json").read_text()))


MC = Searcher(GREEDY, candidates=24, ahead=UNTIL_THE_END, rate=1000)
HARD = Searcher(NETWORK, candidates=1, ahead=1, rate=0)
EXPERT = Searcher(NETWORK, candidates=32, ahead=2, rate=12_000)
