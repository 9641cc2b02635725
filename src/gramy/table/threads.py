"""Work that takes more than a few milliseconds, done beside the event loop."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

_THREAD = ThreadPoolExecutor(1, thread_name_prefix="gramy-heavy")
"""One thread: with several, the event loop would wait for each of them in turn to release the interpreter's lock."""


SWITCH_INTERVAL = 0.0005
"""Seconds after which the thread lets the event loop go on. Python's own 5 ms would be added to every wake-up."""


async def in_thread(work: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
    """Run a function in the thread for long work, after the work that waits for it already; return its result."""
    return await asyncio.get_running_loop().run_in_executor(_THREAD, _run, partial(work, *arguments, **named))


def _run(work: Callable[[], T]) -> T:
    usual = sys.getswitchinterval()
    sys.setswitchinterval(SWITCH_INTERVAL)
    try:
        return work()
    finally:
        sys.setswitchinterval(usual)
