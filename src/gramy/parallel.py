"""Many calls on any `concurrent.futures.Executor`, with the results in order."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from typing import TypeVar

Argument = TypeVar("Argument")
Result = TypeVar("Result")

AHEAD = 1000
"""Calls submitted but not yet read: enough to keep a cluster busy."""


def in_order(
    executor: Executor, function: Callable[[Argument], Result], arguments: Iterable[Argument], ahead: int = AHEAD
) -> Iterator[Result]:
    """Yield the result of each call in the order of the arguments, whichever call finishes first.

    At most `ahead` calls are submitted at a time, so memory does not grow with the number of calls. Closing the
    iterator cancels the calls that have not started.
    """
    waiting: deque[Future[Result]] = deque()
    try:
        for argument in arguments:
            waiting.append(executor.submit(function, argument))
            if len(waiting) >= ahead:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    except KeyboardInterrupt:
        if isinstance(executor, ProcessPoolExecutor):
            waiting.clear()  # `workers` kills its processes, and then Python 3.11 fails on cancelled calls
        raise
    finally:
        for future in waiting:
            future.cancel()
