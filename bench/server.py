"""Measure the server: one node compared with boardgame.io and a plain echo, and its cost by number of tables.

    python -m bench.server [--seconds 6] [--rounds 5] [--tables 5000] [--window 60] [--only nodes]
                           [--store postgresql://... --bus redis://...]

Servers share one core, the clients another. The measure is the processor time of the server's process, which other load
on the machine affects little. The program writes its own sections of docs/benchmarks.md and leaves the others.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import re
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import uvloop

import gramy
from bench import echo, page
from bench.boardgame import client as boardgame
from gramy.loadtest.figures import Figures
from gramy.loadtest.run import LoadPlan, load
from gramy.web.command import LIMITS
from tests.servers import Postgres, RedisServer, installed
from tests.servers import running as started

HERE = Path(__file__).parent
FEW = 20
"""Tables of the comparison: enough to keep a core busy."""
LIVE = 1000
"""Tables of the latency measurement."""
THINK = 2.0
"""Mean seconds before a move at live tables."""
GENEROUS = 1_000_000
REFERENCE = "boardgame.io"
ABOUT = """\
Whole matches of Face to Face for two players over WebSockets, played by `gramy loadtest` and similar clients. The
server has one core, the clients another. The cost of a move is the processor time of the server's process, system calls
included.

What each server does:
- *Gramy* checks every rule and answers when the move is on the disk (SQLite, full flushes). It sends both players their
  legal moves and the reasons why other moves are not legal.
- *boardgame.io* 0.50.2 runs the same game as it ships: its lobby with credentials, socket.io, the whole state to each
  player through `playerView`, no list of moves. It runs once in memory, which is the reference, and once in files
  (`FlatFile`), so that a match survives a restart there too.
