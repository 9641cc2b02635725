"""How a round may go on: hands imagined from the cards that a seat cannot see, and everybody bidding on from there.

Written for both worlds, plain and compiled (`gramy.compiled`): whole numbers, floats and flat arrays. Players are
imagined as people are: most turn their cards to the value they have most of, make the claim that seems likeliest to
them, and are not always sure. The rules of the round are the game's own.
"""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence
from math import comb, exp
from typing import NamedTuple

from gramy.cards import lowest
from gramy.games.gra.rules import NO_BID, VALUES, Bid, following, higher
from gramy.playout import below, following_word

SEATS = 6
ROW = VALUES + 1
"""Faces of a seat: how many it shows of each value, from position 1 on."""

TRY = ROW + 3
"""A row of what is tried: own faces, and a move."""

DEEP = 32
"""Room for the number that a bid still lacks, in the table of chances."""

CALM, KEEN = 0.03, 0.12
"""How unsure players are when they bid on, and how unsure they are taken to have been when they bid."""

BLUFF = 0.03
"""How often a bid means nothing at all."""

PLAIN, HIGH = 200, 230
"""Of 256 hands so many are turned to their most frequent value, so many to that or each card to its higher face."""


class Scene(NamedTuple):
    """A round as a seat sees it. `number` and `value` stand, bid by `bidder`; zero before the opening."""

    me: int
    turn: int
    active: int
    step: int
    most: int
    quantity_first: int
    jokers: int
    wild: int  # whether ones still count for every value
    number: int
    value: int
    bidder: int


def chances() -> list[float]:
    """The chance of at least so many hits among unknown cards: [jokers][unknown cards][number]. Each card is taken to
    be turned to the value whenever it has it: 5 of the 15 pairs have a value, 9 of 15 it or a one."""
    table = []
    for hit in (5 / 15, 9 / 15):
        for unknown in range(DEEP):
            for number in range(DEEP):
                ways = (comb(unknown, k) * hit**k * (1 - hit) ** (unknown - k) for k in range(number, unknown + 1))
                table.append(sum(ways))
    return table


def shows(faces: Sequence[int], seat: int, value: int, wild: int) -> int:
    """How many faces of a seat count for a value."""
    ones = faces[seat * ROW + 1] if wild and value != 1 else 0
    return faces[seat * ROW + value] + ones


def credible(
    faces: Sequence[int], seat: int, number: int, value: int, wild: int, unknown: int, odds: Sequence[float]
) -> float:
    """How likely a bid seems to a seat that believes nobody."""
    need = max(0, number - shows(faces, seat, value, wild))
    return odds[((wild if value != 1 else 0) * DEEP + unknown) * DEEP + need]


def imagine(
    scene: Scene, sizes: Sequence[int], unseen: MutableSequence[int], faces: MutableSequence[int], word: int
) -> int:
    """Deal the unseen cards to the other seats and turn them; the next random word."""
    left = len(unseen)
    for seat in range(SEATS):
        if seat == scene.me or not scene.active >> seat & 1:
            continue
        base = seat * ROW
        for at in range(base, base + ROW):
            faces[at] = 0
        top = left
        for _ in range(sizes[seat]):  # the drawn cards gather behind the ones that are left
            word = following_word(word)
            at = below(word, left)
            left -= 1
            unseen[at], unseen[left] = unseen[left], unseen[at]
        best, record = 0, -1
        for value in range(1, ROW):
            found = 0
            for at in range(left, top):
                low, high = unseen[at] // 8, unseen[at] % 8
                found += int(low == value or high == value or (scene.jokers == 1 and low == 1))
            if found >= record:
                best, record = value, found
        word = following_word(word)
        manner = below(word, 256)
        for at in range(left, top):
            low, high = unseen[at] // 8, unseen[at] % 8
            word = following_word(word)
            face = high if below(word, 2) else low
            if manner < PLAIN:
                if low == best or high == best:
                    face = best
                elif scene.jokers and low == 1:
                    face = 1
            elif manner < HIGH:
                face = high
            faces[base + face] += 1
    return word


def explained(
    scene: Scene, sizes: Sequence[int], faces: Sequence[int], said: Sequence[int], odds: Sequence[float]
) -> float:
    """How well these faces explain what the others have bid; `said` is seat, number, value, seat, ..."""
    weight = 1.0
    bid = NO_BID
    for at in range(0, len(said), 3):
        seat, number, value = said[at], said[at + 1], said[at + 2]
        if seat != scene.me:
            if bid.number == 0:
                lack = max(0, number - shows(faces, seat, value, scene.wild))
                weight *= BLUFF + (1 - BLUFF) * 0.15**lack
            else:
                weight *= BLUFF + (1 - BLUFF) * liking(scene, sizes, faces, seat, bid, number, value, odds)
        bid = Bid(number, value, seat, 0)
    return weight


