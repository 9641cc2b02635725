"""What the expert of GRA learns about its opponents from the history, and that it is not exploited by them."""

import random

import pytest

import gramy
from gramy.arena import arrange, compare, parse_entrant
from gramy.arena.alternating import seated_alternately
from gramy.arena.workers import workers
from gramy.bots import bot
from gramy.bots.gra import EXPERT, search_play
from gramy.bots.gra.opponent_model import NEVER_CHECKS, Profile, finished_rounds, profiles, replies
from gramy.matches import Entry, Match
from tests.bots.test_gra_exploiters import played

LARGE_ROUND = (
    "phase=bidding turn=0 way=left bid=- by=- opened=- sizes=4,5 active=0,1 tie=0 "
    "hands=14,25,26,36;12,15,16,34,46 picks=4,5,6,6;2,5,6,4,6 ready=0,1"
)


def test_profiles_tell_players_that_check_always_and_never() -> None:
    match = played([bot("gra", "naive"), bot("gra", "raiser"), bot("gra", "checker")], longer_game=True)
    naive, raiser, checker = profiles(match.history(0), 0, jokers=False, seats=3)
    assert checker.always_checks > 0.8
    assert raiser.never_checks > 3 * max(NEVER_CHECKS, naive.never_checks)
    assert naive.always_checks < 0.5


def test_a_player_whose_bids_prove_false_is_taken_to_ignore_its_hand() -> None:
    caught = [Entry(1, "bid 2x6"), Entry(0, "check"), Entry(0, "bid 1x3"), Entry(1, "bid 3x6"), Entry(0, "check")]
    right = [Entry(1, "bid 2x6"), Entry(0, "check"), Entry(1, "bid 1x3"), Entry(0, "check")]
    assert [each.winner for each in finished_rounds(tuple(caught), turn=0)] == [0, 0]
    nothing, false, true = (profiles(tuple(log), turn, False, 2)[1] for log, turn in (([], 0), (caught, 0), (right, 1)))
    assert true.hand_free < nothing.hand_free < false.hand_free


def test_replies_know_the_standing_bid_and_the_cards_of_their_round() -> None:
    log = [
        Entry(6, "deal first 1"), Entry(6, "deal 14", 0), Entry(6, "deal ? ?", 1), Entry(0, "choose 4", 0),
        Entry(1, "bid 1x2"), Entry(0, "bid 1x3"), Entry(1, "check"),
        Entry(6, "deal 14 15", 0), Entry(6, "deal ? ?", 1), Entry(0, "bid 1x1 left"), Entry(1, "check"),
    ]  # fmt: skip
    assert list(replies(tuple(log))) == [
        (0, (1, 2), 1, (1, 3), 3, 2),
        (1, (1, 3), 0, (0, 0), 3, 2),
        (1, (1, 1), 0, (0, 0), 4, 1),
    ]


def test_profiles_use_only_what_everybody_sees() -> None:
    match = played([bot("gra", "medium")] * 4, seed=8, jokers=True)
    public = profiles(match.history(None), 0, jokers=True, seats=4)
    assert all(profiles(match.history(seat), 0, jokers=True, seats=4) == public for seat in range(4))


def test_a_profile_is_sure_only_if_one_type_is_nearly_certain() -> None:
    assert not Profile().is_sure
    assert not Profile(0.5, 0.45, 0.3).is_sure
    assert all(Profile(*numbers).is_sure for numbers in ((0.95, 0.0, 0.1), (0.0, 0.9, 0.1), (0.1, 0.1, 0.92)))


def test_the_expert_samples_deals_instead_of_searching_against_a_player_of_a_sure_type(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    searched: list[str] = []
    monkeypatch.setattr(search_play, "choose", lambda *_: searched.append("choose"))
    monkeypatch.setattr(search_play, "evaluate", lambda *_: searched.append("evaluate"))
    game = gramy.game("gra", bid_order="quantity_first")
    match = Match(game, position=game.parse_position(LARGE_ROUND))
    view, rng = match.view(0), random.Random(1)
    past_round = (
        Entry(6, "deal 14 25 26 36", 0),
        Entry(6, "deal ? ? ? ? ?", 1),
        Entry(0, "bid 1x6"),
        Entry(1, "check"),
    )
    for history, expected in ((past_round, ["choose", "evaluate"]), (past_round * 6, [])):
        searched.clear()
        assert EXPERT.choose(view, history, rng, 0.001) in view.moves
        assert set(EXPERT.evaluate(view, history, rng, 0.001)) == set(view.moves)
        assert searched == expected


def share_of(first: str, second: str, deals: int, seed: int, alternate: bool = False, **options: object) -> float:
    """Return the share of the wins of a seat of the first bot, among the second in all others or half of the seats."""
    game = gramy.game("gra", starter="lot", **options)
    setting = arrange(game, [parse_entrant(first), parse_entrant(second)], seed, players=game.players)
    with workers(processes=1) as executor:
        found = compare(seated_alternately(setting) if alternate else setting, deals, executor)
    return found.standings[0].share.mean


def test_a_bot_that_always_checks_gets_at_most_half_its_fair_share_against_experts() -> None:
    """At four players with jokers it once won 17% against experts, and nothing against the hard level."""
    assert share_of("checker", "expert:1ms", 10, 71, players=4, jokers=True) <= 0.125


def test_a_bot_that_only_counts_gets_at_most_half_its_fair_share_against_experts() -> None:
    """It once won 33% of such matches: experts bluffed, expecting others to raise where they checked."""
    assert share_of("honest", "expert:1ms", 10, 71, players=4) <= 0.125


def test_medium_beats_easy_at_four_players_with_jokers() -> None:
    assert share_of("medium", "easy", 30, 51, alternate=True, players=4, jokers=True) > 1 / 4


def test_medium_beats_easy_at_three_players_by_quantity_first() -> None:
    assert share_of("medium", "easy", 30, 51, alternate=True, players=3, bid_order="quantity_first") > 1 / 3
