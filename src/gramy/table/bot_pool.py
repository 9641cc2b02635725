"""Bots run in processes of their own, so that no computation of a bot delays the server.

A bot is given a budget of work, not a deadline: the same view, seed and budget give the same move on every machine. The
pool bounds the time by reducing budgets when many requests share the processors, or when the machine is slow.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import random
import signal
import threading
import time
from collections.abc import Callable
from concurrent.futures import Executor, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from multiprocessing.context import SpawnContext, SpawnProcess
from typing import Any, NamedTuple, Protocol, TypeVar

from gramy import compiled
from gramy.analysis import Advice, Decision, DecisionPoint, adviser, evaluate_decision
from gramy.analysis import advise as advise_by_rng
from gramy.bots import bot, prepare
from gramy.contract import View
from gramy.games import GAMES, game
from gramy.matches import Entry

NICENESS = 5
"""Added to the niceness of bot processes, so that requests of people get the processor first."""
MIN_BUDGET = 0.02
"""Seconds that a bot gets, however many requests are under way."""
SMOOTHING = 0.2
"""Weight of the newest measurement in the running mean of the machine's slowness."""

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
    """A bot's answer when it is to move: the phrases to say first, and the move."""

    said: tuple[str, ...]
    move: str


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
    return BotMove(said, player.choose(request.view, request.history, rng, request.budget))


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
        """Kill all processes. One that compiles a bot would otherwise delay the end of the server for a minute."""
        for process in self._started:
            if process.is_alive():
                process.kill()


def start_processes(number: int, processes: BotProcesses) -> Executor:
    """Start an executor of low-priority processes that end with the server."""
    return ProcessPoolExecutor(number, processes, initializer=_enter_worker)


class ProcessBotPool(BotPool):
    """A pool of processes, started by the first request. `waiting` counts the requests under way."""

    def __init__(
        self, processes: int | None = None, start: Callable[[int, BotProcesses], Executor] = start_processes
    ) -> None:
        self.processes = processes or max(1, (os.cpu_count() or 2) - 1)
        self.waiting = 0
        self._start, self._bot_processes = start, BotProcesses()
        self._executor: Executor | None = None
        self._slowness = 1.0  # seconds that a budget of one second takes here, as a running mean

    async def move(self, request: BotRequest) -> BotMove:
        return await self._run(request.budget, lambda granted: partial(move, request._replace(budget=granted)))

    async def say(self, request: BotRequest) -> tuple[str, ...]:
        return await self._run(MIN_BUDGET, lambda _: partial(say, request))

    async def advise(self, request: BotRequest) -> Advice:
        return await self._run(request.budget, lambda granted: partial(advise, request._replace(budget=granted)))

    async def evaluate(self, point: DecisionPoint, budget: float) -> Decision:
        return await self._run(budget, lambda granted: partial(evaluate, point, granted))

    async def _run(self, budget: float, job: Callable[[float], Callable[[], T]]) -> T:
        """Run `job(granted)` in a process; `granted` is this request's share of the processors."""
        self.waiting += 1
        share = max(1.0, self.waiting / self.processes)
        granted = max(MIN_BUDGET, budget / share / max(1.0, self._slowness))
        try:
            try:
                answer, seconds = await self._in_executor(job(granted))
            except BrokenProcessPool:  # a process was killed: start others
                self._executor = None
                answer, seconds = await self._in_executor(job(granted))
        finally:
            self.waiting -= 1
        if seconds > 2 * MIN_BUDGET:
            self._slowness += SMOOTHING * (seconds / granted - self._slowness)
        return answer

    async def _in_executor(self, job: Callable[[], T]) -> tuple[T, float]:
        if self._executor is None:
            self._executor = self._start(self.processes, self._bot_processes)
        return await asyncio.get_running_loop().run_in_executor(self._executor, _timed, job)

    def compile_ahead(self) -> None:
        """Compile the bots in a low-priority process, so that no one waits for it at a table. The machine code is
        stored on disk, so this happens once for each version of Gramy."""
        if compiled.available() and _claim_compilation():
            self._bot_processes.Process(target=_compile_bots, daemon=True).start()

    def close(self) -> None:
        """Kill the processes and cancel the requests under way."""
        if self._executor is not None:
            self._executor.shutdown(wait=False, cancel_futures=True)
        self._bot_processes.kill()


def _claim_compilation() -> bool:
    """Return whether this is the first process to compile this version."""
    try:
        compiled.folder().mkdir(parents=True, exist_ok=True)
        (compiled.folder() / "begun").touch(exist_ok=False)
    except OSError:  # another process was first, or nothing can be stored here, and compiling ahead would be useless
        return False
    return True


def _compile_bots() -> None:
    _enter_worker()
    for name in GAMES:
        prepare(game(name))


def _enter_worker() -> None:
    """Initialise a process: low priority, leave interrupts to the server, end when the server ends."""
    os.nice(NICENESS)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_exit_with_server, daemon=True).start()


def _exit_with_server() -> None:
    if (server := multiprocessing.parent_process()) is not None:
        server.join()
        os._exit(0)


def _timed(job: Callable[[], T]) -> tuple[T, float]:
    began = time.perf_counter()
    answer = job()
    return answer, time.perf_counter() - began
