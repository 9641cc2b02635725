"""Bots of Face to Face without learning. They enumerate whole turns and choose one by a hand-written cost.

Legal cards come from the rules, applied to a state that holds only what the seat knows: its own hand and deck (the deck
is what it has not laid yet), the tops, and the number of the other cards.
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

NO_MOVE = -1


class TurnPlan(NamedTuple):
    """A way to finish the turn: the move to make now, and the state that the turn leaves before the draw."""

    move: int
    left: State


Cost: TypeAlias = Callable[[State], float]
"""The cost of a state that a turn leaves; bots choose the turn with the lowest."""


def laid_by(seat: int, history: tuple[Entry, ...]) -> int:
    """Return the cards that a seat has laid; all of them, if the history begins with the match."""
    return from_positions([int(entry.text.split()[1]) for entry in history if entry.seat == seat and " " in entry.text])


def visible_state(view: View, history: tuple[Entry, ...]) -> State:
    """Return the state as the seat knows it. The other hand and deck are empty: no cost may depend on them."""
    seat, board = seat_of(view), view.board
    mine, other = board.halves[seat], board.halves[1 - seat]
    hand = from_positions(mine.hand)
    deck = from_positions(positions(DECK & ~hand & ~laid_by(seat, history))[: mine.in_deck])
    return start(parse_options(RULES, view.options))._replace(
        me=Side(1 << mine.up, 1 << mine.down, hand, deck),
        foe=Side(1 << other.up, 1 << other.down, 0, 0),
        seat=seat,
        laid=board.laid,
        helped=int(board.helped),
    )


def turn_plans(state: State, max_cards: int = HAND, thrifty: bool = False) -> Iterator[TurnPlan]:
    """Yield the ways to finish the turn with at most `max_cards`, once for each state that a turn can leave.

    If `thrifty`, leave out a third or later card that does not pay (see `pays`).
    """
    seat, waiting, seen = state.seat, [TurnPlan(NO_MOVE, state)], set()
    while waiting:
        move, at = waiting.pop()
        if at.winner == seat:
            yield TurnPlan(move, at)
        if at.winner != NOBODY:
            continue
        *rows, may_end = legal_moves(at, seat)
        if may_end:
            yield TurnPlan(code_of(END, 0) if move == NO_MOVE else move, at)
        if at.laid >= max_cards:
            continue
        tops = [at.me.up, at.me.down, at.foe.up, at.foe.down]
        for code in codes(tuple(rows)):
            row, card = row_of(code), 1 << bit_of(code)
            if thrifty and at.laid >= 2 and not pays(at, row, card):
                continue
            leads_to = (at.me.hand & ~card, *tops[:row], card, *tops[row + 1 :])  # the same for all orders of the cards
            if leads_to not in seen:
                seen.add(leads_to)
                waiting.append(TurnPlan(code if move == NO_MOVE else move, apply(at, seat, code)))


def pays(at: State, row: int, card: int) -> bool:
    """Return whether an optional card goes ten back, makes that possible, helps (for the refill), or is a last one."""
    if row == UP:
        return card < at.me.up or at.me.hand & card >> 10 != 0 or at.me.deck == 0
    if row == DOWN:
        return card > at.me.down or at.me.hand & card << 10 != 0 or at.me.deck == 0
    return True


@dataclass(frozen=True)
class TurnPlannerBot(Bot):
    """Plays one of the turns with the lowest cost, at random."""

    cost: Cost
    max_cards: int = HAND
    thrifty: bool = False

    def choose(self, view: View, history: tuple[Entry, ...], rng: random.Random, budget: float) -> str:
        state = visible_state(view, history)
        costs = [(self.cost(plan.left), plan.move) for plan in turn_plans(state, self.max_cards, self.thrifty)]
        least = min(cost for cost, _ in costs)
        return format_move(state, state.seat, rng.choice([move for cost, move in costs if cost <= least]))


# --- costs ------------------------------------------------------------------------------------------------------------


def progress(side: Side) -> int:
    """Return how far both piles of a side have moved from the start."""
    return lowest(side.up) - 1 + 60 - lowest(side.down)


def g2_cost(left: State) -> float:
    """The cost of `g2`: the progress of both own piles; help only if nothing else is possible."""
    return progress(left.me) + 1000 * left.helped


def go_cost(left: State) -> float:
    """The cost of `go`: the own progress, minus half of the other's, minus 3 for each card of the next hand."""
    return progress(left.me) - 0.5 * progress(left.foe) - 3 * next_hand(left) + last_cards_cost(left)


def next_hand(left: State) -> int:
    """Return how many cards the player will hold at their next turn."""
    return count(left.me.hand) + draws(left)


def last_cards_cost(left: State) -> int:
    """Return a cost above all others: having laid every card wins, and no turn can be finished with a single one."""
    cards = count(left.me.hand | left.me.deck)
    return -1000 if cards == 0 else 500 * (cards == 1) + 400 * (next_hand(left) < 2)


def counting_cost(left: State) -> float:
    """The cost of the medium bot. It also counts the cards that the piles have passed and those that go ten back, and
    help costs more if the other is in trouble. The weights were tuned by matches against `g2`, `go` and itself."""
    me, cards = left.me, left.me.hand | left.me.deck
    passed = count(cards & me.up - 1) + count(cards & -(me.down << 1))
    ten_back = count(cards & (me.up >> 10 | me.down << 10))
    home = 0.9 * progress(me) + 1.5 * passed + 0.2 * nearest(me) - 0.5 * ten_back
    return home - 2.5 * next_hand(left) - 0.9 * progress(left.foe) ** 2 / 120 + last_cards_cost(left)


def nearest(side: Side) -> int:
    """Return the shortest forward step of a pile by a card of the hand, at most 30."""
    above, below = side.hand & -(side.up << 1), side.hand & side.down - 1
    up = lowest(above) - lowest(side.up) if above else 30
    return min(up, lowest(side.down) - highest(below) if below else 30, 30)


@dataclass(frozen=True)
class CardByCardBot(Bot):
    """Considers one card at a time: the cheapest on its own piles. It sees steps ten back, and ways to help, only with
    these probabilities."""

    sees_ten_back: float
    sees_help: float

    def choose(self, view: View, history: tuple[Entry, ...], rng: random.Random, budget: float) -> str:
        if "end" in view.moves:
            return "end"
        ten_back, help = rng.random() < self.sees_ten_back, rng.random() < self.sees_help
        return min(view.moves, key=lambda move: (self._cost(view, move, ten_back, help), rng.random()))

    def _cost(self, view: View, move: str, ten_back: bool, help: bool) -> int:
        """Return the step of the pile, or a penalty for a move that the bot does not see."""
        pile, card = PILES.index(move.split()[0]), int(move.split()[1])
        seat = seat_of(view)
        mine, other = view.board.halves[seat], view.board.halves[1 - seat]
        step: int = (card - mine.up, mine.down - card, other.up - card, card - other.down)[pile]
        if pile >= 2:
            return step if help else 100 + step
        return step if step > 0 or ten_back else 50


G2 = TurnPlannerBot(g2_cost, max_cards=2)
EASY = CardByCardBot(sees_ten_back=0.3, sees_help=0.3)
MEDIUM = TurnPlannerBot(counting_cost, thrifty=True)
