"""A server in its own process and the path of a browser, for the browser tests and the screenshots."""

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

HOME_NAME = "family.test"
"""A name as in a home network. The browser resolves it to this machine, and trusts it less than localhost."""
# Each window would load two pages for suggestions in the address bar, which no test has: half of a window's cost.
ADDRESS_BAR_PAGES = ("WebUIOmniboxPopup", "WebUIOmniboxAimPopup")
# Chromium follows the last list of features only, so this repeats what Playwright turns off.
DISABLED_FEATURES = (
    *ADDRESS_BAR_PAGES,
    "AimEnabled",
    "AvoidCorsURLLoaderRestartOnRedirect",
    "AvoidUnnecessaryBeforeUnloadCheckSync",
    "DestroyProfileOnBrowserClose",
    "HttpsFirstBalancedModeAutoEnable",
    "HttpsUpgrades",
    "LensOverlay",
    "MediaRouter",
    "NetworkTimeServiceQuerying",
    "OptimizationHints",
    "PaintHolding",
    "PreconnectToSearch",
    "ThirdPartyStoragePartitioning",
)
BROWSER_ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--font-render-hinting=none",  # letters as wide as in a browser with windows
    f"--disable-features={','.join(DISABLED_FEATURES)}",
    f"--host-resolver-rules=MAP {HOME_NAME} 127.0.0.1",
]
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
"""Browsers that Playwright can control."""
WITHOUT_WINDOWS = "chromium-headless-shell"
"""The engine of Chromium without windows: a page costs 40% less of a core."""
NO_BROWSER = (
    "NO BROWSER FOUND, SO NOTHING WAS TESTED IN ONE. Install Chromium (Debian, Ubuntu: apt-get install chromium) "
    "or Google Chrome, so that `chromium`, `chromium-browser` or `google-chrome` is on the PATH."
)
TIMEOUT = 60.0


def browser_path(names: Sequence[str] = (WITHOUT_WINDOWS, *BROWSERS)) -> str | None:
    """Return the path of the first of these browsers that is here, or None."""
    found = (shutil.which(name) for name in names)
    return next((path for path in found if path), None)


class Server:
    """`gramy serve` on a free port. A restart keeps the port and the folder."""

    def __init__(self, data: Path, *flags: str, program: Sequence[str] = ("-m", "gramy")) -> None:
        self.data, self.flags, self.program = data, flags, program
        self.address = ""
        self._port = "0"
        self._process: subprocess.Popen[str] | None = None

    def start(self) -> None:
        """Start, and wait until the server prints its address."""
        command = [sys.executable, *self.program, "serve", "--port", self._port, "--data", str(self.data), *self.flags]
        environment = {name: value for name, value in os.environ.items() if not name.startswith("GRAMY_")}
        with self._log.open("a", encoding="utf-8") as log:
            self._process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True, env=environment)
        assert self._process.stdout is not None
        ready, _, _ = select.select([self._process.stdout], [], [], TIMEOUT)
        line = self._process.stdout.readline() if ready else ""
        found = re.search(r"http://\S+:(\d+)/", line)
        if found is None:
            self.stop()
            raise AssertionError(f"the server did not start: it printed {line!r} and logged {self.logged()!r}")
        self.address, self._port = found[0].rstrip("/"), found[1]

    def stop(self) -> None:
        """Send SIGTERM and wait until the process has ended."""
        if self._process is None:
            return
        self._process.send_signal(signal.SIGTERM)
        try:
            self._process.wait(TIMEOUT)
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
        """Return the warnings and errors in the server's log, normally none. A busy machine delays the event loop."""
        lines = self._log.read_text("utf-8").splitlines(keepends=True) if self._log.exists() else []
        return "".join(line for line in lines if '"the event loop was blocked"' not in line)

    def __enter__(self) -> Self:
        self.data.mkdir(parents=True, exist_ok=True)
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()
