"""Plain players of GRA: how likely is it that a bid holds, given one's own faces and any cards in other hands?"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import takewhile
from math import comb
from typing import NamedTuple, TypeAlias

from gramy.bots.protocol import Bot
from gramy.cards import lowest
from gramy.contract import View
from gramy.games.gra.rules import NO_BID, VALUES, Bid, higher
from gramy.matches import Entry

Hits: TypeAlias = tuple[int, ...]
"""How many faces count for each value; position 0 is not used."""

Claim: TypeAlias = tuple[int, int] | None
"""A bid as its number and value, or None: that the standing bid does not hold."""

RISING = range(1, VALUES + 1)
WAYS = ("left", "right")


class Round(NamedTuple):
    """What everybody knows of a round that is on. Who bid is told apart; its opening matters for the jokers alone."""

    bid: Bid
    most: int
    quantity_first: bool
    jokers: bool


def the_round(view: View) -> Round:
    """The round as a view shows it."""
    board = view.board
    bid = Bid(board.bid.number, board.bid.value, 0, 0) if board.bid else NO_BID
    return Round(bid, board.in_play, view.options["bid_order"] == "quantity_first", board.ones_are_jokers)


def hits(faces: Sequence[int], jokers: bool) -> Hits:
    """How many faces count for each value."""
    ones = faces.count(1)
    return (0, ones, *(faces.count(value) + (ones if jokers else 0) for value in RISING[1:]))


@cache
def at_least(number: int, cards: int, jokers: bool) -> float:
    """The chance of so many hits among unknown cards, if each is turned to the value whenever it has it: 5 of the 15
    pairs have a value, 9 of 15 it or a one."""
    chance = 9 / 15 if jokers else 5 / 15
    exactly = [comb(cards, hit) * chance**hit * (1 - chance) ** (cards - hit) for hit in range(cards + 1)]
    return sum(exactly[number:]) if number > 0 else 1.0


def likely(now: Round, number: int, value: int, own: Hits, unknown: int) -> float:
    """The chance that a bid holds."""
    return at_least(number - own[value], unknown, now.jokers and value != 1)


@lru_cache(1 << 12)
def least_raises(now: Round) -> list[tuple[int, int]]:
    """The lowest bid on each value, as number and value, in the order of bids."""
    rows = ((value, higher(now.bid, value, now.most, now.quantity_first)) for value in RISING)
    raises = [(lowest(row), value) for value, row in rows if row]
    return sorted(raises) if now.quantity_first else raises


@lru_cache(1 << 16)
def likeliest(now: Round, own: Hits, unknown: int) -> Claim:
    """The claim that is most likely true. An opening is as high as it is certain."""
    if now.bid.number == 0:
        certain = [(own[value], value) for value in RISING if own[value]]
        return max(certain) if now.quantity_first else certain[-1]
    best, claim = 1 - likely(now, now.bid.number, now.bid.value, own, unknown), None
    for number, value in least_raises(now):
        chance = likely(now, number, value, own, unknown)
        if chance > best + 1e-9:
            best, claim = chance, (number, value)
    return claim


def written(view: View, claim: Claim, way: str) -> str:
    """A claim as the offered move, with the direction where one must be named."""
    if claim is None:
        return "check"
    text = f"bid {claim[0]}x{claim[1]}"
    return text if text in view.moves else f"{text} {way}"


def favourite(view: View, move: str) -> float:
    """How good a choice of faces is: as many as possible of one value, rather of a high one."""
    faces = [int(word) for word in move.split()[1:]]
    own = hits(faces, view.options["jokers"] == "on")
    return max(own[value] + value / 10 for value in faces)


@dataclass(frozen=True)
class Naive(Bot):
    """Makes the likeliest claim and nothing else: never bluffs, and believes nobody."""

    def choose(self, view: View, history: tuple[Entry, ...], rng: random.Random, budget: float) -> str:
        if view.board.phase == "choosing":
            return max(view.moves, key=lambda move: favourite(view, move))
        now, faces = the_round(view), view.board.hand.faces
        claim = likeliest(now, hits(faces, now.jokers), now.most - len(faces))
        return written(view, claim, rng.choice(WAYS))


@dataclass(frozen=True)
class Beginner(Bot):
    """Likes its own numbers and believes others for long: checks only what seems very unlikely. Now and then it bluffs,
    which is to say that it bids one more than it should, or it does whatever comes to mind."""

    doubt: float
    liking: float
    bluff: float
    stray: float

    def choose(self, view: View, history: tuple[Entry, ...], rng: random.Random, budget: float) -> str:
        straying = rng.random() < self.stray
        if view.board.phase == "choosing":
            return rng.choice(view.moves) if straying else max(view.moves, key=lambda move: favourite(view, move))
        now, faces = the_round(view), view.board.hand.faces
        own, unknown = hits(faces, now.jokers), now.most - len(faces)
        raises = least_raises(now)
        if straying:
            claims: list[Claim] = [None, *raises] if now.bid.number else [*raises]
            return written(view, rng.choice(claims), rng.choice(WAYS))
        if not raises or (now.bid.number and likely(now, now.bid.number, now.bid.value, own, unknown) < self.doubt):
            return "check"
        looks = [
            (likely(now, *claim, own, unknown) + self.liking * own[claim[1]], rng.random(), claim) for claim in raises
        ]
        _, _, (number, value) = max(looks)
        more = number < now.most and rng.random() < self.bluff
        return written(view, (number + more, value), rng.choice(WAYS))


class Said(NamedTuple):
    """A bid as it stands in the history."""

    seat: int
    number: int
    value: int


def bids(history: tuple[Entry, ...]) -> list[Said]:
    """What was bid in this round, the opening first."""
    lines = takewhile(lambda entry: entry.text != "check", reversed(history))
    said = [(entry.seat, entry.text.split()[1].split("x")) for entry in lines if entry.text.startswith("bid")]
    return [Said(seat, int(number), int(value)) for seat, (number, value) in reversed(said)]


NAIVE = Naive()
EASY = Beginner(doubt=0.05, liking=0.3, bluff=0.6, stray=0.7)
MEDIUM = Beginner(doubt=0.15, liking=0.2, bluff=0.15, stray=0.45)
FEELING = Beginner(doubt=0.15, liking=0.2, bluff=0.15, stray=0.2)
"""What a hard bot goes by when it does not think."""
