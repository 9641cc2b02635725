"""What the expert of GRA learns about its opponents from the history, and that it is not exploited by them."""

from gramy.arena import compare
from gramy.arena.workers import workers
from gramy.bots import bot
from gramy.bots.gra.opponent_model import NEVER_CHECKS, finished_rounds, profiles, replies
from gramy.matches import Entry
from tests.bots.test_gra_exploiters import played
from training.gra.settings import KNOWN_FAULT, one_against, share_of_wins


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


def test_a_bot_that_always_checks_gets_at_most_half_its_fair_share_against_experts() -> None:
    """At four players with jokers it once won 17% against experts, and nothing against the hard level."""
    setting = one_against(KNOWN_FAULT, "checker", "expert:1ms", seed=71)
    with workers(processes=1) as executor:
        share = share_of_wins(compare(setting, 10, executor))
    assert share.mean <= 0.125


def test_a_bot_that_only_counts_gets_at_most_half_its_fair_share_against_experts() -> None:
    """It once won 33% of such matches: experts bluffed, expecting others to raise where they checked."""
    setting = one_against({"players": "4", "starter": "lot"}, "honest", "expert:1ms", seed=71)
    with workers(processes=1) as executor:
        share = share_of_wins(compare(setting, 10, executor))
    assert share.mean <= 0.125
