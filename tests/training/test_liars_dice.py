"""The solver of GRA on liar's dice: its bounds hold published values, which others computed by linear programming."""

from fractions import Fraction

import pytest

from training.gra.__main__ import main
from training.gra.liars_dice import PUBLISHED, Bounds, LiarsDice, dice_bidding, liars_dice_solver, value_bounds

SMALL = [game for game in PUBLISHED if game.opener_dice + game.responder_dice + game.sides < 8]


def bounds_of(game: LiarsDice, iterations: int) -> Bounds:
    solver = liars_dice_solver(game)
    solver.iterate(iterations)
    return value_bounds(solver)


@pytest.mark.parametrize("game", SMALL, ids=str)
def test_best_responses_enclose_the_published_value(game: LiarsDice) -> None:
    lower, upper = bounds_of(game, 200)
    assert lower <= PUBLISHED[game] <= upper
    assert upper - lower < 0.002


def test_the_bounds_exclude_the_misprint_for_dice_of_five_sides() -> None:
    lower, upper = bounds_of(LiarsDice(1, 1, 5, ones_wild=False), 200)
    assert lower <= Fraction(-3, 25) <= upper < Fraction(-3, 35)


def test_more_iterations_narrow_the_bounds() -> None:
    game = LiarsDice(2, 1, 3, ones_wild=True)
    few, many = bounds_of(game, 20), bounds_of(game, 200)
    assert few.lower < many.lower < many.upper < few.upper


def test_a_roll_of_two_dice_has_its_chance_and_counts_wild_ones() -> None:
    bidding = dice_bidding(LiarsDice(2, 1, 3, ones_wild=True))
    assert bidding.deal.sum() == pytest.approx(1)
    assert bidding.deal.sum(1) == pytest.approx([1 / 9, 2 / 9, 2 / 9, 1 / 9, 2 / 9, 1 / 9])  # 11 12 13 22 23 33
    assert bidding.hits[0].tolist()[1:] == [[2, 1, 1, 0, 0, 0], [2, 2, 1, 2, 1, 0], [2, 1, 2, 0, 1, 2]]


def test_the_command_prints_bounds_beside_published_values(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    wrong = {
        LiarsDice(1, 1, 3, ones_wild=False): Fraction(-1, 9),
        LiarsDice(1, 1, 5, ones_wild=False): Fraction(-3, 35),
    }
    monkeypatch.setattr("training.gra.liars_dice.PUBLISHED", wrong)
    main(["literature", "--iterations", "200"])
    _, agreed, contradicted = capsys.readouterr().out.splitlines()
    assert agreed.split()[:4] == ["1v1", "3", "plain", "-1/9"]
    assert "contradicts" not in agreed
    assert "contradicts" in contradicted
