"""The endgame of Face to Face. With both decks empty nothing is hidden, so an exhaustive search can find a sure win.

While the other player still has a deck, only a turn that lays every card is sure to win; `turns` finds those.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from gramy.cards import code_of
from gramy.contract import NOBODY
from gramy.games.face_to_face.rules import END, Side, State, apply

MAX_POSITIONS = 3000
"""The search gives up after this many positions, and finds no sure win."""

Turns: TypeAlias = Callable[[State], list[State]]
"""Returns all states that a turn can leave."""


class TooManyPositions(Exception):
    """The search has reached MAX_POSITIONS."""


def sure_win(state: State, turns: Turns) -> State | None:
    """Return a state that this turn can leave and that wins against every reply; None if the search finds none."""
    solver = EndgameSolver(turns)
    try:
        return next((left for left in turns(state) if solver.wins_after(left)), None)
    except TooManyPositions:
        return None


class EndgameSolver:
    """An exhaustive search that remembers the result of each position."""

    def __init__(self, turns: Turns) -> None:
        self._turns = turns
        self._results: dict[tuple[Side, Side], bool] = {}

    def wins_after(self, left: State) -> bool:
        """Return whether the player who leaves this state wins."""
        after = left if left.winner != NOBODY else apply(left, left.seat, code_of(END, 0))
        return after.winner == left.seat or (after.winner == NOBODY and not self._wins(after))

    def _wins(self, state: State) -> bool:
        """Return whether the player to move wins."""
        position = state.me, state.foe
        if position not in self._results:
            if len(self._results) >= MAX_POSITIONS:
                raise TooManyPositions
            self._results[position] = any(self.wins_after(left) for left in self._turns(state))
        return self._results[position]
