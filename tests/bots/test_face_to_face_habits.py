"""Habits of players of Face to Face: what the network is told of the other player follows from public moves alone."""

import random

import pytest

import gramy
from gramy.bots import bot
from gramy.bots.face_to_face.habits import HABITS, PACES, UNKNOWN, Conduct, conduct, habits, habits_of
from gramy.bots.face_to_face.positions import best_positions
from gramy.bots.face_to_face.search import known_state
from gramy.bots.face_to_face.turns import GO, NETWORK
from gramy.matches import Entry, Match

SEED = 77


def said(*moves: str) -> tuple[Entry, ...]:
    """Return a history from texts such as `0 up 5`."""
    return tuple(Entry(int(move[0]), move[2:]) for move in moves)


def test_a_turn_counts_when_it_is_finished() -> None:
    turn = said("0 up 5", "0 help-down 9", "1 up 7", "0 down 50", "0 end")
    assert conduct(0, turn) == Conduct(turns=1, given=1, laid=3)
    assert conduct(0, turn[:-1]) == conduct(1, turn) == Conduct(0, 0, 0)
    assert habits(turn) == (habits_of(1, 1, 3), UNKNOWN)


@pytest.mark.parametrize(
    ("turns", "given", "giving"),
    [
        (0, 0, 0),
        (1, 0, 1),
        (2, 0, 1),
        (3, 0, 2),
        (5, 0, 2),
        (6, 0, 3),
        (8, 2, 4),
        (4, 1, 4),
        (4, 2, 5),
        (3, 2, 6),
        (1, 1, 6),
    ],
)
def test_givings_go_by_the_share_of_turns(turns: int, given: int, giving: int) -> None:
    assert habits_of(turns, given, 2 * turns) // PACES == giving


@pytest.mark.parametrize(("turns", "laid", "pace"), [(0, 0, 0), (3, 6, 1), (2, 5, 2), (4, 13, 3), (4, 14, 4)])
def test_paces_go_by_the_cards_laid_a_turn(turns: int, laid: int, pace: int) -> None:
    assert habits_of(turns, 0, laid) % PACES == pace


def test_every_conduct_has_habits_of_its_own_row() -> None:
    found = {habits_of(turns, given, laid) for turns in range(30) for given in range(turns + 1) for laid in range(58)}
    assert found <= set(range(HABITS))
    assert len(found) == 1 + (HABITS // PACES - 1) * (PACES - 1)


def a_match(seed: int, moves: int) -> Match:
    """Return a match of medium bots, some moves after its start."""
    match, rng = gramy.match("face-to-face", seed=seed), random.Random(seed)
    for _ in range(moves):
        if match.outcome is None:
            seat = match.to_act[0]
            match.play(bot("face-to-face", "medium").choose(match.view(seat), match.history(seat), rng, 1.0), seat)
    return match


def test_both_seats_see_the_same_habits() -> None:
    """Habits hold nothing that only one seat may know: the histories of both seats, and of a spectator, give them."""
    for seed in range(SEED, SEED + 8):
        match = a_match(seed, 5 * (seed - SEED) + 9)
        seen = {habits(match.history(0)), habits(match.history(1)), habits(match.history(None))}
        assert len(seen) == 1


def test_the_network_alone_is_told_the_habits() -> None:
    match = a_match(SEED, 30)
    seat = match.to_act[0]
    state = known_state(match.view(seat), match.history(seat))
    assert best_positions(state, 5, GO, (31, 31)) == best_positions(state, 5, GO)
    assert best_positions(state, 5, NETWORK, (31, 31))[0]
