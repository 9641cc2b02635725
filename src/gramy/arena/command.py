"""`gramy arena`: its arguments, and the run."""

from __future__ import annotations

import argparse
import json

import gramy
from gramy import arena
from gramy.arena.alternating import seated_alternately
from gramy.arena.files import WRITERS, check_libraries, save, summary
from gramy.arena.report import report_lines
from gramy.arena.runs import add_run_arguments, read_limit
from gramy.arena.runs import run as run_comparison
from gramy.arguments import add_game_name, check_target, whole_number
from gramy.errors import BadOptions
from gramy.messages import Message
from gramy.optional import library
from gramy.options import split_options


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Add the arguments of `gramy arena`."""
    add_game_name(command)
    help = "bots, such as easy, expert:50ms or my_bot.py:1s, and options, such as jokers=on"
    command.add_argument("words", nargs="*", metavar="bot|option=value", help=help)
    command.add_argument("--bot", action="append", default=[], metavar="FILE", help="Python file of your own bot")
    help = "in a co-operative game: a team of different bots, such as expert,easy; repeat it for more"
    command.add_argument("--team", action="append", default=[], metavar="BOT,BOT", help=help)
    command.add_argument("--players", type=whole_number(2, 6), help="seats at a table (default: one for each bot)")
    help = "let two bots sit alternately: each has half of the seats (default: the last bot takes the remaining ones)"
    command.add_argument("--alternate", action="store_true", help=help)
    help = "stop as soon as the first bot's share of wins is clearly nearer to LOW %% or to HIGH %%, as in --sprt 50 55"
    command.add_argument("--sprt", nargs=2, type=float, metavar=("LOW", "HIGH"), help=help)
    help = "evaluate every decision of the first N deals, and count the mistakes"
    command.add_argument("--mistakes", type=whole_number(1, 10**7), default=0, metavar="N", help=help)
    help = "write a file: the matches (.csv, .parquet), everything (.json), or a plot (.png, .svg); repeat it for more"
    add_run_arguments(command, 100, help)


def run(args: argparse.Namespace) -> None:
    """Compare the bots and print the report."""
    setting, test, files = read_setting(args), _test(args), [check_target(path, WRITERS) for path in args.save]
    check_libraries(files)
    if setting.rated:
        library("numpy", "arena")

    def finish(comparison: arena.Comparison) -> None:
        for path in files:
            save(comparison, path, args.language)
        print(json.dumps(summary(comparison)) if args.json else "\n".join(report_lines(comparison, args.language)))

    run_comparison(args, setting, finish, test=test, mistakes=args.mistakes)


def read_setting(args: argparse.Namespace) -> arena.Setting:
    """Return the setting that the arguments describe; raises BadOptions."""
    options = split_options(word for word in args.words if "=" in word)
    if args.players:
        options["players"] = str(args.players)
    game = gramy.game(args.game, **options)
    entrants = [arena.parse_entrant(word) for word in [*args.bot, *args.words] if "=" not in word]
    setting = arena.arrange(
        game,
        entrants,
        args.seed,
        teams=[arena.parse_team(team) for team in args.team],
        players=game.players if "players" in options else None,
        talk=not args.no_talk,
        limit=read_limit(args),
    )
    return seated_alternately(setting) if args.alternate else setting


def _test(args: argparse.Namespace) -> arena.Sprt | None:
    if not args.sprt:
        return None
    low, high = args.sprt
    if not 0 <= low < high <= 100:
        raise BadOptions(Message("sprt_form", {"low": low, "high": high}, "arena"))
    return arena.Sprt(low / 100, high / 100)
