"""CPU time and memory of a server process on Linux."""

from __future__ import annotations

import os
from pathlib import Path

from gramy.errors import GramyError
from gramy.messages import Message


class NoProcess(GramyError):
    """There is no such process, or it may not be read."""


class Process:
    """Reads /proc. The figures include threads, but no child processes."""

    def __init__(self, pid: int) -> None:
        self._folder = Path(f"/proc/{pid}")
        if not os.access(self._folder / "stat", os.R_OK):
            raise NoProcess(Message("no_process", {"pid": pid}, "loadtest"))

    def cpu_time(self) -> float:
        """Return the CPU time in seconds, user and system."""
        after_name = self._folder.joinpath("stat").read_text("ascii").rpartition(")")[2].split()
        return (int(after_name[11]) + int(after_name[12])) / os.sysconf("SC_CLK_TCK")

    def memory(self) -> int:
        """Return the resident memory that is not shared, in bytes."""
        resident, shared = self._folder.joinpath("statm").read_text("ascii").split()[1:3]
        return (int(resident) - int(shared)) * os.sysconf("SC_PAGE_SIZE")
