"""`gramy arena`: what can be asked for, and the answer."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from typing import Any

from tqdm import tqdm

import gramy
from gramy import arena, bots, compiled
from gramy.arena.entrant import mind
from gramy.arena.files import kind, save, summary
from gramy.arena.mistakes import mistakes
from gramy.arena.report import report_lines
from gramy.arena.workers import workers
from gramy.contract import BadOptions, Message


def add_arguments(command: argparse.ArgumentParser, number: Callable[..., Any]) -> None:
    """The arguments after `gramy arena`."""
    command.add_argument("game", help="one of: " + ", ".join(gramy.GAMES))
    help = "bots, such as easy, expert:50ms or my_bot.py:1s, and options, such as jokers=on"
    command.add_argument("words", nargs="*", metavar="bot|option=value", help=help)
    command.add_argument("--bot", action="append", default=[], metavar="FILE", help="your own bot, from a Python file")
    command.add_argument("--players", type=number(2, 6), help="seats at a table (default: one for each bot)")
    command.add_argument("--deals", type=number(1, 10**7), default=100, help="how many (default 100)")
    command.add_argument("--seed", type=number(0), default=0, help="the same seed, the same results (default 0)")
    command.add_argument("--no-talk", action="store_true", help="nobody speaks")
    help = "stop as soon as it is clear which of two shares (in %%) the first bot's is nearer to, as in --sprt 50 55"
    command.add_argument("--sprt", nargs=2, type=float, metavar=("LOW", "HIGH"), help=help)
    help = "look at every decision in the first N deals: how many were mistakes"
    command.add_argument("--mistakes", type=number(1, 10**7), default=0, metavar="N", help=help)
    command.add_argument("--processes", type=number(1, 1024), help="default: one for each processor")
    command.add_argument("--cluster", default="", metavar="ADDRESS", help="a Dask cluster's, such as tcp://host:8786")
    help = "write a file too: every match (.csv, .parquet), everything (.json), or a plot (.png, .svg); repeat it"
    command.add_argument("--save", action="append", default=[], metavar="FILE", help=help)
    command.add_argument("--json", action="store_true", help="the answer as JSON")


def run(asked: argparse.Namespace) -> None:
    """Compare, and say what came of it."""
    setting, test, files = _setting(asked), _test(asked), [kind(path) for path in asked.save]
    with (
        tqdm(total=asked.deals, unit=" deals", disable=None, leave=False, smoothing=0) as bar,
        workers(asked.processes, asked.cluster) as pool,
    ):
        if compiled.available() and asked.processes != 1 and not asked.cluster:
            bar.set_description("preparing")
            built_in = [mind(setting.game, one) for one in setting.entrants if not one.source]
            bots.prepare(setting.rules, built_in)  # before many processes compile the same code at once
            bar.set_description("")
        comparison = arena.compare(setting, asked.deals, pool, test=test, progress=bar.update)
        if asked.mistakes:
            bar.set_description("looking for mistakes")
            bar.reset(min(asked.mistakes, comparison.deals))
            care = mistakes(setting, min(asked.mistakes, comparison.deals), pool, bar.update)
            comparison = comparison._replace(care=care)
    for path in files:
        save(comparison, path, asked.language)
    print(json.dumps(summary(comparison)) if asked.json else "\n".join(report_lines(comparison, asked.language)))


def _setting(asked: argparse.Namespace) -> arena.Setting:
    options = dict(word.split("=", 1) for word in asked.words if "=" in word)
    if asked.players:
        options["players"] = str(asked.players)
    game = gramy.game(asked.game, **options)
    bots = [arena.entrant(word) for word in [*asked.bot, *asked.words] if "=" not in word]
    players = game.players if "players" in options else None
    return arena.arrange(game, bots, asked.seed, players=players, talk=not asked.no_talk)


def _test(asked: argparse.Namespace) -> arena.Sprt | None:
    if not asked.sprt:
        return None
    low, high = asked.sprt
    if not 0 <= low < high <= 100:
        raise BadOptions(Message("sprt_form", {"low": low, "high": high}, "arena"))
    return arena.Sprt(low / 100, high / 100)
