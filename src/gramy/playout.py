"""Play-outs: matches of uniformly random moves, written once for every game.

The functions that are declared below, from `to_act` to `observe`, stand for a game's own. `specialise` binds them, as
plain Python or (`gramy.compiled`) as machine code. The state of the random generator is an argument (`word`), so that
plain and compiled play-outs are the same.
"""

from __future__ import annotations

import dis
from collections.abc import Callable, Mapping, MutableSequence
from types import FunctionType, MappingProxyType
from typing import Any, TypeAlias

from gramy.cards import Rows, count, count_moves, fold_hash, lowest, nth, pick, select
from gramy.contract import DEALER, Rules, State

to_act: Callable[[State], int]
deal_pool: Callable[[State], tuple[int, int]]
deal: Callable[[State, int], State]
legal_moves: Callable[[State, int], Rows]
apply: Callable[[State, int, int], State]
ending: Callable[[State], int]
winners: Callable[[State], int]
observe: Callable[[State, int, MutableSequence[int], int], None]

Policy: TypeAlias = Callable[[State, int, Rows, int], int]
"""Chooses the code of a move: from the state, the seat to act, its legal moves and a random word (`below`)."""

GAME_FUNCTIONS = ("to_act", "deal_pool", "deal", "legal_moves", "apply", "ending", "winners", "observe")
ENDINGS = 64


def step(state: State, word: int) -> tuple[State, int]:
    """Make a move of the dealer or of a seat to act; return the state after it and the next word."""
    if to_act(state) == 1 << DEALER:
        return dealt(state, word)
    seat, code, word = random_move(state, word)
    return apply(state, seat, code), word


def random_move(state: State, word: int) -> tuple[int, int, int]:
    """Return a seat to act, the code of the move that it chooses by the policy, and the next word."""
    word = following_word(word)
    seat, moves = next_to_move(state, to_act(state), word)
    return seat, policy(state, seat, moves, word), word


def next_to_move(state: State, seats: int, word: int) -> tuple[int, Rows]:
    """Return which of the seats to act moves next, and its legal moves.

    Of several seats that choose at once, the first one is as good as any, because nobody sees what the others choose.
    Seats that have a single move do not choose it but whether to be first (`start`): one of them is picked at random.
    """
    seat = lowest(seats)
    moves = legal_moves(state, seat)
    if seats & seats - 1 and count_moves(moves) == 1:
        seat = select(seats, below(word, count(seats)))
        moves = legal_moves(state, seat)
    return seat, moves


def uniform(state: State, seat: int, moves: Rows, word: int) -> int:
    """The policy that chooses uniformly at random."""
    return pick(moves, below(word, count_moves(moves)))


policy: Policy = uniform
"""How players choose in play-outs. `specialise` can bind another policy under this name."""


def dealt(state: State, word: int) -> tuple[State, int]:
    """Return the state after a random deal, and the next word."""
    picked, word = random_deal(state, word)
    return deal(state, picked), word


def random_deal(state: State, word: int) -> tuple[int, int]:
    """Return what the dealer picks at random, as bits, and the next word."""
    pool, number = deal_pool(state)
    picked, left = 0, count(pool)
    for _ in range(number):
        word = following_word(word)
        card = nth(pool, below(word, left))
        pool ^= card
        picked |= card
        left -= 1
    return picked, word


def play_out(state: State, word: int) -> tuple[State, int, int]:
    """Play until the match is over; return the last state, the number of moves with deals, and the next word."""
    moves = 0
    while to_act(state):
        state, word = step(state, word)
        moves += 1
    return state, moves, word


def play_many(state: State, games: int, word: int, endings: MutableSequence[int]) -> tuple[int, int]:
    """Play from one state many times and count the endings; return the number of moves, and the next word."""
    moves = 0
    for _ in range(games):
        last, more, word = play_out(state, word)
        endings[ending(last)] += 1
        moves += more
    return moves, word


def fingerprint(state: State, games: int, word: int) -> int:
    """Return a hash of every state of these matches, to compare compiled with plain functions."""
    mark = 0
    for _ in range(games):
        at = state
        while to_act(at):
            at, word = step(at, word)
            mark = fold_hash(mark, at)
    return mark


def following_word(word: int) -> int:
    """Return the next word of the generator (multiply-with-carry): 32 random bits below, the carry above; 63 bits."""
    return 698769069 * (word & 0xFFFFFFFF) + (word >> 32)


def below(word: int, limit: int) -> int:
    """Return a random number from 0 to limit - 1."""
    return (word & 0xFFFFFFFF) * limit >> 32


def first_word(seed: int) -> int:
    """Return the first word for a seed; splitmix64 makes even the seeds 0 and 1 good ones."""
    word = (seed + 0x9E3779B97F4A7C15) & 0xFFFFFFFFFFFFFFFF
    word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9 & 0xFFFFFFFFFFFFFFFF
    word = (word ^ word >> 27) * 0x94D049BB133111EB & 0xFFFFFFFFFFFFFFFF
    word ^= word >> 31
    return (word & 0xFFFFFFFF | (word >> 32) % 698769068 << 32) or 1


Finish: TypeAlias = Callable[[FunctionType, FunctionType], Any]
"""Takes a function and its copy that is bound to a game; returns what is called in place of the function."""


def specialise(
    rules: Rules,
    function: Callable[..., Any],
    finish: Finish = lambda _, bound: bound,
    others: Mapping[str, Callable[..., Any]] = MappingProxyType({}),
) -> Any:
    """Return a copy of a function that is bound to a game: it, and all that it calls, use the game's functions.

    `others` are further functions to bind, by the names under which they are called.
    """
    game_functions = {name: getattr(rules, name) for name in GAME_FUNCTIONS} | dict(others)
    done: dict[FunctionType, Any] = {}

    def bind(original: FunctionType) -> Any:
        if original not in done:
            names = dict(original.__globals__)
            bound = FunctionType(original.__code__, names, original.__name__, original.__defaults__)
            bound.__qualname__ = f"{rules.NAME}.{original.__name__}"
            done[original] = bound  # a function may call itself
            called = {op.argval for op in dis.get_instructions(original) if op.opname == "LOAD_GLOBAL"}
            for name in called:
                target = game_functions.get(name, names.get(name))
                if isinstance(target, FunctionType):
                    names[name] = bind(target)
            done[original] = finish(original, bound)
        return done[original]

    assert isinstance(function, FunctionType)
    return bind(function)
