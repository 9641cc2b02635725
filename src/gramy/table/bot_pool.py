"""Bots run in processes of their own, so that no computation of a bot delays the server.

A bot is given a budget of work, not a deadline: the same view, seed and budget give the same move on every machine. The
pool bounds the time by reducing budgets when many requests share the processors, or when the machine is slow. Nobody
waits for the compiler: plain functions play until a game's compiled code is loaded (`gramy.bots.ahead`).
"""

from __future__ import annotations

import asyncio
import logging
import os
import random
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from multiprocessing.context import SpawnContext, SpawnProcess
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from gramy.analysis import Advice, Decision, DecisionPoint, adviser, evaluate_decision
from gramy.analysis import advise as advise_by_rng
from gramy.bots import bot
from gramy.bots.ahead import (
    PLAIN_BUDGET,
    CompilationProgress,
    Compiler,
    enter_background,
    load_in_background,
    without_waiting,
)
from gramy.contract import START, View
from gramy.games import GAMES
from gramy.matches import Entry

LOG = logging.getLogger("gramy.bots")
NICENESS = 5
"""Added to the niceness of bot processes, so that requests of people get the processor first."""
MIN_BUDGET = 0.02
"""Seconds that a bot gets, however many requests are under way."""
SMOOTHING = 0.2
"""Weight of the newest measurement in the running mean of the machine's slowness."""
START_TIMEOUT = 5.0
"""Seconds that a server waits at its start until the processes run."""
WAIT_FOR_COMPILER, WAIT_FOR_LOADING, LOOK_EVERY = 120.0, 5.0, 0.5
"""Seconds that an analysis waits at most until code is compiled, and then until it is loaded; and between two looks."""

T = TypeVar("T")


class BotRequest(NamedTuple):
    """A question to a bot about the view and history of its seat. `level` is not used for advice, which the strongest
    bot gives; `budget` (seconds of a quiet core) is not used for phrases."""

    view: View
    history: tuple[Entry, ...]
    seed: int
    level: str = ""
    budget: float = 0.0


class BotMove(NamedTuple):
    """A bot's answer when it is to move: the phrases to say first, the move, and how gladly it takes the start."""

    said: tuple[str, ...]
    move: str
    eagerness: float = 1.0


class BotPool(Protocol):
    """Answers requests to bots, without blocking the event loop."""

    async def move(self, request: BotRequest) -> BotMove:
        """Return a bot's move, and what it says before."""

    async def say(self, request: BotRequest) -> tuple[str, ...]:
        """Return the phrases that a bot says now, on anyone's turn."""

    async def advise(self, request: BotRequest) -> Advice:
        """Return advice for a person who is to move."""

    async def evaluate(self, point: DecisionPoint, budget: float) -> Decision:
        """Return the evaluation of one decision of a finished match."""


def move(request: BotRequest) -> BotMove:
    """Compute `BotPool.move` here and now."""
    player, rng = bot(request.view.game, request.level), random.Random(request.seed)
    said = player.say(request.view, request.history, rng)
    chosen = player.choose(request.view, request.history, rng, request.budget)
    keen = player.eagerness(request.view, request.history, rng) if chosen == START else 1.0
    return BotMove(said, chosen, keen)


def say(request: BotRequest) -> tuple[str, ...]:
    """Compute `BotPool.say` here and now."""
    return bot(request.view.game, request.level).say(request.view, request.history, random.Random(request.seed))


def advise(request: BotRequest) -> Advice:
    """Compute `BotPool.advise` here and now."""
    return advise_by_rng(request.view, request.history, random.Random(request.seed), request.budget)


def evaluate(point: DecisionPoint, budget: float) -> Decision:
    """Compute `BotPool.evaluate` here and now. The seed is fixed, so that two analyses of a match are equal."""
    return evaluate_decision(budget, "", adviser(point.view.game), point)


class BotProcesses(SpawnContext):
    """Starts processes and remembers them, so that they can be killed. A forked one could inherit the locks of the
    server's threads, so they are spawned."""

    def __init__(self) -> None:
        super().__init__()
        self._started: list[SpawnProcess] = []

    def Process(self, *args: Any, **kwargs: Any) -> SpawnProcess:  # type: ignore[override]  # noqa: N802
        """Return a new process. ProcessPoolExecutor calls this."""
        self._started.append(SpawnProcess(*args, **kwargs))
        return self._started[-1]

    def kill(self) -> None:
        """Kill all processes, so that no computation delays the end of the server."""
        for process in self._started:
            if process.is_alive():
                process.kill()


def start_processes(number: int, processes: BotProcesses, load: Sequence[str]) -> Executor:
    """Start an executor of low-priority processes that end with the server; they load the compiled code of games."""
    return ProcessPoolExecutor(number, processes, initializer=_enter_worker, initargs=(load,))


class BotAnswer(NamedTuple, Generic[T]):
    """What a process has computed, in how many seconds by which budget, and whether by compiled functions."""

    value: T
    seconds: float
    budget: float
    compiled: bool


