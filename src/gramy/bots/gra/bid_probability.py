"""The probability that a bid is true, under two simple models of the cards that a seat cannot see.

The binomial model takes unknown cards as independent, and turned to the value whenever they have it. Bots use it: it is
fast. The hypergeometric model counts the unseen cards exactly, and takes into account who has bid on the value. It is
for advice to people.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from math import comb
from typing import TypeAlias

from gramy.bots.gra.observation import Action, bids_of_round, own_cards, parse_bid, variant_of
from gramy.bots.protocol import seat_of
from gramy.contract import View
from gramy.games.gra.rules import PAIRS, VALUES
from gramy.matches import Entry

Hits: TypeAlias = tuple[int, ...]
"""The number of faces that count for each value; position 0 is not used."""

HIT_PROBABILITY = 5 / 15
"""5 of the 15 pairs of faces have a given value."""

JOKER_HIT_PROBABILITY = 9 / 15
"""9 of the 15 pairs of faces have a given value or a one."""


def count_hits(faces: Sequence[int], jokers: bool) -> Hits:
    """Return how many of the faces count for each value."""
    ones = faces.count(1)
    jokers_found = ones if jokers else 0
    return (0, ones, *[faces.count(value) + jokers_found for value in range(2, VALUES + 1)])


# --- the binomial model -----------------------------------------------------------------------------------------------


def binomial_tail(needed: int, cards: int, probability: float) -> float:
    """Return the probability of at least `needed` hits in independent trials."""
    return sum(comb(cards, k) * probability**k * (1 - probability) ** (cards - k) for k in range(needed, cards + 1))


@cache
def hit_probability(needed: int, cards: int, jokers: bool) -> float:
    """Return the probability of at least `needed` hits among unknown cards."""
    return binomial_tail(needed, cards, JOKER_HIT_PROBABILITY if jokers else HIT_PROBABILITY) if needed > 0 else 1.0


# --- the hypergeometric model -----------------------------------------------------------------------------------------


def bid_probability(view: View, history: tuple[Entry, ...], bid: Action) -> float:
    """Return the probability that a bid is true, given what the view's seat knows. The seat must have chosen its faces.

    Every unseen card is equally likely in each hand. A seat that has bid on the value in this round shows it on
    every card that has it (or a one, if ones are jokers). All other cards show either face with probability 1/2.
    The height of a bid changes nothing: neither bluffs nor especially good hands are modelled.
    """
    number, value = bid
    board, me, bids = view.board, seat_of(view), bids_of_round(history)
    opened = bids[0].value if bids else value
    jokers = variant_of(view).jokers == 1 and opened != 1 and value != 1
    counting = {1, value} if jokers else {value}
    own = count_hits(board.hand.faces, jokers)[value]
    unseen = [matching_faces(pair, counting) for pair in PAIRS for _ in range(2)]
    for card in own_cards(view):
        unseen.remove(matching_faces(card, counting))
    bidders = {past.seat for past in bids if past.value == value}
    turned = sum(board.sizes[seat] for seat in board.active if seat != me and seat in bidders)
    return hypergeometric_tail(
        number - own, (unseen.count(0), unseen.count(1), unseen.count(2)), turned, board.in_play - len(board.hand.cards)
    )


def claim_probabilities(view: View, history: tuple[Entry, ...]) -> dict[str, float]:
    """Return for each legal bid the probability that it is true, and for a check that the standing bid is false."""
    found: dict[str, float] = {}
    for move in view.moves:
        if move.startswith("bid"):
            found[move] = bid_probability(view, history, parse_bid(move))
        elif move == "check":
            found[move] = 1 - bid_probability(view, history, (view.board.bid.number, view.board.bid.value))
    return found


def matching_faces(pair: tuple[int, int], counting: set[int]) -> int:
    """Return how many faces of a card count."""
    return sum(face in counting for face in pair)


@cache
def hypergeometric_tail(needed: int, unseen: tuple[int, int, int], turned: int, drawn: int) -> float:
    """Return the probability of at least `needed` hits among the drawn cards.

    `unseen` has the number of cards on which no face counts, one face, or both. The first `turned` of the drawn cards
    show a face that counts whenever they have one. The others show either face with probability 1/2.
    """
    if needed <= 0:
        return 1.0
    none, one, both = unseen
    found = 0.0
    for certain in range(min(both, drawn) + 1):
        for possible in range(min(one, drawn - certain) + 1):
            ways = comb(both, certain) * comb(one, possible) * comb(none, drawn - certain - possible)
            if not ways:
                continue
            for shown in range(max(0, possible - (drawn - turned)), min(possible, turned) + 1):
                split = comb(turned, shown) * comb(drawn - turned, possible - shown) / comb(drawn, possible)
                free, missing = possible - shown, max(0, needed - certain - shown)
                coins = sum(comb(free, hits) for hits in range(missing, free + 1)) / 2**free
                found += ways * split * coins
    return found / comb(none + one + both, drawn)
