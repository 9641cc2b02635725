"""Read what a bot of GRA needs from a view and a history: variant, score, own cards, and the bids of the round."""

from __future__ import annotations

from functools import cache
from itertools import takewhile
from operator import itemgetter
from typing import NamedTuple, TypeAlias

from gramy import games
from gramy.cards import from_positions, per_seat
from gramy.contract import View
from gramy.games.gra.rules import Options, Score, Variant, start
from gramy.matches import Entry
from gramy.options import choices, parse_options

Card: TypeAlias = tuple[int, int]
"""The two faces of a card, the lower one first."""

Action: TypeAlias = tuple[int, int]
"""A bid as its number and value, or CHECK."""

CHECK: Action = (0, 0)

OPTION_NAMES = tuple(choices(Options))
_option_words = itemgetter(*OPTION_NAMES)


class PastBid(NamedTuple):
    """A bid in the history."""

    seat: int
    number: int
    value: int


def variant_of(view: View) -> Variant:
    """Return the options of a view as the numbers that the rules use."""
    return _variant(*_option_words(view.options))


@cache
def _variant(*words: str) -> Variant:
    """Return the variant for the words of all options. Bots ask for it in every decision, so it is cached."""
    return start(parse_options(games.gra.RULES, dict(zip(OPTION_NAMES, words, strict=True)))).variant


def score_of(view: View) -> Score:
    """Return the score that a view shows."""
    board = view.board
    return Score(per_seat(board.sizes), from_positions(board.active), int(board.tie_break))


def own_cards(view: View) -> tuple[Card, ...]:
    """Return the cards in the hand of the view's seat."""
    return tuple((int(word[0]), int(word[1])) for word in view.board.hand.cards)


def bids_of_round(history: tuple[Entry, ...]) -> list[PastBid]:
    """Return the bids of the current round, the opening bid first."""
    lines = takewhile(lambda entry: entry.text != "check", reversed(history))
    bids = [(entry.seat, *parse_bid(entry.text)) for entry in lines if entry.text.startswith("bid")]
    return [PastBid(*bid) for bid in reversed(bids)]


def parse_bid(move: str) -> Action:
    """Return the number and the value of a move such as `bid 3x4` or `bid 3x4 left`."""
    number, value = move.split()[1].split("x")
    return int(number), int(value)


def parse_faces(move: str) -> list[int]:
    """Return the faces of a move such as `choose 4 4 2`."""
    return [int(word) for word in move.split()[1:]]


def format_action(action: Action) -> str:
    """Return an action as a move, without a direction."""
    return "check" if action == CHECK else f"bid {action[0]}x{action[1]}"
