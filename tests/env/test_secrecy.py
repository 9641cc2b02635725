"""States that a seat cannot tell apart give it the same observation in every environment, also after talk."""

import random
from typing import Any

import numpy
import pyspiel
import pytest

import gramy.env
import gramy.env.openspiel
from gramy import encoding
from gramy.contract import DEALER, Game, State
from gramy.env.drivers import ArrayMatch, LoggedMatch
from gramy.env.episode import Episode
from gramy.env.openspiel import CHANCE, DEALT
from tests.env.samples import SAMPLES, Sample
from tests.test_laws import INDISTINGUISHABLE, possible, states

each_sample = pytest.mark.parametrize("sample", SAMPLES, ids=str)


class Standing:
    """A match that stands at a state."""

    def __init__(self, game: Game, state: State) -> None:
        self.game, self.now = game, state
        self.acting = game.rules.to_act(state)

    def reset(self, seed: int) -> None:
        pass

    def play(self, seat: int, action: int) -> bool:
        raise AssertionError("nobody moves here")

    def say(self, seat: int, phrase: str) -> None:
        pass

    def observe(self, seat: int, observation: Any, mask: Any) -> None:
        self.game.rules.observe(self.now, seat, observation)
        spans = encoding.spans(self.game.rules.actions(self.game.options))
        encoding.write_mask(self.game.rules.legal_moves(self.now, seat), spans, mask, 0)

    def state(self) -> State:
        return self.now

    def winners(self) -> int:
        return self.game.rules.winners(self.now)


@each_sample
def test_an_episode_shows_a_seat_the_same_in_states_that_it_cannot_distinguish(sample: Sample) -> None:
    scenario = gramy.env.scenario(sample.game, sample.talk, sample.options)
    game, rng, compared = scenario.game, random.Random(str(sample)), 0
    for state in states(game, 12):
        for seat in range(game.players):
            other = possible(game, INDISTINGUISHABLE[game.name](state, seat, rng))
            if game.outcome(other) != game.outcome(state) or game.to_act(state) == (DEALER,):
                continue
            first, second = (Episode(scenario, Standing(game, one)) for one in (state, other))
            for episode in (first, second):
                episode.reset(0)
                if scenario.phrases and episode.actors:
                    episode.play(episode.actors[0], scenario.places["say"].start + 2)
            for one, two in zip(first.seen(seat), second.seen(seat), strict=True):
                assert one.tolist() == two.tolist()
            compared += other != state
    assert compared


@each_sample
def test_a_match_of_numbers_and_a_match_with_a_log_show_what_the_rules_do(sample: Sample) -> None:
    scenario = gramy.env.scenario(sample.game, sample.talk, sample.options)
    rng = random.Random(str(sample))
    for driver in (ArrayMatch(scenario), LoggedMatch(scenario)):
        episode = Episode(scenario, driver)
        episode.reset(4)
        width = encoding.width(scenario.game.rules.observation(scenario.game.options))
        while episode.actors:
            for seat in range(scenario.game.players):
                expected = [0] * width
                scenario.game.rules.observe(driver.state(), seat, expected)
                assert episode.seen(seat)[0][:width].tolist() == expected
            seat = rng.choice(episode.actors)
            episode.play(seat, int(rng.choice(numpy.flatnonzero(episode.seen(seat)[1]))))
        outcome = scenario.game.outcome(driver.state())
        assert outcome is not None
        assert driver.winners() == sum(1 << seat for seat in outcome.winners)


@each_sample
def test_openspiel_shows_a_player_the_same_in_states_that_it_cannot_distinguish(sample: Sample) -> None:
    name = f"python_gramy_{sample.game.replace('-', '_')}"
    spiel = pyspiel.load_game(name, {**sample.options, "talk": sample.talk})
    rng, compared = random.Random(str(sample)), 0
    state = spiel.new_initial_state()
    while not state.is_terminal():
        state.apply_action(rng.choice(state.legal_actions()))
        if state.is_chance_node() or state.is_terminal() or rng.random() > 0.3:
            continue
        game = state.scenario.game
        for player in range(game.players):
            hidden = possible(game, INDISTINGUISHABLE[game.name](state.now.state, player, rng))
            if game.outcome(hidden) is not None:
                continue
            other = state.clone()
            other.now = state.now._replace(state=hidden)
            for read in ("observation_string", "observation_tensor", "information_state_string"):
                assert getattr(other, read)(player) == getattr(state, read)(player)
            assert other.information_state_tensor(player) == state.information_state_tensor(player)
            compared += hidden != state.now.state
    assert compared or len(state.history()) < 20


@each_sample
def test_a_history_has_the_cards_of_a_player_and_those_that_were_shown_to_all(sample: Sample) -> None:
    name = f"python_gramy_{sample.game.replace('-', '_')}"
    spiel = pyspiel.load_game(name, {**sample.options, "talk": sample.talk})
    rng = random.Random(str(sample))
    state = spiel.new_initial_state()
    dealt: dict[int, list[int]] = {}
    revealed = 0
    while not state.is_terminal():
        rules = state.scenario.game.rules
        if state.is_chance_node():
            receiver = rules.receiver(state.now.state)
            dealt.setdefault(receiver, [])
            action = rng.choice(state.legal_actions())
            dealt[receiver].append(action)
        else:
            action = rng.choice(state.legal_actions())
        state.apply_action(action)
        if state.now.revealed > revealed:
            revealed = state.now.revealed
            assert {tuple(state.facts(player)) for player in range(state.scenario.game.players)} == {
                tuple(state.facts(0))
            }
            dealt = {}
        for player in range(state.scenario.game.players):
            fresh = state.facts(player)[revealed:]
            assert [number - DEALT for number in fresh if DEALT <= number < CHANCE] == dealt.get(player, [])
