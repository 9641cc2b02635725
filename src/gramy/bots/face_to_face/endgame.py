"""The end of a match of Face to Face, seen exactly: with both decks empty nothing is hidden, and all that can follow is
looked through.

While the other still has a deck, a turn that lays everything is the only sure way to win, for he may do nothing that
helps; `turns` finds it. What is not sure is left to trials.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from gramy.cards import code_of
from gramy.contract import NOBODY
from gramy.games.face_to_face.rules import END, Side, State, apply

LOOKS = 3000
"""How many positions are looked at before the search is given up: then nothing is called sure."""

Turns: TypeAlias = Callable[[State], list[State]]
"""All tables that a turn can leave."""


class GivenUp(Exception):
    """There are too many positions to look at."""


def sure_table(state: State, turns: Turns) -> State | None:
    """A table that this turn can leave and that wins whatever the other does; None if there is none."""
    search = Search(turns)
    try:
        return next((left for left in turns(state) if search.secure(left)), None)
    except GivenUp:
        return None


class Search:
    """Looks through what can follow, with what was found out about positions on the way."""

    def __init__(self, turns: Turns) -> None:
        self._turns = turns
        self._found: dict[tuple[Side, Side], bool] = {}

    def secure(self, left: State) -> bool:
        """Whether a table wins for who leaves it."""
        after = left if left.winner != NOBODY else apply(left, left.seat, code_of(END, 0))
        return after.winner == left.seat or (after.winner == NOBODY and not self._wins(after))

    def _wins(self, state: State) -> bool:
        """Whether who has the turn wins."""
        position = state.me, state.foe
        if position not in self._found:
            if len(self._found) >= LOOKS:
                raise GivenUp
            self._found[position] = any(self.secure(left) for left in self._turns(state))
        return self._found[position]
