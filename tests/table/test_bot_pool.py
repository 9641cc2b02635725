"""Bots think in processes of their own: the same move as anywhere, bounded in time, gone with the server."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest

import gramy
from gramy.table.bot_pool import LEAST, BotPool, Thought, thought
from tests.table.services import PATIENCE, until


def question(game: str = "quick-easy", seed: int = 7) -> tuple[Any, ...]:
    match = gramy.match(game, seed=seed)
    seat = match.to_act[0]
    return game, "medium", match.view(seat), match.history(seat), 11, 1.0


@pytest.mark.parametrize("game", gramy.GAMES)
async def test_a_bot_in_another_process_thinks_the_same(game: str) -> None:
    thinkers = BotPool(1)
    try:
        assert await thinkers(*question(game)) == thought(*question(game))
    finally:
        thinkers.close()


async def test_when_a_process_is_killed_another_one_thinks(capfd: pytest.CaptureFixture[str]) -> None:
    thinkers = BotPool(1)
    try:
        await thinkers(*question())
        assert thinkers._pool is not None
        (worker,) = thinkers._pool._processes.values()
        os.kill(worker.pid, signal.SIGKILL)
        await until(lambda: not worker.is_alive())
        assert await thinkers(*question()) == thought(*question())
    finally:
        thinkers.close()


def asked_budgets(thinkers: BotPool, takes: Callable[[float], float]) -> list[float]:
    """What the processes are asked for, when a budget takes so many seconds."""
    asked: list[float] = []

    async def in_pool(work: Any, granted: float) -> tuple[Any, float]:
        asked.append(granted)
        await asyncio.sleep(0)
        return Thought((), "end"), takes(granted)

    thinkers._in_pool = in_pool  # type: ignore[method-assign]
    return asked


async def test_many_bots_share_the_time(capfd: pytest.CaptureFixture[str]) -> None:
    thinkers = BotPool(2)
    asked = asked_budgets(thinkers, lambda budget: budget)
    await asyncio.gather(*(thinkers(*question()) for _ in range(50)))
    assert asked[:2] == [1.0, 1.0]
    assert asked[-1] == pytest.approx(2 / 50)
    assert sum(asked) < 2 * (1 + sum(1 / number for number in range(1, 26)))
    await thinkers(*question())
    assert asked[-1] == 1.0


async def test_on_a_slow_machine_bots_are_asked_for_less_and_never_for_nothing() -> None:
    thinkers = BotPool(1)
    asked = asked_budgets(thinkers, lambda budget: 4 * budget)
    for _ in range(40):
        await thinkers(*question())
    assert asked[0] == 1.0
    assert asked[-1] == pytest.approx(0.25, rel=0.05)
    asked_budgets(thinkers, lambda budget: 1000 * budget)
    for _ in range(40):
        await thinkers(*question())
    last = asked_budgets(thinkers, lambda budget: budget)
    await thinkers(*question())
    assert last == [LEAST]


async def test_a_bot_that_is_not_wanted_any_more_is_not_asked() -> None:
    thinkers = BotPool(1)
    try:
        waiting = [asyncio.ensure_future(thinkers(*question(seed=seed))) for seed in range(20)]
        await waiting[0]
        for one in waiting[1:]:
            one.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)
        assert thinkers._waiting == 0
        assert sum(one.cancelled() for one in waiting) >= 10
    finally:
        thinkers.close()


SERVER = """
import asyncio, gramy
from gramy.table.bot_pool import BotPool

async def main():
    thinkers, match = BotPool(1), gramy.match("gra", seed=1)
    await thinkers("gra", "easy", match.view(0), match.history(0), 1, 0.1)
    print(*(process.pid for process in thinkers._pool._processes.values()), flush=True)
    await asyncio.Event().wait()

if __name__ == "__main__":
    asyncio.run(main())
"""


async def test_processes_do_not_outlive_a_server_that_was_killed(tmp_path: Any) -> None:
    script = tmp_path / "server.py"
    script.write_text(SERVER)
    with subprocess.Popen([sys.executable, str(script)], stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        worker = int(server.stdout.readline())
        os.kill(worker, 0)
        server.kill()
        server.wait(PATIENCE)
    await until(lambda: not _alive(worker))


def _alive(pid: int) -> bool:
    """Whether a process runs; one that has ended but that nobody has collected does not."""
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False
