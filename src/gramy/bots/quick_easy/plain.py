"""Plain players of Quick & Easy: they plan whole turns, say truly what they hold, and listen.

What is said is a function of the own cards alone (their colours, and where it is allowed their heights), so that no
number can travel in a phrase. What partners said stands until they lay a card that it describes.
"""

from __future__ import annotations

import random
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate
from typing import NamedTuple

from gramy.bots.protocol import Bot
from gramy.bots.quick_easy.talk import Heard, describe, heard, table
from gramy.cards import code_of, codes, count, lowest, positions, replace_at
from gramy.contract import View
from gramy.games.quick_easy.notation import format_move
from gramy.games.quick_easy.rules import (
    DECK,
    END,
    HAND,
    State,
    apply,
    fits,
    legal_moves,
    won,
)
from gramy.matches import Entry

STUCK, WON = -15.0, 30.0
"""What the end is worth, far below and above any room between the piles."""


FEW = 20
"""Up to so many cards that a hand may hold, each is thought through for another turn."""

NONE = (0, 0, 0, 0, 0, 0)


class Plan(NamedTuple):
    """A way to finish the turn: the move to make now, and the table as it is left, before the draw."""

    move: int
    left: State


def plans(state: State, move: int | None = None) -> Iterator[Plan]:
    """Every way to finish the turn."""
    *rows, may_end = legal_moves(state, state.seat)
    if may_end or won(state):
        yield Plan(code_of(END, 0) if move is None else move, state)
    for code in codes(tuple(rows)):
        yield from plans(apply(state, state.seat, code), code if move is None else move)


def room(up: int, down: int) -> int:
    """How many numbers lie between the tops: 11 when both piles are empty."""
    return (lowest(down) % 10 + 1 if down else 11) - (lowest(up) % 10 + 1 if up else 0)


def best_of(values: list[float], others: list[float]) -> float:
    """The mean of the better of two, one from each list."""
    others = sorted(others)
    sums = [0.0, *accumulate(others)]
    total = 0.0
    for value in values:
        below = bisect_right(others, value)
        total += value * below + sums[-1] - sums[below]
    return total / (len(values) * len(others))


@dataclass(frozen=True)
class Partner(Bot):
    """Leaves the piles so that those who follow can go on, by what they said; `ahead` turns are thought of."""

    extra: float
    ahead: int
    share: float
    wish: float
    talks: bool

    def choose(self, view: View, history: tuple[Entry, ...], rng: random.Random, budget: float) -> str:
        state = table(view)
        thought = Thought(self, view, heard(history), state)
        values = [(thought.value(plan.left), plan.move) for plan in plans(state)]
        most = max(value for value, _ in values) - 1e-9
        return format_move(state, state.seat, rng.choice([move for value, move in values if value >= most]))

    def say(self, view: View, history: tuple[Entry, ...], rng: random.Random) -> tuple[str, ...]:
        return describe(view, history, heights=True) if self.talks else ()


class Thought:
    """One player's look ahead: who may hold what, and what a table is worth to those who follow."""

    def __init__(self, mind: Partner, view: View, told: Heard, state: State) -> None:
        self.mind, self.board, self.told, self.state = mind, view.board, told, state
        self.unseen = DECK & ~(told.laid | state.up | state.down | state.hands[state.seat])
        self.known: dict[tuple[int, ...], float] = {}

    def value(self, left: State) -> float:
        """What it is worth to leave the table like this: cards laid, room for those who follow, wishes respected."""
        wanted = {pile for seat, piles in self.told.wishes.items() if seat != left.seat for pile in piles}
        ignored = ("up" in wanted and left.up != self.state.up) + ("down" in wanted and left.down != self.state.down)
        ahead = self._value(left.up, left.down, left.seat, self.mind.ahead, left.hands[left.seat])
        return ahead + self.mind.extra * left.laid - self.mind.wish * ignored

    def _value(self, up: int, down: int, seat: int, ahead: int, kept: int) -> float:
        """The room, and what those who follow after a seat will make of it; `kept` is what stays in the own hand."""
        if ahead == 0:
            return room(up, down)
        key = (up, down, seat, ahead, kept)
        if key not in self.known:
            after = self._following(seat, kept)
            self.known[key] = WON if after is None else self._expected(up, down, after, ahead, kept)
        return self.mind.share * room(up, down) + (1 - self.mind.share) * self.known[key]

    def _expected(self, up: int, down: int, seat: int, ahead: int, kept: int) -> float:
        """What a seat will make of the table: the better of its two cards, over all cards that they may be."""
        maybe = self._hand(seat, kept)
        every = maybe[0] | maybe[-1]
        fit_up, fit_down = fits(self.state._replace(up=up, down=down, seat=seat, hands=replace_at(NONE, seat, every)))
        ahead = ahead - 1 if count(every) <= FEW else 0
        worth = {}
        for card in positions(every):
            bit = 1 << card
            rising = self._value(bit, down, seat, ahead, kept) if fit_up & bit else STUCK
            worth[card] = max(rising, self._value(up, bit, seat, ahead, kept) if fit_down & bit else STUCK)
        values = [[worth[card] for card in positions(cards)] for cards in maybe]
        return best_of(values[0], values[1] if len(values) > 1 else [STUCK])

    def _hand(self, seat: int, kept: int) -> list[int]:
        """For each card of a seat, the cards that it may be."""
        if seat == self.state.seat:
            known = [1 << card for card in positions(kept)]
            size = HAND if self.board.in_deck else len(known)
        else:
            known = [cards & self.unseen for cards in self.told.cards.get(seat, []) if cards & self.unseen]
            size = self.board.in_hand[seat]
        return [*known, *[self.unseen] * HAND][:size]

    def _following(self, seat: int, kept: int) -> int | None:
        """The next seat that holds cards."""
        sizes = list(self.board.in_hand)
        sizes[self.state.seat] = count(kept) + self.board.in_deck
        services = ((seat + step) % len(sizes) for step in range(1, len(sizes) + 1))
        return next((after for after in services if sizes[after]), None)


@dataclass(frozen=True)
class Beginner(Bot):
    """Looks at its own hand only: the shortest step, and a second card when that is nearly free. Names its colours."""

    free: int

    def choose(self, view: View, history: tuple[Entry, ...], rng: random.Random, budget: float) -> str:
        state = table(view)
        laying = [code for code in codes(legal_moves(state, state.seat)) if code != code_of(END, 0)]
        before, afters = room(state.up, state.down), [apply(state, state.seat, code) for code in laying]
        costs = [
            (before - room(after.up, after.down), rng.random(), code)
            for after, code in zip(afters, laying, strict=True)
        ]
        if "end" in view.moves and (not costs or min(costs)[0] > self.free):
            return "end"
        return format_move(state, state.seat, min(costs)[2])

    def say(self, view: View, history: tuple[Entry, ...], rng: random.Random) -> tuple[str, ...]:
        return describe(view, history, heights=False)


GREEDY = Partner(extra=1, ahead=0, share=1, wish=0, talks=False)
EASY = Beginner(free=1)
MEDIUM = Partner(extra=1, ahead=2, share=0.3, wish=2, talks=True)
