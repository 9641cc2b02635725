"""`gramy crossplay`: its arguments, and the run."""

from __future__ import annotations

import argparse
import json

import gramy
from gramy.arena import Comparison, Setting, parse_entrant
from gramy.arena.crossplay import CrossPlay, arrange_pairs, default_entrants
from gramy.arena.crossplay_report import WRITERS, report_lines, save, summary
from gramy.arena.files import check_libraries
from gramy.arena.runs import add_run_arguments, read_limit, read_time
from gramy.arena.runs import run as run_comparison
from gramy.arguments import add_game_name, check_target, whole_number
from gramy.options import split_options


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Add the arguments of `gramy crossplay`."""
    add_game_name(command)
    help = "bots, such as hard or expert+silent:50ms, and options, such as pro=on (default: all bots of the game)"
    command.add_argument("words", nargs="*", metavar="bot|option=value", help=help)
    command.add_argument("--bot", action="append", default=[], metavar="FILE", help="Python file of your own bot")
    command.add_argument("--players", type=whole_number(2, 6), help="seats at a table")
    help = "time for a move of the bots that name none (default 10ms)"
    command.add_argument("--budget", default="10ms", metavar="TIME", help=help)
    help = "write a file: the matches (.csv, .parquet), everything (.json), or the matrix (.png, .svg); repeatable"
    add_run_arguments(command, 100, help)


def run(args: argparse.Namespace) -> None:
    """Play the matrix and print the report."""
    setting, files = _setting(args), [check_target(path, WRITERS) for path in args.save]
    check_libraries(files)

    def finish(comparison: Comparison) -> None:
        crossplay = CrossPlay(comparison)
        for path in files:
            save(crossplay, path, args.language)
        print(json.dumps(summary(crossplay)) if args.json else "\n".join(report_lines(crossplay, args.language)))

    run_comparison(args, setting, finish)


def _setting(args: argparse.Namespace) -> Setting:
    options = split_options(word for word in args.words if "=" in word)
    if args.players:
        options["players"] = str(args.players)
    game, budget = gramy.game(args.game, **options), read_time(args.budget)
    named = [parse_entrant(word, budget) for word in args.words if "=" not in word]
    own = [parse_entrant(path, budget) for path in args.bot]
    return arrange_pairs(
        game,
        [*own, *(named or default_entrants(game, budget))],
        args.seed,
        talk=not args.no_talk,
        limit=read_limit(args),
    )
