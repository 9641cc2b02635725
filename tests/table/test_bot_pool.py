"""Bots run in processes of their own: the same move as anywhere, bounded in time, gone with the server."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import Executor, Future
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import gramy
from gramy.analysis import DecisionPoint
from gramy.bots import kernel
from gramy.bots.ahead import PLAIN_BUDGET
from gramy.table import bot_pool
from gramy.table.bot_pool import MIN_BUDGET, BotAnswer, BotMove, BotRequest, ProcessBotPool
from tests.table.services import PATIENCE, until


def request_for(game: str = "quick-easy", seed: int = 7) -> BotRequest:
    match = gramy.match(game, seed=seed)
    seat = match.to_act[0]
    return BotRequest(match.view(seat), match.history(seat), 11, "medium", 1.0)


class FakeProcesses(Executor):
    """Answers every request at once, and claims that a budget took `takes(budget)` seconds."""

    def __init__(self, takes: Callable[[float], float], compiled: bool = True) -> None:
        self.takes, self.compiled = takes, compiled
        self.budgets: list[float] = []

    def submit(self, timed: Callable[..., Any], /, *args: Any, **_: Any) -> Future[Any]:
        _, job, budget, _ = args
        assert isinstance(job, partial)
        self.budgets.append(budget)
        answer: Future[Any] = Future()
        answer.set_result(BotAnswer(BotMove((), "end"), self.takes(budget), budget, compiled=self.compiled))
        return answer


@pytest.mark.parametrize("game", gramy.GAMES)
async def test_a_bot_in_another_process_chooses_the_same(game: str) -> None:
    bots, request = ProcessBotPool(1), request_for(game)
    try:
        assert await bots.move(request) == bot_pool.move(request)
        assert await bots.say(request) == bot_pool.say(request)
    finally:
        bots.close()


async def test_advice_and_evaluations_do_not_depend_on_the_process() -> None:
    bots, request = ProcessBotPool(1), request_for("gra")._replace(budget=MIN_BUDGET)
    point = DecisionPoint(1, request.view.moves[0], request.view, request.history)
    try:
        with kernel.plain():  # as in the process, which was not told to load compiled code
            assert await bots.advise(request) == bot_pool.advise(request)
            assert await bots.evaluate(point, MIN_BUDGET) == bot_pool.evaluate(point, MIN_BUDGET)
    finally:
        bots.close()


async def test_when_a_process_is_killed_another_one_answers(capfd: pytest.CaptureFixture[str]) -> None:
    others, bots, request = multiprocessing.active_children(), ProcessBotPool(1), request_for()
    try:
        await bots.move(request)
        (worker,) = (child for child in multiprocessing.active_children() if child not in others)
        assert worker.pid is not None
        os.kill(worker.pid, signal.SIGKILL)
        await until(lambda: not worker.is_alive())
        assert await bots.move(request) == bot_pool.move(request)
    finally:
        bots.close()


async def test_many_bots_share_the_time() -> None:
    processes = FakeProcesses(lambda budget: budget)
    bots, request = ProcessBotPool(2, lambda *_: processes), request_for()
    await asyncio.gather(*(bots.move(request) for _ in range(50)))
    assert processes.budgets[:2] == [1.0, 1.0]
    assert processes.budgets[-1] == pytest.approx(2 / 50)
    assert sum(processes.budgets) < 2 * (1 + sum(1 / number for number in range(1, 26)))
    await bots.move(request)
    assert processes.budgets[-1] == 1.0


async def test_on_a_slow_machine_budgets_shrink_down_to_a_minimum() -> None:
    processes = FakeProcesses(lambda budget: 4 * budget)
    bots, request = ProcessBotPool(1, lambda *_: processes), request_for()
    for _ in range(40):
        await bots.move(request)
    assert processes.budgets[0] == 1.0
    assert processes.budgets[-1] == pytest.approx(0.25, rel=0.05)
    processes.takes = lambda budget: 1000 * budget
    for _ in range(40):
        await bots.move(request)
    assert processes.budgets[-1] == MIN_BUDGET


async def test_plain_functions_get_a_smaller_budget() -> None:
    processes = FakeProcesses(lambda budget: budget, compiled=False)
    bots, request = ProcessBotPool(1, lambda *_: processes), request_for()
    await bots.move(request)
    await bots.move(request)
    processes.compiled = True
    await bots.move(request)
    await bots.move(request)
    assert processes.budgets == [1.0, PLAIN_BUDGET, PLAIN_BUDGET, 1.0]


async def test_a_request_that_is_cancelled_is_not_answered() -> None:
    bots = ProcessBotPool(1)
    try:
        waiting = [asyncio.ensure_future(bots.move(request_for(seed=seed))) for seed in range(20)]
        await waiting[0]
        for one in waiting[1:]:
            one.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)
        assert bots.waiting == 0
        assert sum(one.cancelled() for one in waiting) >= 10
    finally:
        bots.close()


SERVER = """
import asyncio, multiprocessing, gramy
from gramy.table.bot_pool import BotRequest, ProcessBotPool

async def main():
    bots, match = ProcessBotPool(1), gramy.match("gra", seed=1)
    await bots.move(BotRequest(match.view(0), match.history(0), 1, "easy", 0.1))
    print(*(process.pid for process in multiprocessing.active_children()), flush=True)
    await asyncio.Event().wait()

if __name__ == "__main__":
    asyncio.run(main())
"""


async def test_processes_do_not_outlive_a_server_that_was_killed(tmp_path: Path) -> None:
    script = tmp_path / "server.py"
    script.write_text(SERVER)
    with subprocess.Popen([sys.executable, str(script)], stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        worker = int(server.stdout.readline())
        os.kill(worker, 0)
        server.kill()
        server.wait(PATIENCE)
    await until(lambda: not _runs(worker))


def _runs(pid: int) -> bool:
    """Return whether a process runs. A process that has ended and was not waited for (a zombie) does not."""
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


BUSY = """
import asyncio, multiprocessing, time
import gramy
from gramy.table.bot_pool import BotRequest, ProcessBotPool, start_processes

executors = []

def start(*settings):
    executors.append(start_processes(*settings))
    return executors[-1]

def compute():
    while True:
        pass

def processor_time(pid):
    with open(f"/proc/{pid}/stat") as file:
        return int(file.read().rsplit(")", 1)[1].split()[11])

async def main():
    bots, match = ProcessBotPool(1, start), gramy.match("face-to-face", seed=1)
    await bots.move(BotRequest(match.view(0), match.history(0), 1, "easy", 0.01))
    (process,) = multiprocessing.active_children()
    before = processor_time(process.pid)
    executors[0].submit(compute)
    while processor_time(process.pid) < before + 20:
        await asyncio.sleep(0.01)
    bots.close()
    print(time.monotonic(), flush=True)

if __name__ == "__main__":
    asyncio.run(main())
"""


async def test_a_bot_that_computes_for_long_does_not_delay_the_end_of_the_server(tmp_path: Path) -> None:
    script = tmp_path / "server.py"
    script.write_text(BUSY)
    with subprocess.Popen([sys.executable, str(script)], stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        closed_at = float(await asyncio.to_thread(server.stdout.readline))
        try:
            assert server.wait(PATIENCE) == 0
            assert time.monotonic() - closed_at < 10
        finally:
            server.kill()
