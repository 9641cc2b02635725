"""Many matches stepped together, written once for every game; `gramy.batch` is the interface.

Each match is a row of `records`, an array of 64-bit integers:

| columns | what |
|---|---|
| DEAL_WORD, CHOICE_WORD | the match's random generators: one for its deals, one for players that choose at random |
| SEAT | the seat to act (`next_to_move`, where several are) |
| RESULT | the winning seats as bits if the last step ended a match, otherwise GOING_ON |
| ENDING | how that match ended (`Rules.ending`), otherwise GOING_ON |
| from ROWS | the legal moves of the seat to act |
| after them | the state; after it the last state of the match that ended |

`tables` is an array of integers: the number of actions (ACTIONS), of rows of a menu (MENU_ROWS) and of actions listed
(LISTED); from CODES the code of each action, then the action of each code, then the actions listed.

The last row of `records` is not a match: its state is the one from which matches begin. `load_rows`, `load_state` and
the others below are generated from the shape of the game's state (`gramy.packing`), and bound with the game's functions
by `specialise`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gramy.cards import ROW, Rows, bit_of, code_of, lowest, row_of, spread
from gramy.contract import DEALER, State
from gramy.playout import dealt, following_word, next_to_move, policy

to_act: Callable[[State], int]
legal_moves: Callable[[State, int], Rows]
apply: Callable[[State, int, int], State]
winners: Callable[[State], int]
ending: Callable[[State], int]
observe: Callable[[State, int, Any, int], None]
load_rows: Callable[[Any, int], Rows]
load_state: Callable[[Any, int], State]
load_final: Callable[[Any, int], State]
store_rows: Callable[[Any, int, Rows], None]
store_state: Callable[[Any, int, State], None]
store_final: Callable[[Any, int, State], None]

DEAL_WORD, CHOICE_WORD, SEAT, RESULT, ENDING, ROWS = range(6)
ACTIONS, MENU_ROWS, LISTED, CODES = range(4)
GOING_ON = -1
LEGAL = -1
"""What `first_illegal` returns when every action is legal."""


def first_illegal(records: Any, actions: Any, tables: Any, begin: int, end: int) -> int:
    """Return the first of the matches `begin` to `end` - 1 whose action is not legal, LEGAL if there is none."""
    for i in range(begin, end):
        if actions[i] < 0 or actions[i] >= tables[ACTIONS]:
            return i
        code = tables[CODES + actions[i]]
        if not records[i, ROWS + row_of(code)] >> bit_of(code) & 1:
            return i
    return LEGAL


def step_matches(records: Any, actions: Any, tables: Any, anew: bool, begin: int, end: int) -> int:
    """Make a move in each of the matches `begin` to `end` - 1, or in none; return what `first_illegal` does.

    If `anew`, the matches begin instead: one function to compile. The legal actions of a single match are listed, so
    that a loop in Python needs one call for a move.
    """
    illegal = LEGAL if anew else first_illegal(records, actions, tables, begin, end)
    if illegal != LEGAL:
        return illegal
    for i in range(begin, end):
        if anew:
            state = load_state(records, len(records) - 1)
        else:
            state = apply(load_state(records, i), int(records[i, SEAT]), int(tables[CODES + actions[i]]))
        settle(records, i, state)
    if end == begin + 1:
        list_actions(records, tables, begin)
    return LEGAL


def settle(records: Any, i: int, state: State) -> None:
    """Deal until a player must act, and store the match; if it is over, first store how, and begin the next one."""
    word = int(records[i, DEAL_WORD])
    records[i, RESULT] = records[i, ENDING] = GOING_ON
    acting = to_act(state)
    while acting == 0 or acting == 1 << DEALER:
        if acting:
            state, word = dealt(state, word)
        else:
            records[i, RESULT] = winners(state)
            records[i, ENDING] = ending(state)
            store_final(records, i, state)
            state = load_state(records, len(records) - 1)
        acting = to_act(state)
    word = following_word(word)
    seat = next_to_move(state, acting, word)
    records[i, DEAL_WORD] = word
    records[i, SEAT] = seat
    store_rows(records, i, legal_moves(state, seat))
    store_state(records, i, state)


def choose_actions(records: Any, actions: Any, tables: Any, begin: int, end: int) -> None:
    """Write the action that the policy chooses in each match."""
    numbers = CODES + int(tables[ACTIONS])
    for i in range(begin, end):
        word = following_word(int(records[i, CHOICE_WORD]))
        records[i, CHOICE_WORD] = word
        code = policy(load_state(records, i), int(records[i, SEAT]), load_rows(records, i), word)
        actions[i] = tables[numbers + code]


def list_actions(records: Any, tables: Any, match: int) -> None:
    """Write the legal actions of a match at the end of the tables, and how many there are."""
    number, rows = 0, int(tables[MENU_ROWS])
    numbers = CODES + int(tables[ACTIONS])
    first = numbers + ROW * rows
    for row in range(rows):
        bits = int(records[match, ROWS + row])
        while bits:
            tables[first + number] = tables[numbers + code_of(row, lowest(bits))]
            bits &= bits - 1
            number += 1
    tables[LISTED] = number


def fill_masks(records: Any, blocks: Any, masks: Any, begin: int, end: int) -> None:
    """Write 1 for each legal action of each match, and 0 for all others, one match after the other.

    `blocks` has the row, the first bit and the size of each block of actions.
    """
    each = len(masks) // (len(records) - 1)
    for i in range(begin, end):
        at, after = i * each, (i + 1) * each
        for block in range(len(blocks)):
            bits = int(records[i, ROWS + blocks[block, 0]]) >> int(blocks[block, 1])
            if at + ROW <= after:
                spread(bits, ROW, masks, at)  # a whole row is faster; the next blocks overwrite what is too much
            else:
                spread(bits, blocks[block, 2], masks, at)
            at += blocks[block, 2]


def fill_observations(records: Any, observations: Any, begin: int, end: int) -> None:
    """Write what the seat to act observes in each match, one after the other."""
    each = len(observations) // (len(records) - 1)
    for i in range(begin, end):
        observe(load_state(records, i), int(records[i, SEAT]), observations, i * each)


def fill_final_observations(records: Any, players: int, observations: Any, begin: int, end: int) -> None:
    """Write what each seat observes at the end of each match that the last step ended; 0 where a match goes on."""
    each = len(observations) // (len(records) - 1) // players
    for i in range(begin, end):
        for seat in range(players):
            at = (i * players + seat) * each
            if records[i, RESULT] == GOING_ON:
                for number in range(at, at + each):
                    observations[number] = 0
            else:
                observe(load_final(records, i), seat, observations, at)