- *echo* only decodes a move and sends it back."""
PARTS = {"others": page.OTHERS, "live": page.LIVE, "growth": page.GROWTH, "nodes": page.NODES}


class Server(NamedTuple):
    """A running server: its address and process id."""

    address: str
    pid: int


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure the server.")
    parser.add_argument("--seconds", type=float, default=6.0, help="length of each run (default 6)")
    parser.add_argument("--rounds", type=int, default=5, help="interleaved runs of each server (default 5)")
    parser.add_argument("--tables", type=int, default=5000, help="largest number of tables (default 5000)")
    parser.add_argument("--window", type=float, default=60.0, help="seconds for each number of tables (default 60)")
    parser.add_argument("--store", default="", help="URL of a PostgreSQL database for the nodes (default: start one)")
    parser.add_argument("--bus", default="", help="URL of a Redis server for the nodes (default: start one)")
    parser.add_argument(
        "--only", choices=PARTS, action="append", default=[], help="measure only this part; repeat it for more"
    )
    args = parser.parse_args()
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))  # the servers inherit it
    pin_to_last_core()
    measured: dict[str, Callable[[], list[str]]] = {
        "others": lambda: _compare_with_others(args.rounds, args.seconds),
        "live": lambda: _live(args.window),
        "growth": lambda: _growth(args.tables, args.window),
        "nodes": lambda: _two_nodes(args.store, args.bus, args.rounds, args.seconds),
    }
    page.write(page.SERVERS, [ABOUT])
    for part in args.only or PARTS:
        lines = [*measured[part](), "", _when(part)]
        page.write(PARTS[part], lines)
        print("\n".join([PARTS[part], "", *lines, ""]), flush=True)


def _when(part: str) -> str:
    """Return when and how the part was measured, with the load of the machine, which matters to every figure."""
    date, load = time.strftime("%Y-%m-%d", time.gmtime()), os.getloadavg()[0]
    command = f"`python -m bench.server --only {part}`"
    return f"Measured on {date} by {command} with {os.cpu_count()} cores; the load average was {load:.1f} at the end."


# --- compared with others ---------------------------------------------------------------------------------------------


def _compare_with_others(rounds: int, seconds: float) -> list[str]:
    """Run every server once a round, after a warm-up; compute medians, and ratios within a round."""
    with contextlib.ExitStack() as running:
        ours = running.enter_context(gramy_server())
        plain = running.enter_context(_started([sys.executable, "-m", "bench.echo", "serve"]))
        contenders: dict[str, Callable[[float], Figures]] = {
            "Gramy": lambda length: _load([ours], FEW, length),
            "echo": lambda length: _run(echo.play(*plain, FEW, length)),
        }
        if (HERE / "boardgame" / "node_modules").exists() and shutil.which("node"):
            folder = running.enter_context(tempfile.TemporaryDirectory())
            for name, arguments in ((REFERENCE, []), (f"{REFERENCE}, in files", ["0", folder])):
                command = ["node", str(HERE / "boardgame" / "server.cjs"), *arguments]
                contenders[name] = _theirs(running.enter_context(_started(command)))
        for warm_up in contenders.values():
            warm_up(seconds)
        runs: dict[str, list[dict[str, Any]]] = {name: [] for name in contenders}
        for _ in range(rounds):
            for name, run in contenders.items():
                runs[name].append(run(seconds).summary())
    lines = [
        "| server | moves per processor second | µs per move | moves/s | bytes per message | Gramy's moves to its |"
    ]
    lines += ["|---|---|---|---|---|---|"]
    ours_by_round = [_speed(run) for run in runs["Gramy"]]
    for name, found in runs.items():
        ratios = [mine / _speed(run) for mine, run in zip(ours_by_round, found, strict=True)]
        cells = [
            name,
            f"{_median(found, _speed):,.0f}",
            f"{_median(found, _cost):,.0f}",
            f"{_median(found, lambda run: run['moves_a_second']):,.0f}",
            f"{_median(found, lambda run: run['bytes_a_message']):,.0f}",
            f"**{statistics.median(ratios):.2f}** ({min(ratios):.2f} to {max(ratios):.2f})",
        ]
        lines.append(f"| {' | '.join(cells)} |")
    if REFERENCE not in runs:
        lines += ["", f"{REFERENCE} is not installed (`npm ci` in bench/boardgame), so it is not in this run."]
    errors = sum((sum(run["errors"].values()) for run in runs["Gramy"]), 0)
    method = (
        f"{FEW} tables at full speed. Medians of {rounds} interleaved runs, {seconds:g} s each; ratios within a round."
    )
    goals = f"Goals: 5 times the moves of {REFERENCE} in memory, and 0.25 of the echo's. Errors of Gramy: {errors}."
    return [method, goals, "", *lines]


def _theirs(server: Server) -> Callable[[float], Figures]:
    return lambda length: _run(boardgame.play(*server, FEW, length))


def _cost(run: dict[str, Any]) -> float:
    return float(run["server"]["microseconds_a_move"])


def _speed(run: dict[str, Any]) -> float:
    return float(run["server"]["moves_a_processor_second"])


def _median(runs: Sequence[dict[str, Any]], figure: Callable[[dict[str, Any]], float]) -> float:
    return statistics.median(map(figure, runs))


# --- Gramy alone ------------------------------------------------------------------------------------------------------


def _live(seconds: float) -> list[str]:
    """Measure the latency and the memory per table with many tables and players who think."""
    with gramy_server() as server:
        found = _load([server], LIVE, seconds, think=THINK).summary()
    lines = ["| milliseconds | p50 | p90 | p99 | p99.9 | longest |", "|---|---|---|---|---|---|"]
    for kind, label in (("answered", "until the answer"), ("shown", "until the other player's snapshot")):
        lines.append(f"| {label} | " + " | ".join(f"{ms:,.1f}" for ms in found["milliseconds"][kind].values()) + " |")
    busy = found["server"]["processor_seconds"] / found["seconds"]
    memory, late = found["server"]["kilobytes_a_table"], found["milliseconds"]["late"].get("p99", 0.0)
    return [
        f"{THINK:g} s of thinking before each move, {seconds:g} s. Goals: 50 ms at p99, and 60 kB per table.",
        "",
        *lines,
        "",
        "| moves/s | core busy | kB per table with its sockets | errors | delay of the load generator, p99 |",
        "|---|---|---|---|---|",
        f"| {found['moves_a_second']:,.0f} | {busy:.0%} | {memory:,.0f} | {sum(found['errors'].values())} "
        f"| {late:,.1f} ms |",
    ]


def _growth(most: int, seconds: float) -> list[str]:
    """Measure the cost of a move by number of tables, at full speed, with a fresh server each time."""
    lines = ["| tables | µs per move | ratio | moves/s | kB per table | errors |", "|---|---|---|---|---|---|"]
    first = None
    for tables in sorted({10, 100, 1000, most}):
        with gramy_server() as server:
            found = _load([server], tables, seconds).summary()
        cost, memory = found["server"]["microseconds_a_move"], found["server"]["kilobytes_a_table"]
        first = first or cost
        errors = sum(found["errors"].values())
        speed = found["moves_a_second"]
        lines.append(f"| {tables:,} | {cost:,.0f} | {cost / first:.2f} | {speed:,.0f} | {memory:,.0f} | {errors} |")
    method = f"Full speed, {seconds:g} s each, a fresh server for each row. The goal is a cost that stays within 20%."
    memory_note = "Memory per table includes what all tables share, so it looks large for few tables."
    return [method, memory_note, "", *lines]


class Cluster(NamedTuple):
    """Nodes of one service, and how the clients connect to them."""

    nodes: int
    together: bool
    label: str


CLUSTERS = (
    Cluster(1, True, "one"),
    Cluster(2, True, "two, each table on one of them"),
    Cluster(2, False, "two, the players of a table on different ones"),
)
SHARED = """\
All nodes share one core of this machine; the clients, PostgreSQL and Redis share the other. Compare the cost of a move
for the nodes together, not the moves per second. The time of PostgreSQL and Redis is not included. PostgreSQL flushes
every move to the disk. Players of one table on different nodes are the worst case: the other node reads each move from
the store."""


def _two_nodes(store: str, bus: str, rounds: int, seconds: float) -> list[str]:
    """Measure one node and two on the same store and bus, interleaved."""
    if not (store and bus) and not all(map(installed, ("initdb", "postgres", "redis-server"))):
        return ["Not in this run: it needs PostgreSQL and Redis, installed here or named by `--store` and `--bus`."]
    runs: dict[Cluster, list[dict[str, Any]]] = {one: [] for one in CLUSTERS}
    with contextlib.ExitStack() as running:
        postgres = None if store else running.enter_context(started(Postgres))
        bus = bus or running.enter_context(started(RedisServer)).url
        for _ in range(rounds):
            for one, found in runs.items():
                found.append(_clustered(one, store or postgres.new(), bus, seconds))
    lines = ["| nodes | moves per processor second | µs per move, all nodes | ratio | moves/s | p99 | errors |"]
    lines += ["|---|---|---|---|---|---|---|"]
    alone = _median(runs[CLUSTERS[0]], _cost)
    for one, found in runs.items():
        cells = [
            one.label,
            f"{_median(found, _speed):,.0f}",
            f"{_median(found, _cost):,.0f}",
            f"{_median(found, _cost) / alone:.2f}",
            f"{_median(found, lambda run: run['moves_a_second']):,.0f}",
            f"{_median(found, lambda run: run['milliseconds']['answered']['p99']):,.0f} ms",
            f"{sum(sum(run['errors'].values()) for run in found)}",
        ]
        lines.append(f"| {' | '.join(cells)} |")
    return [
        f"{FEW} tables at full speed; medians of {rounds} interleaved runs, {seconds:g} s each.",
        SHARED,
        "",
        *lines,
    ]


def _clustered(cluster: Cluster, store: str, bus: str, seconds: float) -> dict[str, Any]:
    """Measure one cluster after a short warm-up, which opens connections and prepares statements."""
    words = {"GRAMY_STORE": store, "GRAMY_BUS": bus, "GRAMY_SECRET": "of-all-nodes" * 3}
    with contextlib.ExitStack() as running:
        servers = [running.enter_context(gramy_server(**words)) for _ in range(cluster.nodes)]
        _load(servers, FEW, seconds / 4, together=cluster.together)
        return _load(servers, FEW, seconds, together=cluster.together).summary()


# --- servers and clients ----------------------------------------------------------------------------------------------


def _load(
    servers: Sequence[Server], tables: int, seconds: float, think: float = 0.0, together: bool = False
) -> Figures:
    addresses, pids = tuple(one.address for one in servers), tuple(one.pid for one in servers)
    game = gramy.game("face-to-face")
    return load(LoadPlan(game, addresses, together, tables=tables, seconds=seconds, think=think, processes=pids))


def _run(work: Awaitable[Figures]) -> Figures:
    async def wait() -> Figures:
        return await work

    return uvloop.run(wait())


@contextlib.contextmanager
def gramy_server(**environment: str) -> Iterator[Server]:
    """Run one node with an empty store and without limits for one address."""
    limits = [word for name in LIMITS for word in (f"--{name.replace('_', '-')}", str(GENEROUS))]
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "gramy", "serve", "--port", "0", "--data", folder, *limits]
        with _started(command, **environment) as server:
            yield server


@contextlib.contextmanager
def _started(command: Sequence[str], **environment: str) -> Iterator[Server]:
    """Run a server on the first core until the block ends; its output names its address."""
    variables = {**os.environ, "NODE_ENV": "production", **environment}
    pinned = ["taskset", "-c", "0", *command] if shutil.which("taskset") else list(command)
    with subprocess.Popen(pinned, stdout=subprocess.PIPE, text=True, env=variables) as process:
        try:
            assert process.stdout is not None
            found = None
            while found is None:
                if not (line := process.stdout.readline()):
                    raise SystemExit(f"the server did not start: {' '.join(command)}")
                found = re.search(r"http://[^\s/]+", line)
            yield Server(found[0], process.pid)
        finally:
            process.terminate()


def pin_to_last_core() -> None:
    """Run this process, the clients, on the last core; the servers run on the first."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})


if __name__ == "__main__":
    main()
