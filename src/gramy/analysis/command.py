"""`gramy analyse`: what can be asked for, and the answer."""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from tqdm import tqdm

import gramy
from gramy.analysis import analyse, standing
from gramy.analysis.report import draw, report_lines
from gramy.contract import BadOptions, Message, plain

KINDS = (".json", ".png", ".svg")


def add_arguments(command: argparse.ArgumentParser, number: Callable[..., Any]) -> None:
    """The arguments after `gramy analyse`."""
    command.add_argument("record", help="a file that a match was saved to")
    help = "milliseconds of thought for each decision (default 100)"
    command.add_argument("--budget", type=number(1, 600_000), default=100, metavar="MS", help=help)
    command.add_argument("--seed", type=number(0), default=0, help="the same seed, the same answer (default 0)")
    help = "write a file too: everything (.json) or the curves (.png, .svg); repeat it"
    command.add_argument("--save", action="append", default=[], metavar="FILE", help=help)
    command.add_argument("--json", action="store_true", help="the answer as JSON")


def run(asked: argparse.Namespace) -> None:
    """Look back at a match, and say what was found."""
    files = [Path(name) for name in asked.save]
    for path in files:
        if path.suffix not in KINDS:
            raise BadOptions(Message("file_kind", {"path": str(path), "known": list(KINDS)}))
    match = gramy.load(asked.record)
    with (  # threads do: a bot that thinks long is compiled and lets others think meanwhile
        tqdm(total=len(standing(match)), unit=" decisions", disable=None, leave=False) as bar,
        ThreadPoolExecutor(os.cpu_count()) as pool,
    ):
        analysis = analyse(match, asked.budget / 1000, asked.seed, pool, progress=bar.update)
    said = json.dumps(plain(analysis))
    for path in files:
        try:
            if path.suffix == ".json":
                path.write_text(said + "\n", "utf-8")
            else:
                draw(analysis, path, asked.language)
        except OSError as error:
            raise BadOptions(Message("file_failed", {"path": str(path), "why": str(error.strerror)})) from None
    print(said if asked.json else "\n".join(report_lines(analysis, asked.language)))
