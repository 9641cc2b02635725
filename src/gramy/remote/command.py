"""`gramy bot`: lets a bot play at a server, under the token of a bot account."""

from __future__ import annotations

import argparse
import asyncio
import os
from pathlib import Path
from typing import TYPE_CHECKING

from gramy import bots, text
from gramy.arguments import whole_number
from gramy.bots import LEVELS
from gramy.games import GAMES, named
from gramy.messages import Message
from gramy.optional import library

if TYPE_CHECKING:  # the client needs aiohttp, which a plain installation does not have
    from gramy.arena.entrant import Entrant
    from gramy.remote.account import BotPlan
    from gramy.remote.links import Link

TOKEN = "GRAMY_BOT_TOKEN"


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Add the arguments of `gramy bot`."""
    command.add_argument("server", metavar="URL", help="address of the server, such as https://cards.example.org")
    help = f"a level of ours: {', '.join(LEVELS)} (default expert), with a budget as in the arena: expert:200ms"
    command.add_argument("--level", metavar="LEVEL", help=help)
    help = "a file with your own bot: an object BOT or a function choose, as for `gramy arena --bot`"
    command.add_argument("--bot", metavar="FILE", help=help)
    command.add_argument("--token", default="", help=f"token of the bot account (better: {TOKEN} or --token-file)")
    command.add_argument("--token-file", metavar="FILE", help="file with the token")
    help = "sit down at the table of this link, instead of waiting for challenges"
    command.add_argument("--join", metavar="LINK", help=help)
    help = "take challenges to this game only; repeat it for more"
    command.add_argument("--game", action="append", choices=tuple(GAMES), help=help)
    command.add_argument("--matches", type=whole_number(1), metavar="N", help="stop after this number of matches")
    help = "tables to play at at the same time (default 4); more challenges are declined"
    command.add_argument("--tables", type=whole_number(1, 50), default=4, metavar="N", help=help)
    help = "seconds for a move (default 10); then a random move is made"
    command.add_argument("--limit", type=whole_number(1, 600), default=10, metavar="SECONDS", help=help)
    help = "minutes without a new line while others are to act (default 10); then the bot leaves the table"
    command.add_argument("--idle", type=whole_number(1, 1440), default=10, metavar="MINUTES", help=help)


def run(asked: argparse.Namespace) -> None:
    """Play until enough matches are finished, or until the process is interrupted."""
    library("aiohttp", "serve")
    from gramy.remote.links import parse_link

    plan, token = _plan(asked), _token(asked)
    server = parse_link(asked.server)
    table = _table(asked, server) if asked.join else None

    def report(line: Message) -> None:
        print(text.say(line, asked.language), flush=True)

    asyncio.run(_play(server.server, token, plan, table, report))


async def _play(server: str, token: str, plan: BotPlan, table: Link | None, report: object) -> None:
    from gramy.remote.account import BotRunner
    from gramy.remote.server import Server

    async with Server(server, token) as connected:
        runner = BotRunner(connected, plan, report)  # type: ignore[arg-type]
        if table is None:
            await runner.take_challenges()
        else:
            await runner.join(table.table, table.token)


def _plan(asked: argparse.Namespace) -> BotPlan:
    from gramy.remote.account import BotPlan
    from gramy.remote.errors import problem

    if asked.level and asked.bot:
        raise problem("level_or_bot")
    entrant = _entrant(asked.bot or asked.level or "expert")
    games = tuple(name for name in asked.game or GAMES if _plays(entrant, name))
    if not games:
        raise problem("no_such_game_for_bot", bot=entrant.name)
    return BotPlan(entrant, games, asked.limit, asked.matches, asked.tables, 60.0 * asked.idle)


def _entrant(spec: str) -> Entrant:
    from gramy.arena.entrant import load_bot, parse_entrant

    entrant = parse_entrant(spec)
    if entrant.source:
        load_bot(next(iter(GAMES)), entrant)  # raises BadOptions now, and not at the first table
    return entrant


def _plays(entrant: Entrant, game: str) -> bool:
    """Return whether a bot plays a game. A file is taken at its word: it has no list of games."""
    return bool(entrant.source) or entrant.level in bots.names(named(game).NAME)


def _token(asked: argparse.Namespace) -> str:
    from gramy.remote.errors import problem

    if asked.token_file:
        try:
            token = Path(asked.token_file).read_text("utf-8").strip()
        except (OSError, ValueError) as error:
            raise problem("token_file", path=asked.token_file, why=str(error)) from None
    else:
        token = (asked.token or os.environ.get(TOKEN, "")).strip()
    if not token or not token.isascii() or not token.isprintable():
        raise problem("no_bot_token")
    return token


def _table(asked: argparse.Namespace, server: Link) -> Link:
    from gramy.remote.errors import problem
    from gramy.remote.links import parse_link

    link = parse_link(asked.join)
    if not link.table:
        raise problem("link_without_table", link=asked.join)
    if link.server != server.server:
        raise problem("other_server", link=asked.join, server=server.server)
    return link
