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
from gramy.bots.face_to_face.turns import FIELDS, GREEDY, NETWORK, UNDECIDED, Desk, noted_table, trials
from gramy.bots.face_to_face.value import HIDDEN, OWN
from gramy.bots.search import Ranking, halving
from gramy.bots.seat import seat_of
from gramy.cards import bit_of, codes, positions, together
from gramy.game import View
from gramy.games import face_to_face
from gramy.games.face_to_face.notation import format_move
from gramy.games.face_to_face.rules import DECK, HAND, Side, State, apply, offers
from gramy.match import Entry

UNTIL_THE_END = 1000
FINISHING_SHARE = 1 / 4  # of the trials: the whole turn was thought over before its first card
PLAIN_SHARE = 1 / 300  # of the trials, where nothing is compiled: they take that much longer


@dataclass(frozen=True)
class Searcher:
    """Tries so many candidates, `rate` trials a second of its budget, each followed for `ahead` turns."""

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
        tables = best_tables(state, self.candidates, self.mind)
        known = [openings(state, noted_table(state, tables, k)) for k in range(len(tables) // FIELDS)]
        for code in codes(offers(state, state.seat)):
            if not any(code in moves for moves in known):
                tables += best_tables(apply(state, state.seat, code), 1, self.mind)
                known.append([code])
        order, means = self._ranked(state, tables, rng, budget)
        chances: dict[str, float] = {}
        for candidate in order:
            for code in known[candidate]:
                chances.setdefault(format_move(state, state.seat, code), min(means[candidate], means[order[0]]))
        return chances

    def _ranked(self, state: State, tables: list[int], rng: random.Random, budget: float) -> Ranking:
        seed = rng.getrandbits(32) << 32
        number = budget * self.rate * (1 if compiled.available() else PLAIN_SHARE)
        if state.laid:
            number *= FINISHING_SHARE
        return halving(
            len(tables) // FIELDS,
            int(number),
            lambda candidates, first, worlds: tried(
                state,
                tables,
                candidates,
                [playout.first_word(seed + world) for world in range(first, first + worlds)],
                self.ahead,
                self.mind,
                new_desk(1),
            ),
        )


def tried(
    state: State,
    tables: Sequence[int],
    candidates: Sequence[int],
    words: Sequence[int],
    ahead: int,
    mind: int,
    desk: Desk,
) -> list[float]:
    """`trials` with its arguments in the form that it takes."""
    sums = numbers([0.0] * len(candidates))
    kernel(trials)(
        state,
        state.foe.hand | state.foe.deck,
        whole(tables),
        whole(candidates),
        whole(words),
        len(desk.worths),
        ahead,
        mind,
        network(),
        desk,
        sums,
    )
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
    """The moves that lead on to a table left by this turn."""
    laid = state.me.hand & ~left.me.hand
    if laid == 0:
        return [code for code in codes(offers(state, state.seat)) if bit_of(code) == 0]
    found = []
    for code in codes(offers(state, state.seat)):
        if laid >> bit_of(code) & 1:
            at = apply(state, state.seat, code)
            if same(at, left) or (at.me.hand != left.me.hand and openings(at, left)):
                found.append(code)
    return found


def same(at: State, left: State) -> bool:
    return (at.me.up, at.me.down, at.me.hand, at.foe.up, at.foe.down) == (
        left.me.up,
        left.me.down,
        left.me.hand,
        left.foe.up,
        left.foe.down,
    )


# --- numbers for both worlds ------------------------------------------------------------------------------------------


@cache
def kernel(function: Any) -> Any:
    """The function compiled, or linked as plain Python where Numba is missing."""
    rules: Any = face_to_face
    return (compiled.compiled if compiled.available() else playout.linked)(rules, function)


def whole(values: Sequence[int]) -> Any:
    """Whole numbers as the kernels take them."""
    if not compiled.available():
        return list(values)
    import numpy

    return numpy.array(values, numpy.int64)


def numbers(values: Sequence[float]) -> Any:
    if not compiled.available():
        return list(values)
    import numpy

    return numpy.array(values, numpy.float64)


def new_desk(most: int) -> Desk:
    return Desk(
        reach=whole([0] * (1 << HAND)),
        tables=whole([0] * FIELDS * most),
        worths=numbers([-inf] * most),
        seen=numbers([0.0] * OWN),
        total=numbers([0.0] * HIDDEN),
        others=numbers([0.0] * (2 * HAND + 1) * HIDDEN),
    )


@cache
def network() -> Any:
    return numbers(json.loads(Path(__file__).with_name("network.json").read_text()))


MC = Searcher(GREEDY, candidates=24, ahead=UNTIL_THE_END, rate=1000)
HARD = Searcher(NETWORK, candidates=8, ahead=2, rate=200)
EXPERT = Searcher(NETWORK, candidates=32, ahead=2, rate=8000)
