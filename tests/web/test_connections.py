"""File descriptors: idle connections and spectators do not keep people from their tables."""

from __future__ import annotations

import asyncio
import contextlib
import json
import signal
import sys
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import aiohttp
import pytest

from gramy.web.connections import OWN_FILES, DescriptorShares
from tests.web.client import BOT, TIMEOUT, Visitor, visiting

FILES = 256
SHARES = DescriptorShares.of(FILES)
LIMITS = ("--requests-a-second", "--commands-a-second", "--tables-a-minute", "--sockets-an-address")


@contextlib.asynccontextmanager
async def server_with_few_files(folder: Path) -> AsyncIterator[tuple[str, Callable[[], list[dict[str, object]]]]]:
    """Run `gramy serve` with a low limit of descriptors; yield its address and a function that reads its log."""
    flags = [word for limit in LIMITS for word in (limit, "1000000")]
    log = folder / "log"
    with log.open("wb") as stderr:
        process = await asyncio.create_subprocess_exec(
            *("sh", "-c", f'ulimit -Sn {FILES // 2} && ulimit -Hn {FILES} && exec "$0" "$@"'),
            *(sys.executable, "-m", "gramy", "serve", "--port", "0", "--data", str(folder / "data"), *flags),
            stdout=asyncio.subprocess.PIPE,
            stderr=stderr,
        )
    try:
        assert process.stdout is not None
        line = (await asyncio.wait_for(process.stdout.readline(), TIMEOUT)).decode()
        yield (
            next(word for word in line.split() if word.startswith("http")),
            lambda: [json.loads(line) for line in log.read_text().splitlines()],
        )
    finally:
        process.send_signal(signal.SIGTERM)
        await asyncio.wait_for(process.wait(), TIMEOUT)


def of_kind(entries: list[dict[str, object]], event: str) -> list[dict[str, object]]:
    return [entry for entry in entries if str(entry["event"]).startswith(event)]


async def test_idle_connections_do_not_keep_people_out(tmp_path: Path) -> None:
    async with server_with_few_files(tmp_path) as (address, log), visiting(address) as ada, visiting(address) as bob:
        opened = await ada.open("gra", [None, BOT])
        client = await ada.sit(opened["table"])
        host, port = address.removeprefix("http://").rstrip("/").split(":")
        idle = [await asyncio.open_connection(host, int(port)) for _ in range(FILES)]  # and they send nothing
        try:
            async with asyncio.timeout(TIMEOUT):
                other = await bob.open("gra", [None, BOT])
                assert (await bob.sit(other["table"])).seat == 0
                await client.until(lambda now: now["view"] and client.seat in now["view"]["to_act"])
                assert await client.move(client.now["view"]["moves"][0]) is None
                metrics = (await bob.get("metrics"))[1]
        finally:
            for _, writer in idle:
                writer.close()
        count = next(line for line in metrics.splitlines() if line.startswith("gramy_connections_refused_total"))
        assert float(count.split()[1]) >= FILES - SHARES.http
        assert len(of_kind(log(), "an idle connection was closed")) == 1


async def test_spectators_are_refused_before_players(tmp_path: Path) -> None:
    async with server_with_few_files(tmp_path) as (address, log), visiting(address) as ada, visiting(address) as eve:
        opened = await ada.open("gra", [None, BOT])

        async def sockets(visitor: Visitor, most: int) -> int:
            for number in range(most):
                try:
                    visitor.sockets.append(await visitor.session.ws_connect(f"{address}ws/{opened['table']}"))
                except aiohttp.WSServerHandshakeError as error:
                    if error.status != 503:
                        raise
                    return number
            return most

        assert await sockets(eve, FILES) == SHARES.watching
        assert (await ada.sit(opened["table"])).seat == 0
        assert await sockets(ada, FILES) == SHARES.sockets - SHARES.watching - 1
        assert (await ada.get("health"))[0] == 200
        assert [entry["of"] for entry in of_kind(log(), "a socket was refused")] == ["spectator", "player"]


@pytest.mark.parametrize("limit", [64, 256, 1024, 4096, 1_048_576])
def test_the_shares_leave_descriptors_for_the_server_itself(limit: int) -> None:
    shares = DescriptorShares.of(limit)
    assert 0 < shares.http <= shares.watching < shares.sockets
    assert shares.http + shares.sockets <= limit - min(OWN_FILES, limit // 2)
