"""Both back ends, for whatever must hold on both."""

from pathlib import Path

import pytest

from tests.table.backs import Back, Base, File


@pytest.fixture(params=["sqlite", "postgres"])
def back(request: pytest.FixtureRequest, tmp_path: Path) -> Back:
    return File(tmp_path) if request.param == "sqlite" else Base(request.getfixturevalue("postgres"))
