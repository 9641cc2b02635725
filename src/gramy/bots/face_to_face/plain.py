"""Plain players of Face to Face. They plan whole turns: every way to finish the turn, and what each leads to is worth.

What may be laid is asked of the rules, on a table that holds only what the seat knows: its own hand, the tops, how many
cards there are, and (its own deck is what it has not laid) the cards that it will still draw.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from gramy.bots.protocol import Bot, seat_of
from gramy.cards import bit_of, code_of, codes, count, from_positions, highest, lowest, positions, row_of
from gramy.contract import NOBODY, View
from gramy.games.face_to_face import RULES
from gramy.games.face_to_face.notation import format_move
from gramy.games.face_to_face.rules import (
    DECK,
    DOWN,
    END,
    HAND,
    PILES,
    UP,
    Side,
    State,
    apply,
    draws,
    legal_moves,
    start,
)
from gramy.matches import Entry
from gramy.options import parse_options

LAY_NOW = -1


class Plan(NamedTuple):
    """A way to finish the turn: the move to make now, and the table as it is left, before the draw."""

    move: int
    left: State


Cost: TypeAlias = Callable[[State], float]
"""How bad it is to leave the table like this: the plan with the lowest cost is played."""


def table(view: View, history: tuple[Entry, ...]) -> State:
    """The table as the seat knows it. The other hand and deck are empty: nothing here may depend on them."""
    seat, board = seat_of(view), view.board
    mine, other = board.halves[seat], board.halves[1 - seat]
    hand = from_positions(mine.hand)
    laid = from_positions([int(entry.text.split()[1]) for entry in history if entry.seat == seat and " " in entry.text])
    deck = from_positions(
        positions(DECK & ~hand & ~laid)[: mine.in_deck]
    )  # exact, if the history begins with the match
    return start(parse_options(RULES, view.options))._replace(
        me=Side(1 << mine.up, 1 << mine.down, hand, deck),
        foe=Side(1 << other.up, 1 << other.down, 0, 0),
        seat=seat,
        laid=board.laid,
        helped=int(board.helped),
    )


def plans(state: State, most: int = HAND, thrifty: bool = False) -> Iterator[Plan]:
    """Every way to finish the turn with at most so many cards, once for each table that it can leave; thriftily, only
    those ways that lay a third card for a good reason."""
    seat, waiting, seen = state.seat, [Plan(LAY_NOW, state)], set()
    while waiting:
        move, at = waiting.pop()
        if at.winner == seat:
            yield Plan(move, at)
        if at.winner != NOBODY:
            continue
        *rows, may_end = legal_moves(at, seat)
        if may_end:
            yield Plan(code_of(END, 0) if move == LAY_NOW else move, at)
        if at.laid >= most:
            continue
        tops = [at.me.up, at.me.down, at.foe.up, at.foe.down]
        for code in codes(tuple(rows)):
            row, card = row_of(code), 1 << bit_of(code)
            if thrifty and at.laid >= 2 and not pays(at, row, card):
                continue
            leads_to = (at.me.hand & ~card, *tops[:row], card, *tops[row + 1 :])  # in whatever order they are laid
            if leads_to not in seen:
                seen.add(leads_to)
                waiting.append(Plan(code if move == LAY_NOW else move, apply(at, seat, code)))


def pays(at: State, row: int, card: int) -> bool:
    """Whether a card that need not be laid is a trick, leads to one, fetches the refill, or is one of the last."""
    if row == UP:
        return card < at.me.up or at.me.hand & card >> 10 != 0 or at.me.deck == 0
    if row == DOWN:
        return card > at.me.down or at.me.hand & card << 10 != 0 or at.me.deck == 0
    return True


@dataclass(frozen=True)
class Planner(Bot):
    """Plays the cheapest of its plans (see `plans`); among equals, any."""

    cost: Cost
    most: int = HAND
    thrifty: bool = False

    def choose(self, view: View, history: tuple[Entry, ...], rng: random.Random, budget: float) -> str:
        state = table(view, history)
        costs = [(self.cost(plan.left), plan.move) for plan in plans(state, self.most, self.thrifty)]
        least = min(cost for cost, _ in costs)
        return format_move(state, state.seat, rng.choice([move for cost, move in costs if cost <= least]))


def gone(side: Side) -> int:
    """How far both piles have moved from where they began."""
    return lowest(side.up) - 1 + 60 - lowest(side.down)


def two_cheapest(left: State) -> float:
    """The way that both piles go; help only when there is no other way."""
    return gone(left.me) + 1000 * left.helped


def with_help(left: State) -> float:
    """The way at home, half of the way given to the other, three a card that the next turn begins with."""
    return gone(left.me) - 0.5 * gone(left.foe) - 3 * next_hand(left) + end_in_sight(left)


def next_hand(left: State) -> int:
    """How many cards the next turn begins with."""
    return count(left.me.hand) + draws(left)


def end_in_sight(left: State) -> int:
    """Beyond all else: to have laid every card wins, and with a single one left no turn can be finished."""
    cards = count(left.me.hand | left.me.deck)
    return -1000 if cards == 0 else 500 * (cards == 1) + 400 * (next_hand(left) < 2)


def counted(left: State) -> float:
    """What g2 and go do not see: which cards the piles have passed, tricks to come, and that help is the dearer the
    deeper the other is in trouble. The weights were found by playing against both and itself."""
    me, cards = left.me, left.me.hand | left.me.deck
    passed = count(cards & me.up - 1) + count(cards & -(me.down << 1))
    tricks = count(cards & (me.up >> 10 | me.down << 10))
    home = 0.9 * gone(me) + 1.5 * passed + 0.2 * nearest(me) - 0.5 * tricks
    return home - 2.5 * next_hand(left) - 0.9 * gone(left.foe) ** 2 / 120 + end_in_sight(left)


def nearest(side: Side) -> int:
    """How far the hand is from the piles: the shortest way that a pile can go forward, at most 30."""
    above, below = side.hand & -(side.up << 1), side.hand & side.down - 1
    up = lowest(above) - lowest(side.up) if above else 30
    return min(up, lowest(side.down) - highest(below) if below else 30, 30)


@dataclass(frozen=True)
class Beginner(Bot):
    """Sees one card at a time: the cheapest, at home. Often overlooks that a card could go ten back, or be given."""

    sees_tricks: float
    sees_help: float

    def choose(self, view: View, history: tuple[Entry, ...], rng: random.Random, budget: float) -> str:
        if "end" in view.moves:
            return "end"
        tricks, help = rng.random() < self.sees_tricks, rng.random() < self.sees_help
        return min(view.moves, key=lambda move: (self._looks(view, move, tricks, help), rng.random()))

    def _looks(self, view: View, move: str, tricks: bool, help: bool) -> int:
        """What the move seems to cost."""
        pile, card = PILES.index(move.split()[0]), int(move.split()[1])
        seat = seat_of(view)
        mine, other = view.board.halves[seat], view.board.halves[1 - seat]
        steps: int = (card - mine.up, mine.down - card, other.up - card, card - other.down)[pile]
        if pile >= 2:
            return steps if help else 100 + steps
        return steps if steps > 0 or tricks else 50


G2 = Planner(two_cheapest, most=2)
EASY = Beginner(sees_tricks=0.6, sees_help=0.3)
MEDIUM = Planner(counted, thrifty=True)
