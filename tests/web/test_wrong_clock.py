"""A server process whose clock is a year ahead deletes no table, and the host can restore what it marked."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from pathlib import Path

import pytest

from gramy.cli import main
from tests.web.client import serving, visiting

LIBRARIES = sorted(Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1"))


def faketime() -> str:
    """Return the path of libfaketime; skip the test without it, or fail it if GRAMY_FAULTS=required."""
    if not LIBRARIES:
        assert os.environ.get("GRAMY_FAULTS") != "required", "libfaketime is not installed, and GRAMY_FAULTS=required"
        pytest.skip("libfaketime is not installed: a process with a wrong clock was NOT tested")
    return str(LIBRARIES[0])


async def expiry_pass(folder: Path, clock: str) -> list[dict[str, object]]:
    """Run `gramy serve` with a wrong clock until its first pass over the tables is logged; return its log."""
    command = [sys.executable, "-m", "gramy", "serve", "--data", str(folder), "--port", "0", "--verbose"]
    wrong = {"LD_PRELOAD": faketime(), "FAKETIME": clock, "FAKETIME_DONT_FAKE_MONOTONIC": "1"}
    process = await asyncio.create_subprocess_exec(
        *command, env={**os.environ, **wrong}, stderr=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.DEVNULL
    )
    assert process.stderr is not None
    log: list[dict[str, object]] = []
    try:
        while not log or log[-1]["event"] != "expired tables":
            log.append(json.loads(await asyncio.wait_for(process.stderr.readline(), 30)))
    finally:
        process.kill()
        await process.wait()
    return log


async def test_a_server_a_year_ahead_marks_and_the_right_clock_restores(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async with serving(tmp_path) as (address, lobby), visiting(address) as ada:
        tables = {(await ada.open("gra", [None, None]))["table"] for _ in range(5)}
        await lobby.expire()
    log = await expiry_pass(tmp_path, "+365d")
    assert log[-1] | {"marked": 5, "restored": 0, "deleted": 0} == log[-1]
    assert [line["seconds"] for line in log if line["event"] == "the date has jumped: no table is deleted"]

    assert await asyncio.to_thread(main, ["expired", "--data", str(tmp_path), "--json"]) == 0
    assert {one["table"] for one in json.loads(capsys.readouterr().out)} == tables
    assert await asyncio.to_thread(main, ["expired", "--data", str(tmp_path), "--restore", min(tables)]) == 0
    assert "1 restored" in capsys.readouterr().out
    assert await asyncio.to_thread(main, ["expired", "--data", str(tmp_path)]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 4

    async with serving(tmp_path) as (address, lobby), visiting(address) as ada:
        await lobby.expire()
        assert await lobby.services.store.marked_tables() == []
        for table in tables:
            assert (await ada.get(f"api/tables/{table}"))[0] == 200
