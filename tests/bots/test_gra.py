"""The rule-based bots of GRA: their probabilities, and their moves in chosen positions."""

import random
from dataclasses import replace
from math import isclose

import pytest

import gramy
from gramy.bots import Bot, bot
from gramy.bots.gra.bid_probability import bid_probability, count_hits, hit_probability
from gramy.bots.gra.heuristics import EASY, HEURISTIC, MEDIUM, NAIVE, bidding_state, faces_score, lowest_raises
from gramy.bots.gra.observation import bids_of_round, parse_bid, parse_faces
from gramy.contract import Game
from gramy.matches import Entry, Match

TWO_PLAYERS = gramy.game("gra")
WITHOUT_MISTAKES = replace(MEDIUM, overbid_rate=0.0, hasty_rate=0.0)
POSITION = (
    "phase=bidding turn=0 way=left bid={bid} by={by} opened={opened} sizes={sizes} active=0,1 tie=0 "
    "hands={hands} picks={picks} ready=0,1"
)


def match_at(game: Game = TWO_PLAYERS, **position: str) -> Match:
    words = {"bid": "-", "by": "-", "opened": "-", "sizes": "2,2"} | position
    return Match(game, position=game.parse_position(POSITION.format(**words)))


def move_of(player: Bot, match: Match, seed: int = 1) -> str:
    return player.choose(match.view(0), match.history(0), random.Random(seed), 1.0)


# --- probabilities ----------------------------------------------------------------------------------------------------


def test_the_probability_of_hits_among_unknown_cards_is_binomial() -> None:
    assert hit_probability(0, 3, False) == 1
    assert isclose(hit_probability(1, 2, False), 1 - (2 / 3) ** 2)
    assert isclose(hit_probability(2, 2, True), 0.36)
    assert hit_probability(3, 2, False) == 0


def test_ones_count_for_every_value_as_jokers() -> None:
    assert count_hits([1, 4, 4], False) == (0, 1, 0, 0, 2, 0, 0)
    assert count_hits([1, 4, 4], True) == (0, 1, 1, 1, 3, 1, 1)


def test_a_bid_is_more_probable_if_its_bidder_has_turned_every_card_to_the_value() -> None:
    hand = {"hands": "14,25;36,46", "picks": "4,2;3,4"}
    silent, bidding = match_at(**hand), match_at(**hand)
    bidding.play("bid 1x4", 0)
    bidding.play("bid 1x6", 1)
    before, after = (bid_probability(match.view(0), match.history(0), (1, 6)) for match in (silent, bidding))
    assert isclose(before, 1 - (18 * 17 + 2 * 18 * 10 / 2 + 10 * 9 / 4) / (28 * 27))  # 10 of 28 unseen cards have a six
    assert isclose(after, 1 - 18 * 17 / (28 * 27))


@pytest.mark.parametrize(
    ("order", "raises"),
    [
        ("value_first", [(3, 4), (1, 5), (1, 6)]),
        ("quantity_first", [(2, 5), (2, 6), (3, 1), (3, 2), (3, 3), (3, 4)]),
    ],
)
def test_the_lowest_raise_on_each_value_is_a_legal_move(order: str, raises: list[tuple[int, int]]) -> None:
    game = gramy.game("gra", bid_order=order)
    match = match_at(game, bid="2x4", by="1", opened="4", hands="14,25;36,46", picks="4,2;3,4")
    assert lowest_raises(bidding_state(match.view(0))) == raises
    assert {f"bid {number}x{value}" for number, value in raises} <= set(match.moves(0))


def test_only_bids_of_the_current_round_are_read_from_the_history() -> None:
    log = [Entry(0, "bid 1x2"), Entry(1, "check"), Entry(1, "bid 1x3 left"), Entry(2, "bid 2x3")]
    assert bids_of_round(tuple(log)) == [(1, 1, 3), (2, 2, 3)]


# --- moves ------------------------------------------------------------------------------------------------------------


def test_the_naive_bot_opens_with_its_highest_certain_bid() -> None:
    assert move_of(NAIVE, match_at(hands="14,45;36,46", picks="4,4;3,4")) == "bid 2x4"
    assert move_of(NAIVE, match_at(hands="14,45;36,46", picks="4,5;3,4")) == "bid 1x5"


def test_the_naive_bot_checks_an_improbable_bid_and_raises_to_what_it_holds() -> None:
    hand = {"hands": "14,45;36,46", "picks": "4,4;3,4", "by": "1"}
    assert move_of(NAIVE, match_at(bid="3x6", opened="6", **hand)) == "check"
    assert move_of(NAIVE, match_at(bid="1x3", opened="3", **hand)) == "bid 1x4"


