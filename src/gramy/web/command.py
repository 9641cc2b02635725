"""`gramy serve`: settings from flags, or from the environment for flags that are not given."""

from __future__ import annotations

import argparse
import os
import webbrowser
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from gramy.arguments import whole_number
from gramy.errors import BadOptions
from gramy.messages import Message
from gramy.optional import library

LIMITS = {
    "commands_a_second": "commands on one socket; ten times as many from one address (default 20)",
    "requests_a_second": "HTTP requests from one address (default 20)",
    "files_a_second": "files of the browser client sent to one address (default 100)",
    "tables_a_minute": "tables opened or joined from one address, or by one guest (default 12)",
    "tables_a_day": "the same in a day (default 300)",
    "tables_an_address": "open tables in memory that were opened from one address (default 100)",
    "tables_a_guest": "unfinished tables where one guest has a seat (default 30)",
    "talk_a_minute": "phrases and undos of one guest; three times as many at one table (default 60)",
    "lines_a_day": "moves, phrases and undos of one guest; ten times as many from one address (default 30000)",
    "sockets_an_address": "sockets open from one address (default 100)",
    "viewers_a_table": "spectators at one table (default 200)",
    "replays_a_minute": "replays, records and QR codes made for one address (default 30)",
    "bot_tables_a_minute": "tables opened or joined by one bot account (default 60)",
    "bot_tables_a_day": "the same in a day (default 5000)",
    "bot_tables": "unfinished tables where one bot account has a seat (default 200)",
    "bot_lines_a_day": "moves, phrases and undos of one bot account (default 500000)",
    "challenges_a_minute": "challenges to bots by one guest or from one address (default 12)",
}


def add_store(command: argparse.ArgumentParser) -> None:
    """Add the arguments that name the database."""
    folder, url = os.environ.get("GRAMY_DATA"), os.environ.get("GRAMY_STORE", "")
    command.add_argument("--data", default=folder, help="folder of the database (default: the user's data folder)")
    what = "URL of a PostgreSQL database, postgresql://..., instead of a file in the folder"
    command.add_argument("--store", default=url, help=what)


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Add the arguments of `gramy serve`."""

    def option(flag: str, variable: str, default: Any, **words: Any) -> None:
        # argparse reads a default that is text, such as one from the environment, like an argument.
        command.add_argument(flag, default=os.environ.get(variable, default), **words)

    option(
        "--host",
        "GRAMY_HOST",
        "127.0.0.1",
        help="address to listen on (default 127.0.0.1; 0.0.0.0 lets other machines in)",
    )
    option("--port", "GRAMY_PORT", "8484", type=whole_number(0, 65535), help="port to listen on (default 8484)")
    add_store(command)
    option("--bus", "GRAMY_BUS", "", help="URL of a Redis server, redis://..., for several servers with one database")
    command.add_argument(
        "--origin",
        action="append",
        default=[],
        help="public address of the site, such as https://cards.example.org; refuses other names; repeat it for more",
    )
    command.add_argument(
        "--proxy", action="append", default=[], help="address or network of a trusted proxy; repeat it for more"
    )
    for name, what in LIMITS.items():
        option(
            f"--{name.replace('_', '-')}", f"GRAMY_{name.upper()}", None, type=whole_number(1), metavar="N", help=what
        )
    option(
        "--free-disk-mb",
        "GRAMY_FREE_DISK_MB",
        "200",
        type=whole_number(0),
        metavar="N",
        help="free megabytes below which no table is opened (default 200; for the database file only)",
    )
    option(
        "--admin-token-file",
        "GRAMY_ADMIN_TOKEN_FILE",
        None,
        help="file with the token that opens the admin page at /admin (default: GRAMY_ADMIN_TOKEN, or no admin page)",
    )
    command.add_argument("--open", action="store_true", help="open a browser window")
    command.add_argument("--quick", action="store_true", help="let bots move without a pause")
    command.add_argument(
        "--away",
        type=whole_number(0, 3600),
        default=20,
        help="seconds a player may be away before the others decide (default 20)",
    )
    command.add_argument("--verbose", action="store_true", help="log more, as JSON lines")


def run(asked: argparse.Namespace) -> None:
    """Serve until the process is interrupted or terminated."""
    library("aiohttp", "serve")
    from gramy.web.server import log_to_stderr, serve
    from gramy.web.server_files import default_folder

    log_to_stderr(asked.verbose)

    def ready(addresses: Sequence[str]) -> None:
        print(f"Gramy is at {'  and  '.join(addresses)}  (stop with Ctrl-C)", flush=True)
        if asked.open:
            webbrowser.open(addresses[-1])  # the network address, if there is one: links from there work for others

    serve(settings(asked, Path(asked.data) if asked.data else default_folder()), ready)


def _admin_token(path: str | None) -> str:
    """Return the host's token from a file or the environment, empty if there is none; raises BadOptions."""
    from gramy.web.host_login import checked_token

    try:
        token = os.environ.get("GRAMY_ADMIN_TOKEN", "") if path is None else Path(path).read_text("utf-8")
    except (OSError, ValueError) as error:
        raise BadOptions(Message("admin_token_unreadable", {"path": path or "", "why": str(error)}, "admin")) from None
    if path is not None and not token.strip():
        raise BadOptions(Message("admin_token_unreadable", {"path": path, "why": "empty"}, "admin"))
    return checked_token(token.strip())


def settings(asked: argparse.Namespace, data: Path) -> Any:
    """Return the server's settings. The import is local, because the other commands do not need the server."""
    from gramy.table.services import Times
    from gramy.web.hosts import is_origin
    from gramy.web.limits import Limits
    from gramy.web.server import Settings
    from gramy.web.visitor import parse_networks

    try:
        proxies = parse_networks(asked.proxy or os.environ.get("GRAMY_PROXIES", "").split())
    except ValueError as error:
        raise BadOptions(Message("bad_proxy", {"why": str(error)})) from None
    origins = frozenset(asked.origin or os.environ.get("GRAMY_ORIGINS", "").split())
    for origin in origins:
        if not is_origin(origin):
            raise BadOptions(Message("bad_origin", {"origin": origin}))
    return Settings(
        host=asked.host,
        port=asked.port,
        data=data,
        store=asked.store,
        bus=asked.bus,
        origins=origins,
        proxies=proxies,
        secrets=secrets_from_environment(),
        free_disk_mb=asked.free_disk_mb,
        admin_token=_admin_token(asked.admin_token_file),
        compile_ahead=True,
        times=Times(pause=0.0 if asked.quick else Times.pause, away=asked.away),
        limits=Limits(**{name: value for name in LIMITS if (value := getattr(asked, name)) is not None}),
    )


def secrets_from_environment() -> tuple[str, ...]:
    """Return the secrets in GRAMY_SECRET. If it is set but empty, the server refuses it at the start, like "x"."""
    variable = os.environ.get("GRAMY_SECRET")
    return () if variable is None else tuple(variable.split()) or ("",)
