"""`python -m tests.torture --kills 1000 --store sqlite`: for as long as it takes; what it prints is the proof."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import random
import tempfile
from functools import partial
from pathlib import Path

from gramy.table.postgres import PATIENCE
from tests.servers import Postgres, RedisServer, running
from tests.table.backs import Base, File
from tests.torture.chaos import Chaos, Report
from tests.torture.nodes import Node, Nursery
from tests.torture.players import Broken

AWAY = PATIENCE + 2.0


async def on_a_file(folder: Path, kills: int, tables: int, seed: int) -> Report:
    """One node, SQLite: a file is never away."""
    back = File(folder)
    with Nursery() as nursery:
        node = Node(nursery, data=str(back.path.parent), store="", bus="")
        report = await Chaos(back, [node], random.Random(seed)).run(kills, tables)
    if report.undecided:
        raise Broken(f"moves were refused as not kept: {report.undecided}")
    return report


async def on_servers(
    postgres: Postgres, redis: RedisServer, folder: Path, kills: int, tables: int, seed: int, restart_every: int = 25
) -> Report:
    """Two nodes, PostgreSQL and Redis, which are restarted too, or are away for longer than anybody waits for them."""
    back = Base(postgres)
    with Nursery() as nursery:
        nodes = [Node(nursery, data=str(folder), store=back.url, bus=redis.url) for _ in range(2)]
        accidents = [postgres.restart, redis.restart, partial(postgres.away, AWAY)]
        chaos = Chaos(back, nodes, random.Random(seed), accidents)
        return await chaos.run(kills, tables, restart_every)


def main() -> None:
    asked = argparse.ArgumentParser(prog="python -m tests.torture", description=__doc__)
    asked.add_argument("--kills", type=int, default=1000)
    asked.add_argument("--tables", type=int, default=8, help="that are played at a time")
    asked.add_argument("--store", choices=["sqlite", "postgres"], default="sqlite")
    asked.add_argument("--seed", type=int, default=random.randrange(10**6))
    words = asked.parse_args()
    print(f"{words.store}, seed {words.seed}", flush=True)
    with tempfile.TemporaryDirectory() as name, contextlib.ExitStack() as servers:
        folder = Path(name)
        if words.store == "sqlite":
            report = asyncio.run(on_a_file(folder, words.kills, words.tables, words.seed))
        else:
            postgres, redis = (servers.enter_context(running(kind)) for kind in (Postgres, RedisServer))
            report = asyncio.run(on_servers(postgres, redis, folder, words.kills, words.tables, words.seed))
    print(report)


if __name__ == "__main__":
    main()
