"""The bus between servers, on a real Redis that stops, starts and hangs."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from collections.abc import AsyncIterator

import pytest
from redis.asyncio import Redis
from redis.asyncio.client import PubSub

from gramy.table import redis as module
from gramy.table.bus import Note
from gramy.table.redis import UNAVAILABLE, RedisBus
from tests.servers import RedisServer
from tests.table.services import Time, until


class Listener:
    """A bus with a clock of its own, and the notes that it received."""

    def __init__(self, bus: RedisBus, time: Time) -> None:
        self.bus, self.time = bus, time
        self.notes: list[tuple[str, Note]] = []
        self.missed = 0

    def receive(self, table: str, note: Note) -> None:
        self.notes.append((table, note))

    def miss(self) -> None:
        self.missed += 1


@contextlib.asynccontextmanager
async def listeners(server: RedisServer, number: int = 2) -> AsyncIterator[list[Listener]]:
    clocks = [Time() for _ in range(number)]
    found = [Listener(await RedisBus.open(server.url, clock), clock) for clock in clocks]
    for listener in found:
        await listener.bus.start(listener.receive, listener.miss)
    try:
        yield found
    finally:
        for listener in found:
            await listener.bus.close()


async def until_received(sender: Listener, listener: Listener, table: str) -> None:
    """Publish a note again and again until it is received."""
    listener.notes.clear()

    def received() -> bool:
        sender.bus.publish(table, {"what": "changed"})
        return bool(listener.notes)

    await until(received)


async def test_a_server_receives_notes_about_the_tables_that_it_follows(redis: RedisServer) -> None:
    async with listeners(redis, 3) as (ada, bob, eve):
        for listener in (ada, bob):
            await listener.bus.follow("t1")
        await eve.bus.follow("t2")
        ada.bus.publish("t1", {"what": "here", "seats": [0, 2]})
        await until(lambda: bool(bob.notes))
        assert bob.notes == [("t1", {"what": "here", "seats": [0, 2], "node": ada.bus.node})]
        await bob.bus.unfollow("t1")
        ada.bus.publish("t1", {"what": "changed"})
        await until_received(ada, eve, "t2")
        assert len(bob.notes) == 1
        assert not ada.notes  # a server does not receive its own notes
        assert {note["node"] for _, note in eve.notes} == {ada.bus.node}


async def test_of_many_notes_of_a_kind_only_the_newest_is_sent(redis: RedisServer) -> None:
    async with listeners(redis) as (ada, bob):
        await bob.bus.follow("t1")
        for seat in range(100):
            ada.bus.publish("t1", {"what": "here", "seats": [seat % 6]})
            ada.bus.publish("t1", {"what": "wait", "seat": seat % 3})
        await until(lambda: len(bob.notes) >= 4)
        assert [note.get("seats") for _, note in bob.notes if note["what"] == "here"] == [[99 % 6]]
        assert sorted(note["seat"] for _, note in bob.notes if note["what"] == "wait") == [0, 1, 2]


async def test_after_redis_was_away_notes_arrive_again_and_the_gap_is_reported(redis: RedisServer) -> None:
    async with listeners(redis) as (ada, bob):
        await bob.bus.follow("t1")
        await until_received(ada, bob, "t1")
        assert (ada.missed, bob.missed) == (1, 1)
        await asyncio.to_thread(redis.stop)
        await until(lambda: not bob.bus.connected and not ada.bus.connected)
        ada.bus.publish("t1", {"what": "changed"})
        await bob.bus.follow("t2")
        await bob.bus.unfollow("t3")
        assert await ada.bus.acquire_lease("t1")
        assert await bob.bus.acquire_lease("t1")  # the store refuses the second writer
        await asyncio.to_thread(redis.start)
        await until(lambda: ada.missed == bob.missed == 2)
        for table in ("t1", "t2"):
            await until_received(ada, bob, table)


async def test_a_connection_that_is_cut_under_a_command_is_subscribed_again(
    redis: RedisServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """redis-py raises AttributeError when its listener has closed the connection while a command is under way."""
    subscribe, cuts = PubSub.subscribe, 2

    async def cut(pubsub: PubSub, *channels: str) -> None:
        nonlocal cuts
        if cuts and channels[0].startswith(module.CHANNEL):
            cuts -= 1
            await pubsub.connection.disconnect()
            with pytest.raises(AttributeError) as error:
                await pubsub.connection._send_packed_command([b"SUBSCRIBE t1"])
            raise error.value
        await subscribe(pubsub, *channels)

    async with listeners(redis) as (ada, bob):
        monkeypatch.setattr(PubSub, "subscribe", cut)
        await bob.bus.follow("t1")
        await bob.bus.follow("t2")
        assert cuts == 0
        await until_received(ada, bob, "t1")


async def test_one_server_holds_the_lease_until_it_stops_and_then_another_gets_it_at_once(redis: RedisServer) -> None:
    async with listeners(redis) as (ada, bob):
        assert await ada.bus.acquire_lease("t1")
        assert not await bob.bus.acquire_lease("t1")
        assert await bob.bus.acquire_lease("t2")
        ada.time.pass_by(0.6 * module.LEASE)
        assert await ada.bus.acquire_lease("t1")
        await ada.bus.unfollow("t1")
        assert await bob.bus.acquire_lease("t1")
        assert not await ada.bus.acquire_lease("t2")
        await bob.bus.close()
        assert await ada.bus.acquire_lease("t2")


async def test_the_lease_of_a_dead_server_expires(redis: RedisServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LEASE", 0.1)
    async with listeners(redis) as (ada, bob):
        assert await ada.bus.acquire_lease("t1")
        while not await bob.bus.acquire_lease("t1"):
            await asyncio.sleep(0.01)
        ada.time.pass_by(module.LEASE)
        assert not await ada.bus.acquire_lease("t1")


async def test_a_redis_that_hangs_counts_as_unavailable(redis: RedisServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "TIMEOUT", 0.2)
    monkeypatch.setattr(module, "HEARTBEAT_EVERY", 0.1)
    assert redis.process is not None
    async with listeners(redis) as (ada, bob):
        await bob.bus.follow("t1")
        os.kill(redis.process.pid, signal.SIGSTOP)
        try:
            assert await asyncio.wait_for(ada.bus.acquire_lease("t1"), 3)
            await until(lambda: not bob.bus.connected)
        finally:
            os.kill(redis.process.pid, signal.SIGCONT)
        await until(lambda: bob.missed > 1)
        await until_received(ada, bob, "t1")


async def test_malformed_notes_are_skipped(redis: RedisServer) -> None:
    async with listeners(redis) as (ada, bob):
        await bob.bus.follow("t1")
        stranger = Redis.from_url(redis.url)
        for nonsense in ("what?", "[]", "{}"):
            await stranger.publish("gramy:table:t1", nonsense)
        await stranger.aclose()
        await until_received(ada, bob, "t1")


async def test_an_unreachable_redis_is_reported() -> None:
    for url in ("redis://127.0.0.1:1", "what?"):
        with pytest.raises((*UNAVAILABLE, ValueError)):
            await RedisBus.open(url)
