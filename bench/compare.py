"""Compare what a move costs in two or more versions of the server, in one run.

    python -m bench.compare before=../before after=. [--turns 100] [--seconds 0.5]

Each version is a source tree. One server per tree runs on the first core; the same clients play at each in short turns
on the last one, so that whatever else the machine does affects all versions alike. The ratios are taken within a turn.
"""

from __future__ import annotations

import argparse
import contextlib
import statistics
from collections.abc import Iterator
from pathlib import Path

import gramy
from bench.server import FEW, Server, gramy_server, pin_to_last_core
from gramy.loadtest.run import LoadPlan, load
from gramy.options import split_options


def main() -> None:
    parser = argparse.ArgumentParser(description="Compare the cost of a move between versions of the server.")
    parser.add_argument("versions", nargs="+", metavar="name=tree", help="source trees; the first is the reference")
    parser.add_argument("--turns", type=int, default=100, help="turns of each version (default 100)")
    parser.add_argument("--seconds", type=float, default=0.5, help="seconds of play per turn (default 0.5)")
    args = parser.parse_args()
    pin_to_last_core()
    with contextlib.ExitStack() as stack:
        servers = {
            name: stack.enter_context(gramy_server(PYTHONPATH=str(Path(tree).resolve() / "src")))
            for name, tree in split_options(args.versions).items()
        }
        for line in _compare(servers, args.turns, args.seconds):
            print(line)


def _compare(servers: dict[str, Server], turns: int, seconds: float) -> Iterator[str]:
    costs: dict[str, list[float]] = {name: [] for name in servers}
    for turn in range(-2, turns):  # the first two turns warm up
        for name, (address, pid) in servers.items():
            plan = LoadPlan(gramy.game("face-to-face"), (address,), tables=FEW, seconds=seconds, processes=(pid,))
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
