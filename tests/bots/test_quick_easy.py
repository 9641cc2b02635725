"""What plain players of Quick & Easy say, hear, and leave to their partners."""

import random

import pytest

import gramy
from gramy.bots import bot
from gramy.bots.quick_easy.plain import best_of
from gramy.bots.quick_easy.talk import MEANINGS, heard
from gramy.contract import Game
from gramy.games.quick_easy.rules import COLOURS
from gramy.matches import Entry, Match

BASE, PRO = gramy.game("quick-easy"), gramy.game("quick-easy", pro=True)
LINE = "seat=0 laid=0 draw=0 up={up} down={down} hands={hands} deck={deck}"


def at(game: Game = BASE, **position: str) -> Match:
    words = {"up": "-", "down": "-", "deck": "Y1~Y10"} | position
    return Match(game, position=game.parse_position(LINE.format(**words)))


def said(match: Match, seat: int, level: str = "medium") -> tuple[str, ...]:
    return bot(BASE.name, level).say(match.view(seat), match.history(seat), random.Random(1))


def chosen(match: Match, level: str = "medium") -> str:
    return bot(BASE.name, level).choose(match.view(0), match.history(0), random.Random(1), 1.0)


def cards(*words: str) -> int:
    return sum(1 << "RBGYS".index(word[0]) * 10 + int(word[1:]) - 1 for word in words)


# --- talk -------------------------------------------------------------------------------------------------------------


def test_a_bot_says_each_new_card_once_truly_and_without_numbers() -> None:
    match = at(hands="R2,G9;B4,B8")
    assert said(match, 0) == ("red low", "green high")
    for phrase in said(match, 0):
        match.say(phrase, 0)
    assert said(match, 0) == ()
    match.play("up R2", 0)
    match.play("end", 0)
    match.play("deal Y5")
    assert said(match, 0) == ("yellow middle",)


def test_of_two_cards_alike_the_second_is_said_when_the_first_is_laid() -> None:
    match = at(hands="R1,R2;B4,B8")
    assert said(match, 0) == ("red low",)
    match.say("red low", 0)
    match.play("up R1", 0)
    assert said(match, 0) == ("red low",)


def test_in_the_pro_game_and_at_the_easy_level_only_colours_are_said() -> None:
    assert said(at(PRO, hands="R2,G9;B4,B8"), 0) == ("red", "green")
    assert said(at(hands="R2,G9;B4,B8"), 1, "easy") == ("blue",)


def test_a_phrase_means_the_cards_that_it_describes() -> None:
    assert MEANINGS["green low"] == cards("G1", "G2")
    assert MEANINGS["grey"] == cards(*(f"S{number}" for number in range(1, 11)))
    assert set(MEANINGS) == {phrase for phrase in BASE.phrases() if phrase.split()[0] in COLOURS}


def test_what_was_said_stands_until_such_a_card_is_laid() -> None:
    log = [Entry(1, "say red"), Entry(1, "say blue low"), Entry(1, "say mine up"), Entry(0, "up R5")]
    told = heard(tuple(log))
    assert told.cards[1] == [MEANINGS["red"], MEANINGS["blue low"]]
    assert told.wishes == {1: {"up"}}
    told = heard((*log, Entry(1, "down R9")))
    assert told.cards[1] == [MEANINGS["blue low"]]
    assert told.wishes == {}
    assert told.laid == cards("R5", "R9")


def test_a_closer_word_takes_the_place_of_a_vague_one() -> None:
    told = heard((Entry(1, "say red"), Entry(1, "say red high"), Entry(1, "say red")))
    assert told.cards[1] == [MEANINGS["red high"]]


# --- play -------------------------------------------------------------------------------------------------------------


def test_a_partner_leaves_the_colour_that_the_next_can_turn() -> None:
    match = at(hands="R6,B6;R1,R3", up="S5", down="S7", deck="G1~G5")
    match.say("red low", 1)
    match.say("red lowish", 1)
    assert chosen(match) in ("up R6", "down R6")


def test_a_partner_leaves_a_pile_to_who_asks_for_it() -> None:
    match = at(hands="R6,R7;B1,S2", up="S5", down="B8")
    free = chosen(match)
    match.say(f"mine {free.split()[0]}", 1)
    assert chosen(match).split()[0] != free.split()[0]


def test_a_partner_lays_the_last_cards() -> None:
    match = at(hands="R6,R7;-", up="S5", down="B8", deck="-")
    match.play(chosen(match), 0)
    match.play(chosen(match), 0)
    assert match.outcome is not None
    assert match.outcome.winners == (0, 1)


@pytest.mark.parametrize(("hand", "moves"), [("R6,G8", ["up R6", "end"]), ("R6,G7", ["up R6", "up G7", "end"])])
def test_a_beginner_lays_a_second_card_only_when_it_is_nearly_free(hand: str, moves: list[str]) -> None:
    match = at(hands=f"{hand};B1,S2", up="S5", down="Y10", deck="R1~R5")
    played = []
    while match.to_act == (0,):
        played.append(chosen(match, "easy"))
        match.play(played[-1], 0)
    assert played == moves


def test_the_better_of_two() -> None:
    assert best_of([1.0, 3.0], [2.0]) == 2.5
    assert best_of([5.0], [1.0, 7.0]) == 6.0
