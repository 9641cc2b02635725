"""Talk as actions, and the agreement on who starts: who may act when, what is observed, and that it ends."""

import random
from typing import Any

import gymnasium
import numpy
import pytest

import gramy
import gramy.env
from gramy import encoding
from gramy.env import talk
from gramy.env.talk import PHRASES_IN_A_ROUND
from tests.env.tables import PAGE, written

COLOURS = ("red", "blue", "green", "yellow", "grey")
BANDS = ("low", "lowish", "middle", "highish", "high")
WISHES = ("mine up", "mine down", "turn up", "turn down")


def quick_easy(**options: Any) -> Any:
    env = gramy.env.aec("quick-easy", **options)
    env.reset(seed=5)
    return env


def seen(env: Any, agent: str, feature: str) -> list[int]:
    """Return some numbers of what an agent observes."""
    numbers = env.observe(agent)["observation"]
    return [int(number) for number in numbers[encoding.slices(env.scenario.features)[feature]]]


def allowed(env: Any) -> set[str]:
    """Return what the agent to act may do, by the names of blocks."""
    mask = env.last()[0]["action_mask"]
    return {name for name, place in env.scenario.places.items() if mask[place].any()}


def say(env: Any, text: str) -> None:
    number = next(phrase.number for phrase in env.scenario.phrases if phrase.text == text)
    env.step(env.scenario.places["say"].start + number)


def wait(env: Any, times: int = 1) -> None:
    for _ in range(times):
        env.step(env.scenario.wait)


def test_version_1_of_the_vocabulary_never_changes() -> None:
    """A policy knows phrases by their numbers. If this test fails, raise VOCABULARY_VERSION and add a test."""
    assert gramy.env.VOCABULARY_VERSION == 1
    heights = tuple(f"{colour} {band}" for colour in COLOURS for band in BANDS)
    for pro, texts in ((False, COLOURS + heights + WISHES), (True, COLOURS + WISHES)):
        phrases = gramy.env.vocabulary(gramy.game("quick-easy", pro=pro))
        assert tuple(phrase.text for phrase in phrases) == texts
        assert [phrase.number for phrase in phrases] == list(range(len(texts)))
    assert (phrases[-1].about, phrases[-1].detail) == ("turn", "down")
    assert gramy.env.vocabulary(gramy.game("gra")) == ()


def test_before_an_agreed_start_everybody_talks_and_then_is_asked() -> None:
    env = quick_easy(players=3)
    assert allowed(env) == {"wait", "say"}
    assert (env.agent_selection, seen(env, "player_0", "talking")) == ("player_0", [1, 1, 1])
    wait(env, 3)
    assert (env.agent_selection, allowed(env)) == ("player_0", {"start", "wait"})
    wait(env)
    assert seen(env, "player_2", "declined") == [0, 1, 0]
    wait(env)
    assert (env.agent_selection, allowed(env)) == ("player_2", {"start"})
    env.step(env.scenario.start)
    assert (env.agent_selection, allowed(env)) == ("player_2", {"up", "down"})


def test_what_a_seat_says_is_observed_by_all_until_it_ends_its_turn() -> None:
    env = quick_easy(players=3, starter="lot")
    phrases = len(env.scenario.phrases)
    speaker = env.agent_selection
    say(env, "red low")
    assert env.agent_selection == speaker
    assert seen(env, speaker, "phrases_left") == [PHRASES_IN_A_ROUND - 1]
    number = next(phrase.number for phrase in env.scenario.phrases if phrase.text == "red low")
    for offset, agent in enumerate(reversed([speaker, *others(env, speaker)])):
        at = (1 + offset) % 3 * phrases + number
        assert [place for place, flag in enumerate(seen(env, agent, "said")) if flag] == [at]
    assert not env.last()[0]["action_mask"][env.scenario.places["say"]][number]  # it stands already
    say(env, "mine up")
    assert env.agent_selection == others(env, speaker)[0]  # two phrases were all
    wait(env, 2)
    while sum(seen(env, speaker, "said")):
        if allowed(env) == {"wait", "say"}:
            wait(env)
        else:
            assert sum(seen(env, speaker, "said")) == 2
            mask = env.last()[0]["action_mask"]
            end = env.scenario.places["end"].start
            env.step(end if mask[end] else int(mask.argmax()))
        assert env.episode.actors, "lost before the speaker's turn: take another seed"
    assert allowed(env) == {"wait", "say"}  # the speaker has ended its turn


def others(env: Any, agent: str) -> list[str]:
    """Return the other agents, clockwise from the next one."""
    agents = env.possible_agents
    at = agents.index(agent)
    return agents[at + 1 :] + agents[:at]


