"""What differs between operating systems: the event loop, locks on folders, file descriptors, stop signals.

Linux and macOS have `fcntl` and `resource`, Windows has neither. uvloop exists for CPython on Linux and macOS only.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path

UNLIMITED = 65_536
"""Descriptors that are assumed or asked for where the system sets no limit, or does not tell it."""


def new_event_loop() -> asyncio.AbstractEventLoop:
    """Return a new event loop: uvloop's, which costs less per move, where it is installed."""
    if find_spec("uvloop") is None:
        return asyncio.new_event_loop()
    import uvloop

    return uvloop.new_event_loop()


def on_stop_signals(stop: Callable[[], None]) -> None:
    """Let SIGINT and SIGTERM call a function in the running event loop."""
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        try:
            loop.add_signal_handler(number, stop)
        except NotImplementedError:  # the event loop of Windows
            signal.signal(number, lambda *_: loop.call_soon_threadsafe(stop))


@contextlib.contextmanager
def locked_folder(folder: Path) -> Iterator[None]:
    """Lock a folder for this process; raises BlockingIOError if another one has locked it.

    The system releases the lock when the process ends, however it ends.
    """
    if find_spec("fcntl") is not None:
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            lock_file(descriptor)
            yield
        finally:
            os.close(descriptor)
        return
    with open(folder / "lock", "a+b") as file:  # Windows cannot open a folder
        lock_file(file.fileno())
        yield


def lock_file(descriptor: int) -> None:
    """Lock an open file until it is closed (on Windows its first byte); raises BlockingIOError if it is locked."""
    if find_spec("fcntl") is not None:
        import fcntl

        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return
    if find_spec("msvcrt") is None:
        return
    import msvcrt

    try:
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined,unused-ignore]
    except OSError as error:
        raise BlockingIOError(error.errno, error.strerror) from None


def sync_folder(folder: Path) -> None:
    """Write the names in a folder to the disk; Windows does that by itself."""
    if find_spec("fcntl") is None:
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def descriptor_limit() -> int:
    """Return how many files and connections this process may have open."""
    if find_spec("resource") is None:
        return UNLIMITED
    import resource

    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return UNLIMITED if soft == resource.RLIM_INFINITY else soft


def raise_descriptor_limit() -> None:
    """Raise the soft limit of descriptors to the hard limit."""
    if find_spec("resource") is None:
        return
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = UNLIMITED if hard == resource.RLIM_INFINITY else hard
    if soft == resource.RLIM_INFINITY or soft >= wanted:
        return
    with contextlib.suppress(ValueError, OSError):  # some systems have another limit besides
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
