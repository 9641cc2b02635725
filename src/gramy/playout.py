"""Playing a match out by uniformly random moves, written once for any game and for both worlds.

`awaited`, `owed`, `deal`, `offers`, `apply` and `ending` are the game's own functions: `linked` puts them in place, as
plain Python or (`gramy.compiled`) as machine code. Random words are arguments, so both worlds play the same.
"""

from __future__ import annotations

import dis
from collections.abc import Callable, MutableSequence
from types import FunctionType
from typing import Any, TypeAlias

from gramy.cards import Rows, count, lowest, mixed, pick, select, total
from gramy.contract import DEALER, Rules, State

to_act: Callable[[State], int]
deal_pool: Callable[[State], tuple[int, int]]
deal: Callable[[State, int], State]
legal_moves: Callable[[State, int], Rows]
apply: Callable[[State, int, int], State]
ending: Callable[[State], int]

OWN = ("to_act", "deal_pool", "deal", "legal_moves", "apply", "ending")
ENDINGS = 64


def step(state: State, word: int) -> tuple[State, int]:
    """One move at random, the dealer's or the first awaited player's; the state after it and the next random word."""
    seat = lowest(to_act(state))
    if seat == DEALER:
        pool, number = deal_pool(state)
        picked, left = 0, count(pool)
        for _ in range(number):
            word = following_word(word)
            card = 1 << select(pool, below(word, left))
            pool ^= card
            picked |= card
            left -= 1
        return deal(state, picked), word
    rows = legal_moves(state, seat)
    word = following_word(word)
    return apply(state, seat, pick(rows, below(word, total(rows)))), word


def play_out(state: State, word: int) -> tuple[State, int, int]:
    """Play until the match is over; the last state, the number of moves (deals too), and the next random word."""
    moves = 0
    while to_act(state):
        state, word = step(state, word)
        moves += 1
    return state, moves, word


def play_many(state: State, games: int, word: int, endings: MutableSequence[int]) -> tuple[int, int]:
    """Play from one state many times, counting how they ended; the number of moves, and the next random word."""
    moves = 0
    for _ in range(games):
        last, more, word = play_out(state, word)
        endings[ending(last)] += 1
        moves += more
    return moves, word


def fingerprint(state: State, games: int, word: int) -> int:
    """A number that depends on every field of every state of these matches, to compare two worlds by."""
    mark = 0
    for _ in range(games):
        at = state
        while to_act(at):
            at, word = step(at, word)
            mark = mixed(mark, at)
    return mark


def following_word(word: int) -> int:
    """Multiply-with-carry: 32 random bits below, the carry above; fits 63 bits."""
    return 698769069 * (word & 0xFFFFFFFF) + (word >> 32)


def below(word: int, limit: int) -> int:
    """A number from 0 to limit - 1."""
    return (word & 0xFFFFFFFF) * limit >> 32


def first_word(seed: int) -> int:
    """A good random word for any seed, even 0 and 1, by mixing (splitmix64)."""
    word = (seed + 0x9E3779B97F4A7C15) & 0xFFFFFFFFFFFFFFFF
    word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9 & 0xFFFFFFFFFFFFFFFF
    word = (word ^ word >> 27) * 0x94D049BB133111EB & 0xFFFFFFFFFFFFFFFF
    word ^= word >> 31
    return (word & 0xFFFFFFFF | (word >> 32) % 698769068 << 32) or 1


Finish: TypeAlias = Callable[[FunctionType, FunctionType], Any]
"""Makes of a function and its linked twin what shall be called in its place."""


def specialise(rules: Rules, function: Callable[..., Any], finish: Finish = lambda _, twin: twin) -> Any:
    """The function with the game's own in place of the six names above, in all that it calls as well."""
    own = {name: getattr(rules, name) for name in OWN}
    done: dict[FunctionType, Any] = {}

    def link(original: FunctionType) -> Any:
        if original not in done:
            names = dict(original.__globals__)
            twin = FunctionType(original.__code__, names, original.__name__, original.__defaults__)
            twin.__qualname__ = f"{rules.NAME}.{original.__name__}"
            done[original] = twin  # a function may call itself
            called = {op.argval for op in dis.get_instructions(original) if op.opname == "LOAD_GLOBAL"}
            for name in called:
                target = own.get(name, names.get(name))
                if isinstance(target, FunctionType):
                    names[name] = link(target)
            done[original] = finish(original, twin)
        return done[original]

    assert isinstance(function, FunctionType)
    return link(function)
