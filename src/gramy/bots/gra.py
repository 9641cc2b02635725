"""Plain players of GRA: how likely is it that a bid holds, given one's own faces and what others have bid?

Nobody reckons with cards that a seat cannot see: what the others hold is left to chance, or imagined many times over
from the cards that are not in the own hand.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import takewhile
from math import comb
from typing import NamedTuple, TypeAlias

from gramy.cards import lowest
from gramy.game import View
from gramy.games.gra.rules import NO_BID, PAIRS, VALUES, Bid, following, higher
from gramy.match import Entry

Hits: TypeAlias = tuple[int, ...]
"""How many faces count for each value; position 0 is not used."""

RISING = range(1, VALUES + 1)


class Round(NamedTuple):
    """What everybody knows of a round that is on."""

    bid: Bid
    most: int
    quantity_first: bool
    jokers: bool


def the_round(view: View) -> Round:
    """The round as the view shows it; the value that it was opened on matters only for the jokers."""
    board = view.board
    bid = Bid(*board.bid, 0) if board.bid else NO_BID
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
    chances = (comb(cards, hit) * chance**hit * (1 - chance) ** (cards - hit) for hit in range(max(0, number), cards + 1))
    return sum(chances) if number > 0 else 1.0


def holds(now: Round, number: int, value: int, own: Hits, unknown: int) -> float:
    """The chance that a bid holds."""
    return at_least(number - own[value], unknown, now.jokers and value != 1)


def least_raises(now: Round) -> list[tuple[int, int]]:
    """The lowest bid on each value, as number and value, in the order of bids."""
    rows = ((value, higher(now.bid, value, now.most, now.quantity_first)) for value in RISING)
    raises = [(lowest(row), value) for value, row in rows if row]
    return sorted(raises) if now.quantity_first else raises


def likeliest(now: Round, own: Hits, unknown: int) -> tuple[int, int] | None:
    """The claim that is most likely true: a bid as number and value, or None: that the standing one does not hold. An
    opening is as high as it is certain."""
    if now.bid.number == 0:
        certain = [(own[value], value) for value in RISING if own[value]]
        return max(certain) if now.quantity_first else certain[-1]
    best, claim = 1 - holds(now, now.bid.number, now.bid.value, own, unknown), None
    for number, value in least_raises(now):
        chance = holds(now, number, value, own, unknown)
        if chance > best + 1e-9:
            best, claim = chance, (number, value)
    return claim


def written(view: View, claim: tuple[int, int] | None, rng: random.Random) -> str:
    """A claim as the offered move; where a direction must be named, any."""
    if claim is None:
        return "check"
    text = f"bid {claim[0]}x{claim[1]}"
    return rng.choice([move for move in view.moves if move.partition(" ")[2].split()[:1] == text.split()[1:]])


def favourite(view: View, move: str) -> float:
    """How good a choice of faces is: as many as possible of one value, rather of a high one."""
    faces = [int(word) for word in move.split()[1:]]
    own = hits(faces, view.options["jokers"] == "on")
    return max(own[value] + value / 10 for value in faces)


@dataclass(frozen=True)
class Naive:
    """Makes the likeliest claim and nothing else: never bluffs, and believes nobody."""

    def choose(self, view: View, history: tuple[Entry, ...], rng: random.Random, budget: float) -> str:
        if view.board.phase == "choosing":
            return max(view.moves, key=lambda move: favourite(view, move))
        now, faces = the_round(view), view.board.hand.faces
        return written(view, likeliest(now, hits(faces, now.jokers), now.most - len(faces)), rng)

    def say(self, view: View, history: tuple[Entry, ...], rng: random.Random) -> tuple[str, ...]:
        return ()


@dataclass(frozen=True)
class Beginner:
    """Likes its own numbers and believes others for long: checks only what seems very unlikely; bluffs now and then."""

    doubt: float
    liking: float
    bluff: float

    def choose(self, view: View, history: tuple[Entry, ...], rng: random.Random, budget: float) -> str:
        if view.board.phase == "choosing":
            return max(view.moves, key=lambda move: (favourite(view, move), rng.random()))
        now, faces = the_round(view), view.board.hand.faces
        own, unknown = hits(faces, now.jokers), now.most - len(faces)
        raises = least_raises(now)
        if not raises or (now.bid.number and holds(now, now.bid.number, now.bid.value, own, unknown) < self.doubt):
            return "check"
        liking = 0.0 if rng.random() < self.bluff else self.liking
        looks = [(holds(now, *claim, own, unknown) + liking * own[claim[1]], rng.random(), claim) for claim in raises]
        return written(view, max(looks)[2], rng)

    def say(self, view: View, history: tuple[Entry, ...], rng: random.Random) -> tuple[str, ...]:
        return ()


class World(NamedTuple):
    """One way the faces may lie: everybody's hits, with jokers and without, and how well it explains the bids."""

    wild: dict[int, Hits]
    plain: dict[int, Hits]
    weight: float


