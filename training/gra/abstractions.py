"""The abstraction of each round, and how far its strategy is computed. The sizes were found by experiments."""

from __future__ import annotations

from typing import NamedTuple

from gramy.bots.gra.abstraction import Abstraction, TwoPlayerRound
from gramy.bots.gra.bid_tree import OPENER, RESPONDER
from gramy.games.gra.rules import FULL, VALUES


def abstraction_of(round: TwoPlayerRound, seat: int) -> Abstraction:
    """Return the abstraction in which the strategy of a seat is computed."""
    opener, responder, cards = round.opener_cards, round.responder_cards, round.cards_in_play
    if round.quantity_first:
        if cards > 4:
            max_number, jump = (5, 1) if seat == OPENER or cards > 5 else (4, 2)
            return Abstraction(round, seat, VALUES, max_number, 2, jump, recall_size=2 if seat == OPENER else 1)
        jump = 2 if cards == 4 else seat + 1 if cards < 4 else 1 - seat  # larger ones do not fit into memory
        return Abstraction(round, seat, VALUES, cards, 3 if cards == 2 else 2, jump, recall_size=2)
    if round.jokers:
        after_one = (cards + 4) // 2 if seat == OPENER and cards > 4 else 0
        return Abstraction(round, seat, 2 if cards <= 4 else 1, min(cards, 9), cards, cards, FULL, after_one)
    if opener == 1 or (responder == 1 and opener <= 3):
        high_values = 3 if (opener, responder, seat) == (1, 1, RESPONDER) else 2
        max_number = 4 if seat == RESPONDER else min(cards, 5)
        max_bids = 3 if (opener, responder) == (1, 5) else 2
        if cards <= 4 or seat == OPENER:
            max_bids = cards
        return Abstraction(round, seat, high_values, min(cards, max_number), max_bids, cards, FULL)
    return Abstraction(round, seat, 1, min(cards, 7), cards, cards, FULL)


class Training(NamedTuple):
    """How the strategy of a large round is computed.

    While the unrestricted seat learns, it knows of its hand what it shows and the cards with `opponent_values`; None:
    all of it.
    """

    iterations: int
    opponent_values: tuple[int, ...] | None


def training_of(round: TwoPlayerRound, seat: int) -> Training | None:
    """Return how the strategy of a seat is computed; None if until the target exploitability is reached."""
    if not round.quantity_first or round.cards_in_play <= 4:
        return None
    opponent_cards = round.responder_cards if seat == OPENER else round.opener_cards
    if opponent_cards <= 2:
        return Training(300 if round.cards_in_play == 5 else 150, None)
    if opponent_cards == 3 and (seat == OPENER or round.cards_in_play == 5):
        return Training(200 if seat == OPENER else 150, (4, 5, 6))
    return Training(150 if seat == OPENER else 80 if opponent_cards == 4 else 120, (5, 6))


def target_exploitability(round: TwoPlayerRound) -> float:
    """Return the exploitability in the abstraction at which the iterations stop."""
    if round.jokers:
        return 0.0005
    small = round.cards_in_play <= 4 or (round.opener_cards, round.responder_cards) == (3, 3)
    return 0.0002 if small else 0.001
