"""Bots of Quick & Easy without learning or search. They consider whole turns, describe their cards, and use what the
others have said.

A phrase depends on the own cards alone (their colours and, where allowed, their heights), so that no number can be
passed on in it. A description stands until its speaker lays a card that it describes.
"""

from __future__ import annotations

import random
from bisect import bisect_right
from dataclasses import dataclass
from itertools import accumulate

from gramy.bots.protocol import Bot
from gramy.bots.quick_easy import opening
from gramy.bots.quick_easy.talk import Statements, card_phrases, statements, visible_state
from gramy.bots.quick_easy.turns import gap, turn_options
from gramy.cards import code_of, codes, count, positions, replace_at
from gramy.contract import START, View
from gramy.games.quick_easy.notation import format_move
from gramy.games.quick_easy.rules import DECK, END, HAND, State, apply, fits, legal_moves
from gramy.matches import Entry

STUCK, WON = -15.0, 30.0
"""Values of the end of a match, far below and above any gap between the piles."""

FEW = 20
"""The look-ahead goes one turn deeper only while a hand may hold at most this many cards."""

NO_HANDS = (0, 0, 0, 0, 0, 0)


def mean_maximum(values: list[float], others: list[float]) -> float:
    """Return the mean of the larger of two numbers, one from each list."""
    others = sorted(others)
    sums = [0.0, *accumulate(others)]
    total = 0.0
    for value in values:
        below = bisect_right(others, value)
        total += value * below + sums[-1] - sums[below]
    return total / (len(values) * len(others))


@dataclass(frozen=True)
class LookaheadBot(Bot):
    """Leaves the piles so that the next players can go on, by what they have said (expectimax)."""

    card_value: float  # value of each card laid
    depth: int  # turns of the look-ahead
    gap_weight: float  # weight of the gap in the value of a position; the rest is what the next player makes of it
    pile_penalty: float  # for a change of a pile that another player has asked for
    talks: bool

    def choose(self, view: View, history: tuple[Entry, ...], rng: random.Random, budget: float) -> str:
        if view.moves == (START,):
            return START
        state = visible_state(view)
        lookahead = Lookahead(self, view, statements(history), state)
        values = [(lookahead.value(option.left), option.move) for option in turn_options(state)]
        most = max(value for value, _ in values) - 1e-9
        return format_move(state, state.seat, rng.choice([move for value, move in values if value >= most]))

    def say(self, view: View, history: tuple[Entry, ...], rng: random.Random) -> tuple[str, ...]:
        return card_phrases(view, history, heights=True) if self.talks else ()

    def eagerness(self, view: View, history: tuple[Entry, ...], rng: random.Random) -> float:
        return opening.eagerness(view, history, listens=self.talks)


class Lookahead:
    """The look-ahead of one move: the cards that each seat may hold, and the values of positions found so far."""

    def __init__(self, bot: LookaheadBot, view: View, said: Statements, state: State) -> None:
        self.bot, self.board, self.said, self.state = bot, view.board, said, state
        self.unseen = DECK & ~(said.laid | state.up | state.down | state.hands[state.seat])
        self.values: dict[tuple[int, ...], float] = {}

    def value(self, left: State) -> float:
        """Return the value of a position that the own turn leaves."""
        asked = {pile for seat, piles in self.said.piles.items() if seat != left.seat for pile in piles}
        ignored = ("up" in asked and left.up != self.state.up) + ("down" in asked and left.down != self.state.down)
        ahead = self._value(left.up, left.down, left.seat, self.bot.depth, left.hands[left.seat])
        return ahead + self.bot.card_value * left.laid - self.bot.pile_penalty * ignored

    def _value(self, up: int, down: int, seat: int, depth: int, kept: int) -> float:
        """Return the value of the piles after a turn of `seat`; `kept` is the rest of the own hand."""
        if depth == 0:
            return gap(up, down)
        key = (up, down, seat, depth, kept)
        if key not in self.values:
            after = self._next_seat(seat, kept)
            self.values[key] = WON if after is None else self._expected(up, down, after, depth, kept)
        return self.bot.gap_weight * gap(up, down) + (1 - self.bot.gap_weight) * self.values[key]

    def _expected(self, up: int, down: int, seat: int, depth: int, kept: int) -> float:
        """Return the expected value of a seat's turn: that of its better card, over all cards that it may hold."""
        hand = self._hand(seat, kept)
        candidates = hand[0] | hand[-1]
        hands = replace_at(NO_HANDS, seat, candidates)
        fit_up, fit_down = fits(self.state._replace(up=up, down=down, seat=seat, hands=hands))
        depth = depth - 1 if count(candidates) <= FEW else 0
        values = {}
        for card in positions(candidates):
            bit = 1 << card
            rising = self._value(bit, down, seat, depth, kept) if fit_up & bit else STUCK
            values[card] = max(rising, self._value(up, bit, seat, depth, kept) if fit_down & bit else STUCK)
        by_card = [[values[card] for card in positions(cards)] for cards in hand]
        return mean_maximum(by_card[0], by_card[1] if len(by_card) > 1 else [STUCK])

    def _hand(self, seat: int, kept: int) -> list[int]:
        """Return, for each card of a seat, the set that it is from."""
        if seat == self.state.seat:
            known = [1 << card for card in positions(kept)]
            size = HAND if self.board.in_deck else len(known)
        else:
            known = [cards & self.unseen for cards in self.said.cards.get(seat, []) if cards & self.unseen]
            size = self.board.in_hand[seat]
        return [*known, *[self.unseen] * HAND][:size]

    def _next_seat(self, seat: int, kept: int) -> int | None:
        """Return the next seat that has cards; None if no seat has."""
        sizes = list(self.board.in_hand)
        sizes[self.state.seat] = count(kept) + self.board.in_deck
        following = ((seat + step) % len(sizes) for step in range(1, len(sizes) + 1))
        return next((after for after in following if sizes[after]), None)


@dataclass(frozen=True)
class ShortestStepBot(Bot):
    """Considers its own hand only: lays the card with the shortest step, and a second one if its step is at most
    `free`. Names its colours."""

    free: int

    def choose(self, view: View, history: tuple[Entry, ...], rng: random.Random, budget: float) -> str:
        if view.moves == (START,):
            return START
        state = visible_state(view)
        laying = [code for code in codes(legal_moves(state, state.seat)) if code != code_of(END, 0)]
        before, afters = gap(state.up, state.down), [apply(state, state.seat, code) for code in laying]
        steps = [
            (before - gap(after.up, after.down), rng.random(), code) for after, code in zip(afters, laying, strict=True)
        ]
        if "end" in view.moves and (not steps or min(steps)[0] > self.free):
            return "end"
        return format_move(state, state.seat, min(steps)[2])

    def say(self, view: View, history: tuple[Entry, ...], rng: random.Random) -> tuple[str, ...]:
        return card_phrases(view, history, heights=False)

    def eagerness(self, view: View, history: tuple[Entry, ...], rng: random.Random) -> float:
        return opening.eagerness(view, history, listens=False)


GREEDY = LookaheadBot(card_value=1, depth=0, gap_weight=1, pile_penalty=0, talks=False)
EASY = ShortestStepBot(free=1)
MEDIUM = LookaheadBot(card_value=1, depth=2, gap_weight=0.3, pile_penalty=2, talks=True)
