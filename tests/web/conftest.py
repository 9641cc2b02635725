"""A server that many tests of a module share."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from gramy.table.lobby import Lobby
from tests.web.client import (
    GENEROUS,
    Visitor,
    check_server_works,
    serving,
    visiting,
)

logging.getLogger("gramy.loop").setLevel(logging.CRITICAL)
"""The watchdog reports a busy machine, which tests that compare the log do not expect; its own test turns it on."""


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def shared(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[tuple[str, Lobby]]:
    """Run one server for all tests of a module; yield its address and its lobby."""
    async with serving(tmp_path_factory.mktemp("abuse"), limits=GENEROUS) as server:
        yield server


@pytest_asyncio.fixture(loop_scope="module")
async def ada(shared: tuple[str, Lobby]) -> AsyncIterator[Visitor]:
    """Yield a visitor of the shared server; check after the test that the server still works."""
    address, _ = shared
    async with visiting(address) as visitor:
        yield visitor
        await check_server_works(visitor)


@pytest.fixture
def lobby(shared: tuple[str, Lobby]) -> Lobby:
    return shared[1]
