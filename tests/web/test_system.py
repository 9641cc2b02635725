"""Systems without fcntl, resource and uvloop, such as Windows: the server starts, plays and stops there too."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from gramy import system
from tests.web.client import BOT, TIMEOUT, visiting

MISSING = "import sys; [sys.modules.__setitem__(name, None) for name in ('fcntl', 'resource', 'uvloop')]; "
SERVE = (
    MISSING + "from gramy.cli import main; sys.exit(main(['serve', '--port', '0', '--quick', '--data', sys.argv[1]]))"
)


@contextlib.asynccontextmanager
async def server_without_them(folder: Path) -> AsyncIterator[tuple[str, asyncio.subprocess.Process]]:
    """Run `gramy serve` where these modules cannot be imported; yield its address and its process."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", SERVE, str(folder)), stdout=asyncio.subprocess.PIPE
    )
    try:
        assert process.stdout is not None
        line = (await asyncio.wait_for(process.stdout.readline(), TIMEOUT)).decode()
        yield next(word for word in line.split() if word.startswith("http")), process
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


async def test_the_server_plays_and_stops_without_fcntl_resource_and_uvloop(tmp_path: Path) -> None:
    async with server_without_them(tmp_path / "data") as (address, process):
        async with visiting(address) as ada:
            opened = await ada.open("face-to-face", [None, BOT])
            client = await ada.sit(opened["table"], opened["token"])
            await client.until(lambda now: now["view"] is not None and now["you"] in now["view"]["to_act"])
            assert await client.move(client.now["view"]["moves"][0]) is None
        process.send_signal(signal.SIGTERM)
        assert await asyncio.wait_for(process.wait(), TIMEOUT) == 0


async def test_uvloop_runs_the_server_where_it_is_installed() -> None:
    loop = system.new_event_loop()
    try:
        assert type(loop).__module__.startswith("uvloop")
    finally:
        loop.close()


def test_a_locked_folder_cannot_be_locked_again_until_it_is_released(tmp_path: Path) -> None:
    with system.locked_folder(tmp_path), pytest.raises(BlockingIOError), system.locked_folder(tmp_path):
        pass
    with system.locked_folder(tmp_path):
        pass


def test_the_limit_of_descriptors_is_known_and_is_only_ever_raised() -> None:
    before = system.descriptor_limit()
    system.raise_descriptor_limit()
    assert system.descriptor_limit() >= before > 0
