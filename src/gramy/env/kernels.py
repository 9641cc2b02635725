"""One match as a row of numbers, written once for every game; `gramy.env.drivers` calls these functions.

`records` is an array of 64-bit integers with two rows: the match, and the state from which a match begins.
`load_state` and `store_state` are generated from the shape of a state (`gramy.packing`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gramy.cards import Rows, contains, spread
from gramy.contract import DEALER, State
from gramy.playout import dealt

to_act: Callable[[State], int]
legal_moves: Callable[[State, int], Rows]
apply: Callable[[State, int, int], State]
observe: Callable[[State, int, Any, int], None]
load_state: Callable[[Any, int], State]
store_state: Callable[[Any, int, State], None]

WORD, FIRST = range(2)  # the column of the random generator, and the first one of the state
ILLEGAL = -1
ANEW = -1  # the seat with which `play_move` begins a match


def play_move(records: Any, seat: int, code: int) -> int:
    """Make a move, and deal until a player must act; return the seats to act as bits, or ILLEGAL."""
    if seat == ANEW:
        state = load_state(records, 1)
    else:
        state = load_state(records, 0)
        if not contains(legal_moves(state, seat), code):
            return ILLEGAL
        state = apply(state, seat, code)
    word = int(records[0, WORD])
    acting = to_act(state)
    while acting == 1 << DEALER:
        state, word = dealt(state, word)
        acting = to_act(state)
    records[0, WORD] = word
    store_state(records, 0, state)
    return acting


def show_match(records: Any, seat: int, blocks: Any, observation: Any, mask: Any) -> None:
    """Write what a seat observes, and 1 for each of its legal moves."""
    state = load_state(records, 0)
    observe(state, seat, observation, 0)
    rows = legal_moves(state, seat)
    at = 0
    for block in range(len(blocks)):
        at = spread(rows[blocks[block, 0]] >> blocks[block, 1], blocks[block, 2], mask, at)
