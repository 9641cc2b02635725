"""`gramy arena`: its arguments, and the run."""

from __future__ import annotations

import argparse
import json

from tqdm import tqdm

import gramy
from gramy import arena, bots, compiled
from gramy.arena.entrant import load_bot
from gramy.arena.files import WRITERS, save, summary
from gramy.arena.mistakes import measure_accuracy
from gramy.arena.report import report_lines
from gramy.arena.workers import workers
from gramy.arguments import add_game_name, add_json, check_suffix, whole_number
from gramy.errors import BadOptions
from gramy.messages import Message
from gramy.options import split_options


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Add the arguments of `gramy arena`."""
    add_game_name(command)
    help = "bots, such as easy, expert:50ms or my_bot.py:1s, and options, such as jokers=on"
    command.add_argument("words", nargs="*", metavar="bot|option=value", help=help)
    command.add_argument("--bot", action="append", default=[], metavar="FILE", help="Python file of your own bot")
    command.add_argument("--players", type=whole_number(2, 6), help="seats at a table (default: one for each bot)")
    command.add_argument("--deals", type=whole_number(1, 10**7), default=100, help="number of deals (default 100)")
    command.add_argument("--seed", type=whole_number(0), default=0, help="seed of the deals (default 0)")
    command.add_argument("--no-talk", action="store_true", help="play without talk")
    help = "stop as soon as the first bot's share of wins is clearly nearer to LOW %% or to HIGH %%, as in --sprt 50 55"
    command.add_argument("--sprt", nargs=2, type=float, metavar=("LOW", "HIGH"), help=help)
    help = "evaluate every decision of the first N deals, and count the mistakes"
    command.add_argument("--mistakes", type=whole_number(1, 10**7), default=0, metavar="N", help=help)
    command.add_argument(
        "--processes", type=whole_number(1, 1024), help="number of processes (default: one for each processor)"
    )
    help = "address of a Dask cluster that plays the deals, such as tcp://host:8786"
    command.add_argument("--cluster", default="", metavar="ADDRESS", help=help)
    help = "write a file: the matches (.csv, .parquet), everything (.json), or a plot (.png, .svg); repeat it for more"
    command.add_argument("--save", action="append", default=[], metavar="FILE", help=help)
    add_json(command)


def run(args: argparse.Namespace) -> None:
    """Compare the bots and print the report."""
    setting, test, files = _setting(args), _test(args), [check_suffix(path, WRITERS) for path in args.save]
    with (
        tqdm(total=args.deals, unit=" deals", disable=None, leave=False, smoothing=0) as bar,
        workers(args.processes, args.cluster) as pool,
    ):
        if compiled.available() and args.processes != 1 and not args.cluster:
            bar.set_description("preparing")
            built_in = [load_bot(setting.game.name, one) for one in setting.entrants if not one.source]
            bots.prepare(setting.game, built_in)  # before many processes compile the same code at once
            bar.set_description("")
        comparison = arena.compare(setting, args.deals, pool, test=test, progress=bar.update)
        if args.mistakes:
            deals = min(args.mistakes, comparison.deals)
            bar.set_description("looking for mistakes")
            bar.reset(deals)
            comparison = comparison._replace(accuracy=measure_accuracy(setting, deals, pool, bar.update))
    for path in files:
        save(comparison, path, args.language)
    print(json.dumps(summary(comparison)) if args.json else "\n".join(report_lines(comparison, args.language)))


def _setting(args: argparse.Namespace) -> arena.Setting:
    options = split_options(word for word in args.words if "=" in word)
    if args.players:
        options["players"] = str(args.players)
    game = gramy.game(args.game, **options)
    entrants = [arena.parse_entrant(word) for word in [*args.bot, *args.words] if "=" not in word]
    players = game.players if "players" in options else None
    return arena.arrange(game, entrants, args.seed, players=players, talk=not args.no_talk)


def _test(args: argparse.Namespace) -> arena.Sprt | None:
    if not args.sprt:
        return None
    low, high = args.sprt
    if not 0 <= low < high <= 100:
        raise BadOptions(Message("sprt_form", {"low": low, "high": high}, "arena"))
    return arena.Sprt(low / 100, high / 100)