def test_the_seat_to_move_talks_last_and_cannot_talk_between_its_cards() -> None:
    env = quick_easy(players=2, starter="lot")
    mover = others(env, env.agent_selection)[0]
    wait(env)
    assert (env.agent_selection, allowed(env)) == (mover, {"wait", "say"})
    wait(env)
    assert (env.agent_selection, allowed(env)) == (mover, {"up", "down"})
    env.step(int(env.last()[0]["action_mask"].argmax()))
    assert allowed(env) <= {"up", "down", "end"}
    env.step(env.scenario.end)
    assert (env.agent_selection, allowed(env)) == (mover, {"wait", "say"})  # the other one moves, so it talks last


@pytest.mark.parametrize("pro", [False, True])
def test_players_who_never_stop_talking_reach_the_end(pro: bool) -> None:
    env = gramy.env.aec("quick-easy", players=5, pro=pro)
    rng = random.Random(3)
    for seed in range(5):
        env.reset(seed=seed)
        steps = 0
        while env.episode.actors:
            mask = env.last()[0]["action_mask"]
            spoken = numpy.flatnonzero(mask[env.scenario.places["say"]])
            if len(spoken):
                env.step(env.scenario.places["say"].start + int(rng.choice(spoken)))
            else:
                env.step(int(rng.choice(numpy.flatnonzero(mask))))
            steps += 1
        rounds = 50 + 1
        assert steps <= gramy.GAMES["quick-easy"].bound(env.scenario.game.options) + rounds * 5 * PHRASES_IN_A_ROUND


def test_silent_play_has_neither_phrases_nor_rounds_of_talk() -> None:
    env = quick_easy(talk=False, starter="lot")
    assert list(env.scenario.places) == ["up", "down", "end"]
    assert allowed(env) == {"up", "down"}
    batch = gramy.Batch(env.scenario.game, 1)
    assert env.scenario.actions == batch.masks.shape[1]
    assert env.scenario.width == batch.observations.shape[1]


def test_in_parallel_all_talk_in_one_step_and_a_lot_decides_between_those_who_start() -> None:
    starters = set()
    for seed in range(12):
        env = gramy.env.parallel("quick-easy", players=3)
        env.reset(seed=seed)
        phrase = env.scenario.places["say"].start
        observations, *_ = env.step({"player_0": phrase, "player_1": phrase + 1, "player_2": env.scenario.wait})
        said = encoding.slices(env.scenario.features)["said"]
        assert [int(one["observation"][said].sum()) for one in observations.values()] == [2, 2, 2]
        waiting = dict.fromkeys(env.agents, env.scenario.wait)
        observations, *_ = env.step(waiting)
        takers = {"player_0": env.scenario.start, "player_1": env.scenario.start} if seed % 2 else {}
        observations, *_ = env.step(waiting | takers)
        turn = encoding.slices(env.scenario.features)["turn"]
        starter = [agent for agent, one in observations.items() if one["observation"][turn][0]]
        assert len(starter) == 1
        assert not takers or starter[0] in takers
        starters |= set(starter)
    assert starters == {"player_0", "player_1", "player_2"}


def test_bots_talk_and_agree_on_the_start_with_an_agent() -> None:
    env = gymnasium.make("gramy/QuickEasy-v1", opponent="medium", players=3, seat=1).unwrapped
    said = encoding.slices(env.scenario.features)["said"]
    heard, starters = 0, set()
    for seed in range(6):
        observation, info = env.reset(seed=seed)
        over = False
        while not over:
            heard += int(observation["observation"][said][len(env.scenario.phrases) :].sum())
            if env.episode.asking:
                starters.add("asked")
            legal = numpy.flatnonzero(info["action_mask"])
            action = env.scenario.wait if info["action_mask"][env.scenario.wait] else int(legal[0])
            observation, _, over, _, info = env.step(action)
    assert heard
    assert starters


def test_a_conversation_is_a_value() -> None:
    quiet = talk.silence(3, agreed=False)
    opened = talk.opened(quiet, 1)
    assert (opened.speakers, opened.left, quiet.speakers) == ((2, 0, 1), (2, 2, 2), ())
    spoken = talk.spoken(talk.spoken(opened, 2, 4), 2, 0)
    assert (spoken.speakers, spoken.said) == ((0, 1), (0, 0, 0b10001))
    assert talk.turn_ended(spoken, 2).said == (0, 0, 0)
    assert talk.waited(quiet, 2).declined == (2,)


def test_the_tables_of_the_page_are_current() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert written(page) == page, "run `make golden`"
