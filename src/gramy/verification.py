"""Checks of a recorded deal: each says what it found, as a message for people."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from gramy.contract import DEALER
from gramy.fair import NO_COMMITMENT, Deal, Exchange, client_commitment, first_unfair
from gramy.matches import Match
from gramy.messages import Message

OK, NOTE, UNKNOWN, FAILED = "ok", "note", "unknown", "failed"
"""The results of a check. NOTE: it passed, and there is something to know. UNKNOWN: nothing to compare with."""


class Check(NamedTuple):
    """One check: its result, and the sentence about it."""

    state: str
    message: Message


def checks(match: Match, deal: Deal, commitment: str | None = None) -> list[Check]:
    """Return all checks of a match and its deal. `commitment` is what the server showed before the deal."""
    found = [_server_seed(deal, commitment), _list(deal)]
    if deal.exchange is not None:
        found += [_reveals(deal, deal.exchange), _voids(deal.exchange)]
    return [*found, _cards(match, deal)]


def _server_seed(deal: Deal, commitment: str | None) -> Check:
    state = UNKNOWN if commitment is None else OK if commitment == deal.commitment else FAILED
    return Check(state, Message("check_server_seed", {"state": state}))


def _list(deal: Deal) -> Check:
    if deal.exchange is None:
        return Check(NOTE, Message("check_list", {"case": "one_phase"}))
    if not any(deal.client_seeds):
        return Check(NOTE, Message("check_list", {"case": "nobody"}))
    without = [seat for seat, one in enumerate(deal.exchange.commitments) if one == NO_COMMITMENT]
    if without:
        return Check(NOTE, Message("check_list", {"case": "without", "seats": without}))
    return Check(OK, Message("check_list", {"case": "ok"}))


def _reveals(deal: Deal, exchange: Exchange) -> Check:
    wrong = [
        *_wrong_reveals(exchange, exchange.attempt, deal.commitment, exchange.commitments, deal.client_seeds),
        *deal.missing_reveals,
    ]
    if wrong:
        return Check(FAILED, Message("check_reveals", {"case": "failed", "seat": wrong[0]}))
    return Check(OK, Message("check_reveals", {"case": "ok"}))


def _voids(exchange: Exchange) -> Check:
    for attempt, void in enumerate(exchange.voids, 1):
        wrong = _wrong_reveals(exchange, attempt, void.commitment, void.commitments, void.client_seeds)
        if wrong or not void.withheld:
            return Check(FAILED, Message("check_voids", {"state": FAILED}))
    withheld = [seat for void in exchange.voids for seat in void.withheld]
    state = NOTE if withheld else OK
    return Check(state, Message("check_voids", {"state": state, "seats": withheld}))


def _wrong_reveals(
    exchange: Exchange, attempt: int, commitment: str, commitments: Sequence[str], client_seeds: Sequence[str]
) -> list[int]:
    """Return the seats whose client seed is not the one that they committed to."""
    place = exchange.table, exchange.round, attempt
    return [
        seat
        for seat, seed in enumerate(client_seeds)
        if seed and commitments[seat] != client_commitment(*place, seat, commitment, seed)
    ]


def _cards(match: Match, deal: Deal) -> Check:
    if (line := first_unfair(match, deal)) is not None:
        return Check(FAILED, Message("check_cards", {"state": FAILED, "line": line + 1}))
    deals = sum(entry.seat == DEALER for entry in match.log)
    return Check(OK, Message("check_cards", {"state": OK, "deals": deals}))
