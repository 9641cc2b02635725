"""`gramy load`: what can be asked for, and the answer."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tqdm import tqdm

import gramy
from gramy.contract import BadOptions, Message, format_options

HERE = "http://localhost:8484"


def add_arguments(command: argparse.ArgumentParser, number: Callable[..., Any]) -> None:
    """The arguments after `gramy load`; `number` reads whole numbers in a range."""
    command.add_argument("game", help="one of: " + ", ".join(gramy.GAMES))
    command.add_argument("options", nargs="*", metavar="option=value", help="for example players=3; see `gramy rules`")
    help = f"where it serves (default {HERE}); repeat it for more nodes, seats are spread over them"
    command.add_argument("--server", action="append", default=[], metavar="ADDRESS", help=help)
    command.add_argument("--together", action="store_true", help="everybody of a table at the same node")
    command.add_argument("--tables", type=number(1, 10_000), default=10, help="at the same time (default 10)")
    command.add_argument("--bots", metavar="LEVEL", default="", help="the server's own, in all seats but one")
    command.add_argument("--viewers", type=number(0, 100), default=0, help="who only look, at each table (default 0)")
    command.add_argument(
        "--think", type=_seconds(60), default=0.0, help="seconds before a move (default 0: full speed)"
    )
    command.add_argument("--seconds", type=_seconds(600), default=10.0, help="stop after so long (default 10)")
    command.add_argument("--moves", type=number(1, 10**8), help="stop after so many")
    command.add_argument("--matches", type=number(1, 1000), help="stop when each table has had so many")
    command.add_argument("--seed", type=number(0), default=0, help="the players' luck (default 0)")
    help = "a server's process on this machine: its processor time and memory are told too; may be repeated"
    command.add_argument("--pid", type=number(1), action="append", default=[], help=help)
    command.add_argument("--plot", type=Path, metavar="FILE", help="draw it, as .png or .svg")
    command.add_argument("--json", action="store_true", help="the answer as JSON")
    command.add_argument("--i-own-this-server", action="store_true", help="load a machine that is not this one")


def run(asked: argparse.Namespace) -> None:
    """Load, and say what came of it."""
    from gramy.loadtest.report import draw, report_lines
    from gramy.loadtest.run import Plan, load

    plan = Plan(
        game=gramy.game(asked.game, **dict(map(_option, asked.options))),
        servers=tuple(address.rstrip("/") for address in asked.server or [HERE]),
        together=asked.together,
        tables=asked.tables,
        seconds=asked.seconds,
        moves=asked.moves,
        matches=asked.matches,
        bots=asked.bots,
        viewers=asked.viewers,
        think=asked.think,
        seed=asked.seed,
        processes=tuple(asked.pid),
        owned=asked.i_own_this_server,
    )
    with tqdm(unit=" moves", disable=None, leave=False) as bar:
        figures = load(plan, bar.update)
    title = " ".join(
        [plan.game.name, *(f"{name}={value}" for name, value in format_options(plan.game.options).items())]
    )
    if asked.plot:
        draw(figures, f"{title}, {plan.tables:,} tables", asked.plot)
    print(json.dumps(figures.summary()) if asked.json else "\n".join(report_lines(figures, title)))


def _option(word: str) -> tuple[str, str]:
    name, equals, value = word.partition("=")
    if not equals:
        raise BadOptions(Message("option_form", {"word": word}))
    return name, value


def _seconds(most: float) -> Callable[[str], float]:
    """Seconds up to a limit, for argparse, which turns the error into a sentence."""

    def read(word: str) -> float:
        try:
            seconds = float(word)
        except ValueError:
            seconds = -1.0
        if not 0 <= seconds <= most:
            raise argparse.ArgumentTypeError(f"“{word}” is not a number of seconds from 0 to {most:g}")
        return seconds

    return read
