"""One load test: open all tables, then let all clients play until a limit is reached.

Tables, connections and time are limited. A server on another machine is refused unless the user says that they own it.
"""

from __future__ import annotations

import asyncio
import ipaddress
import random
import socket
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from urllib.parse import urlsplit

import aiohttp

from gramy.contract import Game
from gramy.errors import GramyError
from gramy.loadtest.client import Client, SentMoves
from gramy.loadtest.figures import Figures
from gramy.loadtest.process import Process
from gramy.messages import Message
from gramy.options import format_options
from gramy.system import descriptor_limit, new_event_loop, raise_descriptor_limit

AT_ONCE = 32
"""Tables that are opened concurrently."""
SPARE = 100
"""Open files that this process needs besides its connections."""
PATIENCE = 10.0
"""Seconds to wait at the end for moves that are not answered yet."""


class CannotLoad(GramyError):
    """The load test cannot run; the message says why."""


@dataclass(frozen=True)
class LoadPlan:
    """A load test. It ends when every table has played its matches, after a number of moves, or when the time is up."""

    game: Game
    servers: tuple[str, ...]  # nodes of one service; the seats of a table are spread over them
    together: bool = False  # connect all seats of a table to one node
    tables: int = 10
    seconds: float = 30.0
    moves: int | None = None
    matches: int | None = None
    bots: str = ""  # level of the server's bots in all seats but one; empty: no bots
    viewers: int = 0  # spectators at each table
    think: float = 0.0  # mean delay before a move in seconds; 0 is full speed
    seed: int = 0
    processes: tuple[int, ...] = ()  # ids of the server processes, to measure their CPU time and memory
    owned: bool = False  # the servers may be on other machines

    @property
    def connections(self) -> int:
        return self.tables * (self.people + self.viewers)

    @property
    def people(self) -> int:
        """The seats of a table that this program plays."""
        return 1 if self.bots else self.game.players


def load(plan: LoadPlan, progress: Callable[[int], object] = lambda moves: None) -> Figures:
    """Run a load test and return the measurements. `progress` is called with the number of newly answered moves."""
    with asyncio.Runner(loop_factory=new_event_loop) as runner:
        return runner.run(play(plan, progress))


async def play(plan: LoadPlan, progress: Callable[[int], object] = lambda moves: None) -> Figures:
    """Run a load test inside a running event loop."""
    await _check(plan)
    figures = Figures(tables=plan.tables, connections=plan.connections)
    servers = [Process(pid) for pid in plan.processes]
    memory = sum(server.memory() for server in servers)
    connector = aiohttp.TCPConnector(limit=0)
    async with aiohttp.ClientSession(connector=connector, cookie_jar=aiohttp.DummyCookieJar()) as session:
        clients = await _open_tables(plan, session, figures)
        try:
            await _measure(plan, clients, figures, servers, progress)
            figures.memory = sum(server.memory() for server in servers) - memory
        finally:
            await asyncio.gather(*(client.close() for client in clients))
    return figures


async def _measure(
    plan: LoadPlan,
    clients: Sequence[Client],
    figures: Figures,
    servers: Sequence[Process],
    progress: Callable[[int], object],
) -> None:
    """Let all clients play until a limit is reached; then wait for the outstanding answers."""
    spent = sum(server.cpu_time() for server in servers)
    figures.begin(time.perf_counter())
    for client in clients:
        client.begin()
    reported, until = 0, time.perf_counter() + plan.seconds
    while not _finished(plan, clients, figures) and time.perf_counter() < until:
        await asyncio.sleep(min(0.05, max(0.0, until - time.perf_counter())))
        progress(figures.moves - reported)
        reported = figures.moves
    for client in clients:
        client.stop()
    figures.end(time.perf_counter())
    figures.processor = sum(server.cpu_time() for server in servers) - spent
    patience = time.perf_counter() + PATIENCE
    while any(client.waiting for client in clients) and time.perf_counter() < patience:
        await asyncio.sleep(0.01)
    for client in clients:
        if client.waiting:
            figures.error("unanswered")


