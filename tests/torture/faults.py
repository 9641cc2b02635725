"""The kinds of faults: each is caused on real processes, links, clocks and disks, held for a while, and repaired."""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
import shutil
import signal
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import pytest

from tests.servers import Postgres, RedisServer, Server
from tests.torture.chaos import Chaos, Disturbance
from tests.torture.judge import SECOND_SERVER
from tests.torture.network import BOTH_WAYS, BUS, CLIENTS, FROM_NODE, STORE, TO_NODE, TOOLS, Disk, Network
from tests.torture.nodes import CONFIRMED_FOR, FAKETIME, STORE_TIMEOUT, ForkServer, Node

SHORT, LONG = 0.3, max(CONFIRMED_FOR, STORE_TIMEOUT) + 1.0
"""Seconds of the shortest and the longest fault: the longest outlasts all leases and timeouts of a node."""
WRONG_CLOCKS = ("+15d", "-15d", "+400d", "-400d", "+30s", "-30s", "+3601s")
Cause: TypeAlias = Callable[[random.Random], Awaitable[None]]


def require_tools() -> None:
    """Skip the test if the machine cannot cause faults, or fail it if GRAMY_FAULTS=required."""
    missing = [tool for tool in TOOLS if shutil.which(tool) is None]
    if os.geteuid() != 0:
        missing.append("the rights of root")
    if not FAKETIME.exists():
        missing.append("libfaketime")
    if not missing:
        return
    if os.environ.get("GRAMY_FAULTS") == "required":
        raise AssertionError(f"{', '.join(missing)}: missing, and GRAMY_FAULTS=required")
    pytest.skip(f"{', '.join(missing)}: missing, so partitions, clocks and frozen servers were NOT tested")


def schedule(kinds: list[Disturbance], number: int, rng: random.Random) -> list[Disturbance]:
    """Return so many faults in a random order, with each kind about equally often."""
    chosen: list[Disturbance] = []
    while len(chosen) < number:
        chosen += rng.sample(kinds, len(kinds))
    return chosen[:number]


async def hold(rng: random.Random) -> None:
    """Let a fault last: half of them for longer than every timeout."""
    await asyncio.sleep(rng.uniform(SHORT, LONG) if rng.random() < 0.5 else LONG)


@dataclass
class NodeFaults:
    """Faults of nodes and of their clocks, with any store."""

    chaos: Chaos

    @property
    def nodes(self) -> list[Node]:
        return self.chaos.nodes

    def kinds(self) -> list[Disturbance]:
        return [
            Disturbance("node killed", self.kill_node),
            Disturbance("node frozen", self.freeze_node),
            Disturbance("node's clock wrong", self.set_clock),
            Disturbance("node restarted with a wrong clock", self.restart_with_wrong_clock),
        ]

    async def restart(self, *nodes: Node) -> None:
        for node in nodes:
            await self.chaos.retry(node.start)

    async def kill_node(self, rng: random.Random) -> None:
        node = rng.choice(self.nodes)
        await node.kill()
        await self.restart(node)

    async def freeze_node(self, rng: random.Random) -> None:
        node = rng.choice(self.nodes)
        node.signal(signal.SIGSTOP)
        try:
            await hold(rng)
        finally:
            node.signal(signal.SIGCONT)

    async def set_clock(self, rng: random.Random) -> None:
        node = rng.choice(self.nodes)
        node.fork_server.set_clock(rng.choice(WRONG_CLOCKS))
        await hold(rng)
        node.fork_server.set_clock("+0")

    async def restart_with_wrong_clock(self, rng: random.Random) -> None:
        node = rng.choice(self.nodes)
        node.fork_server.set_clock(rng.choice(WRONG_CLOCKS))
        await node.kill()
        await self.restart(node)
        await hold(rng)
        node.fork_server.set_clock("+0")


