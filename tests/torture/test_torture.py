"""A few kills and faults: no guarantee is broken. `make torture` has more of them."""

from __future__ import annotations

import asyncio
import random
import sys
from asyncio.subprocess import PIPE, STDOUT
from pathlib import Path

import pytest

from tests.servers import Postgres, RedisServer, required
from tests.torture.__main__ import on_a_file, on_servers
from tests.torture.faults import require_tools


def printed_seed() -> int:
    seed = random.randrange(10**6)
    print(f"seed {seed}")
    return seed


async def test_a_node_on_a_file_is_killed_ten_times_under_load(tmp_path: Path) -> None:
    report = await on_a_file(tmp_path, kills=10, tables=3, seed=printed_seed())
    assert report.kills == 10
    assert report.acknowledged > 0
    assert not report.broken


async def test_two_nodes_on_servers_are_killed_ten_times_under_load_and_so_are_the_servers(
    postgres: Postgres, redis: RedisServer, tmp_path: Path
) -> None:
    report = await on_servers(postgres, redis, tmp_path, kills=10, tables=3, seed=printed_seed(), restart_every=4)
    assert (report.kills, report.restarts) == (10, 2)
    assert report.acknowledged > 0
    assert not report.broken


@pytest.mark.parametrize(("store", "faults"), [("sqlite", 3), ("postgres", 6)])
async def test_partitions_freezes_wrong_clocks_and_bad_disks_break_nothing(store: str, faults: int) -> None:
    """In a process of its own, with a network and mounts of its own. Each run has other kinds of faults."""
    require_tools()
    if store == "postgres":
        required("postgres")
        required("redis-server")
    words = ["--store", store, "--faults", str(faults), "--tables", "2", "--seed", str(printed_seed())]
    run = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.torture", *words, stdout=PIPE, stderr=STDOUT, cwd=Path(__file__).parents[2]
    )
    output, _ = await run.communicate()
    print(output.decode())
    assert run.returncode == 0
    assert f"{faults} other faults" in output.decode()
