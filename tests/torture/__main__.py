"""Kill servers, cut links and set clocks wrong while matches are played, and judge what every client was shown."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import random
import sys
import tempfile
from functools import partial
from pathlib import Path

from gramy.table.postgres import TIMEOUT
from tests.servers import Postgres, RedisServer, running
from tests.table.backends import PostgresBackend, SqliteBackend
from tests.torture.chaos import Chaos, Report
from tests.torture.faults import ClusterFaults, FileFaults, fork_servers, schedule
from tests.torture.judge import LOST
from tests.torture.network import BUS, NODE, STORE, Disk, Network, enter_namespaces
from tests.torture.nodes import ForkServer, Node

AWAY = TIMEOUT + 2.0
"""Seconds of an outage of PostgreSQL, longer than a server waits for it."""


class OpenPostgres(Postgres):
    """PostgreSQL on all addresses of a network namespace."""

    listen = "*"

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        with (folder / "base" / "pg_hba.conf").open("a") as rules:
            rules.write("host all all 10.213.0.0/16 trust\n")


class OpenRedis(RedisServer):
    """Redis on all addresses of a network namespace."""

    listen = "*"

    def command(self) -> list[str]:
        return [*super().command(), "--protected-mode", "no"]


async def on_a_file(folder: Path, kills: int, tables: int, seed: int) -> Report:
    """Kill one server on SQLite many times and return the report."""
    backend = SqliteBackend(folder)
    with ForkServer() as fork_server:
        node = Node(fork_server, data=str(backend.path.parent), store="", bus="")
        report = await Chaos(backend, [node], random.Random(seed)).run(kills, tables)
    if report.undecided:
        report.count_broken(LOST, f"moves were refused as not stored, but a file is always there: {report.undecided}")
    return report


async def on_servers(
    postgres: Postgres, redis: RedisServer, folder: Path, kills: int, tables: int, seed: int, restart_every: int = 25
) -> Report:
    """Kill two servers on PostgreSQL and Redis, which are restarted or away too, and return the report."""
    backend = PostgresBackend(postgres)
    with ForkServer() as fork_server:
        nodes = [Node(fork_server, data=str(folder), store=backend.url, bus=redis.url) for _ in range(2)]
        accidents = [postgres.restart, redis.restart, partial(postgres.away, AWAY)]
        chaos = Chaos(backend, nodes, random.Random(seed), accidents)
        return await chaos.run(kills, tables, restart_every)


async def faults_on_a_file(folder: Path, number: int, tables: int, seed: int) -> Report:
    """Cause faults of one server on SQLite and of its disk, and return the report; 0: each kind once."""
    rng = random.Random(seed)
    (fork_server,) = fork_servers(1, folder, own_network=False)
    with Disk(folder) as disk, fork_server:
        backend = SqliteBackend(disk.path)
        node = Node(fork_server, data=str(backend.path.parent), store="", bus="")
        chaos = Chaos(backend, [node], rng)
        kinds = FileFaults(chaos, disk).kinds()
        return await chaos.disturb(schedule(kinds, number or len(kinds), rng), tables)


async def faults_on_servers(
    postgres: Postgres, redis: RedisServer, folder: Path, number: int, tables: int, seed: int
) -> Report:
    """Cause faults of two servers, PostgreSQL, Redis and their links, and return the report; 0: each kind once."""
    backend, rng = PostgresBackend(postgres), random.Random(seed)
    networks: dict[Node, Network] = {}
    with contextlib.ExitStack() as stack:
        for at, fork_server in enumerate(fork_servers(2, folder, own_network=True)):
            stack.enter_context(fork_server)
            network = Network(at + 1, fork_server.process.pid)
            store = backend.url.replace("127.0.0.1", network.address(STORE))
            bus = redis.url.replace("127.0.0.1", network.address(BUS))
            node = Node(fork_server, data=str(folder), store=store, bus=bus, host=network.address(NODE))
            networks[node] = network
        chaos = Chaos(backend, list(networks), rng)
        kinds = ClusterFaults(chaos, networks, postgres, redis).kinds()
        return await chaos.disturb(schedule(kinds, number or len(kinds), rng), tables)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.torture", description=__doc__)
    parser.add_argument("--kills", type=int, default=1000, help="number of kills (default 1000)")
    parser.add_argument("--faults", type=int, help="cause faults of all kinds instead of kills; 0: each kind once")
    parser.add_argument("--tables", type=int, default=8, help="tables played at a time (default 8)")
    parser.add_argument("--store", choices=["sqlite", "postgres"], default="sqlite", help="default sqlite")
    parser.add_argument("--seed", type=int, default=random.randrange(10**6), help="default: random")
    args = parser.parse_args()
    if args.faults is not None:
        enter_namespaces()
    print(f"{args.store}, seed {args.seed}", flush=True)
    with tempfile.TemporaryDirectory() as name, contextlib.ExitStack() as servers:
        folder = Path(name)
        report = asyncio.run(_run(args, folder, servers))
    print(report)
    sys.exit(1 if report.broken else 0)


async def _run(args: argparse.Namespace, folder: Path, servers: contextlib.ExitStack) -> Report:
    if args.store == "sqlite":
        if args.faults is not None:
            return await faults_on_a_file(folder, args.faults, args.tables, args.seed)
        return await on_a_file(folder, args.kills, args.tables, args.seed)
    if args.faults is not None:
        postgres, redis = (servers.enter_context(running(kind)) for kind in (OpenPostgres, OpenRedis))
        return await faults_on_servers(postgres, redis, folder, args.faults, args.tables, args.seed)
    postgres, redis = (servers.enter_context(running(kind)) for kind in (Postgres, RedisServer))
    return await on_servers(postgres, redis, folder, args.kills, args.tables, args.seed)


if __name__ == "__main__":
    main()
