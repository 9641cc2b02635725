"""The settings of three to six players in which levels and exploiters of GRA are measured."""

from collections import Counter

import pytest

from gramy.arena import Comparison, MatchResult, compare
from gramy.arena.workers import workers
from training.gra.__main__ import main
from training.gra.settings import (
    KNOWN_FAULT,
    SETTINGS,
    head_to_head,
    one_against,
    sampled_settings,
    share_of_wins,
)


def test_the_sample_has_all_numbers_of_players_both_bid_orders_and_every_variant() -> None:
    settings = sampled_settings()
    assert len({tuple(options.items()) for options in settings}) == SETTINGS
    assert Counter(options["players"] for options in settings) == {"3": 6, "4": 6, "5": 6, "6": 6}
    for name in ("jokers", "directions", "fewer_cards", "longer_game"):
        assert 4 <= sum(name in options for options in settings) <= 20
    assert 4 <= sum(options["bid_order"] == "quantity_first" for options in settings) <= 20
    assert settings == sampled_settings()


@pytest.mark.parametrize("players", ["3", "4", "5", "6"])
def test_bots_that_meet_head_to_head_sit_alternately_and_have_every_seat_equally_often(players: str) -> None:
    setting = head_to_head({"players": players}, "naive", "easy", seed=1)
    for seat in range(int(players)):
        assert 2 * sum(seating[seat] == 0 for seating in setting.seatings) == len(setting.seatings)
    assert all(
        sum(one == other for one, other in zip(seating, seating[1:] + seating[:1], strict=True)) <= 1
        for seating in setting.seatings
    )


def test_a_share_of_wins_counts_matches_and_not_seats() -> None:
    setting = one_against({"players": "3"}, "checker", "easy", seed=1)
    assert setting.seatings == ((0, 1, 1), (1, 1, 0), (1, 0, 1))
    results = [MatchResult(0, seating, (0,), "won", 9) for seating in setting.seatings]  # seat 0 wins every match
    assert share_of_wins(Comparison(setting, tuple(results))).mean == pytest.approx(1 / 3)


def test_the_command_prints_a_line_for_each_exploiter_and_the_number_that_reach_the_goal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("training.gra.settings.LADDER", (("naive", "random"), ("random", "naive")))
    main(["levels", "--settings", "1", "--deals", "2"])
    strong, weak, summary = capsys.readouterr().out.splitlines()
    assert "naive" in strong
    assert "missed" not in strong
    assert weak.endswith("missed")
    assert summary == "1 of 2 reach the goal"


@pytest.mark.parametrize("options", [KNOWN_FAULT, {"players": "3", "bid_order": "quantity_first", "starter": "lot"}])
def test_medium_beats_easy_among_more_than_two_players(options: dict[str, str]) -> None:
    with workers(processes=1) as executor:
        share = share_of_wins(compare(head_to_head(options, "medium", "easy", seed=51), 30, executor))
    assert share.mean > 0.5
