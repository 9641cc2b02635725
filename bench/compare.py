"""Compare the cost of a move and the memory of a table between two or more versions of the server, in one run.

    python -m bench.compare before=../before after=. [--turns 20] [--seconds 3] [--live 2] [--window 30]

Each version is a source tree. One server per tree runs on the first core, and the tree's own load generator plays at it
on the last one (`drive.py`), so the trees may speak different versions of the protocol. They play in short turns, so
that whatever else the machine does affects all versions alike. The ratios are taken within a turn.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import statistics
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeAlias

from bench.server import FEW, LIVE, THINK
from gramy.options import split_options

Drive: TypeAlias = Callable[..., dict[str, Any]]
"""Plays at the server of one tree by fields of LoadPlan, and returns the summary of the measurements."""
WARM_UP = 2
"""Turns of each version before the first that counts."""


def main() -> None:
    parser = argparse.ArgumentParser(description="Compare versions of the server.")
    parser.add_argument("versions", nargs="+", metavar="name=tree", help="source trees; the first is the reference")
    parser.add_argument("--turns", type=int, default=20, help="turns at full speed of each version (default 20)")
    parser.add_argument("--seconds", type=float, default=3.0, help="seconds of play per turn (default 3)")
    parser.add_argument("--live", type=int, default=2, help=f"turns with {LIVE:,} live tables (default 2)")
    parser.add_argument("--window", type=float, default=30.0, help="seconds of play with live tables (default 30)")
    args = parser.parse_args()
    trees = {name: Path(tree).resolve() for name, tree in split_options(args.versions).items()}
    if args.turns > 0:
        _print_all("At full speed", _at_full_speed(trees, args.turns, args.seconds), COST)
    if args.live > 0:
        _print_all(f"With {LIVE:,} live tables", _with_live_tables(trees, args.live, args.window), COST | LIVE_FIGURES)


# --- measuring --------------------------------------------------------------------------------------------------------

Turns: TypeAlias = dict[str, list[dict[str, Any]]]
"""The summaries of each version, turn by turn."""


def _at_full_speed(trees: Mapping[str, Path], turns: int, seconds: float) -> Turns:
    found: Turns = {name: [] for name in trees}
    with contextlib.ExitStack() as running:
        drives = {name: running.enter_context(_driver(tree)) for name, tree in trees.items()}
        for turn in range(-WARM_UP, turns):
            for name, drive in drives.items():
                summary = drive(tables=FEW, seconds=seconds)
                if turn >= 0:
                    found[name].append(summary)
    return found


def _with_live_tables(trees: Mapping[str, Path], turns: int, seconds: float) -> Turns:
    """Measure a fresh server each time: memory that was used before would be used again, and not be seen to grow."""
    found: Turns = {name: [] for name in trees}
    for _ in range(turns):
        for name, tree in trees.items():
            with _driver(tree) as drive:
                found[name].append(drive(tables=LIVE, seconds=seconds, think=THINK))
    return found


@contextlib.contextmanager
def _driver(tree: Path) -> Iterator[Drive]:
    """Run a server of a tree and its load generator until the block ends."""
    paths = os.pathsep.join(map(str, (tree / "src", tree)))
    command = [sys.executable, "-P", str(Path(__file__).with_name("drive.py"))]
    environment = {**os.environ, "PYTHONPATH": paths}
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=tree, env=environment
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        asked, answered = process.stdin, process.stdout

        def drive(**plan: Any) -> dict[str, Any]:
            print(json.dumps(plan), file=asked, flush=True)
            summary: dict[str, Any] = json.loads(answered.readline() or '{"errors": "the load generator ended"}')
            if summary["errors"]:
                raise SystemExit(f"{tree}: {summary['errors']}")
            return summary

        yield drive
        asked.close()  # the driver stops its server and ends


# --- reporting --------------------------------------------------------------------------------------------------------

Figure: TypeAlias = Callable[[dict[str, Any]], float]
COST: dict[str, Figure] = {"µs of processor time per move": lambda found: found["server"]["microseconds_a_move"]}
LIVE_FIGURES: dict[str, Figure] = {
    "kB of memory per table": lambda found: found["server"]["kilobytes_a_table"],
    "ms until the answer at p99": lambda found: found["milliseconds"]["answered"]["p99"],
    "ms to open a table at the median": lambda found: found["milliseconds"]["opening"]["p50"],
}


def _print_all(heading: str, turns: Turns, figures: Mapping[str, Figure]) -> None:
    print(f"{heading}, medians of {len(next(iter(turns.values())))} turns, ratios within a turn:", flush=True)
    reference, *_ = turns
    for label, figure in figures.items():
        first = [figure(summary) for summary in turns[reference]]
        for name, summaries in turns.items():
            values = [figure(summary) for summary in summaries]
            ratios = [value / other for value, other in zip(values, first, strict=True)]
            print(f"  {name}: {statistics.median(values):.1f} {label}, {_spread(ratios)} times {reference}", flush=True)


def _spread(ratios: list[float]) -> str:
    """Return the median of ratios, with their quartiles if there are enough of them."""
    if len(ratios) < 4:
        return f"{statistics.median(ratios):.3f} ({', '.join(f'{ratio:.3f}' for ratio in ratios)})"
    low, median, high = statistics.quantiles(ratios)
    return f"{median:.3f} (quartiles {low:.3f} and {high:.3f})"


if __name__ == "__main__":
    main()
