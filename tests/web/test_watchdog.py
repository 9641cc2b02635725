"""The watchdog: a blocked event loop is measured, exported and logged with its cause."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from gramy.web.metrics import LoopDelays
from gramy.web.watchdog import INTERVAL, Watchdog
from tests.web.client import TIMEOUT, serving, visiting

BLOCKED = 0.6


def block_the_loop() -> None:
    time.sleep(BLOCKED)


async def until(true: Callable[[], bool]) -> None:
    async with asyncio.timeout(TIMEOUT):
        while not true():
            await asyncio.sleep(INTERVAL)


async def test_a_blocked_loop_is_in_the_metrics_and_its_cause_in_one_log_entry(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING, "gramy.loop")
    async with serving(tmp_path) as (address, _), visiting(address) as ada:
        block_the_loop()
        await until(lambda: "gramy.loop" in [entry.name for entry in caplog.records])
        block_the_loop()
        metrics = (await ada.get("metrics"))[1]
        values = dict(line.rsplit(" ", 1) for line in metrics.splitlines() if line.startswith("gramy_loop_delay"))
        assert float(values["gramy_loop_delay_longest_seconds"]) >= BLOCKED - INTERVAL - 0.05
        assert float(values["gramy_loop_delay_seconds_sum"]) >= BLOCKED - INTERVAL - 0.05
        assert float(values['gramy_loop_delay_seconds_bucket{le="+Inf"}']) >= 1
    (entry,) = [entry for entry in caplog.records if entry.name == "gramy.loop"]  # at most one a minute
    assert entry.levelno == logging.WARNING
    assert "block_the_loop (test_watchdog.py:" in entry.__dict__["cause"]
    assert entry.__dict__["seconds"] >= BLOCKED - INTERVAL - 0.05


async def test_a_loop_that_keeps_up_is_measured_and_not_logged(caplog: pytest.LogCaptureFixture) -> None:
    delays = LoopDelays()
    watchdog = Watchdog(delays, stall=TIMEOUT)

    def measured() -> float:
        histogram, _ = delays.collect()
        return max(sample.value for sample in histogram.samples if sample.name.endswith("_count"))

    watchdog.start()
    await until(lambda: measured() >= 3)
    watchdog.stop()
    assert not caplog.records
