"""Strong play by imagination, for any number of players and every variant.

Worlds are imagined from the unseen cards, each the heavier the better it explains what was bid; moves are tried in
all of them, first all moves, then the best few again; what counts is the chance to win the match.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeAlias

from gramy import compiled, games, playout
from gramy.bots.gra import equity, imagine
from gramy.bots.gra.plain import bids
from gramy.bots.kernel import floats, integers, kernel
from gramy.bots.protocol import Bot, seat_of
from gramy.cards import together
from gramy.contract import View
from gramy.games.gra.rules import PAIRS
from gramy.matches import Entry

RATE = 2_000_000
"""Imagined ends of a round for one second of budget, compiled."""

PLAIN_RATE = 20_000
"""The same without the compiler."""

FINALISTS = 6


Row: TypeAlias = tuple[int, ...]


@cache
def odds() -> Any:
    return floats(imagine.chances())


@dataclass(frozen=True)
class Sampler(Bot):
    """Plays the move that turns out best over all worlds."""

    effort: float

    def choose(self, view: View, history: tuple[Entry, ...], rng: random.Random, budget: float) -> str:
        worth = self.evaluate(view, history, rng, budget)
        return max(worth, key=lambda move: worth[move])

    def evaluate(self, view: View, history: tuple[Entry, ...], rng: random.Random, budget: float) -> dict[str, float]:
        """The chance to win the match after each offered move."""
        ends = int(budget * self.effort * (RATE if compiled.available() else PLAIN_RATE))
        tries = {move: tried(view, move) for move in view.moves}
        different = list(dict.fromkeys(tries.values()))  # faces shown in another order are the same
        worth, weights = worths(view, history, different, ends // 2, rng)
        finalists = sorted(different, key=lambda row: worth[row], reverse=True)[:FINALISTS]
        again, more = worths(view, history, finalists, ends // 2, rng)
        for row in finalists:
            worth[row] = (worth[row] * weights + again[row] * more) / (weights + more)
        bound = min(worth[row] for row in finalists)  # what fell out early stays behind what did not
        return {move: worth[row] if row in again else min(worth[row], bound) for move, row in tries.items()}


def worths(
    view: View, history: tuple[Entry, ...], tries: Sequence[Row], ends: int, rng: random.Random
) -> tuple[dict[Row, float], float]:
    """What each try is worth, and the weight of all worlds that say so."""
    said = bids(history) if view.board.phase == "bidding" else []
    totals = floats([0.0] * len(tries))
    weights = kernel(games.gra, imagine.rate, lean=False)(
        scene_of(view),
        integers(filled(view.board.sizes)),
        integers(unseen(view)),
        integers([0] * (imagine.SEATS * imagine.ROW)),
        integers([number for bid in said for number in bid]),
        integers([number for row in tries for number in row]),
        floats(equity.worth(view, seat_of(view))),
        odds(),
        max(1, ends // len(tries)),
        playout.first_word(rng.getrandbits(32)),
        totals,
    )
    return {row: float(total) / weights for row, total in zip(tries, totals, strict=True)}, float(weights)


def tried(view: View, move: str) -> Row:
    """A move as the row that `imagine.rate` tries: own faces, number, value and step."""
    verb, *words = move.split()
    if verb == "choose":
        return (*counts([int(word) for word in words]), -1, 0, 1)
    own = counts(view.board.hand.faces)
    if verb == "check":
        return (*own, 0, 0, 1)
    number, value = words[0].split("x")
    way = words[1] if len(words) > 1 else view.board.way
    return (*own, int(number), int(value), 1 if way == "left" else -1)


def scene_of(view: View) -> imagine.Scene:
    """The round as numbers."""
    board, on = view.board, "on"
    return imagine.Scene(
        me=seat_of(view),
        turn=board.turn,
        active=together(board.active),
        step=1 if board.way == "left" else -1,
        most=board.in_play,
        quantity_first=int(view.options["bid_order"] == "quantity_first"),
        jokers=int(view.options["jokers"] == on),
        wild=int(board.ones_are_jokers),
        number=board.bid.number if board.bid else 0,
        value=board.bid.value if board.bid else 0,
        bidder=board.bid.bidder if board.bid else 0,
    )


def filled(sizes: Sequence[int]) -> list[int]:
    return [*sizes, 0, 0, 0, 0, 0, 0][: imagine.SEATS]


def unseen(view: View) -> list[int]:
    """The cards that are not in the own hand, each as eight times its lower face and its higher."""
    deck = [8 * low + high for low, high in PAIRS for _ in range(2)]
    for word in view.board.hand.cards:
        deck.remove(8 * int(word[0]) + int(word[1]))
    return deck


def counts(faces: Sequence[int]) -> tuple[int, ...]:
    """How many faces show each value, from position 1 on."""
    return tuple(faces.count(value) for value in range(imagine.ROW))
