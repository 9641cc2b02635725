"""The command `gramy play`: which table, and whether as an application or line by line."""

from __future__ import annotations

import argparse
import codecs
import contextlib
import os
import random
import sys
from collections.abc import Callable
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from gramy import GAMES, record, text
from gramy.arguments import add_game, add_language, chosen_game, whole_number
from gramy.bots import LEVELS, ahead, bot
from gramy.contract import Game
from gramy.drawing.pen import terminal_message
from gramy.errors import BadOptions
from gramy.matches import Match
from gramy.messages import Message
from gramy.optional import library
from gramy.terminal import files, plain
from gramy.terminal.local import LocalSettings, LocalTable
from gramy.terminal.names import player_names
from gramy.terminal.pages.dialogs import ConnectingPage
from gramy.terminal.pages.replay import ReplayPage
from gramy.terminal.pages.start import StartPage
from gramy.terminal.pages.table import TablePage
from gramy.terminal.palette import is_light

if TYPE_CHECKING:
    from gramy.remote import Link
    from gramy.terminal.app import TerminalApp


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Add the arguments of `gramy play`."""
    add_game(command, without=f"without it you choose on the screen; line by line it is {next(iter(GAMES))}")
    command.add_argument("--people", type=whole_number(1, 6), default=1, help="number of people (default 1)")
    command.add_argument("--name", action="append", default=[], help="name of a player; repeat it for the next seat")
    command.add_argument("--level", default="easy", help=f"level of the bots: {', '.join(LEVELS)} (default easy)")
    command.add_argument("--seed", type=whole_number(0), help="shuffle from a seed, to get the same cards again")
    help = "go on with a saved match, without a file with the latest one; a finished one is replayed"
    command.add_argument("--resume", nargs="?", const="", metavar="FILE", help=help)
    command.add_argument("--replay", metavar="FILE", help="replay a saved match step by step")
    command.add_argument(
        "--join", metavar="URL", help="play at a server's table: its link, or the private link of a seat"
    )
    command.add_argument("--save", metavar="FILE", help="save the match in this file (default: in your data folder)")
    command.add_argument("--plain", action="store_true", help="line by line, for screen readers and scripts")
    themes = command.add_mutually_exclusive_group()
    themes.add_argument("--light", action="store_true", default=None, help="colours for a light background")
    themes.add_argument("--dark", dest="light", action="store_false", help="colours for a dark background")
    add_language(command)


def run(args: argparse.Namespace) -> None:
    """Play as the arguments say."""
    if args.join is not None:
        return _join(args)
    saved = _saved_match(args)
    if saved is not None and (args.replay or saved.outcome):
        return _run_app(args, lambda app: app.open(ReplayPage(app, saved, line=0)))
    if args.save:
        files.check_may_overwrite(Path(args.save), Path(args.resume) if args.resume else None)
    rng = random.Random(args.seed)
    if not args.plain and has_screen():
        return _play_on_screen(args, rng, saved)
    args.game = args.game or next(iter(GAMES))
    game = saved.game if saved else chosen_game(args)
    names = saved.names if saved and saved.names else args.name
    file = Path(args.save) if args.save else None
    people = min(args.people, game.players)
    plain.play(game, people, rng, names, args.language, args.level, match=saved, file=file)
    return None


def _play_on_screen(args: argparse.Namespace, rng: random.Random, saved: Match | None) -> None:
    """Play a match in the application; without a game, its first page asks for one. Say where the match is saved."""
    played: list[tuple[Path, LocalTable]] = []
    with contextlib.ExitStack() as until_the_end:

        def begin(app: TerminalApp, game: Game, people: int, level: str) -> None:
            names = saved.names if saved and saved.names else player_names(game, people, args.name, args.language)
            named = args.save or args.resume
            file = Path(named) if named else files.new_file(game.name, os.environ)
            if level in ahead.SEARCHING:
                until_the_end.enter_context(ahead.compiling([game.name]))
            table = open_table(app, LocalSettings(game, names, people, level, file=file), rng, saved)
            played.append((file, table))

        if saved or args.game:
            game = saved.game if saved else chosen_game(args)
            _run_app(args, lambda app: begin(app, game, min(args.people, game.players), args.level))
        else:
            bot(next(iter(GAMES)), args.level)  # refuses a level that does not exist before the screen opens
            _run_app(args, lambda app: open_start(app, partial(begin, app), args.people, args.level))
    for file, table in played:
        table.save(file)  # raises the reason if the saves before have failed
        finished, people = table.match.outcome is not None, table.settings.people
        again = f"{file} --people {people}" if people > 1 else str(file)  # a file does not say which seats were bots
        farewell = (
            terminal_message("left_saved", path=str(file))
            if finished
            else terminal_message("left_resumable", path=again)
        )
        print(text.say(farewell, args.language))


def open_start(app: TerminalApp, begin: Callable[[Game, int, str], None], people: int, level: str) -> None:
    """Open the page on which a game is chosen; an error of `begin` ends the application."""

    async def began(game: Game, people: int, level: str) -> None:
        begin(game, people, level)

    app.open(StartPage(app, lambda *chosen: app.run_soon(began(*chosen)), people, level))


def has_screen() -> bool:
    """Return whether the application can run: on a terminal, with Textual installed."""
    interactive = sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM") != "dumb"
    return interactive and find_spec("textual") is not None


def _saved_match(args: argparse.Namespace) -> Match | None:
    """Return the match to go on with, None for a new one."""
    if args.replay:
        return record.load(args.replay)
    if args.resume is None:
        return None
    path = args.resume or files.latest_file(os.environ)
    if not path:
        raise BadOptions(terminal_message("nothing_to_resume"))
    args.resume = str(path)
    return record.load(path)


def open_table(app: TerminalApp, settings: LocalSettings, rng: random.Random, saved: Match | None) -> LocalTable:
    """Open the page of a table in this process, and let its bots play; return the table."""
    table = LocalTable(settings, rng, saved)
    page = TablePage(app, table, lambda: app.open(ReplayPage(app, table.match, table.seat)), settings.key_guard)
    app.open(page)
    app.run_soon(table.run(page.changed))
    page.changed()
    return table


def _run_app(args: argparse.Namespace, begin: Callable[[TerminalApp], None]) -> None:
    """Run the application; raises the GramyError that has ended it."""
    library("textual", "terminal")
    if not has_screen():
        raise BadOptions(terminal_message("needs_terminal"))
    from gramy.terminal.app import TerminalApp

    light = is_light(os.environ) if args.light is None else args.light
    app = TerminalApp(begin, args.language, light, not is_unicode(sys.stdout.encoding))
    app.run()
    if app.failure is not None:
        raise app.failure


def is_unicode(encoding: str | None) -> bool:
    """Return whether a terminal of this encoding shows all characters."""
    try:
        return codecs.lookup(encoding or "ascii").name.startswith("utf")
    except LookupError:
        return False


def _join(args: argparse.Namespace) -> None:
    """Play at a server's table."""
    library("aiohttp", "serve")
    from gramy.remote import parse_link

    link = parse_link(args.join)
    if not link.table:
        raise BadOptions(terminal_message("join_link", link=args.join))
    nicknames = text.say(Message("nicknames", {}, "web"), args.language).split(", ")
    name = args.name[0] if args.name else random.choice(nicknames)
    _run_app(args, lambda app: open_remote_table(app, link, name))


def open_remote_table(app: TerminalApp, link: Link, name: str) -> None:
    """Open the page of a table on a server, as soon as the server answers."""
    from gramy.terminal.remote import RemoteTable, follow

    connecting = ConnectingPage(app, link.server)
    app.open(connecting)

    def opened(table: RemoteTable) -> Callable[[], None]:
        async def replay() -> None:
            match = await table.fetch_match()
            app.open(ReplayPage(app, match, table.scene.seat))

        page = TablePage(app, table, lambda: app.run_soon(replay()))
        app.open(page)
        app.close(connecting)
        page.changed()
        return page.changed

    app.run_soon(follow(link, name, opened))