def liking(
    scene: Scene,
    sizes: Sequence[int],
    faces: Sequence[int],
    seat: int,
    bid: Bid,
    number: int,
    value: int,
    odds: Sequence[float],
) -> float:
    """The chance that a seat answers a bid by this one rather than by a check or the lowest bid on another value."""
    unknown = scene.most - sizes[seat]
    this = exp(credible(faces, seat, number, value, scene.wild, unknown, odds) / KEEN)
    others = exp((1 - credible(faces, seat, bid.number, bid.value, scene.wild, unknown, odds)) / KEEN)
    for other in range(1, ROW):
        row = higher(bid, other, scene.most, scene.quantity_first)
        if row and other != value:
            others += exp(credible(faces, seat, lowest(row), other, scene.wild, unknown, odds) / KEEN)
    return this / (this + others)


def opening(scene: Scene, faces: Sequence[int], seat: int) -> tuple[int, int]:
    """The highest bid that is certain for a seat, as people open."""
    number, value = 0, 0
    for other in range(1, ROW):
        found = faces[seat * ROW + other]
        if found and (found >= number or not scene.quantity_first):
            number, value = found, other
    return number, value


def answer(
    scene: Scene,
    sizes: Sequence[int],
    faces: Sequence[int],
    seat: int,
    bid: Bid,
    wild: int,
    odds: Sequence[float],
    word: int,
) -> tuple[int, int, int]:
    """What a seat does about a bid: number and value, or two zeros for a check; and the next random word."""
    unknown = scene.most - sizes[seat]
    total = exp((1 - credible(faces, seat, bid.number, bid.value, wild, unknown, odds)) / CALM)
    number, value = 0, 0
    for other in range(1, ROW):
        row = higher(bid, other, scene.most, scene.quantity_first)
        if row:
            least = lowest(row)
            share = exp(credible(faces, seat, least, other, wild, unknown, odds) / CALM)
            total += share
            word = following_word(word)
            if (word & 0xFFFFFFFF) * total < share * 4294967296.0:
                number, value = least, other
    return number, value, word


def end(
    scene: Scene,
    sizes: Sequence[int],
    faces: Sequence[int],
    number: int,
    value: int,
    step: int,
    odds: Sequence[float],
    word: int,
) -> tuple[int, int, int]:
    """Bid at the turn (check, if the number is 0) and play the round out: who won, who lost, the next random word."""
    seat, bid, wild = scene.turn, Bid(scene.number, scene.value, scene.bidder, 0), scene.wild
    if bid.number == 0 and value == 1:
        wild = 0
    while number:
        bid = Bid(number, value, seat, 0)
        seat = following(seat, step, scene.active)
        number, value, word = answer(scene, sizes, faces, seat, bid, wild, odds, word)
    found = 0
    for other in range(SEATS):
        if scene.active >> other & 1:
            found += shows(faces, other, bid.value, wild)
    if found >= bid.number:
        return bid.bidder, seat, word
    return seat, bid.bidder, word


def rate(
    scene: Scene,
    sizes: Sequence[int],
    unseen: MutableSequence[int],
    faces: MutableSequence[int],
    said: Sequence[int],
    tries: Sequence[int],
    worth: Sequence[float],
    odds: Sequence[float],
    worlds: int,
    word: int,
    totals: MutableSequence[float],
) -> float:
    """Try everything in every imagined world. A try is a row: the own faces, then a move's number, value and step; the
    number -1 leaves the opening to whoever opens. What it was worth, by winner and loser, is added to its total; the
    sum of the worlds' weights comes back."""
    weights = 0.0
    base = scene.me * ROW
    for _ in range(worlds):
        word = imagine(scene, sizes, unseen, faces, word)
        weight = explained(scene, sizes, faces, said, odds)
        weights += weight
        for at in range(0, len(tries), TRY):
            for value in range(1, ROW):
                faces[base + value] = tries[at + value]
            number, value, step = tries[at + ROW], tries[at + ROW + 1], tries[at + ROW + 2]
            if number < 0:
                number, value = opening(scene, faces, scene.turn)
            winner, loser, word = end(scene, sizes, faces, number, value, step, odds, word)
            totals[at // TRY] += weight * worth[winner * SEATS + loser]
    return weights
