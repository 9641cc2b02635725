"""Many random matches at once: the same tally whatever runs it, compiled or plain, one thread or several.

Matches are played in chunks, each with its own random word from the seed and its number, so that the order in which
chunks finish cannot matter.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from typing import Any, NamedTuple

from gramy import compiled, playout
from gramy.game import Game

CHUNK = 1000


class Tally(NamedTuple):
    """What came of many matches: how often each ending (`Rules.ending`), and the number of moves, deals included."""

    games: int
    moves: int
    endings: dict[int, int]

    def plus(self, other: Tally) -> Tally:
        """Both tallies in one."""
        keys = sorted(self.endings.keys() | other.endings.keys())
        endings = {key: self.endings.get(key, 0) + other.endings.get(key, 0) for key in keys}
        return Tally(self.games + other.games, self.moves + other.moves, endings)


def prepare(game: Game) -> None:
    """Compile, or load from the cache, what `simulate` needs: some seconds the first time, half a second later."""
    rules: Any = game.rules
    _chunk(compiled.compiled(rules, playout.play_many), game, 0, 0, 0, False)


def simulate(
    game: Game,
    games: int,
    seed: int = 0,
    *,
    plain: bool = False,
    threads: int | None = None,
    progress: Callable[[int], object] = lambda games: None,
) -> Tally:
    """Play so many random matches; `progress` is told of each finished chunk. Plain Python where Numba is missing."""
    plain = plain or not compiled.available()
    rules: Any = game.rules
    play = (playout.linked if plain else compiled.compiled)(rules, playout.play_many)
    tally = Tally(0, 0, {})
    for chunk in _chunks(play, game, games, seed, 1 if plain else threads or os.cpu_count() or 1, plain):
        tally = tally.plus(chunk)
        progress(chunk.games)
    return tally


def _chunks(play: Callable[..., Any], game: Game, games: int, seed: int, threads: int, plain: bool) -> Iterator[Tally]:
    sizes = [min(CHUNK, games - at) for at in range(0, games, CHUNK)]
    if plain:
        yield from (_chunk(play, game, size, seed, at, True) for at, size in enumerate(sizes))
        return
    with ThreadPoolExecutor(threads) as pool:
        jobs = [pool.submit(_chunk, play, game, size, seed, at, False) for at, size in enumerate(sizes)]
        yield from (job.result() for job in as_completed(jobs))


def _chunk(play: Callable[..., Any], game: Game, games: int, seed: int, at: int, plain: bool) -> Tally:
    endings: Any = [0] * playout.ENDINGS
    if not plain:
        import numpy

        endings = numpy.zeros(playout.ENDINGS, numpy.int64)
    moves, _ = play(game.start(), games, playout.first_word(seed << 32 ^ at), endings)
    return Tally(games, int(moves), {key: int(number) for key, number in enumerate(endings) if number})
