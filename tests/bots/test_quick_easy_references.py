"""The reference partners of Quick & Easy do what their table says, and overlook what it says."""

import random

import pytest

import gramy
from gramy.bots import REFERENCES, bot
from gramy.contract import Game
from gramy.matches import Match, ShuffledDealer

BASE, PRO = gramy.game("quick-easy"), gramy.game("quick-easy", pro=True)
LINE = "seat=0 laid=0 draw=0 up={up} down={down} hands={hands} deck={deck}"
PARTNERS = ("cheap", "careful", "talker", "listener", "child")
SEED = 77


def at(game: Game = BASE, **position: str) -> Match:
    words = {"up": "-", "down": "-", "deck": "Y1~Y10"} | position
    return Match(game, position=game.parse_position(LINE.format(**words)))


def choice(match: Match, name: str, seed: int = SEED) -> str:
    (seat,) = match.to_act
    return bot(BASE.name, name).choose(match.view(seat), match.history(seat), random.Random(seed), 1.0)


def turn(match: Match, name: str) -> list[str]:
    """Play the turn of seat 0 and return its moves."""
    played = []
    while match.to_act == (0,):
        played.append(choice(match, name))
        match.play(played[-1], 0)
    return played


def phrases(match: Match, seat: int, name: str, seed: int = SEED) -> tuple[str, ...]:
    return bot(BASE.name, name).say(match.view(seat), match.history(seat), random.Random(seed))


def test_the_five_partners_are_registered() -> None:
    assert all(list(REFERENCES[name]) == [BASE.name] for name in PARTNERS)


@pytest.mark.parametrize("name", PARTNERS)
@pytest.mark.parametrize("game", [BASE, PRO, gramy.game("quick-easy", players=4)], ids=["base", "pro", "four"])
def test_a_partner_finishes_a_match_and_repeats_it_with_the_same_seed(name: str, game: Game) -> None:
    logs = []
    for _ in range(2):
        rng, player = random.Random(SEED), bot(game.name, name)
        match = Match(game, ShuffledDealer(rng))
        while match.to_act:
            for seat in range(game.players):
                for phrase in player.say(match.view(seat), match.history(seat), rng):
                    match.say(phrase, seat)
            seat = match.to_act[0]
            match.play(player.choose(match.view(seat), match.history(seat), rng, 1.0), seat)
        logs.append([entry.text for entry in match.log])
    assert logs[0] == logs[1]


@pytest.mark.parametrize("name", PARTNERS)
def test_a_partner_uses_no_hidden_card(name: str) -> None:
    hands = ("R6,B8;G1,G2", "R6,B8;S9,R10")
    choices = {choice(at(hands=hand, up="S5", down="Y9", deck="R1~R5,B1~B5"), name) for hand in hands}
    assert len(choices) == 1


@pytest.mark.parametrize(("hand", "moves"), [("R6,G8", ["up R6", "end"]), ("R6,G7", ["up R6", "up G7", "end"])])
def test_cheap_lays_a_second_card_only_if_it_costs_at_most_one(hand: str, moves: list[str]) -> None:
    assert turn(at(hands=f"{hand};B1,S2", up="S5", down="Y10", deck="R1~R5"), "cheap") == moves


def test_careful_plans_both_cards_where_cheap_takes_the_shortest_step() -> None:
    position = {"hands": "R9,R2;B1,S2", "up": "S1", "down": "Y10", "deck": "B2~B10"}
    assert turn(at(**position), "cheap")[0] in ("up R2", "down R9")
    assert turn(at(**position), "careful") == ["up R9", "up R2", "end"]  # the two turns the pile back


@pytest.mark.parametrize(
    ("name", "listens"), [("careful", False), ("talker", False), ("cheap", False), ("listener", True)]
)
def test_only_the_listener_goes_by_what_was_said(name: str, listens: bool) -> None:
    changed = 0
    for words in (("red low", "red lowish"), ("blue low", "blue lowish")):
        match = at(hands="R6,B6;R1,R3", up="S5", down="S7", deck="G1~G10")
        before = choice(match, name)
        for phrase in words:
            match.say(phrase, 1)
        changed += choice(match, name) != before
    assert (changed > 0) == listens


def test_only_the_talker_describes_every_card() -> None:
    match = at(hands="R2,G9;B4,B8")
    assert phrases(match, 0, "talker") == ("red low", "green high")
    for name in ("cheap", "careful", "listener"):
        assert phrases(match, 0, name) == ()


def test_a_child_names_about_half_of_its_new_cards_by_colour_and_nothing_later() -> None:
    match = at(hands="R2,G9;B4,B8")
    match.play("up R2", 0)
    match.play("end", 0)
    match.play("deal Y1")
    said = [phrase for seed in range(200) for phrase in phrases(match, 0, "child", seed)]
    assert set(said) == {"green", "yellow"}
    assert 150 < len(said) < 250
    match.play("up B4", 1)
    assert not any(phrases(match, 0, "child", seed) for seed in range(20))


def test_a_child_sometimes_forgets_that_colours_fit() -> None:
    match = at(hands="S4,R9;B1,R2", up="S5", down="B3")
    moves = [choice(match, "child", seed) for seed in range(300)]
    assert set(moves) == {"up S4", "up R9"}  # back by one, or by number: four up
    assert 60 < moves.count("up R9") < 120
    only = at(hands="S4,S3;B2,R2", up="S5", down="B1")
    assert all(choice(only, "child", seed).startswith("up S") for seed in range(20))  # nothing else fits
