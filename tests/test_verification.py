"""Every check of a recorded deal passes for an honest one, and fails when its part of the record is changed."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

import gramy
from gramy import Match
from gramy.fair import Deal, Exchange, SeededDealer, VoidAttempt, client_commitment, seed_commitment, table_hash
from gramy.verification import FAILED, NOTE, OK, UNKNOWN, checks

TABLE, SEEDS, CLIENT_SEEDS = table_hash("k3v9x2mwqa7c"), ("first seed", "second seed"), ("ada", "bob")
SERVER_SEED, LIST, REVEALS, VOIDS, CARDS = range(5)


def commitments(attempt: int) -> tuple[str, ...]:
    commitment = seed_commitment(SEEDS[attempt - 1])
    return tuple(client_commitment(TABLE, 1, attempt, seat, commitment, CLIENT_SEEDS[seat]) for seat in (0, 1))


def honest_deal() -> Deal:
    """A deal at the second attempt: at the first one, seat 1 has withheld its client seed."""
    void = VoidAttempt(SEEDS[0], commitments(1), ("ada", ""))
    return Deal(SEEDS[1], CLIENT_SEEDS, Exchange(TABLE, 1, commitments(2), closed=True, voids=(void,)))


def played(deal: Deal) -> Match:
    match, rng = Match(gramy.game("face-to-face"), SeededDealer(deal), ["Ada", "Bob"]), random.Random(1)
    while match.outcome is None:
        match.play(rng.choice(match.view(match.to_act[0]).moves), match.to_act[0])
    return match


def with_exchange(deal: Deal, **changed: object) -> Deal:
    assert deal.exchange is not None
    return deal._replace(exchange=deal.exchange._replace(**changed))


def void_of(deal: Deal) -> VoidAttempt:
    assert deal.exchange is not None
    return deal.exchange.voids[0]


def test_an_honest_deal_passes_and_its_void_attempt_is_named() -> None:
    deal = honest_deal()
    found = checks(played(deal), deal, deal.commitment)
    assert [check.state for check in found] == [OK, OK, OK, NOTE, OK]
    assert found[VOIDS].message.values["seats"] == [1]
    assert checks(played(deal), deal)[SERVER_SEED].state == UNKNOWN


@pytest.mark.parametrize(
    ("part", "change"),
    [
        (SERVER_SEED, lambda deal: deal._replace(seed="another seed")),
        (REVEALS, lambda deal: deal._replace(client_seeds=("eve", "bob"))),
        (REVEALS, lambda deal: deal._replace(client_seeds=("ada", ""))),
        (REVEALS, lambda deal: with_exchange(deal, commitments=commitments(2)[::-1])),
        (REVEALS, lambda deal: with_exchange(deal, commitments=commitments(1))),
        (REVEALS, lambda deal: with_exchange(deal, round=2)),
        (VOIDS, lambda deal: with_exchange(deal, voids=(void_of(deal)._replace(client_seeds=("eve", "")),))),
        (VOIDS, lambda deal: with_exchange(deal, voids=(void_of(deal)._replace(client_seeds=CLIENT_SEEDS),))),
        (VOIDS, lambda deal: with_exchange(deal, voids=(void_of(deal)._replace(seed="another seed"),))),
        (CARDS, lambda deal: deal._replace(client_seeds=("eve", "bob"))),
        (CARDS, lambda deal: with_exchange(deal, table=table_hash("another"))),
    ],
)
def test_a_changed_part_of_the_record_fails_its_check(part: int, change: Callable[[Deal], Deal]) -> None:
    deal = honest_deal()
    assert checks(played(deal), change(deal), deal.commitment)[part].state == FAILED


def test_a_seat_without_a_random_number_is_named() -> None:
    alone = with_exchange(honest_deal(), commitments=(commitments(2)[0], "-"))._replace(client_seeds=("ada", ""))
    check = checks(played(alone), alone)[LIST]
    assert (check.state, check.message.values["seats"]) == (NOTE, [1])
