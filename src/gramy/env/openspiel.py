"""The games as Python games of OpenSpiel. Importing this module registers them, as `python_gramy_` with their names.

Chance deals one card at a time. Of equal cards only the lowest number is an outcome, with the probability of all of
them. Seats that act at once act one after the other, and none sees what the others have chosen.

An information state is all that a player has seen: the observation, and a history of numbers. `LOT + seat` means that a
seat starts by lot, `DEALT + card` a card that the player was dealt, `HIDDEN + seat` one that another seat was dealt,
and `CHANCE + seat * actions + action` a decision. Of a secret choice of another seat the history has only the first
action of the block. A check in which all hands are shown makes everything before it public.
"""

from __future__ import annotations

import json
from typing import Any, NamedTuple

import numpy
import pyspiel

from gramy import cards, encoding, games
from gramy.bots.kernel import kernel
from gramy.contract import DEALER, NOBODY, Game, Rules, State
from gramy.env import talk, turns
from gramy.env.scenarios import Scenario, title
from gramy.env.talk import PHRASES_IN_A_ROUND, Conversation
from gramy.messages import to_builtins
from gramy.options import choices, parse_options

LOT, HIDDEN, DEALT, CHANCE = 1, 9, 17, 81  # the first numbers of each kind of fact in a history
MOST_CARDS = 6  # in one deal
REVEALED = "revealed"  # the event after which everything that was hidden before is public


class Fact(NamedTuple):
    """One entry of a history: its number for those who may read it, and for the others. `reader` None: for all."""

    number: int
    reader: int | None
    hidden: int


class Progress(NamedTuple):
    """Everything that changes in a game, as one value: copying a state copies no more than this."""

    state: State
    picked: int
    """The cards of the current deal that chance has picked already."""
    talk: Conversation
    due: bool
    """Whether a round of talk begins when the dealer has dealt."""
    facts: tuple[Fact, ...]
    revealed: int
    """How many of the facts are public, whoever could read them."""

    def __deepcopy__(self, memo: dict[int, object]) -> Progress:
        """Return the value itself: it never changes."""
        return self


class GramyGame(pyspiel.Game):
    """A game with its options, which are the parameters; `talk` is one more."""

    rules: Rules

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        given = params or {}
        wanted = {name: value for name, value in given.items() if name != "talk"}
        self.scenario = Scenario(Game(self.rules, parse_options(self.rules, wanted)), bool(given.get("talk", True)))
        rewards = [reward for winners in (0, 1) for reward in self.scenario.rewards(winners)]
        decisions = self.rules.bound(self.scenario.game.options)
        if self.scenario.phrases:
            decisions *= 1 + self.scenario.game.players * (PHRASES_IN_A_ROUND + 1)
        self.facts = decisions + self.scenario.game.players + MOST_CARDS * self.rules.bound(self.scenario.game.options)
        info = pyspiel.GameInfo(
            num_distinct_actions=self.scenario.actions,
            max_chance_outcomes=cards.ROW,
            num_players=self.scenario.game.players,
            min_utility=min(rewards),
            max_utility=max(rewards),
            utility_sum=None if self.rules.COOPERATIVE else 0.0,
            max_game_length=decisions + self.scenario.game.players,
        )
        super().__init__(game_type(self.rules), info, given)

    def new_initial_state(self, from_json: str | None = None) -> GramyState:
        """Return the state before the first deal."""
        return GramyState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> GramyObserver:
        """Return an observer: of the current observation, or with perfect recall of the information state."""
        if params:
            raise ValueError(f"observers of this game have no parameters, not {params}")
        kind = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        if not kind.public_info or kind.private_info != pyspiel.PrivateInfoType.SINGLE_PLAYER:
            given = f"public_info={kind.public_info}, private_info={kind.private_info}"
            raise ValueError(f"observers show public and one player's private information; {given} is not supported")
        return GramyObserver(self, kind.perfect_recall)


