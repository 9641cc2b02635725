"""The conformance tests that PettingZoo, Gymnasium and OpenSpiel ship, for every game and a sample of options."""

import copy
import random
from typing import Any

import gymnasium
import numpy
import pyspiel
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, render_test, seed_test

import gramy
import gramy.env
import gramy.env.openspiel
from gramy.bots.protocol import Bot
from gramy.contract import DEALER, View
from gramy.env.scenarios import title
from gramy.errors import BadOptions, IllegalMove
from gramy.matches import Entry, Match, ShuffledDealer
from tests.env.samples import SAMPLES, Sample

each_sample = pytest.mark.parametrize("sample", SAMPLES, ids=str)
each_game = pytest.mark.parametrize("name", list(gramy.GAMES))
expected_warnings = pytest.mark.filterwarnings(
    "ignore:Observation is not a NumPy array",  # it is a dictionary with the mask, as in PettingZoo's own card games
    "ignore:Observation space for each agent probably should be",
    "ignore:Action mask numpy array is all zeros",  # the match is over, or it is not the agent's turn
)


def aec(sample: Sample, **more: Any) -> Any:
    return gramy.env.aec(sample.game, talk=sample.talk, **sample.options, **more)


def legal(mask: Any, rng: random.Random) -> int:
    return int(rng.choice(numpy.flatnonzero(mask)))


@each_sample
@expected_warnings
def test_pettingzoo_s_api_test_passes(sample: Sample, capsys: pytest.CaptureFixture[str]) -> None:
    api_test(aec(sample), num_cycles=200)
    assert "Passed API test" in capsys.readouterr().out


@each_sample
def test_pettingzoo_s_seed_test_passes(sample: Sample) -> None:
    seed_test(lambda: aec(sample), num_cycles=60)


@each_sample
def test_pettingzoo_s_parallel_api_test_passes(sample: Sample, capsys: pytest.CaptureFixture[str]) -> None:
    parallel_api_test(gramy.env.parallel(sample.game, talk=sample.talk, **sample.options), num_cycles=200)
    assert "Passed Parallel API test" in capsys.readouterr().out


