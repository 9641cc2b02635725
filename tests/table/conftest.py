"""The fixture `backend` runs a test on each back end of the store."""

from pathlib import Path

import pytest

from tests.table.backends import Backend, PostgresBackend, SqliteBackend


@pytest.fixture(params=["sqlite", "postgres"])
def backend(request: pytest.FixtureRequest, tmp_path: Path) -> Backend:
    return (
        SqliteBackend(tmp_path) if request.param == "sqlite" else PostgresBackend(request.getfixturevalue("postgres"))
    )
