"""The expert of Quick & Easy recognises how its partners play, from its own view and history alone."""

import random

import pytest

import gramy
from gramy import compiled
from gramy.bots import bot
from gramy.bots.quick_easy.beliefs import Recognition, infer
from gramy.bots.quick_easy.features import new_extractor
from gramy.bots.quick_easy.partners import (
    CAREFUL,
    CHEAP,
    CHILD,
    LIKE_ME,
    LISTENER,
    MAX_TURNS,
    MODELS,
    list_turns,
    model_probability,
    model_turn,
)
from gramy.bots.quick_easy.recognition import MAX_WEIGHT, recognise
from gramy.bots.quick_easy.talk import visible_state
from gramy.contract import Game
from gramy.games.quick_easy.rules import DECK, State
from gramy.matches import Match, ShuffledDealer
from gramy.playout import first_word, following_word

SEED = 77
BASE = gramy.game("quick-easy", starter="lot")
PLAYS_LIKE = {"cheap": CHEAP, "careful": CAREFUL, "talker": CAREFUL, "listener": LISTENER, "child": CHILD}
needs_numba = pytest.mark.skipif(not compiled.available(), reason="Numba is not installed")


def recognised(match: Match, seat: int) -> tuple[Recognition, ...]:
    """Return how all play, to a seat."""
    view, history = match.view(seat), match.history(seat)
    knowledge, state = infer(view, history), visible_state(view)
    hidden = DECK & ~(knowledge.laid | state.up | state.down | state.hands[seat])
    return recognise(knowledge, state._replace(deck=hidden))


def played(partner: str, deal: int, turns: int, game: Game = BASE) -> Match:
    """Return a match of `medium` in seat 0 with these partners, after some turns; it may be over before."""
    rng = random.Random(f"{SEED} {partner} {deal}")
    seats = [bot(game.name, name) for name in ("medium", *[partner] * (game.players - 1))]
    match, ended = Match(game, ShuffledDealer(rng)), 0
    while match.to_act and ended < turns:
        for seat, player in enumerate(seats):
            for phrase in player.say(match.view(seat), match.history(seat), rng):
                match.say(phrase, seat)
        (seat,) = match.to_act
        move = seats[seat].choose(match.view(seat), match.history(seat), rng, 0.001)
        match.play(move, seat)
        ended += move == "end"
    return match


@needs_numba
@pytest.mark.parametrize(("partner", "model"), PLAYS_LIKE.items())
def test_each_reference_is_recognised_within_twenty_turns(partner: str, model: int) -> None:
    weights = [0] * MODELS
    for deal in range(6):
        for at, weight in enumerate(recognised(played(partner, deal, 20), 0)[1].weights):
            weights[at] += weight
    assert max(range(MODELS), key=weights.__getitem__) == model


@needs_numba
@pytest.mark.parametrize("partner", ["medium", "hard"])
def test_a_partner_that_talks_and_plays_alike_is_never_in_doubt_for_long(partner: str) -> None:
    weights = [recognised(played(partner, deal, 12), 0)[1].weights[LIKE_ME] for deal in range(4)]
    assert weights.count(MAX_WEIGHT) >= 3


@needs_numba
def test_at_first_the_way_of_talking_decides() -> None:
    talking, silent = (recognised(played(partner, 1, 1), 0)[1].weights for partner in ("talker", "cheap"))
    assert talking[LIKE_ME] > MAX_WEIGHT // 2 > silent[LIKE_ME]


@needs_numba
@pytest.mark.parametrize("players", [2, 3])
def test_other_hidden_cards_change_nothing_that_is_recognised(players: int) -> None:
    game = gramy.game("quick-easy", starter="lot", players=players)
    match = played("cheap", 2, 7, game)
    assert match.to_act
    rng = random.Random(SEED)
    hidden = match.state.deck
    for hand in match.state.hands[1:]:
        hidden |= hand
    order = [card for card in range(50) if hidden >> card & 1]
    rng.shuffle(order)
    hands, at = [match.state.hands[0]], 0
    for hand in match.state.hands[1:]:
        hands.append(sum(1 << card for card in order[at : at + hand.bit_count()]))
        at += hand.bit_count()
    deck = sum(1 << card for card in order[at:])
    twin = Match(game, position=match.state._replace(hands=tuple(hands), deck=deck))
    assert twin.state != match.state
    assert twin.view(0).board == match.view(0).board
    knowledge, state = infer(twin.view(0), match.history(0)), visible_state(twin.view(0))
    hidden = DECK & ~(knowledge.laid | state.up | state.down | state.hands[0])
    assert recognise(knowledge, state._replace(deck=hidden)) == recognised(match, 0)


def state_of(line: str) -> State:
    state = gramy.game("quick-easy").parse_position(line)
    assert isinstance(state, State)
    return state


@pytest.mark.parametrize("model", [CHEAP, CAREFUL, LISTENER, CHILD])
def test_a_model_makes_its_turns_as_often_as_their_probabilities_say(model: int) -> None:
    state = state_of("seat=0 laid=0 draw=0 up=S5 down=B7 hands=S4,R6;B1,R2 deck=Y1~Y10")
    known, extractor, turns = [DECK] * 50, new_extractor(), [0] * 2 * MAX_TURNS
    number = list_turns(state, turns)
    listed = {(turns[2 * turn], turns[2 * turn + 1]) for turn in range(number)}
    chances = {
        pair: model_probability(model, state, *pair, known, extractor, [0] * 2 * MAX_TURNS) for pair in sorted(listed)
    }
    assert sum(chances.values()) == pytest.approx(1)
    counts: dict[tuple[int, int], int] = {}
    word = first_word(SEED)
    for _ in range(400):
        first, second, word = model_turn(model, state, known, extractor, turns, word)
        word = following_word(word)
        pair = (first, second) if (first, second) in listed else (second, first)
        counts[pair] = counts.get(pair, 0) + 1
    if model in (CHEAP, CHILD):
        for pair, chance in chances.items():
            assert counts.get(pair, 0) / 400 == pytest.approx(chance, abs=0.08)
    else:  # the model plays its best turn; in the likelihood a worse one is possible
        assert list(counts) == [max(chances, key=chances.__getitem__)]
