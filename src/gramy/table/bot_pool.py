"""Where bots think: in processes of their own, beside the server, so that no bot ever holds a person up.

A bot is asked for work, not for time: the same view, seed and budget give the same move everywhere. Here the budget is
what keeps the time: it shrinks when many bots wait for the same processors, or when this machine is slow.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import random
import signal
import threading
import time
from collections.abc import Awaitable, Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from typing import NamedTuple, TypeAlias, TypeVar

from gramy import compiled
from gramy.analysis import Advice, Decision, Moment, advise, adviser, judge
from gramy.bots import bot, prepare
from gramy.contract import View
from gramy.games import GAMES, game
from gramy.matches import Entry

COURTESY = 5
"""How much bots step back (as `nice` counts) when a person's move wants the processor."""
LEAST = 0.02
"""Seconds of thought that a bot gets however many wait."""


class Thought(NamedTuple):
    """What a bot wants to say, and then to do."""

    said: tuple[str, ...]
    move: str


T = TypeVar("T")
Think: TypeAlias = Callable[[str, str, View, tuple[Entry, ...], int, float], Awaitable[Thought]]
"""Game, level, view, history, seed, and a budget in seconds."""
Talk: TypeAlias = Callable[[str, str, View, tuple[Entry, ...], int], Awaitable[tuple[str, ...]]]
"""Game, level, view, history and seed; the phrases."""
Advise: TypeAlias = Callable[[View, tuple[Entry, ...], int, float], Awaitable[Advice]]
"""View, history, seed, and a budget in seconds."""


def thought(game: str, level: str, view: View, history: tuple[Entry, ...], seed: int, budget: float) -> Thought:
    """Think now, here."""
    player, rng = bot(game, level), random.Random(seed)
    said = player.say(view, history, rng)
    return Thought(said, player.choose(view, history, rng, budget))


def phrases(game: str, level: str, view: View, history: tuple[Entry, ...], seed: int, budget: float) -> tuple[str, ...]:
    """Find words now, here."""
    return bot(game, level).say(view, history, random.Random(seed))


def advised(view: View, history: tuple[Entry, ...], seed: int, budget: float) -> Advice:
    """Advise now, here."""
    return advise(view, history, random.Random(seed), budget)


def judged(moment: Moment, budget: float) -> Decision:
    """Judge now, here; always with the same luck, so that a match looked back at twice looks the same."""
    return judge(budget, "", adviser(moment.view.game), moment)


class BotPool:
    """Some processes, started with the first bot's move."""

    def __init__(self, processes: int | None = None) -> None:
        self.processes = processes or max(1, (os.cpu_count() or 2) - 1)
        self._pool: ProcessPoolExecutor | None = None
        self._waiting = 0
        self._pace = 1.0  # seconds that a second's worth of work takes here, as seen lately

    async def __call__(
        self, game: str, level: str, view: View, history: tuple[Entry, ...], seed: int, budget: float
    ) -> Thought:
        """A bot's thought."""
        return await self._share(partial(thought, game, level, view, history, seed), budget)

    async def talk(self, game: str, level: str, view: View, history: tuple[Entry, ...], seed: int) -> tuple[str, ...]:
        """What a bot has to say, whoever's turn it is."""
        return await self._share(partial(phrases, game, level, view, history, seed), LEAST)

    async def advise(self, view: View, history: tuple[Entry, ...], seed: int, budget: float) -> Advice:
        """Advice for a person."""
        return await self._share(partial(advised, view, history, seed), budget)

    async def judge(self, moment: Moment, budget: float) -> Decision:
        """What a decision was worth, looked back at."""
        return await self._share(partial(judged, moment), budget)

    async def _share(self, work: Callable[[float], T], budget: float) -> T:
        """Work elsewhere, in about the time that is granted, together with everybody who waits."""
        self._waiting += 1
        share = max(1.0, self._waiting / self.processes)
        granted = max(LEAST, budget / share / max(1.0, self._pace))
        try:
            try:
                done, seconds = await self._in_pool(work, granted)
            except BrokenProcessPool:  # a process was killed; another one begins
                self._pool = None
                done, seconds = await self._in_pool(work, granted)
        finally:
            self._waiting -= 1
        if seconds > 2 * LEAST:
            self._pace += 0.2 * (seconds / granted - self._pace)
        return done

    async def _in_pool(self, work: Callable[[float], T], granted: float) -> tuple[T, float]:
        if self._pool is None:
            spawn = multiprocessing.get_context("spawn")  # a fork of a server with threads is asking for trouble
            self._pool = ProcessPoolExecutor(self.processes, spawn, initializer=_step_back)
        return await asyncio.get_running_loop().run_in_executor(self._pool, _timed, work, granted)

    def make_ready(self) -> None:
        """Compile what the bots need, in a process that steps back, so that nobody waits for it at a table. The machine
        code is kept on disk, so this is done once for each version of Gramy."""
        if compiled.available() and _first():
            multiprocessing.get_context("spawn").Process(target=_compile, daemon=True).start()

    def close(self) -> None:
        """Stop; what is being thought is not wanted any more."""
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)


def _first() -> bool:
    """Whether nobody has begun to compile this version yet."""
    try:
        compiled.folder().mkdir(parents=True, exist_ok=True)
        (compiled.folder() / "begun").touch(exist_ok=False)
    except OSError:  # it is there; or nothing can be kept here, and then compiling ahead is of no use
        return False
    return True


def _compile() -> None:
    _step_back()
    for name in GAMES:
        prepare(game(name))


def _step_back() -> None:
    """In a new process: leave the processor to people, an interrupt to the server, and go when the server is gone."""
    os.nice(COURTESY)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_follow, daemon=True).start()


def _follow() -> None:
    if (server := multiprocessing.parent_process()) is not None:
        server.join()
        os._exit(0)


def _timed(work: Callable[[float], T], granted: float) -> tuple[T, float]:
    began = time.perf_counter()
    done = work(granted)
    return done, time.perf_counter() - began
