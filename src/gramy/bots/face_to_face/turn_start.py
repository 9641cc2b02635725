"""The state in which a turn of Face to Face began, so that a bot can keep to the turn that it has planned.

Nothing is drawn or shown within a turn. So the search before the first card knows all that one after it could know.
"""

from __future__ import annotations

from gramy.cards import from_positions
from gramy.games.face_to_face.rules import PILES, ROW_DOWN, ROW_UP, State
from gramy.matches import Entry


def turn_start(state: State, history: tuple[Entry, ...]) -> State:
    """Return the state before the cards that the seat to act has laid in this turn.

    It is the given state if nothing was laid, or if the history does not begin with the match.
    """
    moves = [_read_move(entry) for entry in history if entry.seat in (0, 1) and " " in entry.text]
    before, turn = moves[: len(moves) - state.laid], moves[len(moves) - state.laid :]
    if not state.laid or _tops(moves, state.seat) != _tops_of(state):
        return state
    up, down, foe_up, foe_down = _tops(before, state.seat)
    laid = from_positions([card for _, _, card in turn])
    return state._replace(
        me=state.me._replace(up=up, down=down, hand=state.me.hand | laid),
        foe=state.foe._replace(up=foe_up, down=foe_down),
        laid=0,
        helped=0,
    )


def _read_move(entry: Entry) -> tuple[int, int, int]:
    """Return the seat that laid a card, the pile by its place in PILES, and the card."""
    pile, card = entry.text.split()
    return entry.seat, PILES.index(pile), int(card)


def _tops(moves: list[tuple[int, int, int]], seat: int) -> list[int]:
    """Return the tops of a seat's piles and of the other's after these moves from the start of the match."""
    tops = [ROW_UP, ROW_DOWN, ROW_UP, ROW_DOWN]
    for mover, pile, card in moves:
        tops[pile if mover == seat else (pile + 2) % 4] = 1 << card
    return tops


def _tops_of(state: State) -> list[int]:
    return [state.me.up, state.me.down, state.foe.up, state.foe.down]
