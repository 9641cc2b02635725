"""`gramy serve`: settings from flags, or from the environment where a flag is not given."""

from __future__ import annotations

import argparse
import os
import webbrowser
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from gramy.contract import BadOptions, Message

LIMITS = {
    "commands_a_second": "on one socket, ten times as many from one address (20)",
    "requests_a_second": "from one address (20)",
    "files_a_second": "of the client's own, from one address (100)",
    "tables_a_minute": "opened or joined from one address (12)",
    "sockets_an_address": "open at a time (100)",
    "viewers_a_table": "beside the players, at a time (200)",
    "replays_a_minute": "and records, from one address (30)",
}


def add_arguments(command: argparse.ArgumentParser, number: Callable[..., Any]) -> None:
    """What a host may say; `number` reads whole numbers in a range."""

    def option(flag: str, variable: str, default: Any, **words: Any) -> None:
        # A word from the environment is read by argparse like any other.
        command.add_argument(flag, default=os.environ.get(variable, default), **words)

    option("--host", "GRAMY_HOST", "127.0.0.1", help="0.0.0.0 for other machines")
    option("--port", "GRAMY_PORT", "8484", type=number(0, 65535), help="default 8484")
    option("--data", "GRAMY_DATA", None, help="the folder that tables are kept in")
    option("--store", "GRAMY_STORE", "", help="postgresql://... instead of a file in that folder")
    option("--bus", "GRAMY_BUS", "", help="redis://... when several servers share a store")
    command.add_argument("--origin", action="append", default=[], help="an address that a proxy shows this server at")
    command.add_argument("--proxy", action="append", default=[], help="a proxy whose word on its visitors counts")
    for name, what in LIMITS.items():
        option(f"--{name.replace('_', '-')}", f"GRAMY_{name.upper()}", None, type=number(1), metavar="N", help=what)
    command.add_argument("--open", action="store_true", help="open a browser")
    command.add_argument("--quick", action="store_true", help="bots move without a pause")
    command.add_argument("--away", type=number(0, 3600), default=30, help="seconds until the others decide (30)")
    command.add_argument("--verbose", action="store_true", help="log every start and sweep, as JSON lines")


def run(asked: argparse.Namespace) -> None:
    """Serve until interrupted or terminated."""
    from gramy.web.server import data_folder, log_to_stderr, serve

    log_to_stderr(asked.verbose)

    def ready(addresses: Sequence[str]) -> None:
        print(f"Gramy is at {'  and  '.join(addresses)}  (stop with Ctrl-C)", flush=True)
        if asked.open:
            webbrowser.open(addresses[-1])  # where links work for others too, if there is such an address

    serve(settings(asked, Path(asked.data) if asked.data else data_folder()), ready)


def settings(asked: argparse.Namespace, data: Path) -> Any:
    """The server's settings; it is imported here, when somebody serves, and not with the command line."""
    from gramy.table.services import Times
    from gramy.web.limits import Limits
    from gramy.web.server import Settings
    from gramy.web.visitor import networks

    try:
        proxies = networks(asked.proxy or os.environ.get("GRAMY_PROXIES", "").split())
    except ValueError as error:
        raise BadOptions(Message("bad_proxy", {"why": str(error)})) from None
    return Settings(
        host=asked.host,
        port=asked.port,
        data=data,
        store=asked.store,
        bus=asked.bus,
        origins=frozenset(asked.origin or os.environ.get("GRAMY_ORIGINS", "").split()),
        proxies=proxies,
        secrets=tuple(os.environ.get("GRAMY_SECRET", "").split()),
        ahead=True,
        times=Times(pause=0.0 if asked.quick else Times.pause, away=asked.away),
        limits=Limits(**{name: value for name in LIMITS if (value := getattr(asked, name)) is not None}),
    )
