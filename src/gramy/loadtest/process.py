"""A server's process as Linux tells of it: the processor time it used and the memory it holds."""

from __future__ import annotations

import os
from pathlib import Path

from gramy.contract import GramyError, Message


class NoProcess(GramyError):
    """There is no such process, or it is not ours to read."""


class Process:
    """Reads /proc; threads are in it, processes that it started are not."""

    def __init__(self, pid: int) -> None:
        self._folder = Path(f"/proc/{pid}")
        if not os.access(self._folder / "stat", os.R_OK):
            raise NoProcess(Message("no_process", {"pid": pid}, "loadtest"))

    def spent(self) -> float:
        """Seconds of processor time, of the user and of the system."""
        after_name = self._folder.joinpath("stat").read_text("ascii").rpartition(")")[2].split()
        return (int(after_name[11]) + int(after_name[12])) / os.sysconf("SC_CLK_TCK")

    def memory(self) -> int:
        """Bytes of memory that are its own and present."""
        resident, shared = self._folder.joinpath("statm").read_text("ascii").split()[1:3]
        return (int(resident) - int(shared)) * os.sysconf("SC_PAGE_SIZE")
