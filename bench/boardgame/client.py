"""Play Face to Face on boardgame.io's server over its own transport, and measure it as `gramy loadtest` does.

socket.io over a WebSocket is text: `40/name,` joins a namespace, `42/name,[...]` is an event, `2` asks for `3`.
"""

from __future__ import annotations

import asyncio
import random
import time
from dataclasses import dataclass
from typing import Any

import aiohttp
import msgspec

from gramy.loadtest.figures import Figures
from gramy.loadtest.process import Process

GAME = "face-to-face"
EVENT, JOIN = f"42/{GAME},", f"40/{GAME},"
_decode = msgspec.json.Decoder().decode
_encode = msgspec.json.Encoder().encode
State = dict[str, Any]


@dataclass
class Seat:
    """One connection, and its current seat."""

    connection: aiohttp.ClientWebSocketResponse
    figures: Figures
    rng: random.Random
    match: str = ""
    number: str = ""
    credentials: str = ""
    playing: bool = True
    sent_at: float = 0.0  # of the move that is not answered yet
    over: asyncio.Event | None = None

    async def emit(self, *words: object) -> None:
        await self.connection.send_str(EVENT + _encode(words).decode())

    async def sit(self, match: str, number: str, credentials: str) -> None:
        """Join a match; its first state comes as an event."""
        self.match, self.number, self.credentials, self.over = match, number, credentials, asyncio.Event()
        await self.emit("sync", match, number, credentials, 2)

    async def listen(self) -> None:
        async for frame in self.connection:
            if frame.type is not aiohttp.WSMsgType.TEXT:
                break
            self.figures.messages += 1
            self.figures.bytes += len(frame.data)
            if frame.data == "2":
                await self.connection.send_str("3")
            elif frame.data.startswith(EVENT):
                await self.handle(*_decode(frame.data[len(EVENT) :]))

    async def handle(self, kind: str, *words: Any) -> None:
        if kind not in ("sync", "update") or words[0] != self.match:
            return
        state: State = words[1]["state"] if kind == "sync" else words[1]
        if self.sent_at and kind == "update":
            now = time.perf_counter()
            self.figures.answered.add(now, now - self.sent_at)
            self.sent_at = 0.0
        if "gameover" in state["ctx"]:
            if self.over is not None:
                self.over.set()
        elif state["ctx"]["currentPlayer"] == self.number and self.playing:
            name, *arguments = self.rng.choice(moves(state["G"], self.number))
            payload = {"type": name, "args": arguments, "playerID": self.number, "credentials": self.credentials}
            self.sent_at = time.perf_counter()
            await self.emit(
                "update", {"type": "MAKE_MOVE", "payload": payload}, state["_stateID"], self.match, self.number
            )


def moves(table: State, seat: str) -> list[tuple[Any, ...]]:
    """Return the legal moves, which this server does not send."""
    mine, theirs = table["piles"][seat], table["piles"][str(1 - int(seat))]
    found: list[tuple[Any, ...]] = [("end",)] if table["laid"] >= 2 else []
    for card in table["players"][seat]["hand"]:
        if card > mine["up"] or card == mine["up"] - 10:
            found.append(("lay", "up", card))
        if card < mine["down"] or card == mine["down"] + 10:
            found.append(("lay", "down", card))
        if not table["helped"] and card < theirs["up"]:
            found.append(("lay", "help-up", card))
        if not table["helped"] and card > theirs["down"]:
            found.append(("lay", "help-down", card))
    return found


async def play(server: str, pid: int, tables: int, seconds: float, seed: int = 0) -> Figures:
    """Play at a number of tables at full speed, one match after another."""
    figures = Figures(tables=tables, connections=2 * tables)
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as session:
        pairs = [
            [Seat(await _connect(session, server), figures, random.Random(f"{seed} {table} {at}")) for at in (0, 1)]
            for table in range(tables)
        ]
        seats = [seat for pair in pairs for seat in pair]
        listening = [asyncio.create_task(seat.listen()) for seat in seats]
        process, matches = Process(pid), [asyncio.create_task(_play_matches(session, server, pair)) for pair in pairs]
        spent = process.cpu_time()
        figures.begin(time.perf_counter())
        await asyncio.sleep(seconds)
        figures.end(time.perf_counter())
        figures.processor = process.cpu_time() - spent
        for seat in seats:
            seat.playing = False
        for work in (*matches, *listening):
            work.cancel()
        await asyncio.gather(*matches, *listening, return_exceptions=True)
        await asyncio.gather(*(seat.connection.close() for seat in seats))
    return figures


async def _connect(session: aiohttp.ClientSession, server: str) -> aiohttp.ClientWebSocketResponse:
    connection = await session.ws_connect(f"{server}/socket.io/?EIO=4&transport=websocket", max_msg_size=0)
    await connection.receive_str()  # the greeting of the transport
    await connection.send_str(JOIN)
    await connection.receive_str()
    return connection


async def _play_matches(session: aiohttp.ClientSession, server: str, pair: list[Seat]) -> None:
    """Create matches for two seats, one after another."""
    while True:
        match = (await _post(session, f"{server}/games/{GAME}/create", {"numPlayers": 2}))["matchID"]
        for seat in pair:
            joined = await _post(session, f"{server}/games/{GAME}/{match}/join", {"playerName": "Ada"})
            await seat.sit(match, joined["playerID"], joined["playerCredentials"])
        for seat in pair:
            assert seat.over is not None
            await seat.over.wait()
        pair[0].figures.matches += 1


async def _post(session: aiohttp.ClientSession, address: str, body: object) -> dict[str, str]:
    async with session.post(address, json=body, raise_for_status=True) as answer:
        decoded: dict[str, str] = await answer.json()
        return decoded
