"""Compare what a move costs in two or more versions of the server, in one run.

    python -m bench.compare before=../before after=. [--turns 100] [--seconds 0.5]

Each version is a source tree. One server per tree runs on the first core; the same clients play at each in short turns
on the last one, so that whatever else the machine does affects all versions alike. The ratios are taken within a turn.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import gramy
from gramy.loadtest.run import LoadPlan, load

TABLES = 20
LIMITS = ("commands-a-second", "requests-a-second", "tables-a-minute", "sockets-an-address")


def main() -> None:
    parser = argparse.ArgumentParser(description="Compare the cost of a move between versions of the server.")
    parser.add_argument("versions", nargs="+", metavar="name=tree", help="the first is the reference")
    parser.add_argument("--turns", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=0.5, help="of play per turn")
    given = parser.parse_args()
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    with contextlib.ExitStack() as stack:
        servers = {}
        for version in given.versions:
            name, _, tree = version.partition("=")
            servers[name] = stack.enter_context(_server(Path(tree).resolve()))
        for line in _compare(servers, given.turns, given.seconds):
            print(line)


@contextlib.contextmanager
def _server(tree: Path) -> Iterator[tuple[str, int]]:
    """Run the server of a source tree; yield its address and process id."""
    with tempfile.TemporaryDirectory() as data:
        limits = [f"--{name}=1000000" for name in LIMITS]
        command = [sys.executable, "-m", "gramy", "serve", "--port=0", f"--data={data}", *limits]
        environment = {**os.environ, "PYTHONPATH": str(tree / "src")}
        with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as server:
            try:
                os.sched_setaffinity(server.pid, {0})
                assert server.stdout is not None
                yield server.stdout.readline().split()[3].rstrip("/"), server.pid
            finally:
                server.terminate()


def _compare(servers: dict[str, tuple[str, int]], turns: int, seconds: float) -> Iterator[str]:
    costs: dict[str, list[float]] = {name: [] for name in servers}
    for turn in range(-2, turns):  # the first two turns warm up
        for name, (address, pid) in servers.items():
            plan = LoadPlan(gramy.game("face-to-face"), (address,), tables=TABLES, seconds=seconds, processes=(pid,))
            figures = load(plan)
            assert not figures.errors, figures.errors
            if turn >= 0:
                costs[name].append(1e6 * figures.processor / figures.moves)
    reference = next(iter(costs))
    for name, found in costs.items():
        ratios = [cost / first for cost, first in zip(found, costs[reference], strict=True)]
        low, median, high = statistics.quantiles(ratios)
        yield (
            f"{name}: {statistics.median(found):.0f} µs of processor time per move (median of {turns} turns), "
            f"{median:.3f} times {reference} (quartiles {low:.3f} and {high:.3f})"
        )


if __name__ == "__main__":
    main()