@dataclass(frozen=True)
class Thinker:
    """Imagines what the others may hold, the likelier the better it explains their bids, and how the round would go on
    after each bid if everybody then made the likeliest claim."""

    worlds: int
    trust: float
    aside: float

    def choose(self, view: View, history: tuple[Entry, ...], rng: random.Random, budget: float) -> str:
        if view.board.phase == "choosing":
            return max(view.moves, key=lambda move: (favourite(view, move), rng.random()))
        now = the_round(view)
        worlds = [self._imagine(view, history, rng) for _ in range(self.worlds)]
        claims: list[tuple[int, int] | None] = [*self._candidates(now)]
        step = 1 if view.board.way == "left" else -1
        if now.bid.number:
            claims.append(None)
        worth = [(sum(world.weight * self._goes(view, now, claim, step, world) for world in worlds), claim) for claim in claims]
        return written(view, max(worth, key=lambda pair: pair[0])[1], rng)

    def say(self, view: View, history: tuple[Entry, ...], rng: random.Random) -> tuple[str, ...]:
        return ()

    def _candidates(self, now: Round) -> list[tuple[int, int]]:
        """The two lowest bids on every value."""
        return [(number + more, value) for number, value in least_raises(now) for more in (0, 1) if number + more <= now.most]

    def _imagine(self, view: View, history: tuple[Entry, ...], rng: random.Random) -> World:
        board = view.board
        jokers = view.options["jokers"] == "on"
        unseen = [pair for pair in PAIRS for _ in range(2)]
        for word in board.hand.cards:
            unseen.remove((int(word[0]), int(word[1])))
        rng.shuffle(unseen)
        faces = {}
        for seat in board.active:
            faces[seat] = list(board.hand.faces) if seat == view.seat else turned([unseen.pop() for _ in range(board.sizes[seat])], jokers, rng)
        wild = {seat: hits(some, board.ones_are_jokers) for seat, some in faces.items()}
        plain = {seat: hits(some, False) for seat, some in faces.items()}
        weight = 1.0
        for seat, value in bids(history):
            if seat != view.seat and not wild[seat][value]:
                weight *= 1 - self.trust
        return World(wild, plain, weight)

    def _goes(self, view: View, now: Round, claim: tuple[int, int] | None, step: int, world: World) -> float:
        """How the round ends for the seat: 1 won, 0 lost, in between when others lose it."""
        turn, bid, active = view.seat or 0, now.bid, sum(1 << seat for seat in view.board.active)
        me = turn
        if bid.number == 0 and claim is not None and claim[1] == 1:
            now = now._replace(jokers=False)
        known = world.wild if now.jokers else world.plain
        while claim is not None:
            bid = Bid(*claim, turn, 0)
            turn = following(turn, step, active)
            claim = likeliest(now._replace(bid=bid), known[turn], now.most - view.board.sizes[turn])
        true = sum(own[bid.value] for own in known.values()) >= bid.number
        winner, loser = (bid.bidder, turn) if true else (turn, bid.bidder)
        return 1.0 if me == winner else 0.0 if me == loser else self.aside


def turned(hand: list[tuple[int, int]], jokers: bool, rng: random.Random) -> list[int]:
    """A hand turned as most would: to the value that it has most of, the higher of equals; the rest anyhow."""
    best = max(RISING, key=lambda value: (sum(value in pair or (jokers and 1 in pair) for pair in hand), value))
    return [best if best in pair else 1 if jokers and 1 in pair else rng.choice(pair) for pair in hand]


def bids(history: tuple[Entry, ...]) -> set[tuple[int, int]]:
    """Who has bid on which value in this round."""
    lines = takewhile(lambda entry: entry.text != "check", reversed(history))
    return {(entry.seat, int(entry.text.split()[1][-1])) for entry in lines if entry.text.startswith("bid")}


NAIVE = Naive()
EASY = Beginner(doubt=0.2, liking=0.2, bluff=0.1)
MEDIUM = Thinker(worlds=40, trust=0.7, aside=0.9)