@pytest.mark.parametrize("player", [NAIVE, WITHOUT_MISTAKES])
def test_an_impossible_bid_is_checked_and_a_certain_bid_is_not(player: Bot) -> None:
    hand = {"hands": "14,45;36,46", "picks": "4,4;3,4", "by": "1"}
    for seed in range(5):
        assert move_of(player, match_at(bid="3x6", opened="6", **hand), seed) == "check"
        assert move_of(player, match_at(bid="1x4", opened="4", **hand), seed) != "check"
        assert move_of(player, match_at(bid="4x6", opened="6", **hand), seed) == "check"


def test_a_hasty_bot_goes_by_its_own_cards_and_doubts_nothing() -> None:
    match = match_at(hands="14,45;36,46", picks="4,4;3,4", by="1", bid="2x2", opened="2")
    patient = replace(WITHOUT_MISTAKES, check_below=0.5)
    hasty = replace(patient, hasty_rate=1.0)
    assert {move_of(hasty, match, seed) for seed in range(5)} == {"bid 1x4"}
    assert {move_of(patient, match, seed) for seed in range(5)} == {"check"}


def test_easy_believes_bids_that_a_doubting_bot_checks() -> None:
    match = match_at(hands="14,45;36,46", picks="4,4;3,4", by="1", bid="2x5", opened="5")
    trusting, doubting = (replace(WITHOUT_MISTAKES, check_below=below) for below in (EASY.check_below, 0.5))
    assert move_of(doubting, match) == "check"
    assert move_of(trusting, match).startswith("bid")


def test_an_overbid_is_one_more_than_the_bot_should_bid() -> None:
    match = match_at(hands="14,45;36,46", picks="4,4;3,4", by="1", bid="1x3", opened="3")
    assert move_of(WITHOUT_MISTAKES, match) == "bid 1x4"
    assert move_of(replace(WITHOUT_MISTAKES, overbid_rate=1.0), match) == "bid 2x4"


PERSON_LIKE = {"easy, attentive": replace(EASY, blind_rate=0.0), "medium": MEDIUM, "part of hard": HEURISTIC}


@pytest.mark.parametrize("order", ["value_first", "quantity_first"])
@pytest.mark.parametrize("player", PERSON_LIKE.values(), ids=PERSON_LIKE)
def test_a_bot_with_mistakes_of_people_sees_what_its_own_cards_disprove(player: Bot, order: str) -> None:
    disproved = 0
    for seed in range(30):
        match, rng = gramy.match("gra", seed=seed, players=4, starter="lot", bid_order=order), random.Random(seed)
        while match.to_act:
            seat = match.to_act[0]
            view, history = match.view(seat), match.history(seat)
            move = player.choose(view, history, rng, 0.0)
            if view.board.phase == "bidding":
                own, others = (
                    count_hits(view.board.hand.faces, jokers=False),
                    view.board.in_play - len(view.board.hand.faces),
                )
                standing = view.board.bid
                if standing and standing.number > own[standing.value] + others:
                    disproved += 1
                    assert move == "check", f"seed {seed}: {move} after {standing}"
                elif move.startswith("bid"):
                    number, value = parse_bid(move)
                    assert number <= own[value] + others, f"seed {seed}: {move}"
            match.play(move, seat)
    assert disproved


def test_easy_sometimes_overlooks_that_its_own_cards_disprove_a_bid() -> None:
    match = match_at(hands="14,45;36,46", picks="4,4;3,4", by="1", bid="3x5", opened="5")
    moves = [move_of(EASY, match, seed) for seed in range(200)]
    assert 0.7 < moves.count("check") / len(moves) < 0.9  # it is blind in 3 of 10, and then still doubts in some


@pytest.mark.parametrize("player", [NAIVE, WITHOUT_MISTAKES])
def test_faces_are_chosen_for_the_most_hits_on_one_value(player: Bot) -> None:
    match = gramy.match("gra", seed=11, fewer_cards=True, starter="lot")
    view = match.view(0)
    scores = {move: faces_score(parse_faces(move), jokers=False) for move in view.moves}
    move = player.choose(view, match.history(0), random.Random(1), 1.0)
    assert scores[move] == max(scores.values())


@pytest.mark.parametrize("level", ["easy", "medium", "naive"])
def test_an_opening_bid_names_a_direction_if_the_option_is_on(level: str) -> None:
    match = gramy.match("gra", seed=11, players=3, directions=True, starter="lot")
    for seat in (0, 1, 2):
        match.play(match.moves(seat)[0], seat)
    seat = match.to_act[0]
    move = bot("gra", level).choose(match.view(seat), match.history(seat), random.Random(1), 1.0)
    assert move in match.moves(seat)
    assert move.split()[-1] in ("left", "right")
