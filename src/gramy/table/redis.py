"""The bus for several servers: Redis.

Each table has a channel, so a server receives only the notes about its own tables; Redis stores none of them. The
server that plays a table's bots holds a lease, which expires unless it is renewed. Without Redis, tables go on
through the store, which detects conflicts; so each server then plays the bots of its tables.
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

from gramy.table.bus import EVERYWHERE, BusUnavailable, Note, parse_note

LOG = logging.getLogger("gramy.bus")
CHANNEL = "gramy:table:"
LEASE = 5.0
"""Seconds after which another server takes over the bots of a server that died."""
TIMEOUT = 2.0
"""Seconds after which Redis counts as unavailable."""
HEARTBEAT_EVERY = 3.0
SHORTEST_PAUSE, LONGEST_PAUSE = 0.1, 5.0
"""Seconds between attempts to reach Redis again."""
UNAVAILABLE = (RedisError, OSError, TimeoutError)
SUBSCRIPTION_ERRORS = (*UNAVAILABLE, AttributeError)
"""The errors of a command on the subscribed connection. If the listener closes a dead connection while a command is
under way, redis-py raises AttributeError. The listener subscribes to everything again."""
ACQUIRE_LEASE = """
if redis.call('set', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) then return 1 end
if redis.call('get', KEYS[1]) ~= ARGV[1] then return 0 end
redis.call('pexpire', KEYS[1], ARGV[2])
return 1
"""
RELEASE_LEASE = "if redis.call('get', KEYS[1]) == ARGV[1] then redis.call('del', KEYS[1]) end"


class RedisBus:
    """A bus between servers. Use `open` to make one."""

    shared = True

    def __init__(self, redis: Redis, now: Callable[[], float]) -> None:
        self.node = secrets.token_hex(6)
        self._redis, self._now = redis, now
        self._acquire, self._release = redis.register_script(ACQUIRE_LEASE), redis.register_script(RELEASE_LEASE)
        self._followed = {EVERYWHERE}
        self._subscription: PubSub | None = None  # None while it is not connected
        self._outbox: dict[tuple[str, ...], Note] = {}  # the newest note of each kind
        self._outbox_filled = asyncio.Event()
        self._leases: dict[str, float] = {}  # until when this server surely holds the lease of a table
        self._echoes: dict[str, asyncio.Future[None]] = {}  # messages of our own that have not come back yet
        self._tasks: list[asyncio.Task[None]] = []

    @classmethod
    async def open(cls, url: str, now: Callable[[], float] = time.monotonic) -> RedisBus:
        """Connect; raises one of UNAVAILABLE, or ValueError for a malformed URL."""
        redis = Redis.from_url(
            url,
            socket_timeout=TIMEOUT,
            socket_connect_timeout=TIMEOUT,
            retry=Retry(NoBackoff(), 0),  # this class retries, because it knows which notes may be lost
            decode_responses=True,
        )
        try:
            await redis.ping()
        except BaseException:
            await redis.aclose()
            raise
        return cls(redis, now)

    @property
    def connected(self) -> bool:
        """Whether notes are being received."""
        return self._subscription is not None

    async def start(self, received: Callable[[str, Note], None], missed: Callable[[], None]) -> None:
        self._received, self._missed = received, missed
        ready = asyncio.Event()
        self._tasks = [
            asyncio.create_task(self._run_forever(work))
            for work in (lambda: self._listen(ready), self._send_notes, self._send_heartbeats)
        ]
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(ready.wait(), TIMEOUT)

    async def follow(self, table: str) -> None:
        self._followed.add(table)
        if self._subscription is not None:
            with contextlib.suppress(*SUBSCRIPTION_ERRORS):
                await self._subscription.subscribe(_channel(table))

    async def unfollow(self, table: str) -> None:
        self._followed.discard(table)
        if self._subscription is not None:
            with contextlib.suppress(*SUBSCRIPTION_ERRORS):
                await self._subscription.unsubscribe(_channel(table))
        with contextlib.suppress(*UNAVAILABLE):
            if self._leases.pop(table, None) is not None:
                await self._release(keys=[_lease(table)], args=[self.node])

    def publish(self, table: str, note: Note) -> None:
        kind = note["what"], str(note.get("seat", ""))
        self._outbox[(table, *kind)] = {**note, "node": self.node}
        self._outbox_filled.set()

    async def acquire_lease(self, table: str) -> bool:
        now = self._now()
        if self._subscription is None or self._leases.get(table, 0.0) > now:
            return True
        try:
            acquired = bool(await self._acquire(keys=[_lease(table)], args=[self.node, int(1000 * LEASE)]))
        except UNAVAILABLE:
            return True
        if acquired:
            self._leases[table] = now + LEASE / 2
        else:
            self._leases.pop(table, None)
        return acquired

    async def echo(self) -> None:
        word = secrets.token_hex(6)
        self._echoes[word] = asyncio.get_running_loop().create_future()
        try:
            await self._redis.publish(self._own_channel, word)
            await asyncio.wait_for(self._echoes[word], TIMEOUT)
        except UNAVAILABLE as error:
            raise BusUnavailable(str(error) or type(error).__name__) from error
        finally:
            self._echoes.pop(word, None)

    async def close(self) -> None:
        """Send what is still to be sent, and release all leases at once."""
        while running := [task for task in self._tasks if not task.done()]:
            for task in running:
                task.cancel()  # repeatedly: in Python 3.11 `wait_for`, which redis-py uses, may swallow a cancellation
            await asyncio.wait(running, timeout=0.1)
        with contextlib.suppress(*UNAVAILABLE):
            await self._publish()
            for table in self._leases:
                await self._release(keys=[_lease(table)], args=[self.node])
        with contextlib.suppress(*UNAVAILABLE):
            await self._redis.aclose()

    # --- background tasks ---------------------------------------------------------------------------------------------

    async def _run_forever(self, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Run a task again whenever it fails, with exponential back-off."""
        pause = SHORTEST_PAUSE
        while True:
            began = self._now()
            try:
                await work()
            except UNAVAILABLE as error:
                LOG.debug("Redis is unavailable", extra={"why": str(error) or type(error).__name__})
            except Exception:
                LOG.exception("a task of the bus failed")
            pause = SHORTEST_PAUSE if self._now() - began > LONGEST_PAUSE else min(2 * pause, LONGEST_PAUSE)
            await asyncio.sleep(pause)

    async def _listen(self, ready: asyncio.Event) -> None:
        subscription = self._redis.pubsub()
        try:
            await subscription.subscribe(self._own_channel)
            known: set[str] = set()
            while new := self._followed - known:
                await subscription.subscribe(*map(_channel, new))
                known |= new
            self._subscription = subscription
            ready.set()
            self._missed()
            while True:
                message = await subscription.get_message(timeout=3 * HEARTBEAT_EVERY)
                if message is None:
                    raise TimeoutError("not even our own heartbeat arrives")
                if message["type"] == "message" and message["channel"] != self._own_channel:
                    self._dispatch(message["channel"], message["data"])
                elif (echo := self._echoes.pop(message["data"], None)) is not None and not echo.done():
                    echo.set_result(None)
        finally:
            self._subscription = None
            with contextlib.suppress(*UNAVAILABLE):
                await subscription.aclose()  # type: ignore[no-untyped-call]  # redis-py has no types here

    def _dispatch(self, channel: str, data: str) -> None:
        note = parse_note(data)
        if note is not None and note["node"] != self.node:
            self._received(channel.removeprefix(CHANNEL), note)

    async def _send_notes(self) -> None:
        while True:
            await self._outbox_filled.wait()
            self._outbox_filled.clear()
            await self._publish()

    async def _publish(self) -> None:
        """Send all waiting notes at once. Notes that cannot be sent are dropped: later they would be old."""
        notes, self._outbox = self._outbox, {}
        if notes:
            async with self._redis.pipeline(transaction=False) as many:
                for (table, *_), note in notes.items():
                    many.publish(_channel(table), json.dumps(note))
                await many.execute()

    async def _send_heartbeats(self) -> None:
        """Send heartbeats to our own channel: a subscribed connection may be dead without an error."""
        while True:
            await self._redis.publish(self._own_channel, "")
            await asyncio.sleep(HEARTBEAT_EVERY)

    @property
    def _own_channel(self) -> str:
        return f"gramy:node:{self.node}"


def _channel(table: str) -> str:
    return CHANNEL + table


def _lease(table: str) -> str:
    return f"gramy:lease:{table}"
