"""What all tests share: Hypothesis settings, a guard around async tests, and real database servers."""

from __future__ import annotations

import asyncio
import functools
import inspect
import os
import signal
from collections.abc import Callable, Coroutine, Generator, Iterator
from typing import Any

import pytest
from hypothesis import settings

from tests.servers import Postgres, RedisServer, running

settings.register_profile("gramy", print_blob=True, deadline=None)  # a slow machine fails no property test
settings.load_profile("gramy")

os.environ["LC_ALL"] = "C.UTF-8"  # commands speak the language of the locale; tests read English

# A shell starts background jobs with Ctrl-C ignored; the programs that tests start and interrupt would inherit that.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

TIME_LIMIT = 300.0  # seconds for an async test on a busy machine


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """Run a PostgreSQL server for all tests; each test makes its own databases in it."""
    with running(Postgres) as server:
        yield server


@pytest.fixture(scope="session")
def redis() -> Iterator[RedisServer]:
    """Run a Redis server for all tests."""
    with running(RedisServer) as server:
        yield server


@pytest.fixture(autouse=True)
def background_failures() -> Iterator[list[dict[str, Any]]]:
    """Fail a test whose event loop reports an error, such as a failed task that nothing awaits.

    The fixture is set up before the loop, so its check runs after the loop has been closed.
    """
    failures: list[dict[str, Any]] = []
    yield failures
    assert not failures, "errors in the background of an async test"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, Any, Any]:
    """Run each async test with a time limit, and collect the errors of its event loop."""
    if isinstance(item, pytest.Function) and inspect.iscoroutinefunction(item.obj):
        item.obj = guarded(item.obj, item.funcargs["background_failures"])
    return (yield)


def guarded(
    test: Callable[..., Coroutine[Any, Any, None]], failures: list[dict[str, Any]]
) -> Callable[..., Coroutine[Any, Any, None]]:
    @functools.wraps(test)
    async def run(*args: Any, **kwargs: Any) -> None:
        asyncio.get_running_loop().set_exception_handler(lambda _, context: failures.append(context))
        async with asyncio.timeout(TIME_LIMIT):
            await test(*args, **kwargs)

    return run
