"""Many calls on any `concurrent.futures.Executor`, answered in the order they were asked."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future
from typing import TypeVar

Given = TypeVar("Given")
Answer = TypeVar("Answer")

AHEAD = 1000
"""Calls under way or waiting at once: enough to keep a cluster busy."""


def in_order(
    executor: Executor, function: Callable[[Given], Answer], each: Iterable[Given], ahead: int = AHEAD
) -> Iterator[Answer]:
    """The answers in the order of what was given, whoever finishes first; never more than `ahead` calls are under way,
    so that a billion need no more room than ten. Who stops reading cancels what has not begun."""
    waiting: deque[Future[Answer]] = deque()
    try:
        for given in each:
            waiting.append(executor.submit(function, given))
            if len(waiting) >= ahead:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        for future in waiting:
            future.cancel()
