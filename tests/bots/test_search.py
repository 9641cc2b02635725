"""Sequential halving finds the best candidate, in the same deals for all, with the roll-outs that it was given."""

import random
from collections.abc import Sequence

import pytest

from gramy.bots.search import sequential_halving

SEED = 71


@pytest.mark.parametrize("candidates", [1, 2, 3, 7, 20, 33])
def test_all_remaining_candidates_are_rolled_out_in_the_same_new_deals(candidates: int) -> None:
    calls: list[tuple[int, int, int]] = []

    def roll_out(remaining: Sequence[int], first: int, deals: int) -> list[float]:
        calls.append((len(remaining), first, deals))
        return [float(deals * candidate) for candidate in remaining]

    ranking = sequential_halving(candidates, 1000, roll_out)
    assert ranking.order == tuple(reversed(range(candidates)))
    assert ranking.means == tuple(map(float, range(candidates)))
    assert 500 <= sum(remaining * deals for remaining, _, deals in calls) <= 1000
    assert [first for _, first, _ in calls] == [sum(call[2] for call in calls[:at]) for at in range(len(calls))]


def test_the_best_of_many_is_found_through_noise() -> None:
    def roll_out(remaining: Sequence[int], first: int, deals: int) -> list[float]:
        rngs = [random.Random(f"{SEED} {deal}") for deal in range(first, first + deals)]
        shared = sum(rng.random() for rng in rngs)
        return [shared + sum(rng.random() for rng in rngs) + deals * (0.2 if one == 13 else 0.0) for one in remaining]

    assert sequential_halving(24, 4000, roll_out).order[0] == 13


def test_every_candidate_is_rolled_out_once_even_without_roll_outs_to_spend() -> None:
    ranking = sequential_halving(3, 0, lambda remaining, first, deals: [float(-one) for one in remaining])
    assert ranking.order == (0, 1, 2)


def test_a_prior_counts_as_many_roll_outs_as_its_weight() -> None:
    def roll_out(remaining: Sequence[int], first: int, deals: int) -> list[float]:
        return [deals * 0.6 if candidate else 0.0 for candidate in remaining]

    light, heavy = (sequential_halving(2, 4, roll_out, (1.0, 0.0), weight) for weight in (1.0, 6.0))
    assert light.order == (1, 0)
    assert light.means == pytest.approx((1 / 3, 1.2 / 3))
    assert heavy.order == (0, 1)
    assert heavy.means == pytest.approx((6 / 8, 1.2 / 8))
