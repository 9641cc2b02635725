"""Twenty kills: no move is lost, doubled or out of order, and no table is stuck. `make torture` kills more often."""

from __future__ import annotations

import random
from pathlib import Path

from tests.servers import Postgres, RedisServer
from tests.torture.__main__ import on_a_file, on_servers


def printed_seed() -> int:
    seed = random.randrange(10**6)
    print(f"seed {seed}")
    return seed


async def test_a_node_on_a_file_is_killed_ten_times_under_load(tmp_path: Path) -> None:
    report = await on_a_file(tmp_path, kills=10, tables=3, seed=printed_seed())
    assert report.kills == 10
    assert report.acknowledged > 0


async def test_two_nodes_on_servers_are_killed_ten_times_under_load_and_so_are_the_servers(
    postgres: Postgres, redis: RedisServer, tmp_path: Path
) -> None:
    report = await on_servers(postgres, redis, tmp_path, kills=10, tables=3, seed=printed_seed(), restart_every=4)
    assert (report.kills, report.restarts) == (10, 2)
    assert report.acknowledged > 0
