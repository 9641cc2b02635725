"""Many matches at compiled speed, of random players or of a policy of your own.

The tally is the same whether compiled or plain, in one thread or several: matches are played in chunks, and each chunk
has a random generator from the seed and its number, so that the order in which chunks finish does not matter.
"""

from __future__ import annotations

import os
from array import array
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, NamedTuple

from gramy import compiled, playout
from gramy.cards import ROW, contains
from gramy.contract import DEALER, Game
from gramy.errors import IllegalMove
from gramy.messages import Message
from gramy.parallel import in_order
from gramy.playout import Policy, uniform

CHUNK = 1000


class Tally(NamedTuple):
    """The results of many matches: how often each ending (`Rules.ending`) came, and the moves with deals."""

    games: int
    moves: int
    endings: dict[int, int]

    def plus(self, other: Tally) -> Tally:
        """Return the sum of two tallies."""
        keys = sorted(self.endings.keys() | other.endings.keys())
        endings = {key: self.endings.get(key, 0) + other.endings.get(key, 0) for key in keys}
        return Tally(self.games + other.games, self.moves + other.moves, endings)


def compile_ahead(game: Game) -> None:
    """Compile what `simulate` needs, or load it from the cache: some seconds the first time, half a second later."""
    _chunk(_play_many(game, plain=False), game, 0, (0, 0))


def simulate(
    game: Game,
    games: int,
    seed: int = 0,
    *,
    plain: bool = False,
    threads: int | None = None,
    policy: Policy = uniform,
    progress: Callable[[int], object] = lambda games: None,
) -> Tally:
    """Play matches and return their tally; in plain Python where Numba is missing.

    `policy(state, seat, moves, word)` returns the code of a legal move; it is compiled together with the rules. Without
    one, players choose uniformly at random. A policy's first matches are checked and raise IllegalMove. `progress` is
    called with the number of matches in each finished chunk.
    """
    if policy is not uniform:
        check_policy(game, policy, seed)
    plain = plain or not compiled.available()
    threads = 1 if plain else threads or os.cpu_count() or 1  # plain Python holds the GIL
    sizes = (min(CHUNK, games - at) for at in range(0, games, CHUNK))
    tally = Tally(0, 0, {})
    with ThreadPoolExecutor(threads) as pool:
        play = partial(_chunk, _play_many(game, plain, policy), game, seed)
        for chunk in in_order(pool, play, enumerate(sizes), ahead=4 * threads):
            tally = tally.plus(chunk)
            progress(chunk.games)
    return tally


def compile_with_rules(game: Game, function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function of yours, compiled together with the rules that it calls; plain where Numba is missing.

    It may call the functions of the game's module `rules`, of `gramy.cards` and of `gramy.playout`.
    """
    return (compiled.compiled if compiled.available() else playout.specialise)(game.rules, function)


def check_policy(game: Game, policy: Policy, seed: int = 0, matches: int = 3) -> None:
    """Play some matches by a policy, in plain Python; raises IllegalMove for a move that is not legal."""
    rules, word = game.rules, playout.first_word(seed)
    choose, deal = playout.specialise(rules, policy), playout.specialise(rules, playout.dealt)
    mover = playout.specialise(rules, playout.next_to_move)
    for _ in range(matches):
        state = game.start()
        while acting := rules.to_act(state):
            if acting == 1 << DEALER:
                state, word = deal(state, word)
                continue
            word = playout.following_word(word)
            seat, moves = mover(state, acting, word)
            code = choose(state, seat, moves, word)
            if not 0 <= code < ROW * len(moves) or not contains(moves, code):
                raise IllegalMove(Message("illegal_code", {"code": code, "position": game.format_position(state)}))
            state = rules.apply(state, seat, code)


def _play_many(game: Game, plain: bool, policy: Policy = uniform) -> Callable[..., Any]:
    others = {} if policy is uniform else {"policy": policy}
    if plain:
        play: Callable[..., Any] = playout.specialise(game.rules, playout.play_many, others=others)
        return play
    return compiled.compiled(game.rules, playout.play_many, others=tuple(others.items()))


def _chunk(play_many: Callable[..., Any], game: Game, seed: int, numbered: tuple[int, int]) -> Tally:
    """Play a chunk and return its tally; `numbered` is its number and its size."""
    at, games = numbered
    endings = array("q", bytes(8 * playout.ENDINGS))  # an array that both plain and compiled functions can change
    moves, _ = play_many(game.start(), games, playout.first_word(seed << 32 ^ at), endings)
    return Tally(games, int(moves), {key: number for key, number in enumerate(endings) if number})