@each_game
def test_pettingzoo_s_render_test_passes(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    render_test(lambda **more: gramy.env.aec(name, **more), {"ansi": lambda text: text.strip() != ""})
    assert "seat 0" in capsys.readouterr().out


@each_game
def test_gymnasium_s_check_passes(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    env = gymnasium.make(f"gramy.env:gramy/{title(name)}-v1", opponent="random", disable_env_checker=True)
    check_env(env.unwrapped)
    assert "seat 0" in capsys.readouterr().out


@each_sample
def test_openspiel_s_random_simulation_passes(sample: Sample) -> None:
    game = pyspiel.load_game(f"python_gramy_{sample.game.replace('-', '_')}", {**sample.options, "talk": sample.talk})
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)


@each_game
def test_a_seat_plays_whole_matches_against_a_level(name: str) -> None:
    env = gymnasium.make(f"gramy/{title(name)}-v1", opponent="easy", seat=0)
    rng, endings = random.Random(1), set()
    for match in range(4):
        observation, info = env.reset(seed=match)
        over = False
        while not over:
            assert info["seat"] == 0
            assert (info["action_mask"] == observation["action_mask"]).all()
            assert observation in env.observation_space
            observation, reward, over, cut, info = env.step(legal(observation["action_mask"], rng))
            assert not cut
        lost = 0.0 if gramy.GAMES[name].COOPERATIVE else -1.0
        assert reward == (1.0 if 0 in info["winners"] else lost)
        endings.add(reward)
    assert endings


class Predictor(Bot):
    """A bot that deals a match from its own generator before its first move, and then plays at random."""

    def __init__(self) -> None:
        self.predicted: list[Match] = []

    def choose(self, view: View, history: tuple[Entry, ...], rng: random.Random, budget: float) -> str:
        if not self.predicted:
            self.predicted.append(Match(gramy.game("face-to-face"), ShuffledDealer(copy.copy(rng))))
        return rng.choice(view.moves)


def hands(match: Match) -> list[Entry]:
    """Return the deals of the two hands."""
    return [entry for entry in match.log if entry.seat == DEALER and entry.reader is not None][:2]


def test_the_generator_of_the_bots_does_not_tell_the_cards(monkeypatch: pytest.MonkeyPatch) -> None:
    predictor = Predictor()
    monkeypatch.setattr("gramy.env.seat_env.bot", lambda game, level: predictor)
    env = gymnasium.make("gramy/FaceToFace-v1", seat=1).unwrapped
    compared = 0
    for seed in range(10):
        predictor.predicted.clear()
        env.reset(seed=seed)
        for predicted in predictor.predicted:  # none if the agent starts
            compared += 1
            assert all(
                one != other for one, other in zip(hands(env.episode.match.match), hands(predicted), strict=True)
            )
    assert compared


class Listed:
    """A generator that returns listed numbers."""

    def __init__(self, *numbers: int) -> None:
        self.numbers = iter(numbers)

    def integers(self, high: int) -> int:
        return next(self.numbers)


def test_the_seed_of_the_bots_does_not_change_the_cards() -> None:
    env = gymnasium.make("gramy/FaceToFace-v1", opponent="random", seat=1).unwrapped
    cards, moves = {}, {}
    for deal in (1, 2):
        for bots in range(8):
            env.np_random = Listed(deal, bots)
            env.reset()
            match = env.episode.match.match
            cards[deal, bots] = hands(match)
            moves[deal, bots] = [entry.text for entry in match.log if entry.seat == 0]
    for deal in (1, 2):
        assert all(cards[deal, bots] == cards[deal, 0] for bots in range(8))
        assert any(moves[deal, bots] != moves[deal, 0] for bots in range(8))
    assert cards[1, 0] != cards[2, 0]


@each_game
def test_an_illegal_action_ends_the_episode_of_a_seat(name: str) -> None:
    env = gymnasium.make(f"gramy/{title(name)}-v1", opponent="random").unwrapped
    observation, _ = env.reset(seed=1)
    illegal = int(numpy.flatnonzero(observation["action_mask"] == 0)[0])
    _, reward, over, _, info = env.step(illegal)
    assert (reward, over, info["illegal"]) == (-1.0, True, True)
    with pytest.raises(IllegalMove, match="over"):
        env.step(0)


def test_a_seat_that_does_not_exist_and_an_unknown_level_are_refused() -> None:
    with pytest.raises(BadOptions, match="There is no seat 2"):
        gymnasium.make("gramy/FaceToFace-v1", seat=2)
    with pytest.raises(BadOptions, match="medium"):
        gymnasium.make("gramy/FaceToFace-v1", opponent="strong")


@each_game
def test_an_illegal_action_is_refused_and_changes_nothing(name: str) -> None:
    env = gramy.env.aec(name)
    env.reset(seed=3)
    before = env.last()[0]
    for action in (-1, env.scenario.actions, int(numpy.flatnonzero(before["action_mask"] == 0)[0])):
        with pytest.raises(IllegalMove, match=str(action)):
            env.step(action)
    assert (env.last()[0]["observation"] == before["observation"]).all()
    together = gramy.env.parallel(name)
    together.reset(seed=3)
    with pytest.raises(IllegalMove):
        together.step({})


@each_sample
def test_the_same_seed_gives_the_same_arrays(sample: Sample) -> None:
    assert trace(sample) == trace(sample)


def trace(sample: Sample) -> list[Any]:
    """Return everything that all agents see in two matches of random actions."""
    env, rng, seen = aec(sample), random.Random(2), []
    env.reset(seed=9)
    for _ in range(2):
        for agent in env.agent_iter():
            observation, reward, over, _, info = env.last()
            seen.append((agent, observation["observation"].tobytes(), info["action_mask"].tobytes(), reward, over))
            env.step(None if over else legal(observation["action_mask"], rng))
        env.reset()
    return seen


@each_game
def test_masks_are_in_the_observation_and_in_the_info_and_only_for_the_agent_to_act(name: str) -> None:
    env = gramy.env.aec(name)
    env.reset(seed=4)
    for agent in env.agents:
        acts = agent == env.agent_selection
        assert env.observe(agent)["action_mask"].any() == acts
        assert env.infos[agent]["action_mask"].any() == acts


@each_game
def test_many_matches_are_a_vector_environment(name: str) -> None:
    env = gymnasium.make_vec(f"gramy/{title(name)}SelfPlay-v1", num_envs=3)
    rng = random.Random(5)
    observation, info = env.reset(seed=[1, None, 1])
    assert (observation["observation"][0] == observation["observation"][2]).all()
    ended = 0
    for _ in range(400):
        assert observation in env.observation_space
        assert (info["action_mask"] == observation["action_mask"]).all()
        acted = info["seat"]
        observation, rewards, done, cut, info = env.step([legal(mask, rng) for mask in info["action_mask"]])
        assert not cut.any()
        assert (rewards == info["rewards"][numpy.arange(3), acted]).all()
        for i in numpy.flatnonzero(done):
            assert info["final_obs"][i] in env.single_observation_space
            assert info["_final_obs"][i]
            ended += 1
    assert ended
    first, _ = env.reset(seed=8)
    again, _ = env.reset(seed=8)
    assert (first["observation"] == again["observation"]).all()
    assert env.unwrapped.render() is None
    shown = gramy.env.vector(name, 2, render_mode="ansi")
    assert all("seat" in text for text in shown.render())


def test_parallel_environments_with_one_seed_are_equal() -> None:
    with pytest.raises(IllegalMove):  # PettingZoo samples without the mask here
        parallel_seed_test(lambda: gramy.env.parallel("gra"), num_cycles=2)
    first, second = gramy.env.parallel("gra", players=4), gramy.env.parallel("gra", players=4)
    rng = random.Random(6)
    seen, _ = first.reset(seed=7)
    other, _ = second.reset(seed=7)
    while first.agents:
        actions = {agent: legal(seen[agent]["action_mask"], rng) for agent in first.agents}
        assert all((seen[agent]["observation"] == other[agent]["observation"]).all() for agent in first.agents)
        seen, rewards, *_ = first.step(actions)
        other, equal, *_ = second.step(actions)
        assert rewards == equal
    assert sorted(rewards.values()) == [-1 / 3, -1 / 3, -1 / 3, 1.0]


@pytest.mark.parametrize("mode", ["ansi", "human", None])
def test_a_parallel_environment_renders_what_a_spectator_sees(mode: str | None, capsys: Any) -> None:
    env = gramy.env.parallel("gra", render_mode=mode)
    env.reset(seed=1)
    shown = env.render()
    env.close()
    assert ("seat 0" in (shown or "")) == (mode == "ansi")
    assert ("seat 0" in capsys.readouterr().out) == (mode == "human")
