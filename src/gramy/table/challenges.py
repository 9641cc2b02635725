"""Challenges: somebody who has opened a table asks an online bot to sit down there. The bot accepts or declines.

Challenges are in the store, so the two may use different servers. A note on the bus wakes the bot's server; if it is
lost, the bot gets the challenge at the next look into the store, a few seconds later.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
from collections.abc import Awaitable, Callable, Collection
from typing import Any, NamedTuple

from gramy.messages import Message
from gramy.table.bus import CHALLENGED, EVERYWHERE
from gramy.table.services import Services
from gramy.table.state import Refused
from gramy.table.store import Statement

ASKED, ACCEPTED, DECLINED, EXPIRED = "asked", "accepted", "declined", "expired"
LIFETIME = 60.0
"""Seconds in which a bot may answer."""
KEPT = 3600.0
"""Seconds after which a challenge is deleted."""
MOST_ASKED = 20
"""Challenges that may wait for one bot's answer."""
LOOK_EVERY = 5.0
"""Seconds between two looks into the store while a bot waits."""

FIELDS = "id, bot, table_id, challenger, made, status"
INSERT_CHALLENGE = (
    f"INSERT INTO challenges ({FIELDS}) SELECT CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS TEXT),"
    " CAST(? AS DOUBLE PRECISION), CAST(? AS TEXT) WHERE (SELECT COUNT(*) FROM challenges"
    " WHERE bot=CAST(? AS TEXT) AND status='asked' AND made>CAST(? AS DOUBLE PRECISION))"
    " < CAST(? AS INTEGER) AND NOT EXISTS (SELECT id FROM challenges"
    " WHERE bot=CAST(? AS TEXT) AND table_id=CAST(? AS TEXT) AND status='asked' AND made>CAST(? AS DOUBLE PRECISION))"
    " RETURNING id"
)
EXPIRE_OTHERS = "UPDATE challenges SET status='expired' WHERE bot=? AND table_id=? AND challenger<>? AND status='asked'"
ACCEPT_AT = "UPDATE challenges SET status='accepted' WHERE bot=? AND table_id=? AND status='asked'"
SELECT_CHALLENGE = f"SELECT {FIELDS} FROM challenges WHERE id=?"
SELECT_ASKED = f"SELECT {FIELDS} FROM challenges WHERE bot=? AND status='asked' AND made>? ORDER BY made, id"
ANSWER = f"UPDATE challenges SET status=? WHERE id=? AND bot=? AND status='asked' AND made>? RETURNING {FIELDS}"
EXPIRE = "UPDATE challenges SET status='expired' WHERE id=? AND status='asked'"
DELETE_OLD = "DELETE FROM challenges WHERE made<?"


class Challenge(NamedTuple):
    """A challenge. `challenger` is the mark of a guest."""

    id: str
    bot: str
    table: str
    challenger: str
    made: float
    status: str


class Challenges:
    """Stores challenges, and lets bots wait for theirs."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._waiting: dict[str, asyncio.Event] = {}  # by bot: its latest request
        self._closed = False

    async def make(self, bot: str, table: str, challenger: str) -> Challenge:
        """Store a challenge, or return the one that waits at this table; raises Refused when too many wait for the bot.

        One of an earlier opener of the table expires.
        """
        now = self._services.date()
        made = Challenge(secrets.token_hex(8), bot, table, challenger, now, ASKED)
        since = now - LIFETIME
        insert = INSERT_CHALLENGE, (*made, bot, since, MOST_ASKED, bot, table, since)
        _, rows = await self._run((EXPIRE_OTHERS, (bot, table, challenger)), insert)
        if not rows:
            waiting = next((one for one in await self.asked(bot) if one.table == table), None)
            if waiting is None:
                raise Refused(Message("bot_busy"))
            return waiting
        self.wake_all()
        self._services.bus.publish(EVERYWHERE, {"what": CHALLENGED})
        return made

    async def find(self, id: str) -> Challenge | None:
        """Return a challenge, None if there is none."""
        (rows,) = await self._run((SELECT_CHALLENGE, (id,)))
        return self._current(Challenge(*rows[0])) if rows else None

    async def answer(self, id: str, bot: str, status: str) -> Challenge:
        """Store the answer of a bot, once; raises Refused when nobody waits for it any more."""
        (rows,) = await self._run((ANSWER, (status, id, bot, self._services.date() - LIFETIME)))
        if not rows:
            raise Refused(Message("challenge_over"))
        return Challenge(*rows[0])

    async def close_at(self, bot: str, table: str) -> None:
        """Count the challenge of a bot to a table as accepted: it sits there, however it came."""
        await self._run((ACCEPT_AT, (bot, table)))

    async def asked(self, bot: str) -> list[Challenge]:
        """Return the challenges that wait for a bot's answer, oldest first."""
        (rows,) = await self._run((SELECT_ASKED, (bot, self._services.date() - LIFETIME)))
        return [Challenge(*row) for row in rows]

    async def wait(
        self, bot: str, known: Collection[str], seconds: float, stands: Callable[[Challenge], Awaitable[bool]]
    ) -> list[Challenge]:
        """Return the challenges of a bot as soon as there is one that is not known, at the latest after some seconds.

        Those that do not stand any more expire: otherwise the bot would never know them, and never wait.
        A later request of the same bot ends this one: raises Refused, so that two programs with one token notice.
        """
        mine = asyncio.Event()
        if (earlier := self._waiting.get(bot)) is not None:
            earlier.set()
        self._waiting[bot] = mine
        until = self._services.now() + seconds
        try:
            while True:
                mine.clear()
                found = [one for one in await self.asked(bot) if await self._keep(one, stands)]
                left = until - self._services.now()
                if self._waiting.get(bot) is not mine:
                    raise Refused(Message("bot_token_used_twice"))
                if left <= 0 or self._closed or any(one.id not in known for one in found):
                    return found
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(mine.wait(), min(left, LOOK_EVERY))
        finally:
            if self._waiting.get(bot) is mine:
                del self._waiting[bot]

    async def _keep(self, challenge: Challenge, stands: Callable[[Challenge], Awaitable[bool]]) -> bool:
        """Return whether a challenge still stands; one that does not expires."""
        if await stands(challenge):
            return True
        await self._run((EXPIRE, (challenge.id,)))
        return False

    def wake_all(self) -> None:
        """Let every waiting bot look into the store: there is a new challenge, or the server stops."""
        for waiting in self._waiting.values():
            waiting.set()

    def close(self) -> None:
        """Answer all waiting bots: the server stops."""
        self._closed = True
        self.wake_all()

    async def delete_old(self) -> None:
        """Delete challenges that nobody asks about any more."""
        await self._run((DELETE_OLD, (self._services.date() - KEPT,)))

    def _current(self, challenge: Challenge) -> Challenge:
        late = challenge.status == ASKED and self._services.date() - challenge.made >= LIFETIME
        return challenge._replace(status=EXPIRED) if late else challenge

    async def _run(self, *statements: Statement) -> list[list[Any]]:
        return await self._services.store.transact(statements)
