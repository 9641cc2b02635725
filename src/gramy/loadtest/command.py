"""`gramy loadtest`: its arguments, and the run."""

from __future__ import annotations

import argparse
import json

from tqdm import tqdm

from gramy.arguments import add_game, add_json, check_suffix, chosen_game, game_title, seconds, whole_number, writing
from gramy.optional import library

HERE = "http://localhost:8484"
PLOTS = (".png", ".svg")


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Add the arguments of `gramy loadtest`."""
    add_game(command)
    help = f"address of the server (default {HERE}); repeat it for more nodes, and seats are spread over them"
    command.add_argument("--server", action="append", default=[], metavar="URL", help=help)
    command.add_argument("--together", action="store_true", help="connect all players of a table to the same node")
    command.add_argument("--tables", type=whole_number(1, 10_000), default=10, help="number of tables (default 10)")
    help = "let the server's bots of this level play all seats but one"
    command.add_argument("--bots", metavar="LEVEL", default="", help=help)
    command.add_argument("--viewers", type=whole_number(0, 100), default=0, help="spectators at each table (default 0)")
    help = "mean delay before a move, in seconds (default 0: full speed)"
    command.add_argument("--think", type=seconds(60), default=0.0, metavar="SECONDS", help=help)
    command.add_argument("--seconds", type=seconds(600), default=10.0, help="stop after this time (default 10)")
    command.add_argument("--moves", type=whole_number(1, 10**8), help="stop after this number of moves")
    command.add_argument("--matches", type=whole_number(1, 1000), help="stop after this number of matches a table")
    command.add_argument("--seed", type=whole_number(0), default=0, help="seed of the players' moves (default 0)")
    help = "process id of a server on this machine, to report its CPU time and memory; repeat it for more servers"
    command.add_argument("--pid", type=whole_number(1), action="append", default=[], help=help)
    command.add_argument("--plot", metavar="FILE", help="draw the result as .png or .svg")
    add_json(command)
    help = "allow a server on another machine; use it only for your own"
    command.add_argument("--i-own-this-server", action="store_true", help=help)


def run(args: argparse.Namespace) -> None:
    """Run the load test and print the report."""
    library("aiohttp", "serve")
    from gramy.loadtest.report import draw, report_lines
    from gramy.loadtest.run import LoadPlan, load

    plot = check_suffix(args.plot, PLOTS) if args.plot else None
    plan = LoadPlan(
        game=chosen_game(args),
        servers=tuple(address.rstrip("/") for address in args.server or [HERE]),
        together=args.together,
        tables=args.tables,
        seconds=args.seconds,
        moves=args.moves,
        matches=args.matches,
        bots=args.bots,
        viewers=args.viewers,
        think=args.think,
        seed=args.seed,
        processes=tuple(args.pid),
        owned=args.i_own_this_server,
    )
    with tqdm(unit=" moves", disable=None, leave=False) as bar:
        figures = load(plan, bar.update)
    title = game_title(plan.game)
    if plot:
        with writing(plot):
            draw(figures, f"{title}, {plan.tables:,} tables", plot)
    print(json.dumps(figures.summary()) if args.json else "\n".join(report_lines(figures, title)))