class GramyState(pyspiel.State):
    """A state of a match, with the cards that chance has picked of the current deal, and the talk."""

    def __init__(self, game: GramyGame) -> None:
        super().__init__(game)
        self.scenario = game.scenario
        quiet = talk.silence(self.scenario.game.players, self.scenario.agreed)
        self.now = self._settled(Progress(self.scenario.game.start(), 0, quiet, True, (), 0))

    @property
    def acting(self) -> int:
        """The seats to act by the rules, as bits."""
        return self.scenario.game.rules.to_act(self.now.state)

    def current_player(self) -> Any:
        """Return the player to act, or that it is chance, or that the match is over."""
        acting = self.acting
        if not acting:
            return pyspiel.PlayerId.TERMINAL
        if acting == 1 << DEALER:
            return pyspiel.PlayerId.CHANCE
        return turns.actors(self.scenario, self.now.talk, acting)[0]

    def is_terminal(self) -> bool:
        """Return whether the match is over."""
        return not self.acting

    def returns(self) -> list[float]:
        """Return the reward of each player; all 0 until the match is over."""
        if self.acting:
            return [0.0] * self.scenario.game.players
        return list(self.scenario.rewards(self.scenario.game.rules.winners(self.now.state)))

    def _legal_actions(self, player: int) -> list[int]:
        scenario, now = self.scenario, self.now
        if player != self.current_player():
            return []
        rows = () if now.talk.speakers else scenario.game.rules.legal_moves(now.state, player)
        moves = sorted(encoding.action_of(scenario.moves, code) for code in cards.codes(rows))
        besides = turns.mask(scenario, now.talk, self.acting, player)
        return moves + [scenario.wait + at for at, legal in enumerate(besides) if legal]

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the next card (or the seat that starts by lot) with its probability; equal cards count as one."""
        rules, now = self.scenario.game.rules, self.now
        left = rules.deal_pool(now.state)[0] & ~now.picked
        equal: dict[int, int] = {}
        for card in cards.positions(left):
            outcome = self._outcome(card)
            equal[outcome] = equal.get(outcome, 0) + 1
        return [(outcome, number / cards.count(left)) for outcome, number in sorted(equal.items())]

    def _outcome(self, card: int) -> int:
        """Return the outcome that stands for a card: the lowest of the cards that are equal to it."""
        rules = self.scenario.game.rules
        lowest = None if rules.receiver(self.now.state) == NOBODY else rules.parse_card(rules.format_card(card))
        return card if lowest is None else lowest

    def _apply_action(self, action: int) -> None:
        player = self.current_player()
        after = self._dealt(action) if player == pyspiel.PlayerId.CHANCE else self._played(player, action)
        self.now = self._settled(after)

    def _dealt(self, outcome: int) -> Progress:
        """Return what follows from the next card of a deal; the last card of the deal changes the state."""
        rules, now = self.scenario.game.rules, self.now
        pool, number = rules.deal_pool(now.state)
        receiver = rules.receiver(now.state)
        card = next(card for card in cards.positions(pool & ~now.picked) if self._outcome(card) == outcome)
        fact = (
            Fact(LOT + outcome, None, 0) if receiver == NOBODY else Fact(DEALT + outcome, receiver, HIDDEN + receiver)
        )
        now = now._replace(picked=now.picked | 1 << card, facts=(*now.facts, fact))
        if cards.count(now.picked) < number:
            return now
        return now._replace(state=rules.deal(now.state, now.picked), picked=0)

    def _played(self, player: int, action: int) -> Progress:
        """Return what follows from a player's action."""
        scenario, now, rules = self.scenario, self.now, self.scenario.game.rules
        facts = (*now.facts, self._decision(player, action))
        conversation = turns.after(scenario, now.talk, player, action)
        after = now._replace(talk=conversation, due=now.due or action == scenario.end, facts=facts)
        if action >= scenario.wait:
            return after
        code = scenario.codes[action]
        state = rules.apply(now.state, player, code)
        events = rules.events(now.state, player, code, state)
        revealed = len(facts) if any(event.key == REVEALED for event in events) else now.revealed
        return after._replace(state=state, revealed=revealed)

    def _decision(self, player: int, action: int) -> Fact:
        """Return an action as a fact. Of a secret move the others learn only that it was made."""
        first = CHANCE + player * self.scenario.actions
        for name, place in self.scenario.places.items():
            if place.start <= action < place.stop and name in self.scenario.game.rules.SECRET:
                return Fact(first + action, player, first + place.start)
        return Fact(first + action, None, 0)

    def _settled(self, now: Progress) -> Progress:
        """Begin a round of talk, if one is due and the dealer has dealt."""
        acting = self.scenario.game.rules.to_act(now.state)
        if not now.due or acting in (0, 1 << DEALER):
            return now
        return now._replace(talk=turns.round_of_talk(self.scenario, now.talk, acting), due=False)

    def facts(self, player: int) -> list[int]:
        """Return the history as a player may read it, as numbers; see the module."""
        return [
            fact.number if fact.reader in (None, player) or at < self.now.revealed else fact.hidden
            for at, fact in enumerate(self.now.facts)
        ]

    def _action_to_string(self, player: int, action: int) -> str:
        rules = self.scenario.game.rules
        if player == pyspiel.PlayerId.CHANCE:
            lot = rules.receiver(self.now.state) == NOBODY
            return f"deal first {action}" if lot else f"deal {rules.format_card(action)}"
        return self.scenario.action_text(self.now.state, player, action)

    def __str__(self) -> str:
        """Return the position as one line, and what was said."""
        game, now = self.scenario.game, self.now
        picked = "".join(f" {game.rules.format_card(card)}" for card in cards.positions(now.picked))
        said = [
            self.scenario.action_text(now.state, 0, self.scenario.wait + 1 + number)
            for bits in now.talk.said
            for number in cards.positions(bits)
        ]
        parts = [game.format_position(now.state), *([f"picked{picked}"] if picked else []), *said]
        return " ".join(parts)


