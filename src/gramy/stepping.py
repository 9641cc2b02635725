"""Many matches stepped together, written once for every game; `gramy.batch` is the interface.

Four arrays hold everything:

- `records` has a row of 64-bit integers for each match: its random generators (DEAL_WORD for deals, CHOICE_WORD for
  players that choose at random), from ROWS the legal moves of the seat to act, then the state. The row after the last
  match is the state from which matches begin. Then each match has a row for the last state of the match that ended.
- `turns` has a column for each match: the action that is made (ACTION), the seat to act (SEAT, by `next_to_move` where
  several are). If the last step ended a match, RESULT is the winning seats as bits and ENDING how it ended
  (`Rules.ending`); otherwise both are GOING_ON.
- `tables` has numbers that describe the game: the names below, from CODES the code of each action, then the action of
  each code, then the legal actions listed for one match, then the row, the first bit and the size of each block of
  actions.
- `shown` is what programs read: the masks of all matches, then their observations, 8 bits a number.

`load_rows`, `load_state` and the others below are generated from the shape of the game's state (`gramy.packing`), and
bound with the game's functions by `specialise`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gramy.cards import ROW, Rows, bit_of, code_of, item, lowest, row_of, spread, spread_wide
from gramy.contract import DEALER, State
from gramy.playout import dealt, following_word, next_to_move, policy

to_act: Callable[[State], int]
apply: Callable[[State, int, int], State]
winners: Callable[[State], int]
ending: Callable[[State], int]
observe: Callable[[State, int, Any, int], None]
load_rows: Callable[[Any, int], Rows]
load_state: Callable[[Any, int], State]
store_rows: Callable[[Any, int, Rows], None]
store_state: Callable[[Any, int, State], None]

DEAL_WORD, CHOICE_WORD, ROWS = range(3)
ACTION, SEAT, RESULT, ENDING, TURN_ROWS = range(5)
ACTIONS, MENU_ROWS, OBSERVED, BLOCKS, LISTED, CODES = range(6)
"""The number of actions, of rows of a menu, of numbers of an observation, of blocks, and of the actions listed."""
MASKS, OBSERVATIONS, ANEW, CHOOSE = 1, 2, 4, 8
"""What `step_matches` does, as bits: fill masks, fill observations, begin the matches instead of making moves, or make
the moves that the policy chooses instead of those given."""
GOING_ON = -1
LEGAL = -1
"""What `first_illegal` returns when every action is legal."""


def first_illegal(records: Any, turns: Any, tables: Any, begin: int, end: int) -> int:
    """Return the first of the matches `begin` to `end` - 1 whose action is not legal, LEGAL if there is none."""
    actions, n, width = item(tables, ACTIONS), turns.shape[1], records.shape[1]
    for i in range(begin, end):
        action = item(turns, ACTION * n + i)
        if action < 0 or action >= actions:
            return i
        code = item(tables, CODES + action)
        if not item(records, i * width + ROWS + row_of(code)) >> bit_of(code) & 1:
            return i
    return LEGAL


def step_matches(records: Any, turns: Any, tables: Any, shown: Any, tasks: int, begin: int, end: int) -> int:
    """Make a move in each of the matches `begin` to `end` - 1, or in none; return what `first_illegal` does.

    `tasks` says what else to do: a single function, because each one that plays takes long to compile. The legal
    actions of a single match are listed, so that a loop in Python needs one call for a move.
    """
    illegal = LEGAL if tasks & (ANEW | CHOOSE) else first_illegal(records, turns, tables, begin, end)
    if illegal != LEGAL:
        return illegal
    masks, observations = tasks & MASKS, tasks & OBSERVATIONS
    after_masks = int(tables[ACTIONS]) * turns.shape[1]
    for i in range(begin, end):
        if tasks & ANEW:
            state = load_state(records, turns.shape[1])
        else:
            code = chosen(records, turns, i) if tasks & CHOOSE else item(tables, CODES + int(turns[ACTION, i]))
            state = apply(load_state(records, i), int(turns[SEAT, i]), code)
        state, seat = settle(records, turns, i, state)
        if masks:
            fill_mask(records, tables, shown, i, end)
        if observations:
            observe(state, seat, shown, after_masks + i * int(tables[OBSERVED]))
    if end == begin + 1:
        list_actions(records, tables, begin)
    return LEGAL


def settle(records: Any, turns: Any, i: int, state: State) -> tuple[State, int]:
    """Deal until a player must act, and store the match; return its state and the seat to act.

    If the match is over, first store how, and begin the next one.
    """
    word = int(records[i, DEAL_WORD])
    turns[RESULT, i] = turns[ENDING, i] = GOING_ON
    acting = to_act(state)
    while acting == 0 or acting == 1 << DEALER:
        if acting:
            state, word = dealt(state, word)
        else:
            turns[RESULT, i] = winners(state)
            turns[ENDING, i] = ending(state)
            store_state(records, turns.shape[1] + 1 + i, state)
            state = load_state(records, turns.shape[1])
        acting = to_act(state)
    word = following_word(word)
    seat, moves = next_to_move(state, acting, word)
    records[i, DEAL_WORD] = word
    turns[SEAT, i] = seat
    store_rows(records, i, moves)
    store_state(records, i, state)
    return state, seat


def choose_actions(records: Any, turns: Any, tables: Any, actions: Any, begin: int, end: int) -> None:
    """Write the action that the policy chooses in each match."""
    numbers = CODES + int(tables[ACTIONS])
    for i in range(begin, end):
        actions[i] = item(tables, numbers + chosen(records, turns, i))


def chosen(records: Any, turns: Any, i: int) -> int:
    """Return the code of the move that the policy chooses in a match."""
    word = following_word(int(records[i, CHOICE_WORD]))
    records[i, CHOICE_WORD] = word
    return policy(load_state(records, i), int(turns[SEAT, i]), load_rows(records, i), word)


def list_actions(records: Any, tables: Any, match: int) -> None:
    """Write the legal actions of a match into the tables, and how many there are."""
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


def fill_masks(records: Any, turns: Any, tables: Any, shown: Any, begin: int, end: int) -> None:
    """Write the masks of the matches `begin` to `end` - 1."""
    for i in range(begin, end):
        fill_mask(records, tables, shown, i, end)


def fill_mask(records: Any, tables: Any, shown: Any, i: int, end: int) -> None:
    """Write 1 for each legal action of a match, and 0 for all others; masks from the match `end` on are not touched.

    Writing more than the block is faster. The next block, or the next match, overwrites what is too much.
    """
    actions, rows = item(tables, ACTIONS), item(tables, MENU_ROWS)
    at, limit = i * actions, end * actions
    menu, block = i * records.shape[1] + ROWS, CODES + actions + ROW * rows + actions
    for _ in range(item(tables, BLOCKS)):
        bits = item(records, menu + item(tables, block)) >> item(tables, block + 1)
        size = item(tables, block + 2)
        if at + ROW <= limit:
            spread_wide(bits, size, shown, at)
        else:
            spread(bits, size, shown, at)
        at += size
        block += 3


def fill_observations(records: Any, turns: Any, tables: Any, shown: Any, begin: int, end: int) -> None:
    """Write what the seat to act observes in each match, one after the other."""
    first, each = int(tables[ACTIONS]) * turns.shape[1], int(tables[OBSERVED])
    for i in range(begin, end):
        observe(load_state(records, i), int(turns[SEAT, i]), shown, first + i * each)


def fill_final_observations(
    records: Any, turns: Any, tables: Any, players: int, observations: Any, begin: int, end: int
) -> None:
    """Write what each seat observes at the end of each match that the last step ended."""
    each = int(tables[OBSERVED])
    for i in range(begin, end):
        if turns[RESULT, i] != GOING_ON:
            for seat in range(players):
                state = load_state(records, turns.shape[1] + 1 + i)
                observe(state, seat, observations, (i * players + seat) * each)
