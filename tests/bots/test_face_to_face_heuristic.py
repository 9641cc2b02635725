"""The heuristic bots of Face to Face, in constructed positions."""

import random

import pytest

import gramy
from gramy.bots import bot
from gramy.bots.face_to_face.heuristic import CardByCardBot, turn_plans, visible_state
from gramy.games.face_to_face.rules import Side, State
from gramy.matches import Match

GAME = gramy.game("face-to-face")
LINE = "seat=0 laid=0 helped=0 draw=0 up={up} down={down} hand={hand};2,3,4,5,6,7 deck={deck};8~13"


def turn_of(player: str | CardByCardBot, seed: int = 0, **position: str) -> list[str]:
    """Return the moves of a whole turn of seat 0."""
    words = {"up": "1,1", "down": "60,60", "deck": "2~7"} | position
    match = Match(GAME, position=GAME.parse_position(LINE.format(**words)))
    chooser = bot(GAME.name, player) if isinstance(player, str) else player
    rng, moves = random.Random(seed), []
    while match.to_act == (0,):
        moves.append(chooser.choose(match.view(0), match.history(0), rng, 1.0))
        match.play(moves[-1], 0)
    return moves


def test_g2_lays_the_cheapest_pair_at_home_and_ends() -> None:
    assert turn_of("g2", hand="8,9,30,31,40,41") == ["up 8", "up 9", "end"]


@pytest.mark.parametrize("player", ["g2", "go", "medium"])
def test_a_turn_planner_moves_forward_to_go_ten_back(player: str) -> None:
    assert turn_of(player, hand="22,32,45,50", up="28,1")[:2] == ["up 32", "up 22"]


@pytest.mark.parametrize("player", ["go", "medium"])
def test_a_turn_planner_lays_its_last_cards_and_wins(player: str) -> None:
    moves = turn_of(player, hand="40,44,48,52", up="30,1", down="35,60", deck="-")
    assert len(moves) == 4
    assert "end" not in moves


@pytest.mark.parametrize("player", ["go", "medium"])
def test_a_turn_planner_gives_a_card_for_the_refill(player: str) -> None:
    moves = turn_of(player, hand="20,33", up="19,21", down="50,60", deck="21~32")
    assert "help-up 20" in moves


def test_g2_helps_only_if_no_other_move_is_left() -> None:
    *laid, end = turn_of("g2", hand="20,33,51", up="40,21", down="15,60")
    assert (sorted(laid), end) == (["help-up 20", "up 51"], "end")


def test_the_easy_bot_never_lays_more_cards_than_it_must() -> None:
    for seed in range(20):
        assert turn_of("easy", seed, hand="8,9,10,11,12,13")[2:] == ["end"]


def test_the_easy_bot_overlooks_steps_ten_back_and_help_with_the_given_probability() -> None:
    blind, clear = CardByCardBot(sees_ten_back=0, sees_help=0), CardByCardBot(sees_ten_back=1, sees_help=1)
    ten_back = {"hand": "18,29,33,40", "up": "28,17", "down": "50,60"}
    assert turn_of(blind, **ten_back)[0] == "up 29"
    assert turn_of(clear, **ten_back)[0] in ("up 18", "help-up 18", "up 29")
    assert turn_of(clear, hand="18,31,33,40", up="28,17", down="50,60")[0] == "up 18"


def test_the_visible_state_has_the_own_deck_and_nothing_of_the_other_player() -> None:
    match = gramy.match("face-to-face", seed=5)
    for _ in range(30):
        seat = match.to_act[0]
        state = visible_state(match.view(seat), match.history(seat))
        assert state.me == match.state.me
        assert (state.foe.hand, state.foe.deck) == (0, 0)
        match.play(bot(GAME.name, "easy").choose(match.view(seat), match.history(seat), random.Random(1), 1.0))


def leaves(state: State, most: int) -> set[tuple[Side, Side]]:
    """Return what a turn of at most `most` further cards can leave, by trying every order."""
    moves = GAME.moves(state, state.seat)
    found = {(state.me, state.foe)} if "end" in moves else set()
    for move in moves if most else ():
        if move != "end":
            found |= leaves(GAME.apply(state, state.seat, move)[0], most - 1)
    return found


def test_turn_plans_are_all_states_that_a_turn_can_leave_each_once() -> None:
    state = gramy.match("face-to-face", seed=6).state
    planned = [(plan.left.me, plan.left.foe) for plan in turn_plans(state, 3)]
    assert len(planned) == len(set(planned))
    assert set(planned) == leaves(state, 3)
