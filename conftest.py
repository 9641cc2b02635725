"""Examples in documents: they save files in a folder of their own, and can import the programs in docs/examples."""

from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parent / "docs" / "examples"


@pytest.fixture(autouse=True)
def _examples_write_elsewhere(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if isinstance(request.node, pytest.DoctestItem):
        monkeypatch.chdir(tmp_path)
        monkeypatch.syspath_prepend(EXAMPLES)
