"""Sequential halving finds the best candidate, in the same worlds for all, with the trials it was given."""

import random
from collections.abc import Sequence

import pytest

from gramy.bots.search import halving

SEED = 71


@pytest.mark.parametrize("candidates", [1, 2, 3, 7, 20, 33])
def test_all_candidates_left_are_tried_in_the_same_new_worlds(candidates: int) -> None:
    calls: list[tuple[int, int, int]] = []

    def trial(tried: Sequence[int], first: int, worlds: int) -> list[float]:
        calls.append((len(tried), first, worlds))
        return [float(worlds * candidate) for candidate in tried]

    ranking = halving(candidates, 1000, trial)
    assert ranking.order == tuple(reversed(range(candidates)))
    assert ranking.means == tuple(map(float, range(candidates)))
    assert 500 <= sum(tried * worlds for tried, _, worlds in calls) <= 1000
    assert [first for _, first, _ in calls] == [sum(call[2] for call in calls[:at]) for at in range(len(calls))]


def test_the_best_of_many_is_found_through_noise() -> None:
    def trial(tried: Sequence[int], first: int, worlds: int) -> list[float]:
        luck = [random.Random(f"{SEED} {world}") for world in range(first, first + worlds)]
        shared = sum(rng.random() for rng in luck)
        return [shared + sum(rng.random() for rng in luck) + worlds * (0.2 if one == 13 else 0.0) for one in tried]

    assert halving(24, 4000, trial).order[0] == 13


def test_candidates_are_tried_once_even_without_trials_to_spend() -> None:
    assert halving(3, 0, lambda tried, first, worlds: [float(-one) for one in tried]).order == (0, 1, 2)


def test_a_guess_counts_as_the_trials_it_is_trusted_like() -> None:
    def trial(tried: Sequence[int], first: int, worlds: int) -> list[float]:
        return [worlds * 0.6 if candidate else 0.0 for candidate in tried]

    doubted, trusted = (halving(2, 4, trial, (1.0, 0.0), trust) for trust in (1.0, 6.0))
    assert doubted.order == (1, 0)
    assert doubted.means == pytest.approx((1 / 3, 1.2 / 3))
    assert trusted.order == (0, 1)
    assert trusted.means == pytest.approx((6 / 8, 1.2 / 8))
