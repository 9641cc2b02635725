"""Property tests print the line that reproduces a failure, and are never failed by a slow machine."""

from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("gramy", print_blob=True, deadline=None)
settings.load_profile("gramy")


@pytest.fixture(autouse=True)
def _examples_write_elsewhere(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """README's examples save a file: in a folder of their own, not in the repository."""
    if isinstance(request.node, pytest.DoctestItem):
        monkeypatch.chdir(tmp_path)