class GramyObserver:
    """What a player observes, as a tensor with named parts and as text; with perfect recall also the history."""

    def __init__(self, game: GramyGame, recall: bool) -> None:
        self._setting, self._recall = game.scenario, recall
        features = [(feature.name, feature.size) for feature in game.scenario.features]
        pieces = [*features, *([("history", game.facts)] if self._recall else [])]
        self.tensor = numpy.zeros(sum(size for _, size in pieces), numpy.float32)
        self._numbers = numpy.zeros(sum(size for _, size in features), numpy.int8)
        self.dict: dict[str, Any] = {}
        at = 0
        for name, size in pieces:
            self.dict[name] = self.tensor[at : at + size]
            at += size

    def set_from(self, state: GramyState, player: int) -> None:
        """Write what a player observes into the tensor."""
        scenario, now = self._setting, state.now
        tail = turns.numbers(scenario, now.talk, player)
        kernel(scenario.game.rules, scenario.game.rules.observe)(now.state, player, self._numbers, 0)
        if tail:
            self._numbers[-len(tail) :] = numpy.frombuffer(tail, numpy.int8)
        self.tensor[: len(self._numbers)] = self._numbers
        if self._recall:
            facts = state.facts(player)
            self.dict["history"][:] = 0
            self.dict["history"][: len(facts)] = facts

    def string_from(self, state: GramyState, player: int) -> str:
        """Return what a player observes as text: the board as the player sees it, the talk, and the history."""
        scenario, now = self._setting, state.now
        view = scenario.game.view(now.state, player)
        seen = {"player": player, "to_act": view.to_act, "board": to_builtins(view.board)}
        if scenario.conversing:
            seen["talk"] = now.talk._asdict()
        if self._recall:
            seen["history"] = state.facts(player)
        return json.dumps(seen)


def game_type(rules: Rules) -> Any:
    """Return OpenSpiel's description of a game; its parameters are the options, and `talk`."""
    defaults = rules.Options()
    allowed = choices(rules.Options)
    return pyspiel.GameType(
        short_name=short_name(rules),
        long_name=f"Gramy {title(rules.NAME)}",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.IDENTICAL if rules.COOPERATIVE else pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=max(allowed["players"]),
        min_num_players=min(allowed["players"]),
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={name: getattr(defaults, name) for name in allowed} | {"talk": True},
    )


def short_name(rules: Rules) -> str:
    """Return the name by which OpenSpiel loads a game."""
    return f"python_gramy_{rules.NAME.replace('-', '_')}"


for _rules in games.GAMES.values():
    pyspiel.register_game(game_type(_rules), type(title(_rules.NAME), (GramyGame,), {"rules": _rules}))
