"""Bot accounts: programs that play over the network, each under a token that the host has issued.

The store has only the hash of a token. All servers of a store have the accounts in memory: after a change a note on the
bus asks the others to load them again, and a lost note costs a few seconds. decisions/0036 says why.
"""

from __future__ import annotations

import asyncio
import hashlib
import secrets
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from gramy.errors import BadOptions
from gramy.messages import Message
from gramy.table.bus import EVERYWHERE, ORDERS
from gramy.table.names import confusable, nickname
from gramy.table.seat import BOT_GUEST
from gramy.table.services import Services
from gramy.table.store import Statement, Store, StoreUnavailable

TOKEN_PREFIX = "gramybot_"
"""Begins every token, so that programs that look for leaked secrets can recognise one."""
ONLINE_FOR = 40.0
"""Seconds for which a bot counts as online after its last request for challenges, which may wait for 25 seconds."""
RELOAD_EVERY = 1.0
"""Seconds between two looks into the store because of unknown tokens."""

SELECT_ACCOUNTS = "SELECT id, name, token, made, revoked FROM bot_accounts ORDER BY made, id"
INSERT_ACCOUNT = "INSERT INTO bot_accounts (id, name, token, made) VALUES (?,?,?,?)"
REVOKE_ACCOUNT = "UPDATE bot_accounts SET revoked=? WHERE id=? AND revoked IS NULL RETURNING id"
UPDATE_SEEN = "UPDATE bot_accounts SET seen=?, games=? WHERE id=?"
SELECT_ONLINE = "SELECT id, games FROM bot_accounts WHERE revoked IS NULL AND seen>? ORDER BY name, id"


class BotAccount(NamedTuple):
    """An account. `token` is a hash; an account that was revoked stays, because finished matches name it."""

    id: str
    name: str
    token: str
    made: float
    revoked: float | None = None

    @property
    def guest(self) -> str:
        """The guest that this account is at tables."""
        return BOT_GUEST + self.id


class OnlineBot(NamedTuple):
    """A bot that can be challenged now, to one of these games."""

    account: BotAccount
    games: tuple[str, ...]


class BotAccounts:
    """Keeps the accounts in memory. `listeners` are called when they have changed."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self.all: tuple[BotAccount, ...] = ()
        self._by_token: dict[str, BotAccount] = {}
        self._by_guest: dict[str, BotAccount] = {}
        self._next_reload = 0.0
        self._is_loaded = False
        self._loading = asyncio.Lock()
        self.listeners: list[Callable[[], None]] = []

    async def load(self) -> None:
        """Load the accounts; the revoked ones have no token any more. One load at a time: the newest answer counts."""
        async with self._loading:
            found = await load_accounts(self._services.store)
            self._is_loaded = True
            if found != self.all:
                self._use(found)

    def _use(self, found: tuple[BotAccount, ...]) -> None:
        self.all = found
        in_force = [account for account in found if account.revoked is None]
        self._by_token = {account.token: account for account in in_force}
        self._by_guest = {account.guest: account for account in in_force}
        for listener in self.listeners:
            listener()

    async def by_token(self, token: str) -> BotAccount | None:
        """Return the account of a token, None if there is none. One that was issued this moment is found too.

        Raises StoreUnavailable while it is not known whether there is one.
        """
        found = self._by_token.get(bot_token_hash(token))
        if found is None and token.startswith(TOKEN_PREFIX) and self._services.now() >= self._next_reload:
            await self.load()
            self._next_reload = self._services.now() + RELOAD_EVERY
            found = self._by_token.get(bot_token_hash(token))
        return found

    def is_in_force(self, guest: str) -> bool:
        """Whether a bot account may play: it was issued and not revoked.

        Raises StoreUnavailable before the first load: a bot must not be told that it is revoked then.
        """
        if not self._is_loaded:
            raise StoreUnavailable("the bot accounts were not loaded yet")
        return guest in self._by_guest

    def get(self, guest: str) -> BotAccount | None:
        """Return the account that a guest is, None if it is revoked or the guest is no bot."""
        return self._by_guest.get(guest)

    async def issue(self, name: str) -> tuple[BotAccount, str]:
        """Make an account; return it and its token, which is nowhere else. Raises BadOptions for a name in use."""
        issued = await issue_account(self._services.store, name, self._services.date())
        await self._spread()
        return issued

    async def revoke(self, id: str) -> bool:
        """End an account for good, on all servers; return False if there is none in force."""
        revoked = await revoke_account(self._services.store, id, self._services.date())
        await self._spread()
        return revoked

    async def mark_seen(self, account: BotAccount, games: Sequence[str]) -> None:
        """Store that a bot asks for challenges to these games now."""
        await self._run((UPDATE_SEEN, (self._services.date(), " ".join(games), account.id)))

    async def mark_gone(self, account: BotAccount) -> None:
        """Store that a bot takes no challenges any more."""
        await self._run((UPDATE_SEEN, (0.0, "", account.id)))

    async def online(self) -> list[OnlineBot]:
        """Return the bots that can be challenged now, at whichever server they ask."""
        (rows,) = await self._run((SELECT_ONLINE, (self._services.date() - ONLINE_FOR,)))
        by_id = {account.id: account for account in self._by_guest.values()}
        return [OnlineBot(by_id[id], tuple(games.split())) for id, games in rows if id in by_id]

    async def _spread(self) -> None:
        await self.load()
        self._services.bus.publish(EVERYWHERE, {"what": ORDERS})

    async def _run(self, *statements: Statement) -> list[list[Any]]:
        return await self._services.store.transact(statements)


async def load_accounts(store: Store) -> tuple[BotAccount, ...]:
    """Return all accounts of a store, oldest first."""
    (rows,) = await store.transact([(SELECT_ACCOUNTS, ())])
    return tuple(BotAccount(*row) for row in rows)


async def issue_account(store: Store, name: str, date: float) -> tuple[BotAccount, str]:
    """Store a new account; return it and its token. Raises BadOptions for a bad name, or one like another bot's."""
    clean = nickname(name)
    for other in await load_accounts(store):
        if other.revoked is None and confusable(clean, other.name):
            raise BadOptions(Message("bot_name_taken", {"name": clean, "other": other.name}))
    token = TOKEN_PREFIX + secrets.token_urlsafe(32)
    account = BotAccount(secrets.token_hex(6), clean, bot_token_hash(token), date)
    await store.transact([(INSERT_ACCOUNT, account[:4])])
    return account, token


async def revoke_account(store: Store, id: str, date: float) -> bool:
    """Revoke an account in a store; return False if there is none in force."""
    (rows,) = await store.transact([(REVOKE_ACCOUNT, (date, id))])
    return bool(rows)


def bot_token_hash(token: str) -> str:
    """Return the hash of a bot's token. A token has 256 random bits, so that a plain hash is enough."""
    return hashlib.sha256(token.encode("utf-8", "surrogateescape")).hexdigest()
