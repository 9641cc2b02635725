"""The two ways in which an episode plays a match: numbers alone, which is fast, or a `Match` with a log, for bots."""

from __future__ import annotations

import random
from functools import cache
from typing import TYPE_CHECKING, Any, cast

import numpy

from gramy import compiled, encoding, packing, playout
from gramy.bots.kernel import kernel
from gramy.contract import Game, Rules, State
from gramy.env import kernels
from gramy.env.kernels import ANEW, FIRST, ILLEGAL, WORD
from gramy.env.scenarios import Scenario
from gramy.matches import Match, ShuffledDealer

if TYPE_CHECKING:
    from numpy import int8
    from numpy.typing import NDArray


class ArrayMatch:
    """A match as a row of numbers, played by compiled functions where Numba is installed, otherwise by plain ones."""

    def __init__(self, scenario: Scenario) -> None:
        game = scenario.game
        self._game, self.acting = game, 0
        self._codes = scenario.codes
        self._blocks = numpy.array(encoding.spans(scenario.moves), numpy.int64)
        self._records = numpy.zeros((2, FIRST + packing.size(game.start())), numpy.int64)
        functions = _functions(game.rules, plain=not compiled.available())
        self._play_move, self._show_match, self._load_state, store_state = functions
        store_state(self._records, 1, game.start())

    def reset(self, seed: int) -> None:
        """Begin a new match."""
        self._records[0, WORD] = playout.first_word(seed)
        self.acting = self._play_move(self._records, ANEW, 0)

    def play(self, seat: int, action: int) -> bool:
        """Make the move of an action; return False and change nothing if it is not legal."""
        if not 0 <= action < len(self._codes):
            return False
        acting = self._play_move(self._records, seat, self._codes[action])
        if acting == ILLEGAL:
            return False
        self.acting = acting
        return True

    def say(self, seat: int, phrase: str) -> None:
        """Do nothing: numbers have no log."""

    def observe(self, seat: int, observation: NDArray[int8], mask: NDArray[int8]) -> None:
        """Write the game's part of an observation, and 1 for each action that is a legal move of the seat."""
        self._show_match(self._records, seat, self._blocks, observation, mask)

    def state(self) -> State:
        """Return the whole state, hidden cards included."""
        return self._load_state(self._records, 0)

    def winners(self) -> int:
        """Return the seats that have won, as bits."""
        return self._game.rules.winners(self.state())


@cache
def _functions(rules: Rules, plain: bool) -> tuple[Any, Any, Any, Any]:
    """Return the functions that play and show a match, and that load and store its state."""
    shape = rules.start(rules.Options())
    load = packing.loader("load_state", shape, FIRST)
    store = packing.storer("store_state", shape, FIRST)
    others = (("load_state", load), ("store_state", store))

    def bound(function: Any) -> Any:
        if plain:
            return playout.specialise(rules, function, others=dict(others))
        return compiled.compiled(rules, function, True, others)

    return bound(kernels.play_move), bound(kernels.show_match), load, store


class LoggedMatch:
    """A match with a log, so that bots can be asked for moves. `match` is the one being played."""

    match: Match

    def __init__(self, scenario: Scenario) -> None:
        self._game: Game = scenario.game
        self._codes = scenario.codes
        self._spans = encoding.spans(scenario.moves)
        self.acting = 0

    def reset(self, seed: int) -> None:
        """Begin a new match."""
        self.match = Match(self._game, ShuffledDealer(random.Random(seed)))
        self.acting = self._game.rules.to_act(self.match.state)

    def play(self, seat: int, action: int) -> bool:
        """Make the move of an action; return False and change nothing if it is not legal."""
        rules, state = self._game.rules, self.match.state
        if not 0 <= action < len(self._codes):
            return False
        rows, code = rules.legal_moves(state, seat), self._codes[action]
        if not rows[code >> 6] >> (code & 63) & 1:
            return False
        self.match.play(rules.format_move(state, seat, code), seat)
        self.acting = rules.to_act(self.match.state)
        return True

    def say(self, seat: int, phrase: str) -> None:
        """Write a phrase into the log."""
        self.match.say(phrase, seat)

    def observe(self, seat: int, observation: NDArray[int8], mask: NDArray[int8]) -> None:
        """Write the game's part of an observation, and 1 for each action that is a legal move of the seat."""
        rules, state = self._game.rules, self.match.state
        kernel(rules, rules.observe)(state, seat, observation, 0)
        encoding.write_mask(rules.legal_moves(state, seat), self._spans, cast(Any, mask), 0)

    def state(self) -> State:
        """Return the whole state, hidden cards included."""
        return self.match.state

    def winners(self) -> int:
        """Return the seats that have won, as bits."""
        return self._game.rules.winners(self.match.state)
