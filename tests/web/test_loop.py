"""The event loop: no request keeps it busy, however long the log of the match is."""

from __future__ import annotations

import asyncio
import gc
import http.client
import random
import time
from functools import partial
from pathlib import Path

from msgspec.structs import replace

from gramy.table.lobby import Lobby
from gramy.table.state import LONG_LOG, Moment, TableState, play
from gramy.table.table import Table
from tests.web.client import serving

BUSY = 0.02
"""Seconds of processor time between two turns of the loop: 5 ms on a quiet machine, and slack for a busy one."""


class LoopTime:
    """Measures the processor time that the loop's thread needs between two ticks. Other processes do not count."""

    def __init__(self) -> None:
        self.longest = 0.0

    async def run(self) -> None:
        while True:
            before = time.thread_time()
            await asyncio.sleep(0.0005)
            self.longest = max(self.longest, time.thread_time() - before)


def get(address: str, path: str, host: str) -> int:
    """Ask in a thread, so that the client needs no time on the loop; return the status."""
    connection = http.client.HTTPConnection(address.removeprefix("http://").rstrip("/"))
    connection.request("GET", path, headers={"Host": host})
    response = connection.getresponse()
    response.read()
    connection.close()
    return response.status


async def long_match(lobby: Lobby) -> Table:
    """Return a table with a finished match whose log is as long as talk can make it."""
    table, _, _ = await lobby.open("quick-easy", {"players": "2"}, [None, None], True, None, "Ada", "ada")
    await table.sit("Bob", "bob", None)

    def talk(state: TableState, moment: Moment) -> TableState:
        assert state.match is not None
        match = state.match.copy()
        while len(match.log) < LONG_LOG - 1:
            match.say(("red low", "blue low")[len(match.log) % 2], len(match.log) % 2)
        return replace(state, match=match)

    await table.change(talk)
    rng = random.Random(20_261)
    while (match := table.state.match) is not None and match.outcome is None:
        seat = match.to_act[0]
        move = rng.choice(list(match.moves(seat)))
        await table.change(partial(play, seat=seat, at=len(match.log), move=move))
    return table


async def test_no_request_keeps_the_event_loop_busy(tmp_path: Path) -> None:
    async with serving(tmp_path) as (address, lobby):
        table = await long_match(lobby)
        for number in range(60):
            await lobby.open("gra", {"players": "6"}, [None] * 6, True, None, "Ada", f"guest {number}")
        loop_time = LoopTime()
        ticking = asyncio.create_task(loop_time.run())
        gc.collect()
        gc.disable()  # a full collection of this process would count
        busy = {}
        try:
            for path in (
                *(f"/api/{what}/{table.id}/1" for what in ("replay", "record", "deal", "analysis")),
                *(f"/api/rules/{game}?language=de" for game in ("gra", "quick-easy", "face-to-face")),
                *(f"/api/tables/{table.id}/qr.svg", "/api/tables", "/api/games", "/api/text/pl", "/metrics", "/"),
            ):
                if path == f"/api/record/{table.id}/1":
                    del lobby.tables[table.id]  # this request loads it again
                loop_time.longest = 0.0
                assert await asyncio.to_thread(get, address, path, ".".join(["a" * 60] * 4)) == 200
                await asyncio.sleep(0.002)
                busy[path] = loop_time.longest
        finally:
            gc.enable()
            ticking.cancel()
        assert not {path: seconds for path, seconds in busy.items() if seconds > BUSY}
