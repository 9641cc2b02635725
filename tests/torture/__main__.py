"""Kill servers many times while matches are played, and check that no acknowledged move is lost."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import random
import tempfile
from functools import partial
from pathlib import Path

from gramy.table.postgres import TIMEOUT
from tests.servers import Postgres, RedisServer, running
from tests.table.backends import PostgresBackend, SqliteBackend
from tests.torture.chaos import Chaos, Report
from tests.torture.nodes import ForkServer, Node
from tests.torture.players import Broken

AWAY = TIMEOUT + 2.0
"""Seconds of an outage of PostgreSQL, longer than a server waits for it."""


async def on_a_file(folder: Path, kills: int, tables: int, seed: int) -> Report:
    """Torture one server on SQLite and return the report."""
    backend = SqliteBackend(folder)
    with ForkServer() as fork_server:
        node = Node(fork_server, data=str(backend.path.parent), store="", bus="")
        report = await Chaos(backend, [node], random.Random(seed)).run(kills, tables)
    if report.undecided:
        raise Broken(f"moves were refused as not stored, but a file is always there: {report.undecided}")
    return report


async def on_servers(
    postgres: Postgres, redis: RedisServer, folder: Path, kills: int, tables: int, seed: int, restart_every: int = 25
) -> Report:
    """Torture two servers on PostgreSQL and Redis, which are restarted or away too, and return the report."""
    backend = PostgresBackend(postgres)
    with ForkServer() as fork_server:
        nodes = [Node(fork_server, data=str(folder), store=backend.url, bus=redis.url) for _ in range(2)]
        accidents = [postgres.restart, redis.restart, partial(postgres.away, AWAY)]
        chaos = Chaos(backend, nodes, random.Random(seed), accidents)
        return await chaos.run(kills, tables, restart_every)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.torture", description=__doc__)
    parser.add_argument("--kills", type=int, default=1000, help="number of kills (default 1000)")
    parser.add_argument("--tables", type=int, default=8, help="tables played at a time (default 8)")
    parser.add_argument("--store", choices=["sqlite", "postgres"], default="sqlite", help="default sqlite")
    parser.add_argument("--seed", type=int, default=random.randrange(10**6), help="default: random")
    args = parser.parse_args()
    print(f"{args.store}, seed {args.seed}", flush=True)
    with tempfile.TemporaryDirectory() as name, contextlib.ExitStack() as servers:
        folder = Path(name)
        if args.store == "sqlite":
            report = asyncio.run(on_a_file(folder, args.kills, args.tables, args.seed))
        else:
            postgres, redis = (servers.enter_context(running(kind)) for kind in (Postgres, RedisServer))
            report = asyncio.run(on_servers(postgres, redis, folder, args.kills, args.tables, args.seed))
    print(report)


if __name__ == "__main__":
    main()
