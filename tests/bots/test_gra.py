"""How plain players of GRA reckon, and what they do in positions made for it."""

import random
from dataclasses import replace
from math import isclose

import pytest

import gramy
from gramy.bots import Bot, bot
from gramy.bots.gra.plain import MEDIUM, NAIVE, at_least, bids, favourite, hits, least_raises, the_round
from gramy.contract import Game
from gramy.matches import Entry, Match

TWO = gramy.game("gra")
ATTENTIVE = replace(MEDIUM, stray=0.0)
LINE = (
    "phase=bidding turn=0 way=left bid={bid} by={by} opened={opened} sizes={sizes} active=0,1 tie=0 "
    "hands={hands} picks={picks} ready=0,1"
)


def at(game: Game = TWO, **position: str) -> Match:
    words = {"bid": "-", "by": "-", "opened": "-", "sizes": "2,2"} | position
    return Match(game, position=game.parse_position(LINE.format(**words)))


def chosen(match: Match, player: Bot, seed: int = 1) -> str:
    return player.choose(match.view(0), match.history(0), random.Random(seed), 1.0)


# --- reckoning --------------------------------------------------------------------------------------------------------


def test_the_chance_of_hits_among_unknown_cards() -> None:
    assert at_least(0, 3, False) == 1
    assert isclose(at_least(1, 2, False), 1 - (2 / 3) ** 2)
    assert isclose(at_least(2, 2, True), 0.36)
    assert at_least(3, 2, False) == 0


def test_ones_count_for_every_value_as_jokers() -> None:
    assert hits([1, 4, 4], False) == (0, 1, 0, 0, 2, 0, 0)
    assert hits([1, 4, 4], True) == (0, 1, 1, 1, 3, 1, 1)


@pytest.mark.parametrize(
    ("order", "raises"),
    [
        ("value_first", [(3, 4), (1, 5), (1, 6)]),
        ("quantity_first", [(2, 5), (2, 6), (3, 1), (3, 2), (3, 3), (3, 4)]),
    ],
)
def test_the_lowest_raises_are_offered_and_the_lowest(order: str, raises: list[tuple[int, int]]) -> None:
    match = at(gramy.game("gra", bid_order=order), bid="2x4", by="1", opened="4", hands="14,25;36,46", picks="4,2;3,4")
    assert least_raises(the_round(match.view(0))) == raises
    assert {f"bid {number}x{value}" for number, value in raises} <= set(match.moves(0))


def test_only_bids_of_this_round_are_believed() -> None:
    log = [Entry(0, "bid 1x2"), Entry(1, "check"), Entry(1, "bid 1x3 left"), Entry(2, "bid 2x3")]
    assert bids(tuple(log)) == [(1, 1, 3), (2, 2, 3)]


# --- play -------------------------------------------------------------------------------------------------------------


def test_the_naive_bot_opens_with_its_highest_certain_bid() -> None:
    hand = {"hands": "14,45;36,46", "picks": "4,4;3,4"}
    assert chosen(at(**hand), NAIVE) == "bid 2x4"
    assert chosen(at(hands="14,45;36,46", picks="4,5;3,4"), NAIVE) == "bid 1x5"


def test_the_naive_bot_checks_what_is_unlikely_and_raises_what_it_holds() -> None:
    assert chosen(at(bid="3x6", by="1", opened="6", hands="14,45;36,46", picks="4,4;3,4"), NAIVE) == "check"
    assert chosen(at(bid="1x3", by="1", opened="3", hands="14,45;36,46", picks="4,4;3,4"), NAIVE) == "bid 1x4"


@pytest.mark.parametrize("player", [NAIVE, ATTENTIVE])
def test_what_cannot_be_true_is_checked_and_what_is_certain_is_not(player: Bot) -> None:
    for seed in range(5):
        hand = {"hands": "14,45;36,46", "picks": "4,4;3,4", "by": "1"}
        assert chosen(at(bid="3x6", opened="6", **hand), player, seed) == "check"
        assert chosen(at(bid="1x4", opened="4", **hand), player, seed) != "check"
        assert chosen(at(bid="4x6", opened="6", **hand), player, seed) == "check"


@pytest.mark.parametrize("player", [NAIVE, ATTENTIVE])
def test_faces_are_chosen_towards_the_most_frequent_value(player: Bot) -> None:
    match = gramy.match("gra", seed=11, fewer_cards=True)
    view = match.view(0)
    move = player.choose(view, match.history(0), random.Random(1), 1.0)
    assert favourite(view, move) == max(favourite(view, other) for other in view.moves)


@pytest.mark.parametrize("level", ["easy", "medium", "naive"])
def test_an_opening_names_a_direction_where_that_is_the_rule(level: str) -> None:
    match = gramy.match("gra", seed=11, players=3, directions=True)
    for seat in (0, 1, 2):
        match.play(match.moves(seat)[0], seat)
    seat = match.to_act[0]
    move = bot("gra", level).choose(match.view(seat), match.history(seat), random.Random(1), 1.0)
    assert move in match.moves(seat)
    assert move.split()[-1] in ("left", "right")
