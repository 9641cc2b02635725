"""The heuristic bots of Quick & Easy: what they say, understand, and leave to their partners."""

import random

import pytest

import gramy
from gramy.bots import bot
from gramy.bots.quick_easy.heuristic import mean_maximum
from gramy.bots.quick_easy.talk import MEANINGS, statements
from gramy.contract import Game
from gramy.games.quick_easy.rules import COLOURS
from gramy.matches import Entry, Match

BASE, PRO = gramy.game("quick-easy"), gramy.game("quick-easy", pro=True)
LINE = "seat=0 laid=0 draw=0 up={up} down={down} hands={hands} deck={deck}"


def at(game: Game = BASE, **position: str) -> Match:
    words = {"up": "-", "down": "-", "deck": "Y1~Y10"} | position
    return Match(game, position=game.parse_position(LINE.format(**words)))


def phrases(match: Match, seat: int, level: str = "medium") -> tuple[str, ...]:
    return bot(BASE.name, level).say(match.view(seat), match.history(seat), random.Random(1))


def choice(match: Match, level: str = "medium") -> str:
    return bot(BASE.name, level).choose(match.view(0), match.history(0), random.Random(1), 1.0)


def cards(*words: str) -> int:
    return sum(1 << "RBGYS".index(word[0]) * 10 + int(word[1:]) - 1 for word in words)


# --- talk -------------------------------------------------------------------------------------------------------------


def test_a_bot_describes_each_new_card_once_truly_and_without_numbers() -> None:
    match = at(hands="R2,G9;B4,B8")
    assert phrases(match, 0) == ("red low", "green high")
    for phrase in phrases(match, 0):
        match.say(phrase, 0)
    assert phrases(match, 0) == ()
    match.play("up R2", 0)
    match.play("end", 0)
    match.play("deal Y5")
    assert phrases(match, 0) == ("yellow middle",)


def test_of_two_like_cards_the_second_is_described_when_the_first_is_laid() -> None:
    match = at(hands="R1,R2;B4,B8")
    assert phrases(match, 0) == ("red low",)
    match.say("red low", 0)
    match.play("up R1", 0)
    assert phrases(match, 0) == ("red low",)


def test_in_the_pro_game_and_at_the_easy_level_bots_name_only_colours() -> None:
    assert phrases(at(PRO, hands="R2,G9;B4,B8"), 0) == ("red", "green")
    assert phrases(at(hands="R2,G9;B4,B8"), 1, "easy") == ("blue",)


def test_a_phrase_means_the_set_of_cards_that_it_describes() -> None:
    assert MEANINGS["green low"] == cards("G1", "G2")
    assert MEANINGS["grey"] == cards(*(f"S{number}" for number in range(1, 11)))
    assert set(MEANINGS) == {phrase for phrase in BASE.phrases() if phrase.split()[0] in COLOURS}


def test_a_description_stands_until_such_a_card_is_laid() -> None:
    log = [Entry(1, "say red"), Entry(1, "say blue low"), Entry(1, "say mine up"), Entry(0, "up R5")]
    standing = statements(tuple(log))
    assert standing.cards[1] == [MEANINGS["red"], MEANINGS["blue low"]]
    assert standing.piles == {1: {"up"}}
    standing = statements((*log, Entry(1, "down R9")))
    assert standing.cards[1] == [MEANINGS["blue low"]]
    assert standing.piles == {}
    assert standing.laid == cards("R5", "R9")


def test_a_closer_description_replaces_a_vague_one() -> None:
    standing = statements((Entry(1, "say red"), Entry(1, "say red high"), Entry(1, "say red")))
    assert standing.cards[1] == [MEANINGS["red high"]]


# --- play -------------------------------------------------------------------------------------------------------------


def test_a_bot_leaves_the_colour_that_the_next_player_can_turn() -> None:
    match = at(hands="R6,B6;R1,R3", up="S5", down="S7", deck="G1~G5")
    match.say("red low", 1)
    match.say("red lowish", 1)
    assert choice(match) in ("up R6", "down R6")


def test_a_bot_leaves_a_pile_to_a_player_who_asks_for_it() -> None:
    match = at(hands="R6,R7;B1,S2", up="S5", down="B8")
    free = choice(match)
    match.say(f"mine {free.split()[0]}", 1)
    assert choice(match).split()[0] != free.split()[0]


def test_a_bot_lays_the_last_cards() -> None:
    match = at(hands="R6,R7;-", up="S5", down="B8", deck="-")
    match.play(choice(match), 0)
    match.play(choice(match), 0)
    assert match.outcome is not None
    assert match.outcome.winners == (0, 1)


@pytest.mark.parametrize(("hand", "moves"), [("R6,G8", ["up R6", "end"]), ("R6,G7", ["up R6", "up G7", "end"])])
def test_the_easy_bot_lays_a_second_card_only_if_the_step_is_short(hand: str, moves: list[str]) -> None:
    match = at(hands=f"{hand};B1,S2", up="S5", down="Y10", deck="R1~R5")
    played = []
    while match.to_act == (0,):
        played.append(choice(match, "easy"))
        match.play(played[-1], 0)
    assert played == moves


def test_the_mean_of_the_larger_of_two_numbers() -> None:
    assert mean_maximum([1.0, 3.0], [2.0]) == 2.5
    assert mean_maximum([5.0], [1.0, 7.0]) == 6.0
