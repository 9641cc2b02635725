"""The bus of many servers: Redis.

Each table has a channel, so that a server hears of its own tables only; Redis keeps nothing of what is said there. Who
plays a table's bots holds a lease, which runs out unless its holder renews it. While Redis is away every table goes on
by the store, where second writers are refused; so then each server plays the bots of its tables.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import secrets
import time
from collections.abc import Callable, Coroutine
from typing import Any

from redis.asyncio import Redis
from redis.asyncio.client import PubSub
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

from gramy.table.bus import Note

LOG = logging.getLogger("gramy.bus")
CHANNEL = "gramy:table:"
LEASE = 5.0
"""Seconds after which another server plays the bots of a server that is gone."""
PATIENCE = 2.0
"""Seconds that Redis may take to answer before it counts as away."""
BEAT = 3.0
SHORTEST, LONGEST = 0.1, 5.0
"""Seconds between attempts to reach Redis again."""
AWAY = (RedisError, OSError, TimeoutError)
CUT = (*AWAY, AttributeError)
"""What comes of a command on the line that is listened on: when the listener finds it dead while the command is on its
way, redis-py has no writer for it any more. The listener subscribes to everything again."""
TAKE = """
if redis.call('set', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) then return 1 end
if redis.call('get', KEYS[1]) ~= ARGV[1] then return 0 end
redis.call('pexpire', KEYS[1], ARGV[2])
return 1
"""
GIVE = "if redis.call('get', KEYS[1]) == ARGV[1] then redis.call('del', KEYS[1]) end"


class RedisBus:
    """A bus between servers; `open` makes one."""

    shared = True

    def __init__(self, redis: Redis, now: Callable[[], float] = time.monotonic) -> None:
        self.node = secrets.token_hex(6)
        self._redis, self._now = redis, now
        self._take, self._give = redis.register_script(TAKE), redis.register_script(GIVE)
        self._followed: set[str] = set()
        self._listening: PubSub | None = None  # while it is connected
        self._outbox: dict[tuple[str, ...], Note] = {}  # the newest note of each kind
        self._something = asyncio.Event()
        self._leads: dict[str, float] = {}  # until when this server leads a table surely
        self._tasks: list[asyncio.Task[None]] = []

    @classmethod
    async def open(cls, url: str) -> RedisBus:
        """Connect; raises one of AWAY, or ValueError for an address that is none."""
        redis = Redis.from_url(
            url,
            socket_timeout=PATIENCE,
            socket_connect_timeout=PATIENCE,
            retry=Retry(NoBackoff(), 0),  # trying again is done here, where it is known what may be lost
            decode_responses=True,
        )
        try:
            await redis.ping()
        except BaseException:
            await redis.aclose()
            raise
        return cls(redis)

    async def start(self, heard: Callable[[str, Note], None], missed: Callable[[], None]) -> None:
        self._heard, self._missed = heard, missed
        ready = asyncio.Event()
        self._tasks = [
            asyncio.create_task(self._again_and_again(work))
            for work in (lambda: self._listen(ready), self._send, self._beat)
        ]
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(ready.wait(), PATIENCE)

    async def follow(self, table: str) -> None:
        self._followed.add(table)
        if self._listening is not None:
            with contextlib.suppress(*CUT):
                await self._listening.subscribe(_channel(table))

    async def unfollow(self, table: str) -> None:
        self._followed.discard(table)
        if self._listening is not None:
            with contextlib.suppress(*CUT):
                await self._listening.unsubscribe(_channel(table))
        with contextlib.suppress(*AWAY):
            if self._leads.pop(table, None) is not None:
                await self._give(keys=[_lease(table)], args=[self.node])

    def tell(self, table: str, note: Note) -> None:
        kind = note["what"], str(note.get("seat", ""))
        self._outbox[(table, *kind)] = {**note, "node": self.node}
        self._something.set()

    async def lead(self, table: str) -> bool:
        now = self._now()
        if self._listening is None or self._leads.get(table, 0.0) > now:
            return True
        try:
            mine = bool(await self._take(keys=[_lease(table)], args=[self.node, int(1000 * LEASE)]))
        except AWAY:
            return True
        if mine:
            self._leads[table] = now + LEASE / 2
        else:
            self._leads.pop(table, None)
        return mine

    async def close(self) -> None:
        """Say what is still to be said, and leave the bots to the others at once."""
        while going := [task for task in self._tasks if not task.done()]:
            for task in going:
                task.cancel()  # again, for in Python 3.11 `wait_for`, which redis-py uses, may swallow it
            await asyncio.wait(going, timeout=0.1)
        with contextlib.suppress(*AWAY):
            await self._publish()
            for table in self._leads:
                await self._give(keys=[_lease(table)], args=[self.node])
        with contextlib.suppress(*AWAY):
            await self._redis.aclose()

    # --- what goes on beside ------------------------------------------------------------------------------------------

    async def _again_and_again(self, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Something that ends only when Redis is away; with longer and longer pauses while it stays so."""
        pause = SHORTEST
        while True:
            began = self._now()
            try:
                await work()
            except AWAY as error:
                LOG.warning("the bus is away", extra={"why": str(error) or type(error).__name__})
            except Exception:
                LOG.exception("the bus stumbled")
            pause = SHORTEST if self._now() - began > LONGEST else min(2 * pause, LONGEST)
            await asyncio.sleep(pause)

    async def _listen(self, ready: asyncio.Event) -> None:
        listening = self._redis.pubsub()
        try:
            await listening.subscribe(self._home)
            known: set[str] = set()
            while new := self._followed - known:
                await listening.subscribe(*map(_channel, new))
                known |= new
            self._listening = listening
            ready.set()
            self._missed()
            while True:
                message = await listening.get_message(timeout=3 * BEAT)
                if message is None:
                    raise TimeoutError("not even our own beat is heard")
                if message["type"] == "message" and message["channel"] != self._home:
                    self._take_in(message["channel"], message["data"])
        finally:
            self._listening = None
            with contextlib.suppress(*AWAY):
                await listening.aclose()  # type: ignore[no-untyped-call]  # redis-py has no types here

    def _take_in(self, channel: str, data: str) -> None:
        note = json.loads(data)
        if note["node"] != self.node:
            self._heard(channel.removeprefix(CHANNEL), note)

    async def _send(self) -> None:
        while True:
            await self._something.wait()
            self._something.clear()
            await self._publish()

    async def _publish(self) -> None:
        """Everything that is to be said, in one go. What cannot be said now is not said later: it would be old."""
        notes, self._outbox = self._outbox, {}
        if notes:
            async with self._redis.pipeline(transaction=False) as many:
                for (table, *_), note in notes.items():
                    many.publish(_channel(table), json.dumps(note))
                await many.execute()

    async def _beat(self) -> None:
        """Our own voice, to know that we would hear others: a connection may be dead without saying so."""
        while True:
            await self._redis.publish(self._home, "")
            await asyncio.sleep(BEAT)

    @property
    def _home(self) -> str:
        return f"gramy:node:{self.node}"


def _channel(table: str) -> str:
    return CHANNEL + table


def _lease(table: str) -> str:
    return f"gramy:lead:{table}"