def _finished(plan: LoadPlan, clients: Sequence[Client], figures: Figures) -> bool:
    return (plan.moves is not None and figures.moves >= plan.moves) or all(client.over for client in clients)


# --- seating ----------------------------------------------------------------------------------------------------------


async def _open_tables(plan: LoadPlan, session: aiohttp.ClientSession, figures: Figures) -> list[Client]:
    """Open all tables and connect all clients. A table that cannot be opened counts as an error and is not played."""
    at_once = asyncio.Semaphore(AT_ONCE)

    async def seat(number: int) -> list[Client]:
        async with at_once:
            try:
                return await _seat_table(plan, session, figures, number)
            except (aiohttp.ClientError, TimeoutError, OSError) as error:
                figures.error(f"opening: {_error_kind(error)}")
                return []

    clients = [client for table in await asyncio.gather(*map(seat, range(plan.tables))) for client in table]
    if not clients:
        raise CannotLoad(Message("no_table", {"server": plan.servers[0], "why": ", ".join(figures.errors)}, "loadtest"))
    return clients


async def _seat_table(plan: LoadPlan, session: aiohttp.ClientSession, figures: Figures, number: int) -> list[Client]:
    began = time.perf_counter()
    server = plan.servers[number % len(plan.servers)]
    seats = [None] * plan.people + [{"bot": plan.bots}] * (plan.game.players - plan.people)
    request = {"game": plan.game.name, "options": format_options(plan.game.options), "seats": seats, "name": "Ada"}
    opened = await _post(session, f"{server}/api/tables", request)
    id, tokens = opened["table"], [opened["token"]]
    for _ in range(plan.people - 1):
        joined = await _post(session, f"{server}/api/tables/{id}/join", {"name": "Bob", "another_seat": True})
        tokens.append(joined["token"])
    figures.opening.add(time.perf_counter(), time.perf_counter() - began)
    sent_moves, enough = SentMoves(), partial(_sent_enough, plan, figures)
    clients: list[Client] = []
    try:
        for at, token in enumerate([*tokens, *[None] * plan.viewers]):
            node = server if plan.together else plan.servers[(number + at) % len(plan.servers)]
            connection = await session.ws_connect(f"{node}/ws/{id}", max_msg_size=0)
            rng = random.Random(f"{plan.seed} {number} {at}")
            clients.append(Client(connection, figures, sent_moves, rng, plan.think, plan.matches, enough))
            await clients[-1].say_hello(token)
    except BaseException:
        await asyncio.gather(*(client.close() for client in clients))
        raise
    return clients


def _sent_enough(plan: LoadPlan, figures: Figures) -> bool:
    return plan.moves is not None and figures.sent >= plan.moves


async def _post(session: aiohttp.ClientSession, address: str, body: object) -> dict[str, str]:
    async with session.post(address, json=body, raise_for_status=True) as answer:
        decoded: dict[str, str] = await answer.json()
        return decoded


def _error_kind(error: Exception) -> str:
    return str(error.status) if isinstance(error, aiohttp.ClientResponseError) else type(error).__name__


# --- bounds -----------------------------------------------------------------------------------------------------------


async def _check(plan: LoadPlan) -> None:
    """Refuse a server on another machine that the user does not own, and more connections than the system allows."""
    for server in plan.servers:
        if not plan.owned and not await _loopback(server):
            raise CannotLoad(Message("elsewhere", {"server": server}, "loadtest"))
    raise_descriptor_limit()
    most = descriptor_limit()
    if plan.connections + SPARE > most:
        raise CannotLoad(Message("connections", {"wanted": plan.connections, "most": most - SPARE}, "loadtest"))


async def _loopback(server: str) -> bool:
    """Return whether every address of a server is a loopback address."""
    parts = urlsplit(server)
    try:
        found = await asyncio.get_running_loop().getaddrinfo(parts.hostname, parts.port, type=socket.SOCK_STREAM)
    except OSError as error:
        raise CannotLoad(Message("no_table", {"server": server, "why": str(error)}, "loadtest")) from None
    return all(ipaddress.ip_address(str(address[0])).is_loopback for *_, address in found)
