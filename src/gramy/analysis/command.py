"""`gramy analyse`: its arguments, and the run."""

from __future__ import annotations

import argparse
import json
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tqdm import tqdm

import gramy
from gramy.analysis import Analysis, analyse, decision_lines
from gramy.analysis.report import draw, report_lines
from gramy.arguments import add_json, check_target, whole_number, writing
from gramy.messages import to_builtins
from gramy.optional import library

SUFFIXES = (".json", ".png", ".svg")


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Add the arguments of `gramy analyse`."""
    command.add_argument("record", help="file of a saved match")
    help = "time to evaluate each decision, in milliseconds (default 100)"
    command.add_argument("--budget", type=whole_number(1, 600_000), default=100, metavar="MS", help=help)
    command.add_argument("--seed", type=whole_number(0), default=0, help="seed of the evaluation (default 0)")
    help = "write a file: everything (.json) or the curves (.png, .svg); repeat it for more"
    command.add_argument("--save", action="append", default=[], metavar="FILE", help=help)
    add_json(command)


def run(args: argparse.Namespace) -> None:
    """Analyse a match and print the report."""
    files = [check_target(name, SUFFIXES) for name in args.save]
    if any(path.suffix != ".json" for path in files):
        library("matplotlib.figure", "arena")  # raises an error before the analysis, not after it
    match = gramy.load(args.record)
    with (  # threads suffice: the bots that take long are compiled and release the interpreter's lock
        tqdm(total=len(decision_lines(match)), unit=" decisions", disable=None, leave=False) as bar,
        ThreadPoolExecutor(os.cpu_count()) as pool,
    ):
        analysis = analyse(match, args.budget / 1000, args.seed, pool, progress=bar.update)
    for path in files:
        save(analysis, path, args.language)
    print(json.dumps(to_builtins(analysis)) if args.json else "\n".join(report_lines(analysis, args.language)))


def save(analysis: Analysis, path: Path, language: str) -> None:
    """Write an analysis to a file; a plot is labelled in the language."""
    with writing(path):
        if path.suffix == ".json":
            path.write_text(json.dumps(to_builtins(analysis)) + "\n", "utf-8")
        else:
            draw(analysis, path, language)
