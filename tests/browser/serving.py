"""A real server in a process of its own, and a real browser: what the browser tests and the screenshots stand on."""

from __future__ import annotations

import os
import re
import select
import shutil
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
NO_BROWSER = (
    "NO BROWSER FOUND, SO NOTHING WAS TESTED IN ONE. Install Chromium (Debian, Ubuntu: apt-get install chromium) "
    "or Google Chrome, so that `chromium`, `chromium-browser` or `google-chrome` is on the PATH."
)
PATIENCE = 60.0


def browser_path() -> str | None:
    """Where a browser that Playwright can drive is installed."""
    found = (shutil.which(name) for name in ("chromium", "chromium-browser", "google-chrome"))
    return next((path for path in found if path), None)


class Server:
    """`gramy serve` on a free port; the same port and folder again after a restart."""

    def __init__(self, data: Path, *flags: str, program: Sequence[str] = ("-m", "gramy")) -> None:
        self.data, self.flags, self.program = data, flags, program
        self.address = ""
        self._port = "0"
        self._process: subprocess.Popen[str] | None = None

    def start(self) -> None:
        """Start, and wait until it says where it is."""
        command = [sys.executable, *self.program, "serve", "--port", self._port, "--data", str(self.data), *self.flags]
        ours = {name: value for name, value in os.environ.items() if not name.startswith("GRAMY_")}
        with self._log.open("a", encoding="utf-8") as log:
            self._process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True, env=ours)
        assert self._process.stdout is not None
        ready, _, _ = select.select([self._process.stdout], [], [], PATIENCE)
        said = self._process.stdout.readline() if ready else ""
        found = re.search(r"http://\S+:(\d+)/", said)
        if found is None:
            self.stop()
            raise AssertionError(f"the server did not start: it said {said!r} and logged {self.logged()!r}")
        self.address, self._port = found[0].rstrip("/"), found[1]

    def stop(self) -> None:
        """Terminate as a host would, and wait for the end."""
        if self._process is None:
            return
        self._process.send_signal(signal.SIGTERM)
        try:
            self._process.wait(PATIENCE)
        finally:
            self._process.kill()
            self._process.wait()
            if self._process.stdout is not None:
                self._process.stdout.close()
            self._process = None

    @property
    def _log(self) -> Path:
        return self.data / "log.jsonl"

    def logged(self) -> str:
        """What the server wrote about itself: warnings and errors, and normally nothing."""
        return self._log.read_text("utf-8") if self._log.exists() else ""

    def __enter__(self) -> Self:
        self.data.mkdir(parents=True, exist_ok=True)
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()
