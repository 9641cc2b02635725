"""`gramy expired`: lists the tables that are marked as expired, and restores them."""

from __future__ import annotations

import argparse
import asyncio
import json
import time
from pathlib import Path
from typing import Any

from gramy.arguments import add_json
from gramy.web.command import add_store, secrets_from_environment


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Add the arguments of `gramy expired`."""
    add_store(command)
    command.add_argument("--restore", action="append", default=[], metavar="TABLE", help="restore a table; repeat it")
    command.add_argument("--restore-all", action="store_true", help="restore all tables that are marked")
    add_json(command)


def run(asked: argparse.Namespace) -> None:
    """List the marked tables, or restore some; the server may run meanwhile."""
    print(asyncio.run(_run(asked)), end="")


async def _run(asked: argparse.Namespace) -> str:
    from gramy.table.sealing import Sealer
    from gramy.web.server import Settings, open_store, server_secrets
    from gramy.web.server_files import default_folder

    data = Path(asked.data) if asked.data else default_folder()
    settings = Settings(data=data, store=asked.store, secrets=secrets_from_environment())
    store = await open_store(settings, Sealer(server_secrets(settings)))
    try:
        found = await store.marked_tables()
        if asked.restore or asked.restore_all:
            wanted = [id for id, *_ in found] if asked.restore_all else asked.restore
            number = await store.restore(wanted, time.time())
            return f"{json.dumps({'restored': number})}\n" if asked.json else f"{number} restored\n"
    finally:
        await store.close()
    marked = [{"table": id, "game": game, "status": status, "marked": _day(date)} for id, game, status, date in found]
    return f"{json.dumps(marked)}\n" if asked.json else "".join(map(_line, marked))


def _line(table: dict[str, Any]) -> str:
    return f"{table['table']:14} {table['game']:14} {table['status']:10} marked {table['marked']}\n"


def _day(date: float) -> str:
    return time.strftime("%Y-%m-%d", time.gmtime(date))
