"""Helpers for tests of the server: real sockets, a real database file, seeded deals and a clock that tests set."""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import itertools
import json
import random
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from aiohttp import WSMsgType

from gramy.table.lobby import Lobby
from gramy.table.services import Times
from gramy.web.limits import Limits
from gramy.web.server import Settings, running
from tests.exchange import SeedExchange
from tests.starting import by_lot
from tests.web import schema

GENEROUS = Limits(*[10**6] * len(dataclasses.fields(Limits)))
TIMEOUT = 40.0  # seconds, for a busy machine
BOT = {"bot": "easy"}
GAMES: list[tuple[str, dict[str, str], int]] = [
    ("face-to-face", {}, 2),
    ("quick-easy", {"players": "3"}, 3),
    ("gra", {"players": "3", "jokers": "on"}, 3),
]

TABLE = {"game": "gra", "seats": [None, BOT], "name": "Ada"}

on_shared_server = pytest.mark.asyncio(loop_scope="module")  # tests that share a server share its event loop

Json = dict[str, Any]


@contextlib.asynccontextmanager
async def serving(
    folder: Path,
    now: Callable[[], float] | None = None,
    times: Times | None = None,
    limits: Limits = GENEROUS,
    **more: Any,
) -> AsyncIterator[tuple[str, Lobby]]:
    """Run a server with seeded deals; yield its address and its lobby."""
    more = {"free_disk_mb": 0, "port": 0, **more}
    settings = Settings(data=folder, times=times or Times(pause=0, seed_wait=0), limits=limits, **more)
    async with running(settings, **({} if now is None else {"now": now, "date": now})) as ((address, *_), lobby):
        lobby.services.rng = random.Random(20_261)
        yield address, lobby


