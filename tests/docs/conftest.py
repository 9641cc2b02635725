"""The documentation site, built once for all tests of a run."""

from __future__ import annotations

import fcntl
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.markdown import ROOT


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of the built site. Of several test processes, the first one builds it and the others wait."""
    own = tmp_path_factory.getbasetemp()
    folder = (own.parent if "PYTEST_XDIST_WORKER" in os.environ else own) / "site"
    folder.mkdir(exist_ok=True)
    with open(folder / "lock", "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        log = folder / "log"
        if not log.exists():
            built = subprocess.run(
                [sys.executable, ROOT / "docs" / "site", folder / "html"], capture_output=True, text=True
            )
            log.write_text(f"{built.stdout}{built.stderr}exit status {built.returncode}\n", encoding="utf-8")
    assert log.read_text(encoding="utf-8") == "exit status 0\n"
    return folder / "html"
