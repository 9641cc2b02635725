"""Many random matches. The tally is the same whether compiled or plain, in one thread or several.

Matches are played in chunks. Each chunk has a random generator from the seed and its number, so that the order in which
chunks finish does not matter.
"""

from __future__ import annotations

import os
from array import array
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, NamedTuple

from gramy import compiled, playout
from gramy.contract import Game
from gramy.parallel import in_order

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
    progress: Callable[[int], object] = lambda games: None,
) -> Tally:
    """Play random matches and return their tally; in plain Python where Numba is missing.

    `progress` is called with the number of matches in each finished chunk.
    """
    plain = plain or not compiled.available()
    threads = 1 if plain else threads or os.cpu_count() or 1  # plain Python holds the GIL
    sizes = (min(CHUNK, games - at) for at in range(0, games, CHUNK))
    tally = Tally(0, 0, {})
    with ThreadPoolExecutor(threads) as pool:
        play = partial(_chunk, _play_many(game, plain), game, seed)
        for chunk in in_order(pool, play, enumerate(sizes), ahead=4 * threads):
            tally = tally.plus(chunk)
            progress(chunk.games)
    return tally


def _play_many(game: Game, plain: bool) -> Callable[..., Any]:
    play: Callable[..., Any] = (playout.specialise if plain else compiled.compiled)(game.rules, playout.play_many)
    return play


def _chunk(play_many: Callable[..., Any], game: Game, seed: int, numbered: tuple[int, int]) -> Tally:
    """Play a chunk and return its tally; `numbered` is its number and its size."""
    at, games = numbered
    endings = array("q", bytes(8 * playout.ENDINGS))  # an array that both plain and compiled functions can change
    moves, _ = play_many(game.start(), games, playout.first_word(seed << 32 ^ at), endings)
    return Tally(games, int(moves), {key: number for key, number in enumerate(endings) if number})
