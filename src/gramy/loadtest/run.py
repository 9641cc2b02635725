"""A run: everybody seated, then everybody playing from one moment on, until it is enough.

It is bounded in tables, connections and time, and plays only against this machine unless somebody says that the other
one is his.
"""

from __future__ import annotations

import asyncio
import ipaddress
import random
import resource
import socket
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from urllib.parse import urlsplit

import aiohttp
import uvloop

from gramy.contract import Game, GramyError, Message, format_options
from gramy.loadtest.client import Client, Round
from gramy.loadtest.figures import Figures
from gramy.loadtest.process import Process

AT_ONCE = 32
"""So many tables are opened at the same time."""
SPARE = 100
"""Files that this process needs besides its connections."""
PATIENCE = 10.0


class CannotLoad(GramyError):
    """The load cannot be made; the message says why."""


@dataclass(frozen=True)
class Plan:
    """What is played: until every table has had its matches, or so many moves were made, or the time is up."""

    game: Game
    servers: tuple[str, ...]  # nodes of one service: the seats of a table are spread over them, or
    together: bool = False  # all at the same node, the tables spread
    tables: int = 10
    seconds: float = 30.0
    moves: int | None = None
    matches: int | None = None
    bots: str = ""  # the level of the server's bots in all seats but one; none: everybody comes from here
    viewers: int = 0  # who only look, at each table
    think: float = 0.0  # seconds between being awaited and moving, on average; 0 is full speed
    seed: int = 0
    processes: tuple[int, ...] = ()  # the servers' own, whose processor time and memory are read
    owned: bool = False

    @property
    def connections(self) -> int:
        return self.tables * (self.people + self.viewers)

    @property
    def people(self) -> int:
        """The seats of a table that are played from here."""
        return 1 if self.bots else self.game.players


def load(plan: Plan, progress: Callable[[int], object] = lambda moves: None) -> Figures:
    """Play the plan; what was measured. `progress` is told how many moves were answered since the last time."""
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(play(plan, progress))


async def play(plan: Plan, progress: Callable[[int], object] = lambda moves: None) -> Figures:
    """The same inside a running loop."""
    await _check(plan)
    figures = Figures(tables=plan.tables, connections=plan.connections)
    servers = [Process(pid) for pid in plan.processes]
    memory = sum(server.memory() for server in servers)
    connector = aiohttp.TCPConnector(limit=0)
    async with aiohttp.ClientSession(connector=connector, cookie_jar=aiohttp.DummyCookieJar()) as session:
        clients = await _seat_everybody(plan, session, figures)
        try:
            await _measure(plan, clients, figures, servers, progress)
            figures.memory = sum(server.memory() for server in servers) - memory
        finally:
            await asyncio.gather(*(client.close() for client in clients))
    return figures


async def _measure(
    plan: Plan,
    clients: Sequence[Client],
    figures: Figures,
    servers: Sequence[Process],
    progress: Callable[[int], object],
) -> None:
    """Let everybody play from one moment on, until it is enough; then wait for what was not answered yet."""
    spent = sum(server.spent() for server in servers)
    figures.begin(time.perf_counter())
    for client in clients:
        client.begin()
    told, until = 0, time.perf_counter() + plan.seconds
    while not _enough(plan, clients, figures) and time.perf_counter() < until:
        await asyncio.sleep(min(0.05, max(0.0, until - time.perf_counter())))
        progress(figures.moves - told)
        told = figures.moves
    for client in clients:
        client.stop()
    figures.end(time.perf_counter())
    figures.processor = sum(server.spent() for server in servers) - spent
    patience = time.perf_counter() + PATIENCE
    while any(client.waits for client in clients) and time.perf_counter() < patience:
        await asyncio.sleep(0.01)
    for client in clients:
        if client.waits:
            figures.error("unanswered")


