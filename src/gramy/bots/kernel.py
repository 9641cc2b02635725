"""Kernels: functions of a bot that are compiled if Numba is installed, and the arrays that they take.

A kernel is written once, in plain Python on integers, floats, arrays and NamedTuples of them. Without Numba, and in a
`plain` block, the same function runs as it is, on lists.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, MutableSequence, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from math import inf
from typing import Any, TypeAlias

from gramy import compiled, playout
from gramy.contract import Rules

Ints: TypeAlias = MutableSequence[int]
Floats: TypeAlias = MutableSequence[float]
"""Arrays in a kernel; lists where nothing is compiled."""

_DEADLINE: ContextVar[float | None] = ContextVar("deadline", default=None)


@contextmanager
def plain(deadline: float = inf) -> Iterator[None]:
    """Use plain functions in this block, so that nothing in it waits for the compiler.

    After the deadline (of `time.monotonic`) a bot stops its search. Plain functions are so slow that no budget could be
    both safe on a slow machine and good on a fast one.
    """
    token = _DEADLINE.set(deadline)
    try:
        yield
    finally:
        _DEADLINE.reset(token)


def is_compiled() -> bool:
    """Return whether kernels are compiled here. If not, a bot must do far less for the same budget."""
    return compiled.available() and _DEADLINE.get() is None


def out_of_time() -> bool:
    """Return whether a bot must choose now. Compiled functions have no deadline, so that a move can be repeated."""
    deadline = _DEADLINE.get()
    return deadline is not None and time.monotonic() > deadline


def kernel(rules: Rules, function: Callable[..., Any], lean: bool = True) -> Callable[..., Any]:
    """Return a function specialised for a game's rules: compiled, or plain Python.

    `lean` turns off Numba's reference counting of arrays. It is safe where the function creates no arrays and no
    slices of them.
    """
    return compiled.compiled(rules, function, lean) if is_compiled() else _specialised(rules, function)


@cache
def _specialised(rules: Rules, function: Callable[..., Any]) -> Callable[..., Any]:
    specialised: Callable[..., Any] = playout.specialise(rules, function)
    return specialised


def integers(values: Sequence[int]) -> Any:
    """Return whole numbers as a kernel takes them: an array, or a list where nothing is compiled."""
    if not is_compiled():
        return list(values)
    import numpy

    return numpy.array(values, numpy.int64)


def floats(values: Sequence[float]) -> Any:
    """Return real numbers as a kernel takes them."""
    if not is_compiled():
        return list(values)
    import numpy

    return numpy.array(values, numpy.float64)


def zeros(number: int) -> Any:
    """Return an array of whole numbers, all 0, as a kernel takes it."""
    if not is_compiled():
        return [0] * number
    import numpy

    return numpy.zeros(number, numpy.int64)
