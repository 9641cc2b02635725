"""The expert of Face to Face recognises from public moves how the other player plays, and expects such replies."""

import random
from dataclasses import replace
from statistics import fmean

import pytest

import gramy
from gramy import compiled
from gramy.bots import bot
from gramy.bots.face_to_face import EXPERT, HARD
from gramy.bots.face_to_face.habits import habits
from gramy.bots.face_to_face.network import AGAINST_GREEDY, AGAINST_STRONG
from gramy.bots.face_to_face.positions import best_positions, network
from gramy.bots.face_to_face.recognition import (
    HANDS,
    HUNDREDTHS,
    UNRECOGNISED,
    RecognisedPlayer,
    finished_turns,
    model_likelihoods,
    recognise,
    sampled_hands,
    strong_odds,
)
from gramy.bots.face_to_face.search import first_moves, known_state, reply_policy_in
from gramy.bots.face_to_face.turns import GREEDY, NETWORK, read_position
from gramy.bots.kernel import plain
from gramy.bots.protocol import Bot
from gramy.contract import View
from gramy.games.face_to_face.notation import format_move
from gramy.games.face_to_face.rules import Side, State
from gramy.matches import Entry, Match

GAME = gramy.game("face-to-face")
SEED = 88
needs_numba = pytest.mark.skipif(not compiled.available(), reason="Numba is not installed")


def play(match: Match, other: Bot, moves: int, rng: random.Random) -> None:
    """Play some moves of hard in seat 0 and another bot in seat 1, and on until it is the turn of seat 0."""
    while match.outcome is None and (moves > 0 or match.to_act != (0,)):
        seat = match.to_act[0]
        player = other if seat else HARD
        match.play(player.choose(match.view(seat), match.history(seat), rng, 0.001), seat)
        moves -= 1


def a_match(other: Bot, seed: int, moves: int) -> Match:
    match = gramy.match("face-to-face", seed=seed)
    play(match, other, moves, random.Random(seed))
    return match


def recognised(match: Match) -> RecognisedPlayer:
    return recognise(match.view(0), match.history(0), 0)


def test_the_turns_observed_are_those_that_were_played() -> None:
    """Tops, cards laid and sizes of hands follow from the history; the hands themselves are not in it."""
    for seed in range(SEED, SEED + 6):
        match = gramy.match("face-to-face", seed=seed)
        rng, before, played = random.Random(seed), None, []
        for _ in range(60):
            if match.outcome is not None:
                break
            seat = match.to_act[0]
            state = match.state
            if seat == 1 and state.laid == 0:
                before = state
            move = bot(GAME.name, "go" if seat else "medium").choose(match.view(seat), match.history(seat), rng, 1.0)
            if seat == 1 and move == "end":
                assert before is not None
                played.append((before, state))
            match.play(move, seat)
        if match.outcome is None:
            seen = finished_turns(match.view(0), match.history(0), 1)
            assert len(seen) == len(played) > 3
            for turn, (start, left) in zip(seen, played, strict=True):
                assert turn.laid == start.me.hand & ~left.me.hand
                assert public(turn.before) == public(start)
                assert public(turn.left)[:-2] == public(left)[:-2]
                assert turn.left.helped == left.helped


def public(state: State) -> tuple[object, ...]:
    """Return what everybody sees of a state at its player's turn."""
    return seen_of(state.me), seen_of(state.foe), state.seat, state.laid, state.helped


def seen_of(side: Side) -> tuple[int, ...]:
    return side.up, side.down, side.hand | side.deck, side.hand.bit_count()


def test_hands_are_sampled_with_the_cards_laid_and_from_cards_not_laid_before() -> None:
    match = a_match(bot(GAME.name, "go"), SEED, 30)
    for turn in finished_turns(match.view(0), match.history(0), 1):
        hands = sampled_hands(turn)
        assert len(hands) == HANDS
        assert hands == sampled_hands(turn)
        for hand in hands:
            assert hand & turn.laid == turn.laid
            assert hand & ~(turn.before.me.hand | turn.before.me.deck) == 0
            assert hand.bit_count() == turn.before.me.hand.bit_count()


def test_what_is_observed_does_not_depend_on_hidden_cards() -> None:
    """Both seats and a spectator derive the same turns, and none of them sees the hand of both."""
    for seed in range(SEED, SEED + 4):
        match = a_match(bot(GAME.name, "go"), seed, 25)
        views = [(match.view(seat), match.history(seat)) for seat in (0, 1, None)]
        first, *others = [finished_turns(view, history, 1) for view, history in views]
        assert first
        assert all(turns == first for turns in others)


