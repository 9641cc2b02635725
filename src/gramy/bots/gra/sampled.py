"""Strong play by imagination, for any number of players and every variant.

Worlds are imagined from the unseen cards, each the heavier the better it explains what was bid; every move is tried in
all of them, first all moves, then the best few again; what counts is the chance to win the match.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from gramy import compiled, games, playout
from gramy.bots.gra import equity, imagine
from gramy.bots.gra.plain import bids
from gramy.bots.seat import seat_of
from gramy.cards import together
from gramy.game import View
from gramy.games.gra.rules import PAIRS
from gramy.match import Entry

RATE = 500_000
"""Imagined ends of a round for one second of budget, compiled."""

PLAIN_RATE = 8_000
"""The same without the compiler."""

FINALISTS = 6


@cache
def kernel(name: str) -> Any:
    """A function of `imagine`, compiled where that is possible."""
    link = compiled.compiled if compiled.available() else playout.linked
    rules: Any = games.gra
    return link(rules, getattr(imagine, name))


def array(numbers: Sequence[float], kind: str = "int64") -> Any:
    """Numbers as the compiled functions want them."""
    if not compiled.available():
        return list(numbers)
    import numpy

    return numpy.array(numbers, kind)


@cache
def odds() -> Any:
    return array(imagine.chances(), "float64")


@dataclass(frozen=True)
class Sampler:
    """Plays the move that turns out best over all worlds."""

    effort: float = 1.0

    def choose(self, view: View, history: tuple[Entry, ...], rng: random.Random, budget: float) -> str:
        worth = self.weigh(view, history, rng, budget)
        return max(worth, key=lambda move: worth[move])

    def say(self, view: View, history: tuple[Entry, ...], rng: random.Random) -> tuple[str, ...]:
        return ()

    def weigh(self, view: View, history: tuple[Entry, ...], rng: random.Random, budget: float) -> dict[str, float]:
        """The chance to win the match after each offered move."""
        ends = int(budget * self.effort * (RATE if compiled.available() else PLAIN_RATE))
        if view.board.phase == "choosing":
            return faces_worth(view, ends, rng)
        worth, weights = moves_worth(view, history, view.moves, ends // 2, rng)
        finalists = sorted(view.moves, key=lambda move: worth[move], reverse=True)[:FINALISTS]
        again, more = moves_worth(view, history, finalists, ends // 2, rng)
        for move in finalists:
            worth[move] = (worth[move] * weights + again[move] * more) / (weights + more)
        bound = min(worth[move] for move in finalists)  # what fell out early stays behind what did not
        return {move: found if move in again else min(found, bound) for move, found in worth.items()}


def moves_worth(
    view: View, history: tuple[Entry, ...], moves: Sequence[str], ends: int, rng: random.Random
) -> tuple[dict[str, float], float]:
    """What each bid or check is worth, and the weight of all worlds that say so."""
    said = [number for bid in bids(history) for number in bid]
    asked = array([number for move in moves for number in spelt(move, view.board.way)])
    totals = array([0.0] * len(moves), "float64")
    worlds = max(1, ends // len(moves))
    weights = kernel("rate")(
        scene_of(view),
        array(filled(view.board.sizes)),
        array(unseen(view)),
        array(own_faces(view)),
        array(said),
        asked,
        array(equity.worth(view, seat_of(view)), "float64"),
        odds(),
        worlds,
        playout.first_word(rng.getrandbits(32)),
        totals,
    )
    return {move: float(total) / weights for move, total in zip(moves, totals, strict=True)}, float(weights)


def faces_worth(view: View, ends: int, rng: random.Random) -> dict[str, float]:
    """What each choice of faces is worth. Choices that show the same are the same."""
    shown = {move: counts([int(word) for word in move.split()[1:]]) for move in view.moves}
    different = sorted(set(shown.values()))
    totals = array([0.0] * len(different), "float64")
    worlds = max(1, ends // len(different))
    kernel("rate_faces")(
        scene_of(view),
        array(filled(view.board.sizes)),
        array(unseen(view)),
        array([0] * (imagine.SEATS * imagine.ROW)),
        array([number for one in different for number in one]),
        array(equity.worth(view, seat_of(view)), "float64"),
        odds(),
        worlds,
        playout.first_word(rng.getrandbits(32)),
        totals,
    )
    found = {one: float(total) / worlds for one, total in zip(different, totals, strict=True)}
    return {move: found[one] for move, one in shown.items()}


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


def spelt(move: str, way: str) -> tuple[int, int, int]:
    """A move as number, value and step; a check has the number 0."""
    words = move.split()
    step = 1 if (words[2] if len(words) > 2 else way) == "left" else -1
    if words[0] == "check":
        return 0, 0, step
    number, value = words[1].split("x")
    return int(number), int(value), step


def filled(sizes: Sequence[int]) -> list[int]:
    return [*sizes, 0, 0, 0, 0, 0, 0][: imagine.SEATS]


def unseen(view: View) -> list[int]:
    """The cards that are not in the own hand, each as eight times its lower face and its higher."""
    deck = [8 * low + high for low, high in PAIRS for _ in range(2)]
    for word in view.board.hand.cards:
        deck.remove(8 * int(word[0]) + int(word[1]))
    return deck


def own_faces(view: View) -> list[int]:
    """Everybody's faces as far as they are known: the own ones."""
    faces = [0] * (imagine.SEATS * imagine.ROW)
    base = seat_of(view) * imagine.ROW
    faces[base : base + imagine.ROW] = counts(view.board.hand.faces)
    return faces


def counts(faces: Sequence[int]) -> tuple[int, ...]:
    """How many faces show each value, from position 1 on."""
    return tuple(faces.count(value) for value in range(imagine.ROW))