class ProcessBotPool(BotPool):
    """A pool of processes. `waiting` counts the requests under way.

    The first request starts the processes, which play by plain functions, unless `compile_ahead` was called before.
    """

    def __init__(
        self,
        processes: int | None = None,
        start: Callable[[int, BotProcesses, Sequence[str]], Executor] = start_processes,
    ) -> None:
        self.processes = processes or max(1, (os.cpu_count() or 2) - 1)
        self.waiting = 0
        self._start, self._bot_processes = start, BotProcesses()
        self._executor: Executor | None = None
        self._slowness = 1.0  # seconds that a budget of one second takes here, as a running mean
        self._closed = False
        self._compiler: Compiler | None = None
        self._plain: set[str] = set()  # games whose last answer came from plain functions

    async def move(self, request: BotRequest) -> BotMove:
        return (await self._run(request.view.game, request.budget, partial(_with_budget, move, request))).value

    async def say(self, request: BotRequest) -> tuple[str, ...]:
        return (await self._run(request.view.game, MIN_BUDGET, partial(_with_budget, say, request))).value

    async def advise(self, request: BotRequest) -> Advice:
        return (await self._run(request.view.game, request.budget, partial(_with_budget, advise, request))).value

    async def evaluate(self, point: DecisionPoint, budget: float) -> Decision:
        """Return the evaluation of one decision. Unlike a move it waits for compiled code, though not forever: two
        analyses of a match should be equal."""
        game, compiler, began = point.view.game, self._compiler, time.monotonic()
        while compiler and compiler.is_busy_with(game) and time.monotonic() < began + WAIT_FOR_COMPILER:
            await asyncio.sleep(LOOK_EVERY)
        job, began = partial(evaluate, point), time.monotonic()
        answer = await self._run(game, budget, job)
        while not answer.compiled and compiler and compiler.has_compiled(game):
            if time.monotonic() > began + WAIT_FOR_LOADING:
                break
            await asyncio.sleep(LOOK_EVERY)
            answer = await self._run(game, budget, job)
        return answer.value

    async def _run(self, game: str, budget: float, job: Callable[[float], T]) -> BotAnswer[T]:
        """Run `job(granted)` in a process; `granted` is this request's share of the processors."""
        asked = time.monotonic()
        self.waiting += 1
        share = max(1.0, self.waiting / self.processes)
        if game in self._plain:
            budget = min(budget, PLAIN_BUDGET)
        granted = max(MIN_BUDGET, budget / share / max(1.0, self._slowness))
        try:
            try:
                answer = await self._in_executor(game, job, granted, asked)
            except BrokenProcessPool:  # a process was killed: start others
                if self._closed:
                    raise asyncio.CancelledError from None
                self._executor = None
                answer = await self._in_executor(game, job, granted, asked)
        finally:
            self.waiting -= 1
        if answer.seconds > 2 * MIN_BUDGET:
            self._slowness += SMOOTHING * (answer.seconds / answer.budget - self._slowness)
        self._note(game, answer.compiled)
        return answer

    async def _in_executor(self, game: str, job: Callable[[float], T], budget: float, asked: float) -> BotAnswer[T]:
        future = self._running_executor().submit(_timed, game, job, budget, asked)
        # Python 3.11's executor fails in its own thread if its processes are killed while a request is cancelled.
        future.cancel = _not_cancelled  # type: ignore[method-assign]
        return await asyncio.wrap_future(future)

    def _running_executor(self) -> Executor:
        if self._executor is None:
            self._executor = self._start(self.processes, self._bot_processes, tuple(GAMES) if self._compiler else ())
        return self._executor

    async def compile_ahead(self) -> None:
        """Start the processes, wait for them, and start the compiler, so that no one waits for them at a table. The
        compiled code is stored on disk, so it is compiled once for each version of Gramy."""
        self._compiler = Compiler(GAMES, _log_progress)
        starting = [asyncio.wrap_future(self._running_executor().submit(_do_nothing)) for _ in range(self.processes)]
        await asyncio.wait(starting, timeout=START_TIMEOUT)
        self._compiler.start()

    def close(self) -> None:
        """Kill the processes and cancel the requests under way."""
        self._closed = True
        if self._compiler is not None:
            self._compiler.stop()
        if self._executor is not None:
            self._executor.shutdown(wait=False)
        self._bot_processes.kill()

    def _note(self, game: str, compiled: bool) -> None:
        """Log when a game begins or ceases to be played by plain functions, and have it compiled next."""
        if compiled == (game in self._plain) and self._compiler is not None:
            LOG.info(
                "bots play %s", "by compiled functions" if compiled else "by plain functions", extra={"game": game}
            )
        if compiled:
            self._plain.discard(game)
        else:
            self._plain.add(game)
            if self._compiler is not None:
                self._compiler.prefer(game)


def _log_progress(progress: CompilationProgress) -> None:
    game, done, of, report = progress
    number = {"game": game, "done": done, "of": of}
    if report.error:
        LOG.warning("compiling failed; plain functions play this game", extra={**number, "why": report.error})
        return
    LOG.info("compiled", extra={**number, "seconds": round(report.seconds, 1), "megabytes": report.megabytes})


def _enter_worker(load: Sequence[str]) -> None:
    """Initialise a process, and load the compiled code of these games once it is there."""
    enter_background(NICENESS)
    load_in_background(load)


def _not_cancelled() -> bool:
    """Take the place of `Future.cancel`, and say that the request was not cancelled."""
    return False


def _do_nothing() -> None:
    """Let the executor start a process."""


def _with_budget(function: Callable[[BotRequest], T], request: BotRequest, budget: float) -> T:
    return function(request._replace(budget=budget))


def _timed(game: str, job: Callable[[float], T], budget: float, asked: float) -> BotAnswer[T]:
    began = time.perf_counter()
    with without_waiting(game, asked) as compiled:
        budget = budget if compiled else min(budget, PLAIN_BUDGET)
        value = job(budget)
    return BotAnswer(value, time.perf_counter() - began, budget, compiled)