class Client:
    """One WebSocket to a table, with everything that it received."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse, exchange: SeedExchange | None = None) -> None:
        self.socket = socket
        self.exchange = exchange  # without one, the client takes part in deals without a client seed
        self.received: list[str] = []
        self.now: Json = {}  # the latest snapshot
        self.lines: list[Json] = []  # the log of this round, from all snapshots
        self.refused: dict[str, Json] = {}
        self.sent: dict[str, Json] = {}  # by id, until it is answered: what the server took must follow the schema
        self._ids = itertools.count(1)

    async def receive(self) -> Json:
        frame = await self.socket.receive(timeout=TIMEOUT)
        assert frame.type == WSMsgType.TEXT, (frame.type, frame.data, frame.extra)
        self.received.append(frame.data)
        message: Json = json.loads(frame.data)
        schema.check_server_message(message)
        for id in message.get("answers", ()):
            if (taken := self.sent.pop(id, None)) is not None:
                schema.check_client_message(taken)
        if message["type"] == "snapshot":
            if self.now and self.now["table"]["round"] != message["table"]["round"]:
                self.lines = []
            assert message["log"]["from"] == len(self.lines)
            self.lines += message["log"]["lines"]
            assert message["lines"] == len(self.lines)
            assert not self.now or message["sequence"] >= self.now["sequence"]
            self.now = message
            for command in self.exchange.answers(message) if self.exchange else ():
                await self.send(**command)
        elif message["type"] == "refused":
            self.refused[message["id"]] = message["message"]
        return message

    async def until(self, true: Callable[[Json], bool]) -> Json:
        """Receive until a snapshot meets a condition; return it."""
        while not self.now or not true(self.now):
            await self.receive()
        return self.now

    async def send(self, type: str, **words: Any) -> str:
        id = words.pop("id", None) or f"c{next(self._ids)}"
        self.sent[id] = {"type": type, "id": id, **words}
        await self.socket.send_json(self.sent[id])
        return id

    async def answer(self, id: str) -> Json | None:
        """Wait for the answer to a command; return the message of a refusal, None if it was executed."""
        while True:
            message = await self.receive()
            if message.get("id") == id:
                return self.refused[id]
            if id in message.get("answers", ()):
                return None

    async def do(self, type: str, **words: Any) -> Json | None:
        """Send a command and return its answer."""
        return await self.answer(await self.send(type, **words))

    async def move(self, move: str, at: int | None = None) -> Json | None:
        return await self.do("move", move=move, at=self.now["lines"] if at is None else at)

    @property
    def seat(self) -> int | None:
        return self.now["you"]

    @property
    def outcome(self) -> Json | None:
        return self.now["view"]["outcome"]


def seed_for(client_seed: str, round: int, attempt: int) -> str:
    """Return the client seed of an attempt: for the first attempt of a table the given one."""
    return client_seed if (round, attempt) == (1, 1) else f"{client_seed}{round}{attempt}"


class Visitor:
    """A visitor with cookies and sockets."""

    def __init__(self, session: aiohttp.ClientSession, address: str) -> None:
        self.session, self.address = session, address
        self.sockets: list[aiohttp.ClientWebSocketResponse] = []

    async def get(self, path: str, **words: Any) -> tuple[int, Any]:
        return await self.ask("GET", path, **words)

    async def post(self, path: str, body: Any = None, **words: Any) -> tuple[int, Any]:
        return await self.ask("POST", path, json=body, **words)

    async def ask(self, method: str, path: str, **words: Any) -> tuple[int, Any]:
        async with self.session.request(method, self.address + path, **words) as response:
            body = await response.read()
            answer = json.loads(body) if response.content_type == "application/json" else body.decode()
            schema.check_exchange(method, path, words.get("json"), response.status, answer)
            return response.status, answer

    async def open(self, game: str, seats: list[Any], name: str = "Ada", **words: Any) -> Json:
        """Open a table. Unless the options say otherwise a lot decides who starts, so that a seat is to act at once."""
        words["options"] = {**by_lot(game), **words.get("options", {})}
        status, opened = await self.post("api/tables", {"game": game, "seats": seats, "name": name, **words})
        assert status == 201, opened
        return opened

    async def join(self, table: str, name: str = "Bob", **words: Any) -> Json:
        status, joined = await self.post(f"api/tables/{table}/join", {"name": name, **words})
        assert status == 201, joined
        return joined

    async def sit(self, table: str, token: str | None = None, client_seed: str | None = None, **words: Any) -> Client:
        """Open a socket, send hello and receive the first snapshot.

        With a client seed, the client takes part in every deal, with a seed of its own for each (`seed_for`).
        """
        socket = await self.session.ws_connect(f"{self.address}ws/{table}")
        self.sockets.append(socket)
        words |= {} if token is None else {"token": token}
        await socket.send_json({"type": "hello", **words})
        client = Client(socket, SeedExchange(lambda *place: seed_for(client_seed, *place)) if client_seed else None)
        await client.receive()
        return client


@contextlib.asynccontextmanager
async def visiting(address: str) -> AsyncIterator[Visitor]:
    async with aiohttp.ClientSession() as session:
        visitor = Visitor(session, address)
        try:
            yield visitor
        finally:
            for socket in visitor.sockets:
                await socket.close()


async def pair(address: str, ada: Visitor, bob: Visitor, game: str, **words: Any) -> tuple[Client, Client]:
    """Seat two people at a table for two; return their clients when both are online."""
    opened = await ada.open(game, [None, None], **words)
    joined = await bob.join(opened["table"])
    clients = await ada.sit(opened["table"], opened["token"]), await bob.sit(joined["table"], joined["token"])
    await clients[0].until(lambda now: all(seat["online"] for seat in now["table"]["seats"]))
    return clients


async def play_on(clients: list[Client], rng: random.Random, most: int = 10_000) -> int:
    """Let clients play at random until the match is over or `most` moves are made; return the number of moves."""
    moved = 0
    while moved < most:
        lines = max(client.now["lines"] for client in clients)
        for client in clients:
            await client.until(lambda now, lines=lines: now["view"] and now["lines"] >= lines)
        if all(client.outcome for client in clients):
            break
        ready = [client for client in clients if client.seat in client.now["view"]["to_act"]]
        if not ready:
            await clients[0].receive()
            continue
        client = rng.choice(ready)
        refusal = await client.move(rng.choice(client.now["view"]["moves"]))
        assert refusal is None or refusal["key"] == "too_late", refusal
        moved += refusal is None
    return moved


def turn_of(clients: tuple[Client, Client]) -> tuple[Client, Client]:
    """Return the client that is to move, then the other."""
    first, second = clients
    return (first, second) if first.seat in first.now["view"]["to_act"] else (second, first)


async def check_server_works(visitor: Visitor) -> None:
    """Check that the server still opens tables."""
    opened = await visitor.open("quick-easy", [None, BOT])
    assert (await visitor.sit(opened["table"], opened["token"])).seat == 0


async def closed(socket: aiohttp.ClientWebSocketResponse) -> int | None:
    """Return the code that the server closes a socket with."""
    while (frame := await socket.receive(timeout=TIMEOUT)).type == WSMsgType.TEXT:
        pass
    assert frame.type in (WSMsgType.CLOSE, WSMsgType.CLOSED, WSMsgType.CLOSING)
    return socket.close_code


async def raw(address: str, request: bytes) -> bytes:
    """Send these bytes, which no client library normalises; return the response."""
    reader, writer = await asyncio.open_connection("127.0.0.1", int(address.rstrip("/").rpartition(":")[2]))
    writer.write(request)
    answer = await asyncio.wait_for(reader.read(), TIMEOUT)
    writer.close()
    await writer.wait_closed()
    return answer