def test_a_history_that_does_not_begin_with_the_match_tells_nothing() -> None:
    line = "seat=0 laid=0 helped=0 draw=0 up=30,1 down=35,60 hand=40,44,48,52;2,3,4,5,6,7 deck=2~9;8~13"
    match = Match(GAME, position=GAME.parse_position(line))
    assert finished_turns(match.view(0), match.history(0), 1) == []
    match = a_match(bot(GAME.name, "go"), SEED, 20)
    assert finished_turns(match.view(0), match.history(0)[12:], 1) == []
    assert strong_odds(*model_likelihoods([])) == 0
    assert recognised(Match(GAME, position=GAME.parse_position(line))).network == AGAINST_GREEDY


class PopulationBot(Bot):
    """Plays by the network that is better against strong players, without search."""

    def choose(self, view: View, history: tuple[Entry, ...], rng: random.Random, budget: float) -> str:
        state = known_state(view, history)
        found, _ = best_positions(state, 1, NETWORK, habits(history), AGAINST_STRONG)
        return format_move(state, state.seat, first_moves(state, read_position(state, found, 0))[0])


@needs_numba
@pytest.mark.parametrize(
    ("other", "expected"),
    [
        (bot(GAME.name, "g2"), AGAINST_GREEDY),
        (bot(GAME.name, "go"), AGAINST_GREEDY),
        (PopulationBot(), AGAINST_STRONG),
    ],
)
def test_greedy_and_strong_players_are_recognised(other: Bot, expected: int) -> None:
    matches = [a_match(other, seed, 70) for seed in range(SEED, SEED + 24)]
    found = [recognised(match) for match in matches if match.to_act]
    assert len(found) >= 18
    assert [one.network for one in found].count(expected) > len(found) / 2
    greedy_replies = [sum(one.greedy) > HUNDREDTHS / 2 for one in found]
    assert greedy_replies.count(expected == AGAINST_GREEDY) > len(found) / 2


@needs_numba
def test_a_stranger_is_expected_to_reply_like_the_network() -> None:
    """Greedy replies are expected only of a player who has shown them."""
    match = gramy.match("face-to-face", seed=SEED)
    assert sum(recognised(match).greedy) < HUNDREDTHS / 10


def test_each_policy_replies_in_as_many_sampled_deals_as_it_is_likely() -> None:
    found = [
        reply_policy_in(deal, RecognisedPlayer(AGAINST_GREEDY, (50, 0, 20, 0, 0, 10)), NETWORK)
        for deal in range(HUNDREDTHS)
    ]
    assert {reply: found.count(reply) for reply in found} == {GREEDY: 50, GREEDY + 2: 20, GREEDY + 5: 10, NETWORK: 20}
    assert {reply_policy_in(deal, UNRECOGNISED, NETWORK) for deal in range(HUNDREDTHS)} == {NETWORK}


@needs_numba
def test_the_expert_plays_by_what_it_has_recognised() -> None:
    assert list(network(True, AGAINST_GREEDY)) != list(network(True, AGAINST_STRONG))
    without = replace(EXPERT, recognises=False)  # always by the network against greedy players
    found, different = set(), 0
    for other in (bot(GAME.name, "go"), PopulationBot()):
        for seed in range(SEED, SEED + 8):
            match = a_match(other, seed, 40)
            view, history = match.view(0), match.history(0)
            moves = [each.choose(view, history, random.Random(1), 0.01) for each in (EXPERT, without)]
            found.add(recognised(match).network)
            different += moves[0] != moves[1]
    assert found == {AGAINST_GREEDY, AGAINST_STRONG}
    assert different


@needs_numba
def test_both_sides_of_a_match_do_not_seem_to_be_winning() -> None:
    """Between equals the chances of two turns in a row add up to about 1, whoever they are."""
    for level in ("medium", "hard"):
        sums = []
        for seed in range(SEED, SEED + 8):
            match = gramy.match("face-to-face", seed=seed)
            chances: list[float] = []
            for _ in range(2):
                seat = match.to_act[0]
                view, history = match.view(seat), match.history(seat)
                chances.append(max(EXPERT.evaluate(view, history, random.Random(1), 0.01).values()))
                while match.to_act == (seat,):
                    move = bot(GAME.name, level).choose(match.view(seat), match.history(seat), random.Random(1), 0.01)
                    match.play(move, seat)
            sums.append(sum(chances))
        assert 0.8 < fmean(sums) < 1.25, (level, sums)


def test_nothing_is_recognised_without_compiled_code() -> None:
    """It would take seconds."""
    match = a_match(replace(HARD), SEED, 30)
    with plain():
        assert recognised(match) == UNRECOGNISED
