"""Who takes the start: bots judge their own hand and what was said, and never need to be asked twice."""

from __future__ import annotations

import random
from collections import Counter

import pytest

import gramy
from gramy import bots
from gramy.analysis import advise, adviser
from gramy.bots.protocol import keenest
from gramy.bots.quick_easy.opening import stated_room
from gramy.bots.quick_easy.talk import MEANINGS
from gramy.contract import START
from gramy.matches import Match

LISTENING = ("medium", "hard", "expert")


def before_the_start(*hands: str, pro: bool = False) -> Match:
    """Return a match of Quick & Easy in which these hands are dealt and nobody has started."""
    match = Match(gramy.game("quick-easy", players=len(hands), pro=pro))
    for hand in hands:
        match.play(f"deal {hand}", gramy.DEALER)
    return match


def eagerness(match: Match, level: str, seat: int = 0) -> float:
    bot = bots.bot(match.game.name, level)
    return bot.eagerness(match.view(seat), match.history(seat), random.Random(1))


@pytest.mark.parametrize("name", ["quick-easy", "gra"])
@pytest.mark.parametrize("level", [*bots.LEVELS, "random"])
def test_every_bot_takes_the_start_when_it_is_asked_and_says_how_gladly(name: str, level: str) -> None:
    for players in (2, 3):
        match = gramy.match(name, seed=5, players=players)
        for seat in range(players):
            view, history = match.view(seat), match.history(seat)
            assert bots.bot(name, level).choose(view, history, random.Random(1), 0.001) == START
            assert 0 <= eagerness(match, level, seat) <= 1


@pytest.mark.parametrize("level", list(bots.LEVELS))
def test_the_better_a_hand_opens_the_more_gladly_it_starts(level: str) -> None:
    hands = ("R5 B6", "R4 B6", "R3 B6", "R2 B6", "R1 B6", "R1 R6")  # the last one turns the pile back by colour
    eager = [eagerness(before_the_start(hand, "S9 S10"), level) for hand in hands]
    assert eager == sorted(eager)
    assert len(set(eager)) == len(eager)
    assert (eager[0], eager[-1]) == (0.0, 1.0)


@pytest.mark.parametrize("level", list(bots.LEVELS))
def test_in_the_pro_game_two_cards_of_a_colour_open_no_better_than_one(level: str) -> None:
    pair, single = (eagerness(before_the_start(hand, "S9 S10", pro=True), level) for hand in ("R1 R6", "R1 B6"))
    assert pair == single


@pytest.mark.parametrize("level", LISTENING)
def test_a_bot_that_listens_defers_to_a_hand_that_opens_better(level: str) -> None:
    match = before_the_start("R3 B6", "G1 S8")
    alone = eagerness(match, level)
    match.say("grey highish", 1)
    assert eagerness(match, level) == alone
    match.say("green low", 1)
    assert 0 < eagerness(match, level) < alone
    assert eagerness(match, "easy") == alone


def test_a_named_card_leaves_the_room_of_the_cards_that_it_may_be() -> None:
    assert stated_room(MEANINGS["green low"]) == stated_room(MEANINGS["red high"]) == 10.5
    assert stated_room(MEANINGS["green middle"]) == 7
    assert stated_room(MEANINGS["green"]) == 9


def test_of_equal_bots_each_starts_equally_often() -> None:
    rng = random.Random(3)
    starters = Counter(keenest({0: 0.5, 1: 0.2, 2: 0.5}, rng) for _ in range(400))
    assert sorted(starters) == [0, 2]
    assert all(160 < number < 240 for number in starters.values())
    assert keenest({4: 0.1, 5: 0.9}, rng) == 5


def test_the_expert_of_gra_knows_what_opening_is_worth_between_two() -> None:
    match = gramy.match("gra", seed=1)
    worth = eagerness(match, "expert")
    assert worth == eagerness(match, "expert", 1)
    assert 0.3 < worth < 0.7
    assert eagerness(gramy.match("gra", seed=1, players=3), "expert") == random.Random(1).random()


@pytest.mark.parametrize("name", ["quick-easy", "gra"])
def test_advice_before_the_start_is_to_take_it_with_a_chance_to_win(name: str) -> None:
    match = gramy.match(name, seed=2)
    advice = advise(match.view(1), match.history(1), random.Random(1), 0.001)
    assert adviser(name) is bots.bot(name, "expert")
    assert [move for move, _ in advice.moves] == [START]
    assert 0 <= advice.chance <= 1
    assert advice.claims == {}


def test_a_style_of_talk_does_not_change_who_starts() -> None:
    match = before_the_start("R3 B6", "G1 S8")
    plain = bots.bot("quick-easy", "medium")
    silent = bots.styled("quick-easy", plain, "silent")
    view, history = match.view(0), match.history(0)
    assert silent.eagerness(view, history, random.Random(1)) == plain.eagerness(view, history, random.Random(1))
