"""Who should start in Quick & Easy: how well a hand opens the piles, and what the others have said of theirs.

A hand opens well if it takes little of the room between the piles: a 1 or a 10, or two cards of one colour, of which
the second turns the pile back. Before the start every bot names its cards, so whoever opens best can take the start.
"""

from __future__ import annotations

from gramy.bots.protocol import seat_of
from gramy.bots.quick_easy.talk import statements, visible_state
from gramy.bots.quick_easy.turns import gap, turn_options
from gramy.cards import positions
from gramy.contract import View
from gramy.matches import Entry

WORST, BEST = 7.0, 12.0
"""The room that the worst and the best hand leave after the first turn, and a step for each card laid. They are a 5
with a 6, and a 1 with another card of its colour."""
ROOM = 11
"""The room before the first card."""
DEFERENCE = 0.5
"""The share of its eagerness that a bot keeps when another player has named a card that opens better."""


def opening_room(view: View) -> float:
    """Return the most room that the own hand can leave after the first turn, and a step for each card laid."""
    return max(gap(option.left.up, option.left.down) + option.left.laid for option in turn_options(visible_state(view)))


def stated_room(cards: int) -> float:
    """Return the room that the first turn of another seat leaves, on average over the cards that it may have named."""
    ranks = [card % 10 for card in positions(cards)]
    return ROOM - sum(min(rank, 9 - rank) for rank in ranks) / len(ranks)


def eagerness(view: View, history: tuple[Entry, ...], *, listens: bool) -> float:
    """Return how gladly a bot takes the start, from 0 to 1: by its own hand and, if it listens, by what was said."""
    own = opening_room(view)
    keen = (own - WORST) / (BEST - WORST)
    others = (cards for seat, cards in statements(history).cards.items() if seat != seat_of(view))
    if listens and any(stated_room(cards) > own for named in others for cards in named):
        return keen * DEFERENCE
    return keen
