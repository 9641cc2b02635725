"""OpenSpiel: golden playthroughs, chance, copies and parameters."""

import pickle
import random
from typing import Any

import pyspiel
import pytest
from open_spiel.python.observation import make_observation

import gramy.env.openspiel
from gramy import cards
from tests.env.playthrough import FOLDER, names, playthrough

each_game = pytest.mark.parametrize("name", names())


def some_way(name: str, steps: int = 30) -> pyspiel.State:
    state, rng = pyspiel.load_game(name).new_initial_state(), random.Random(1)
    for _ in range(steps):
        if not state.is_terminal():
            state.apply_action(rng.choice(state.legal_actions()))
    return state


@each_game
def test_a_playthrough_is_the_golden_one(name: str) -> None:
    assert playthrough(name) == (FOLDER / f"{name}.txt").read_text(encoding="utf-8"), "run `make golden`"


@each_game
def test_a_state_can_be_cloned_pickled_and_serialised(name: str) -> None:
    state = some_way(name)
    clone = state.clone()
    assert str(clone) == str(state)
    for copy in (clone, pickle.loads(pickle.dumps(state))):
        assert copy.history() == state.history()
        copy.apply_action(copy.legal_actions()[0])
        assert copy.history() != state.history()
    game, restored = pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(state.get_game(), state))
    assert (str(game), str(restored)) == (str(state.get_game()), str(state))


@each_game
def test_chance_deals_one_card_at_a_time_with_the_probability_of_equal_cards(name: str) -> None:
    rng = random.Random(2)
    state = pyspiel.load_game(name).new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes = state.chance_outcomes()
            assert sum(chance for _, chance in outcomes) == pytest.approx(1)
            pool, number = state.scenario.game.rules.deal_pool(state.now.state)
            left = cards.count(pool & ~state.now.picked)
            assert all(round(chance * left) in (1, 2) for _, chance in outcomes)
            assert cards.count(state.now.picked) < number
        state.apply_action(rng.choice(state.legal_actions()))


@each_game
def test_only_the_player_to_act_has_legal_actions(name: str) -> None:
    state = some_way(name)
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    players = range(state.get_game().num_players())
    assert [bool(state.legal_actions(player)) for player in players] == [
        player == state.current_player() for player in players
    ]


def test_an_observer_has_named_parts_and_no_parameters() -> None:
    game = pyspiel.load_game("python_gramy_gra", {"players": 3})
    observer = game.make_py_observer()
    assert {"hand", "bid_value", "sizes"} <= observer.dict.keys()
    assert "history" not in observer.dict
    with pytest.raises(ValueError, match="no parameters"):
        game.make_py_observer(params={"odd": 1})


@pytest.mark.parametrize("recall", [False, True])
@pytest.mark.parametrize("public", [False, True])
@pytest.mark.parametrize("private", list(pyspiel.PrivateInfoType.__members__.values()), ids=str)
@each_game
def test_only_observers_of_what_one_player_sees_exist(name: str, private: Any, public: bool, recall: bool) -> None:
    """An observer of the public part alone must not show a hand, and one of a hand alone no board."""
    kind = pyspiel.IIGObservationType(public_info=public, perfect_recall=recall, private_info=private)
    game = pyspiel.load_game(name)
    if public and private == pyspiel.PrivateInfoType.SINGLE_PLAYER:
        observer, state = make_observation(game, kind), some_way(name)
        observer.set_from(state, 0)
        expected = state.information_state_tensor(0) if recall else state.observation_tensor(0)
        assert observer.tensor.tolist() == expected
    else:
        with pytest.raises(ValueError, match=r"private_info=PrivateInfoType.* is not supported"):
            make_observation(game, kind)


def test_parameters_are_the_options_and_talk() -> None:
    game = pyspiel.load_game("python_gramy_quick_easy", {"players": 4, "pro": True, "talk": False})
    assert game.num_players() == 4
    assert game.scenario.game == gramy.game("quick-easy", players=4, pro=True)
    assert game.scenario.phrases == ()
