"""Part two of the benchmark: one node beside boardgame.io's server and a plain echo, and how its cost grows.

    python -m bench.server [--seconds 6] [--rounds 5] [--tables 5000] [--window 60]
                           [--store postgresql://... --bus redis://...]

Servers share one core, the clients another; what counts is the processor time that the server's process used, so a
busy moment of the machine hurts all alike. It writes its own section of docs/benchmarks.md and leaves the rest.
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
from collections.abc import Awaitable, Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import uvloop

import gramy
from bench import echo, page
from bench.boardgame import client as boardgame
from gramy.crowd.figures import Figures
from gramy.crowd.run import Plan, load

HERE = Path(__file__).parent
FEW = 20
"""Tables of the comparison: enough to keep a core busy."""
LIVE = 1000
THINK = 2.0
"""Seconds that people at live tables think about a move, on average."""
GENEROUS = 1_000_000
REFERENCE = "boardgame.io"
ABOUT = """\
Whole matches of Face to Face for two over real WebSockets, by `gramy load` and clients like it. The server has one
core, the clients another; what a move costs is the processor time of the server's process, the system's part included.

Gramy checks every rule, answers when the move is on the disk (SQLite, full flushes), and sends both players what they
may do and why not. boardgame.io 0.50.2 runs the same game as it ships: its lobby with credentials, socket.io, the whole
state to each player through `playerView`, and no list of moves; once in memory, which is the reference, and once in
files (`FlatFile`), so that a match outlives the server there too. The echo only decodes a move and sends it back."""
LIMITS = ("commands-a-second", "requests-a-second", "tables-a-minute", "sockets-an-address")


class Server(NamedTuple):
    """A server that runs: where, and as which process."""

    address: str
    pid: int


def main() -> None:
    asked = argparse.ArgumentParser(description="Measure the server.")
    asked.add_argument("--seconds", type=float, default=6.0, help="for each run")
    asked.add_argument("--rounds", type=int, default=5, help="in turns with the others")
    asked.add_argument("--tables", type=int, default=5000, help="the most tables")
    asked.add_argument("--window", type=float, default=60.0, help="seconds for each number of tables")
    asked.add_argument("--store", default="", help="PostgreSQL, to compare one node with two")
    asked.add_argument("--bus", default="", help="Redis, for two nodes")
    given = asked.parse_args()
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))  # the servers inherit it
    _keep_to_the_last_core()
    lines = [ABOUT, *_beside_others(given.rounds, given.seconds), *_live(given.seconds)]
    lines += _growth(given.tables, given.seconds)
    lines += _two_nodes(given.store, given.bus, given.seconds)
    page.write(page.SERVERS, lines)
    print("\n".join(lines))


# --- beside others ----------------------------------------------------------------------------------------------------


def _beside_others(rounds: int, seconds: float) -> list[str]:
    """Everybody once a round, after a warm-up; medians, and ratios within a round."""
    with contextlib.ExitStack() as running:
        ours = running.enter_context(_gramy())
        plain = running.enter_context(_started([sys.executable, "-m", "bench.echo", "serve"]))
        contenders: dict[str, Callable[[float], Figures]] = {
            "Gramy": lambda length: _crowd([ours], FEW, length),
            "echo": lambda length: _run(echo.play(*plain, FEW, length)),
        }
        if (HERE / "boardgame" / "node_modules").exists() and shutil.which("node"):
            folder = running.enter_context(tempfile.TemporaryDirectory())
            for name, wishes in ((REFERENCE, []), (f"{REFERENCE}, in files", ["0", folder])):
                command = ["node", str(HERE / "boardgame" / "server.cjs"), *wishes]
                contenders[name] = _theirs(running.enter_context(_started(command)))
        for warm_up in contenders.values():
            warm_up(seconds)
        runs: dict[str, list[dict[str, Any]]] = {name: [] for name in contenders}
        for _ in range(rounds):
            for name, run in contenders.items():
                runs[name].append(run(seconds).summary())
    lines = ["", f"### Beside others: {FEW} tables at full speed", ""]
    lines += ["| who | moves a processor second | µs a move | moves/s | bytes a message | Gramy's moves to theirs |"]
    lines += ["|---|---|---|---|---|---|"]
    ours_by_round = [_speed(run) for run in runs["Gramy"]]
    for name, found in runs.items():
        ratios = [mine / _speed(run) for mine, run in zip(ours_by_round, found, strict=True)]
        cells = [
            name,
            f"{_median(found, _speed):,.0f}",
            f"{_median(found, lambda run: run['server']['microseconds_a_move']):,.0f}",
            f"{_median(found, lambda run: run['moves_a_second']):,.0f}",
            f"{_median(found, lambda run: run['bytes_a_message']):,.0f}",
            f"**{statistics.median(ratios):.2f}** ({min(ratios):.2f} to {max(ratios):.2f})",
        ]
        lines.append(f"| {' | '.join(cells)} |")
    if REFERENCE not in runs:
        lines += ["", f"{REFERENCE} is not installed (`npm ci` in bench/boardgame), so it is not in this run."]
    errors = sum((sum(run["errors"].values()) for run in runs["Gramy"]), 0)
    return [*lines, "", f"Medians of {rounds} rounds in turns, {seconds:g} s each; errors of Gramy's: {errors}."]


def _theirs(server: Server) -> Callable[[float], Figures]:
    return lambda length: _run(boardgame.play(*server, FEW, length))


def _speed(run: dict[str, Any]) -> float:
    return float(run["server"]["moves_a_processor_second"])


def _median(runs: Sequence[dict[str, Any]], figure: Callable[[dict[str, Any]], float]) -> float:
    return statistics.median(map(figure, runs))


# --- alone ------------------------------------------------------------------------------------------------------------


def _live(seconds: float) -> list[str]:
    """People who think, at many tables: how long they wait, and what a table holds in memory."""
    with _gramy() as server:
        found = _crowd([server], LIVE, max(4 * seconds, 10.0), think=THINK).summary()
    lines = ["", f"### {LIVE:,} live tables, {THINK:g} s of thinking before each move", ""]
    lines += ["| milliseconds | p50 | p90 | p99 | p99.9 | longest |", "|---|---|---|---|---|---|"]
    for kind, sentence in (("answered", "to the answer"), ("shown", "to the other's screen")):
        lines.append(
            f"| {sentence} | " + " | ".join(f"{ms:,.1f}" for ms in found["milliseconds"][kind].values()) + " |"
        )
    busy = found["server"]["processor_seconds"] / found["seconds"]
    memory, late = found["server"]["kilobytes_a_table"], found["milliseconds"]["late"].get("p99", 0.0)
    return [
        *lines,
        "",
        f"{found['moves_a_second']:,.0f} moves/s, the core {busy:.0%} busy, {memory:,.0f} kB a table and its sockets, "
        f"{sum(found['errors'].values())} errors. The generator itself was up to {late:,.1f} ms late (p99).",
    ]


def _growth(most: int, seconds: float) -> list[str]:
    """The cost of a move with ever more tables, at full speed, a fresh server each time."""
    lines = ["", "### From few tables to many", ""]
    lines += ["| tables | µs a move | to the fewest | moves/s | kB a table | errors |", "|---|---|---|---|---|---|"]
    first = None
    for tables in sorted({10, 100, 1000, most}):
        with _gramy() as server:
            found = _crowd([server], tables, seconds).summary()
        cost, memory = found["server"]["microseconds_a_move"], found["server"]["kilobytes_a_table"]
        first = first or cost
        errors = sum(found["errors"].values())
        speed = found["moves_a_second"]
        lines.append(f"| {tables:,} | {cost:,.0f} | {cost / first:.2f} | {speed:,.0f} | {memory:,.0f} | {errors} |")
    return lines


def _two_nodes(store: str, bus: str, seconds: float) -> list[str]:
    """The same store and bus with one node and with two, the players of each table on different nodes."""
    lines = ["", "### From one node to two", ""]
    if not store or not bus:
        return [*lines, "Not in this run: it needs `--store postgresql://…` and `--bus redis://…`."]
    lines += ["| nodes | µs a move, nodes together | moves/s | p99 to the answer | errors |", "|---|---|---|---|---|"]
    for nodes in (1, 2):
        with contextlib.ExitStack() as running:
            servers = [running.enter_context(_gramy(GRAMY_STORE=store, GRAMY_BUS=bus)) for _ in range(nodes)]
            found = _crowd(servers, FEW, 2 * seconds).summary()
        cost, late = found["server"]["microseconds_a_move"], found["milliseconds"]["answered"]["p99"]
        errors = sum(found["errors"].values())
        lines.append(f"| {nodes} | {cost:,.0f} | {found['moves_a_second']:,.0f} | {late:,.0f} ms | {errors} |")
    return [*lines, "", "PostgreSQL and Redis run beside them, on the same two cores; their own time is not counted."]


# --- starting and driving ---------------------------------------------------------------------------------------------


def _crowd(servers: Sequence[Server], tables: int, seconds: float, think: float = 0.0) -> Figures:
    addresses, pids = tuple(one.address for one in servers), tuple(one.pid for one in servers)
    game = gramy.game("face-to-face")
    return load(Plan(game, addresses, tables=tables, seconds=seconds, think=think, processes=pids))


def _run(work: Awaitable[Figures]) -> Figures:
    async def wait() -> Figures:
        return await work

    return uvloop.run(wait())


@contextlib.contextmanager
def _gramy(**environment: str) -> Iterator[Server]:
    """One node on fresh tables, which lets one address do what a crowd does."""
    limits = [word for name in LIMITS for word in (f"--{name}", str(GENEROUS))]
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "gramy", "serve", "--port", "0", "--data", folder, *limits]
        with _started(command, **environment) as server:
            yield server


@contextlib.contextmanager
def _started(command: Sequence[str], **environment: str) -> Iterator[Server]:
    """A server on the first core, until the block ends; it says where it is."""
    wanted = {**os.environ, "NODE_ENV": "production", **environment}
    pinned = ["taskset", "-c", "0", *command] if shutil.which("taskset") else list(command)
    with subprocess.Popen(pinned, stdout=subprocess.PIPE, text=True, env=wanted) as process:
        try:
            assert process.stdout is not None
            found = None
            while found is None:
                if not (line := process.stdout.readline()):
                    raise SystemExit(f"it did not start: {' '.join(command)}")
                found = re.search(r"http://[^\s/]+", line)
            yield Server(found[0], process.pid)
        finally:
            process.terminate()


def _keep_to_the_last_core() -> None:
    """The clients' core: not the servers', where there are two."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})


if __name__ == "__main__":
    main()
