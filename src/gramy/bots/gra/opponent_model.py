"""What the history of a match says about each opponent: whether it checks everything, nothing, or as most players do.

The history shows every bid and every check, and who opened the next round: the winner. Hands of earlier rounds are not
in it, and are not used. A profile is a Bayesian estimate over a few types of players.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import exp
from typing import NamedTuple

from gramy.bots.gra.belief import SEATS
from gramy.bots.gra.bid_probability import hit_probability
from gramy.bots.gra.observation import CHECK, Action, parse_bid, variant_of
from gramy.contract import View
from gramy.matches import Entry

ALWAYS_CHECKS, NEVER_CHECKS, HAND_FREE = 0.1, 0.1, 0.1
"""The prior probability that a player checks every bid, checks none, or bids without regard to its hand."""

SLIP = 0.03
"""How often such a player does something else."""

CHECK_WIDTH = 0.2
"""How gradually other players go from raising to checking as a bid gets less probable."""

FALSE_IF_REGULAR, FALSE_IF_HAND_FREE = 0.45, 0.7
"""How often a bid that is checked proves false, from a player that regards its hand and from one that does not."""

SURE = 0.9
"""From this probability on a player is taken to be of a type."""


class Profile(NamedTuple):
    """The probability that a player is of each type. The first two exclude each other."""

    always_checks: float = ALWAYS_CHECKS
    never_checks: float = NEVER_CHECKS
    hand_free: float = HAND_FREE

    @property
    def is_sure(self) -> bool:
        """Whether the player surely checks always, checks never, or bids without regard to its hand."""
        return max(self) >= SURE


class PastReply(NamedTuple):
    """A seat's answer to a bid, with the cards in play in that round."""

    seat: int
    standing: Action
    bidder: int
    reply: Action
    cards_in_play: int
    opened: int


class PastRound(NamedTuple):
    """A finished round: its last bid, who made and who checked it, and who opened the next round."""

    bidder: int
    checker: int
    winner: int | None


def replies(history: tuple[Entry, ...]) -> Iterator[PastReply]:
    """Return all answers to bids in a match, oldest first."""
    cards, opened = 0, 0
    standing, bidder = CHECK, 0
    for entry in history:
        verb, _, rest = entry.text.partition(" ")
        if verb == "deal" and not rest.startswith("first"):
            if standing != CHECK:  # the first deal after a check
                cards, standing = 0, CHECK
            cards += rest.count(" ") + 1
        elif verb in ("bid", "check"):
            reply = parse_bid(entry.text) if verb == "bid" else CHECK
            if standing == CHECK:
                opened = reply[1]
            else:
                yield PastReply(entry.seat, standing, bidder, reply, cards, opened)
            if verb == "bid":
                standing, bidder = reply, entry.seat


def finished_rounds(history: tuple[Entry, ...], turn: int) -> list[PastRound]:
    """Return the finished rounds of a match. `turn` opens the present round, if nobody has yet."""
    found: list[PastRound] = []
    bidder, waiting = 0, False
    for entry in history:
        if entry.text == "check":
            found.append(PastRound(bidder, entry.seat, None))
            waiting = True
        elif entry.text.startswith("bid"):
            if waiting:
                found[-1] = found[-1]._replace(winner=entry.seat)
            bidder, waiting = entry.seat, False
    if waiting:
        found[-1] = found[-1]._replace(winner=turn)
    return found


def check_rate(reply: PastReply, jokers: bool) -> float:
    """Return how often most players would check this bid, from what everybody knows."""
    number, value = reply.standing
    wild = jokers and reply.opened != 1 and value != 1
    plausible = hit_probability(number, reply.cards_in_play, wild)
    return 1 / (1 + exp((plausible - 0.5) / CHECK_WIDTH))


def profiles_seen(view: View, history: tuple[Entry, ...]) -> list[Profile]:
    """Return the profile of every seat of a table for six, as a seat or a spectator sees the match."""
    return profiles(history, view.board.turn, variant_of(view).jokers == 1, SEATS)


def profiles(history: tuple[Entry, ...], turn: int, jokers: bool, seats: int) -> list[Profile]:
    """Return the profile of every seat."""
    always, never, regular = (
        [start] * seats for start in (ALWAYS_CHECKS, NEVER_CHECKS, 1 - ALWAYS_CHECKS - NEVER_CHECKS)
    )
    for reply in replies(history):
        seat, checked = reply.seat, reply.reply == CHECK
        rate = check_rate(reply, jokers)
        always[seat] *= 1 - SLIP if checked else SLIP
        never[seat] *= SLIP if checked else 1 - SLIP
        regular[seat] *= rate if checked else 1 - rate
    hand_free, regards = [HAND_FREE] * seats, [1 - HAND_FREE] * seats
    for bidder, checker, winner in finished_rounds(history, turn):
        if winner == checker:
            hand_free[bidder] *= FALSE_IF_HAND_FREE
            regards[bidder] *= FALSE_IF_REGULAR
        elif winner == bidder:
            hand_free[bidder] *= 1 - FALSE_IF_HAND_FREE
            regards[bidder] *= 1 - FALSE_IF_REGULAR
    found = []
    for seat in range(seats):
        total = always[seat] + never[seat] + regular[seat]
        free = hand_free[seat] / (hand_free[seat] + regards[seat])
        found.append(Profile(always[seat] / total, never[seat] / total, free))
    return found
