"""Property tests print the line that reproduces a failure, and are never failed by a slow machine. Real servers."""

from collections.abc import Iterator

import pytest
from hypothesis import settings

from tests.servers import Postgres, RedisServer, running

settings.register_profile("gramy", print_blob=True, deadline=None)
settings.load_profile("gramy")


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """A real PostgreSQL for all tests; each makes databases of its own in it."""
    with running(Postgres) as server:
        yield server


@pytest.fixture(scope="session")
def redis() -> Iterator[RedisServer]:
    """A real Redis for all tests."""
    with running(RedisServer) as server:
        yield server
