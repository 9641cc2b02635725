"""Statistics: the coverage of intervals, the error rate of sequential tests, and ratings recovered from results."""

import random

import pytest

import gramy
from gramy.arena import Comparison, MatchResult, arrange, parse_entrant
from gramy.arena.figures import Sprt, difference, win_share
from gramy.arena.rating import ratings

SEED = 1_912


def pairs(chance: float, correlation: float, deals: int, rng: random.Random) -> list[float]:
    """Return scores of deals with two matches each; the second repeats the first with this probability."""
    scores = []
    for _ in range(deals):
        first = rng.random() < chance
        second = first if rng.random() < correlation else rng.random() < chance
        scores.append((first + second) / 2)
    return scores


@pytest.mark.parametrize(("chance", "correlation"), [(0.5, 0.0), (0.5, 0.9), (0.9, 0.5), (0.98, 0.0), (0.25, 0.3)])
def test_the_interval_contains_the_true_share_in_95_of_100_cases(chance: float, correlation: float) -> None:
    rng = random.Random(SEED)
    found = [win_share(pairs(chance, correlation, 100, rng), 2) for _ in range(1000)]
    contained = sum(low <= chance <= high for _, low, high in found)
    assert contained >= 930


def test_correlated_matches_make_a_wider_interval() -> None:
    rng = random.Random(SEED)
    loose, tied = (win_share(pairs(0.6, correlation, 400, rng), 2) for correlation in (0.0, 1.0))
    assert 1.3 < (tied.high - tied.low) / (loose.high - loose.low) < 1.55


def test_equal_deals_have_a_wide_interval_if_few_and_a_narrow_one_if_many() -> None:
    assert win_share([0.5] * 2, 2).high > 0.75
    assert win_share([0.5] * 1000, 2).high < 0.51
    assert win_share([1.0] * 3, 2).low < 0.5
    assert win_share([1.0], 2).high == 1


def test_a_difference_on_the_same_deals_has_a_narrower_interval_than_its_parts() -> None:
    rng = random.Random(SEED)
    ones = pairs(0.5, 1.0, 300, rng)
    others = [one if rng.random() < 0.9 else 0.0 for one in ones]
    mean, low, high = difference(ones, others)
    assert low < mean < high
    assert high - low < win_share(ones, 1).high - win_share(ones, 1).low


@pytest.mark.parametrize(("chance", "right"), [(0.5, 0.5), (0.6, 0.6), (0.4, 0.5), (0.8, 0.6)])
def test_a_sequential_test_is_rarely_wrong_and_ends_early(chance: float, right: float) -> None:
    rng = random.Random(SEED)
    test, verdicts, lengths = Sprt(0.5, 0.6), [], []
    for _ in range(100):
        scores = pairs(chance, 0.0, 1000, rng)
        ended = next(number for number in range(1, 1001) if test.decided(scores[:number], 2) is not None)
        verdicts.append(test.decided(scores[:ended], 2))
        lengths.append(ended)
    assert verdicts.count(right) >= 90
    assert sum(lengths) / 100 < 150


def test_ratings_are_recovered_from_matches_of_any_size() -> None:
    rng = random.Random(SEED)
    names = ["random", "easy", "medium", "naive"]
    truth = [0.0, 100.0, 200.0, -150.0]
    for players in (2, 3):
        game = gramy.game("gra", players=players)
        setting = arrange(game, [parse_entrant(name) for name in names], players=players)
        results = []
        for deal in range(400):
            for seating in setting.seatings:
                weights = [10 ** (truth[who] / 400) for who in seating]
                winner = rng.choices(range(players), weights)[0]
                results.append(MatchResult(deal, seating, (winner,), "won", 1))
        for expected, (mean, low, high) in zip(truth, ratings(Comparison(setting, tuple(results))), strict=True):
            assert mean == pytest.approx(expected, abs=40)
            assert low <= mean <= high
            assert high - low < 80


def test_a_bot_that_always_wins_has_a_finite_rating_and_a_wide_interval() -> None:
    setting = arrange(gramy.game("gra"), [parse_entrant("medium"), parse_entrant("random")])
    results = [
        MatchResult(deal, seating, (seating.index(0),), "won", 1) for deal in range(20) for seating in setting.seatings
    ]
    best, worst = ratings(Comparison(setting, tuple(results)))
    assert best == (0, 0, 0)
    assert -2000 < worst.mean < -400
    assert worst.high - worst.low > 400
