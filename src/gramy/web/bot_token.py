"""`gramy bot-token`: issues, lists and revokes the tokens of bot accounts, in the server's database."""

from __future__ import annotations

import argparse
import asyncio
import json
import time
from pathlib import Path
from typing import TYPE_CHECKING

from gramy.arguments import add_json
from gramy.errors import BadOptions
from gramy.messages import Message
from gramy.optional import library
from gramy.web.command import add_store, secrets_from_environment

if TYPE_CHECKING:  # the store needs libraries that a plain installation does not have
    from gramy.table.store import Store


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Add the arguments of `gramy bot-token`."""
    command.add_argument("action", choices=("add", "list", "revoke"), help="what to do")
    command.add_argument("bot", nargs="?", help="add: name of the new bot account; revoke: its id")
    add_store(command)
    add_json(command)


def run(asked: argparse.Namespace) -> None:
    """Change the accounts; the server may run meanwhile, and follows within a minute."""
    library("aiohttp", "serve")
    if asked.action != "list" and not asked.bot:
        raise BadOptions(Message("bot_named", {"action": asked.action}, "remote"))
    print(asyncio.run(_run(asked)))


async def _run(asked: argparse.Namespace) -> str:
    from gramy.table.sealing import Sealer
    from gramy.web.server import Settings, open_store, server_secrets
    from gramy.web.server_files import default_folder

    data = Path(asked.data) if asked.data else default_folder()
    settings = Settings(data=data, store=asked.store, secrets=secrets_from_environment())
    store = await open_store(settings, Sealer(server_secrets(settings)))
    try:
        return await _acted(asked, store)
    finally:
        await store.close()


async def _acted(asked: argparse.Namespace, store: Store) -> str:
    from gramy.table.bot_accounts import issue_account, load_accounts, revoke_account

    if asked.action == "add":
        account, token = await issue_account(store, asked.bot, time.time())
        issued = {"bot": account.id, "name": account.name, "token": token}
        return json.dumps(issued) if asked.json else f"{account.id}  {account.name}\n{token}"
    if asked.action == "revoke":
        if not await revoke_account(store, asked.bot, time.time()):
            raise BadOptions(Message("no_such_account", {"bot": asked.bot}, "remote"))
        return json.dumps({"revoked": asked.bot}) if asked.json else f"{asked.bot} revoked"
    accounts = await load_accounts(store)
    if asked.json:
        return json.dumps([{"bot": one.id, "name": one.name, "revoked": one.revoked is not None} for one in accounts])
    state = {True: "revoked", False: "in force"}
    return "\n".join(f"{one.id}  {state[one.revoked is not None]:9} {one.name}" for one in accounts)