def _enough(plan: Plan, clients: Sequence[Client], figures: Figures) -> bool:
    return (plan.moves is not None and figures.moves >= plan.moves) or all(client.over for client in clients)


# --- seating ----------------------------------------------------------------------------------------------------------


async def _seat_everybody(plan: Plan, session: aiohttp.ClientSession, figures: Figures) -> list[Client]:
    """Every table opened and full, everybody connected; tables that cannot be are errors and are not played at."""
    at_once = asyncio.Semaphore(AT_ONCE)

    async def seat(number: int) -> list[Client]:
        async with at_once:
            try:
                return await _seat_table(plan, session, figures, number)
            except (aiohttp.ClientError, TimeoutError, OSError) as error:
                figures.error(f"opening: {_kind(error)}")
                return []

    clients = [client for table in await asyncio.gather(*map(seat, range(plan.tables))) for client in table]
    if not clients:
        raise CannotLoad(Message("no_table", {"server": plan.servers[0], "why": ", ".join(figures.errors)}, "loadtest"))
    return clients


async def _seat_table(plan: Plan, session: aiohttp.ClientSession, figures: Figures, number: int) -> list[Client]:
    began = time.perf_counter()
    server = plan.servers[number % len(plan.servers)]
    seats = [None] * plan.people + [{"bot": plan.bots}] * (plan.game.players - plan.people)
    wish = {"game": plan.game.name, "options": format_options(plan.game.options), "seats": seats, "name": "Ada"}
    opened = await _post(session, f"{server}/api/tables", wish)
    id, tokens = opened["table"], [opened["token"]]
    for _ in range(plan.people - 1):
        joined = await _post(session, f"{server}/api/tables/{id}/join", {"name": "Bob"})
        tokens.append(joined["token"])
    figures.opening.add(time.perf_counter(), time.perf_counter() - began)
    shared, enough = Round(), partial(_asked_enough, plan, figures)
    clients: list[Client] = []
    try:
        for at, token in enumerate([*tokens, *[None] * plan.viewers]):
            node = server if plan.together else plan.servers[(number + at) % len(plan.servers)]
            connection = await session.ws_connect(f"{node}/ws/{id}", max_msg_size=0)
            rng = random.Random(f"{plan.seed} {number} {at}")
            clients.append(Client(connection, figures, shared, rng, plan.think, plan.matches, enough))
            await clients[-1].greet(token)
    except BaseException:
        await asyncio.gather(*(client.close() for client in clients))
        raise
    return clients


def _asked_enough(plan: Plan, figures: Figures) -> bool:
    return plan.moves is not None and figures.asked >= plan.moves


async def _post(session: aiohttp.ClientSession, address: str, body: object) -> dict[str, str]:
    async with session.post(address, json=body, raise_for_status=True) as answer:
        said: dict[str, str] = await answer.json()
        return said


def _kind(error: Exception) -> str:
    return str(error.status) if isinstance(error, aiohttp.ClientResponseError) else type(error).__name__


# --- bounds -----------------------------------------------------------------------------------------------------------


async def _check(plan: Plan) -> None:
    """Refuse what could hurt somebody, or cannot work."""
    for server in plan.servers:
        if not plan.owned and not await _loopback(server):
            raise CannotLoad(Message("elsewhere", {"server": server}, "loadtest"))
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    if plan.connections + SPARE > most:
        raise CannotLoad(Message("connections", {"wanted": plan.connections, "most": most - SPARE}, "loadtest"))


async def _loopback(server: str) -> bool:
    """Whether every address of a server is this machine's own."""
    parts = urlsplit(server)
    try:
        found = await asyncio.get_running_loop().getaddrinfo(parts.hostname, parts.port, type=socket.SOCK_STREAM)
    except OSError as error:
        raise CannotLoad(Message("no_table", {"server": server, "why": str(error)}, "loadtest")) from None
    return all(ipaddress.ip_address(str(address[0])).is_loopback for *_, address in found)