@dataclass
class ClusterFaults(NodeFaults):
    """Faults of two nodes on PostgreSQL and Redis, and of the links between all of them."""

    networks: dict[Node, Network]
    postgres: Postgres
    redis: RedisServer

    def kinds(self) -> list[Disturbance]:
        return [
            *super().kinds(),
            Disturbance("both nodes killed", self.kill_both_nodes),
            Disturbance("PostgreSQL and a node killed", self.kill_store_and_node),
            Disturbance("PostgreSQL and Redis killed", self.kill_both_stores),
            Disturbance("PostgreSQL frozen", self.freezing(self.postgres)),
            Disturbance("Redis frozen", self.freezing(self.redis)),
            Disturbance("PostgreSQL and Redis frozen", self.freezing(self.postgres, self.redis)),
            Disturbance("node cut off from PostgreSQL", self.cutting(STORE)),
            Disturbance("node cut off from Redis", self.cutting(BUS)),
            Disturbance("node cut off from PostgreSQL and Redis", self.cutting(STORE, BUS)),
            Disturbance("node cut off from its clients", self.cutting(CLIENTS)),
        ]

    async def kill_both_nodes(self, rng: random.Random) -> None:
        await asyncio.gather(*(node.kill() for node in self.nodes))
        await self.restart(*self.nodes)

    async def kill_store_and_node(self, rng: random.Random) -> None:
        node = rng.choice(self.nodes)
        await asyncio.gather(node.kill(), asyncio.to_thread(self.postgres.stop))
        await hold(rng)
        await asyncio.to_thread(self.postgres.start)
        await self.restart(node)

    async def kill_both_stores(self, rng: random.Random) -> None:
        servers: list[Server] = [self.postgres, self.redis]
        await asyncio.gather(*(asyncio.to_thread(server.stop) for server in servers))
        await hold(rng)
        for server in rng.sample(servers, 2):
            await asyncio.to_thread(server.start)

    def freezing(self, *servers: Server) -> Cause:
        async def freeze(rng: random.Random) -> None:
            with contextlib.ExitStack() as frozen:
                for server in servers:
                    frozen.enter_context(_stopped(server))
                await hold(rng)

        return freeze

    def cutting(self, *others: int) -> Cause:
        async def cut(rng: random.Random) -> None:
            network, ways = self.networks[rng.choice(self.nodes)], rng.choice((BOTH_WAYS, TO_NODE, FROM_NODE))
            network.cut(*others, ways=ways)
            try:
                await hold(rng)
            finally:
                network.heal(*others, ways=ways)

        return cut


@dataclass
class FileFaults(NodeFaults):
    """Faults of one node on a file, and of the disk with that file."""

    disk: Disk

    def kinds(self) -> list[Disturbance]:
        kinds = [
            *super().kinds(),
            Disturbance("disk full", self.fill_disk),
            Disturbance("disk full and node killed", self.kill_node_on_full_disk),
            Disturbance("second server on the file", self.start_second_server),
        ]
        if self.disk.can_hang:
            kinds.append(Disturbance("disk hangs", self.freeze_disk))
        return kinds

    async def fill_disk(self, rng: random.Random) -> None:
        await asyncio.to_thread(self.disk.fill)
        await hold(rng)
        self.disk.empty()

    async def kill_node_on_full_disk(self, rng: random.Random) -> None:
        await asyncio.to_thread(self.disk.fill)
        (node,) = self.nodes
        await node.kill()
        with contextlib.suppress(ConnectionError):  # whether it can start on a full disk is up to SQLite
            await node.start()
        await hold(rng)
        self.disk.empty()
        await node.kill()
        await self.restart(node)

    async def freeze_disk(self, rng: random.Random) -> None:
        await asyncio.to_thread(self.disk.hang, rng.uniform(SHORT, LONG))

    async def start_second_server(self, rng: random.Random) -> None:
        (node,) = self.nodes
        second = Node(node.fork_server, **{name: value for name, value in node.settings.items() if name != "port"})
        try:
            await second.start()
        except ConnectionError:
            return
        self.chaos.report.count_broken(SECOND_SERVER, "a second server started on the same file")
        await second.kill()


@contextlib.contextmanager
def _stopped(server: Server) -> Iterator[None]:
    """Stop all processes of a server, so that it hangs with open connections."""
    assert server.process is not None
    processes = [server.process.pid, *_children(server.process.pid)]
    for process in processes:
        os.kill(process, signal.SIGSTOP)
    try:
        yield
    finally:
        for process in processes:
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGCONT)


def _children(process: int) -> list[int]:
    parents = {}
    for status in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            parents[int(status.parent.name)] = int(status.read_text().rpartition(")")[2].split()[1])
    return [child for child, parent in parents.items() if parent == process]


def fork_servers(number: int, folder: Path, own_network: bool) -> list[ForkServer]:
    return [ForkServer(own_network, folder / f"clock{at}") for at in range(number)]
