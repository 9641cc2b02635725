"""Plain players of GRA: how likely is it that a bid holds, given one's own faces and what others have bid?

Nobody reckons with cards that a seat cannot see: what the others hold is left to chance, or imagined many times over
from the cards that are not in the own hand.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import takewhile
from math import comb
from typing import NamedTuple, TypeAlias

from gramy.bots.seat import seat_of
from gramy.cards import lowest, together
from gramy.game import View
from gramy.games.gra.rules import NO_BID, PAIRS, VALUES, Bid, following, higher
from gramy.match import Entry

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
class Naive:
    """Makes the likeliest claim and nothing else: never bluffs, and believes nobody."""

    def choose(self, view: View, history: tuple[Entry, ...], rng: random.Random, budget: float) -> str:
        if view.board.phase == "choosing":
            return max(view.moves, key=lambda move: favourite(view, move))
        now, faces = the_round(view), view.board.hand.faces
        claim = likeliest(now, hits(faces, now.jokers), now.most - len(faces))
        return written(view, claim, rng.choice(WAYS))

    def say(self, view: View, history: tuple[Entry, ...], rng: random.Random) -> tuple[str, ...]:
        return ()


@dataclass(frozen=True)
class Beginner:
    """Likes its own numbers and believes others for long: checks only what seems very unlikely. Now and then it bluffs,
    which is to say that it bids one more than it should."""

    doubt: float
    liking: float
    bluff: float

    def choose(self, view: View, history: tuple[Entry, ...], rng: random.Random, budget: float) -> str:
        if view.board.phase == "choosing":
            return max(view.moves, key=lambda move: (favourite(view, move), rng.random()))
        now, faces = the_round(view), view.board.hand.faces
        own, unknown = hits(faces, now.jokers), now.most - len(faces)
        raises = least_raises(now)
        if not raises or (now.bid.number and likely(now, now.bid.number, now.bid.value, own, unknown) < self.doubt):
            return "check"
        looks = [
            (likely(now, *claim, own, unknown) + self.liking * own[claim[1]], rng.random(), claim) for claim in raises
        ]
        _, _, (number, value) = max(looks)
        more = number < now.most and rng.random() < self.bluff
        return written(view, (number + more, value), rng.choice(WAYS))

    def say(self, view: View, history: tuple[Entry, ...], rng: random.Random) -> tuple[str, ...]:
        return ()


class World(NamedTuple):
    """One way in which the faces may lie: everybody's hits, with and without jokers, and how well it explains what was
    bid."""

    wild: dict[int, Hits]
    plain: dict[int, Hits]
    weight: float


@dataclass(frozen=True)
class Thinker:
    """Imagines what the others may hold, the likelier the better it explains their bids, and how the round would go on
    after each bid if everybody then made the likeliest claim."""

    worlds: int
    trust: float  # how much less likely a world is for each card that somebody lacks of his bid
    aside: float  # what it is worth when others lose the round to each other, between 0 (lost) and 1 (won)

    def choose(self, view: View, history: tuple[Entry, ...], rng: random.Random, budget: float) -> str:
        if view.board.phase == "choosing":
            return max(view.moves, key=lambda move: (favourite(view, move), rng.random()))
        now, jokers = the_round(view), view.options["jokers"] == "on"
        said = bids(history)
        worlds = [self._imagined(view, said, jokers, rng) for _ in range(self.worlds)]
        ways = WAYS if view.moves[0].endswith(WAYS) else (view.board.way,)
        worth = {
            written(view, claim, way): self._worth(view, now, claim, way, worlds)
            for claim in candidates(now, hits(view.board.hand.faces, now.jokers))
            for way in ways
        }
        return max(worth, key=lambda move: worth[move])

    def say(self, view: View, history: tuple[Entry, ...], rng: random.Random) -> tuple[str, ...]:
        return ()

    def _imagined(self, view: View, said: list[Said], jokers: bool, rng: random.Random) -> World:
        board = view.board
        unseen = [pair for pair in PAIRS for _ in range(2)]
        for word in board.hand.cards:
            unseen.remove((int(word[0]), int(word[1])))
        rng.shuffle(unseen)
        faces = {seat_of(view): list(board.hand.faces)}
        for seat in board.active:
            if seat != view.seat:
                faces[seat] = turned([unseen.pop() for _ in range(board.sizes[seat])], jokers, rng)
        plain = {seat: hits(shown, False) for seat, shown in faces.items()}
        wild = {seat: hits(shown, True) for seat, shown in faces.items()} if board.ones_are_jokers else plain
        lacking = sum(lack(view, bid, wild[bid.seat], at == 0) for at, bid in enumerate(said) if bid.seat != view.seat)
        return World(wild, plain, (1 - self.trust) ** lacking)

    def _worth(self, view: View, now: Round, claim: Claim, way: str, worlds: list[World]) -> float:
        """How a claim turns out over all worlds."""
        board, me = view.board, seat_of(view)
        step, active = 1 if way == "left" else -1, together(board.active)
        if now.bid.number == 0 and claim is not None and claim[1] == 1:
            now = now._replace(jokers=False)
        total = 0.0
        for world in worlds:
            own = world.wild if now.jokers else world.plain
            at, next_claim, turn, bidder = now, claim, me, board.bid.bidder if board.bid else me
            while next_claim is not None:
                at = Round(Bid(*next_claim, 0, 0), now.most, now.quantity_first, now.jokers)
                bidder, turn = turn, following(turn, step, active)
                next_claim = likeliest(at, own[turn], now.most - board.sizes[turn])
            true = sum(hit[at.bid.value] for hit in own.values()) >= at.bid.number
            winner, loser = (bidder, turn) if true else (turn, bidder)
            total += world.weight * (1.0 if me == winner else 0.0 if me == loser else self.aside)
        return total


def candidates(now: Round, own: Hits) -> list[Claim]:
    """What is worth a thought: a check, on every value the two lowest bids, and what one has of it and one more."""
    raises = [
        (number, value)
        for low, value in least_raises(now)
        for number in sorted({low, low + 1, own[value], own[value] + 1})
        if low <= number <= now.most
    ]
    return [None, *raises] if now.bid.number else [*raises]


def turned(hand: list[tuple[int, int]], jokers: bool, rng: random.Random) -> list[int]:
    """A hand turned as most would: to the value that it has most of, the higher of equals; the rest anyhow."""
    best = max(RISING, key=lambda value: (sum(value in pair or (jokers and 1 in pair) for pair in hand), value))
    return [best if best in pair else 1 if jokers and 1 in pair else rng.choice(pair) for pair in hand]


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


def lack(view: View, bid: Said, own: Hits, opening: bool) -> float:
    """By how many cards a bid goes beyond what its bidder has and may hope for: one opens on what one has. Raises tell
    less where the order of bids soon leaves nothing but high values."""
    if opening:
        return max(0, bid.number - own[bid.value])
    hoped: float = (view.board.in_play - view.board.sizes[bid.seat]) * (0.5 if view.board.ones_are_jokers else 0.3)
    return max(0.0, bid.number - own[bid.value] - hoped) * (1 if view.options["bid_order"] == "quantity_first" else 0.2)


NAIVE = Naive()
EASY = Beginner(doubt=0.1, liking=0.2, bluff=0.15)
MEDIUM = Thinker(worlds=40, trust=0.9, aside=0.9)
