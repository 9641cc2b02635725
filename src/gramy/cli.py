"""The command line, `gramy`: one function for each command, with its result as text or JSON.

Exit codes: 0 success, 1 an error in what was asked for (one sentence on stderr), 2 wrong usage, 130 interrupted.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from math import sqrt
from typing import Any, NoReturn

from tqdm import tqdm

import gramy
from gramy import compiled, dataset, record, text
from gramy.analysis import command as analyse
from gramy.arena import command as arena
from gramy.arena import crossplay_command as crossplay
from gramy.arguments import (
    add_game,
    add_game_name,
    add_json,
    add_language,
    chosen_game,
    game_title,
    new_folder,
    whole_number,
    writing,
)
from gramy.console import preferred_language, show_any_text
from gramy.contract import Game
from gramy.errors import BadRecord
from gramy.loadtest import command as loadtest
from gramy.matches import Match, as_read
from gramy.messages import Message, to_builtins
from gramy.optional import library
from gramy.options import choices, format_options, format_value
from gramy.remote import command as remote
from gramy.simulation import Tally, compile_ahead, simulate
from gramy.terminal import command as terminal
from gramy.verification import FAILED, checks
from gramy.web import bot_token, expired
from gramy.web import command as serve


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return the exit code."""
    show_any_text(sys.stdout, sys.stderr)
    args = parser().parse_args(arguments)
    args.typed = list(sys.argv[1:] if arguments is None else arguments)
    try:
        args.run(args)
    except gramy.GramyError as error:
        for note in getattr(error, "__notes__", ()):  # the traceback of a bot that failed
            print(note, file=sys.stderr)
        language = getattr(args, "language", preferred_language(os.environ))
        print(f"gramy: {text.say(error.message, language)}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("gramy: interrupted", file=sys.stderr)
        return 130
    except BrokenPipeError:  # as in `gramy replay match.gramy | head`
        sys.stderr.close()
        return 0
    return 0


class Parser(argparse.ArgumentParser):
    """Reports wrong usage in one sentence instead of a page."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {message}; see {self.prog} --help\n")


class Command(Parser):
    """A subcommand whose positional arguments and flags may come in any order."""

    _intermixed = False

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> tuple[Any, list[str]]:
        if self._intermixed:  # parse_known_intermixed_args calls this method again
            return super().parse_known_args(args, namespace)
        self._intermixed = True
        try:
            return self.parse_known_intermixed_args(args, namespace)
        finally:
            self._intermixed = False


def parser() -> Parser:
    """Return the parser of all commands."""
    whole = Parser(prog="gramy", description="Play card games, simulate them, compare bots, and review matches.")
    whole.add_argument("--version", action="version", version=f"gramy {gramy.__version__}")
    commands = whole.add_subparsers(required=True, metavar="command", parser_class=Command)

    command = _command(commands, "serve", serve.run, "serve tables to browsers, on this machine or for a network")
    serve.add_arguments(command)

    command = _command(commands, "expired", expired.run, "list expired tables before they are deleted, or restore them")
    expired.add_arguments(command)

    command = _command(commands, "bot", remote.run, "let a bot play at a server, under the token of a bot account")
    remote.add_arguments(command)
    add_language(command)

    command = _command(commands, "bot-token", bot_token.run, "issue, list and revoke the tokens of bot accounts")
    bot_token.add_arguments(command)
    add_language(command)

    command = _command(commands, "play", terminal.run, "play in this terminal: against bots, with people, at a server")
    terminal.add_arguments(command)

    command = _command(commands, "simulate", _simulate, "play many random matches, compiled")
    add_game(command)
    command.add_argument(
        "--games", type=whole_number(1, 10**9), default=100_000, help="number of matches (default 100000)"
    )
    command.add_argument("--seed", type=whole_number(0), default=0, help="seed of the matches (default 0)")
    command.add_argument("--plain", action="store_true", help="do not compile: the same result, far slower")
    help = "write the matches, their moves and what each seat knew to Parquet files in a new folder"
    command.add_argument("--parquet", metavar="FOLDER", help=help)
    add_json(command)
    add_language(command)

    command = _command(commands, "arena", arena.run, "compare bots on the same deals, in every seat")
    arena.add_arguments(command)
    add_language(command)

    command = _command(commands, "crossplay", crossplay.run, "play every bot of a co-operative game with every other")
    crossplay.add_arguments(command)
    add_language(command)

    command = _command(commands, "loadtest", loadtest.run, "load-test a server by playing at many tables at once")
    loadtest.add_arguments(command)
    add_language(command)

    command = _command(commands, "replay", _replay, "print a recorded match line by line")
    command.add_argument("record", help="file of a saved match")
    command.add_argument("--seat", type=whole_number(0, 5), help="show only what this seat saw (default: everything)")
    add_json(command)
    add_language(command)

    command = _command(commands, "verify", _verify, "check that the cards of a recorded match were dealt fairly")
    command.add_argument("record", help="file of a saved match")
    command.add_argument("--commitment", help="commitment that the table showed before the deal")
    add_language(command)

    command = _command(commands, "analyse", analyse.run, "evaluate every move of a recorded match")
    analyse.add_arguments(command)
    add_language(command)

    command = _command(commands, "rules", _rules, "print the rules of a game, or list the games and their options")
    add_game_name(command, optional=True)
    help = "print the exact rules, with the numbers that tests and code name (in English)"
    command.add_argument("--numbered", action="store_true", help=help)
    add_json(command)
    add_language(command)

    command = _command(commands, "completion", partial(_completion, whole), "print the completion script of a shell")
    command.add_argument("shell", choices=("bash", "zsh", "tcsh"), help="the shell that you use")
    return whole


def _command(commands: Any, name: str, run: Callable[[argparse.Namespace], None], help: str) -> Command:
    command: Command = commands.add_parser(name, help=help, description=help[0].upper() + help[1:] + ".")
    command.set_defaults(run=run)
    return command


def _simulate(args: argparse.Namespace) -> None:
    game = chosen_game(args)
    fast = not args.plain and compiled.available()
    if args.parquet:
        dataset.columns(game)  # raises an error if a library is missing, before the folder is made
        folder = new_folder(args.parquet)
    with tqdm(total=args.games, unit=" matches", disable=None, leave=False) as bar:
        if fast:
            bar.set_description("compiling, once")
            compile_ahead(game)
            bar.set_description("")
        began = time.perf_counter()
        if args.parquet:
            with writing(folder):
                tally = dataset.write(game, args.games, args.seed, folder, plain=args.plain, progress=bar.update)
        else:
            tally = simulate(game, args.games, args.seed, plain=args.plain, progress=bar.update)
    seconds = time.perf_counter() - began
    if args.json:
        head = {"game": game.name, "options": format_options(game.options), "seed": args.seed, "compiled": fast}
        print(json.dumps({**head, **tally._asdict(), "seconds": round(seconds, 3)}))
        return
    print(game_title(game))
    speed = f"{tally.games / seconds:,.0f} matches/s {'compiled' if fast else 'in plain Python'}"
    print(f"{tally.games:,} random matches, {tally.moves / tally.games:.1f} moves each, {speed}\n")
    print("\n".join(_ending_lines(tally, game, args.language)))


def _ending_lines(tally: Tally, game: Game, language: str) -> Iterator[str]:
    """Yield a line for each ending: its share with a 95% interval, its name, and a bar."""
    most = max(tally.endings.values())
    names = [text.say(Message("ending", {"ending": str(ending)}, game.name), language) for ending in tally.endings]
    for name, times in zip(names, tally.endings.values(), strict=True):
        share = times / tally.games
        margin = 1.96 * sqrt(share * (1 - share) / tally.games)
        yield f"{share:7.2%} ± {margin:.2%}  {name:{max(map(len, names))}}  {'▇' * round(24 * times / most)}"


def _replay(args: argparse.Namespace) -> None:
    match = gramy.load(args.record)
    if args.seat is not None:
        match.view(args.seat)  # raises an error if there is no such seat
    log = list(_log_lines(match, args.seat))
    if args.json:
        head = {"game": match.game.name, "options": format_options(match.game.options), "names": match.names}
        end = match.position if args.seat is None else match.view(args.seat)
        print(json.dumps(to_builtins({**head, "log": log, "end": end, "outcome": match.outcome})))
        return
    title = text.find("title", match.game.name, args.language)
    print(f"{title}: {', '.join(match.names)}\n" if match.names else f"{title}\n")
    for line in log:
        player = text.word("seat", line["seat"], args.language, match.names)
        events = " ".join(text.say(event, args.language, match.names) for event in line["events"])
        print(f"{line['number']:4}  {player:12.12} {line['move']:28}  {events}")
    if args.seat is None:
        print(f"\n{match.position}")


def _log_lines(match: Match, seat: int | None) -> Iterator[dict[str, Any]]:
    """Yield each line of the log, as a seat saw it, with the events that followed from it."""
    for number, (entry, events) in enumerate(zip(match.log, match.events_by_line, strict=True), 1):
        shown = entry if seat is None else as_read(entry, seat)
        yield {"number": number, "seat": entry.seat, "move": shown.text, "events": events}


def _verify(args: argparse.Namespace) -> None:
    """Print each check of a record's deal with its result; raise an error if one has failed."""
    match, deal = record.parse_checkable(record.read(args.record))
    if deal is None or match.origin != match.game.start():  # a match from a given position has cards from no seed
        raise BadRecord(0, Message("not_checkable"))
    found = checks(match, deal, args.commitment)
    for state, message in found:
        print(f"{state:8}{text.say(message, args.language, match.names)}")
    print(f"SHA-256 {deal.commitment}")
    if any(state == FAILED for state, _ in found):
        raise BadRecord(0, Message("unfair"))


def _rules(args: argparse.Namespace) -> None:
    if args.game is None:
        _list_games(args.json, args.language)
        return
    name = gramy.game(args.game).name
    page = text.rules_page(name) if args.numbered else text.family_page(name, args.language)
    print(json.dumps({"game": name, "page": page}) if args.json else page)


def _completion(whole: Parser, args: argparse.Namespace) -> None:
    """Print a script that lets a shell complete our commands and flags."""
    print(library("shtab", "terminal").complete(whole, shell=args.shell))


def _list_games(as_json: bool, language: str) -> None:
    options_by_game = {name: to_builtins(choices(rules.Options)) for name, rules in gramy.GAMES.items()}
    if as_json:
        print(json.dumps(options_by_game))
        return
    for name, options in options_by_game.items():
        print(f"{name:14} {text.find('title', name, language)}")
        for option, values in options.items():
            print(f"{'':14} {option}: {', '.join(map(format_value, values))}")
