"""Kernels: functions of a bot that are compiled if Numba is installed, and the arrays that they take.

A kernel is written once, in plain Python on integers, floats, arrays and NamedTuples of them. Without Numba the same
function runs as it is, on lists.
"""

from __future__ import annotations

from collections.abc import Callable, MutableSequence, Sequence
from functools import cache
from typing import Any, TypeAlias

from gramy import compiled, playout
from gramy.contract import Rules

Ints: TypeAlias = MutableSequence[int]
Floats: TypeAlias = MutableSequence[float]
"""Arrays in a kernel; lists where nothing is compiled."""


def kernel(rules: Rules, function: Callable[..., Any], lean: bool = True) -> Callable[..., Any]:
    """Return a function specialised for a game's rules: compiled, or plain Python where Numba is missing.

    `lean` turns off Numba's reference counting of arrays. It is safe where the function creates no arrays and no
    slices of them.
    """
    return compiled.compiled(rules, function, lean) if compiled.available() else _plain(rules, function)


@cache
def _plain(rules: Rules, function: Callable[..., Any]) -> Callable[..., Any]:
    specialised: Callable[..., Any] = playout.specialise(rules, function)
    return specialised


def integers(values: Sequence[int]) -> Any:
    """Return whole numbers as a kernel takes them: an array, or a list where nothing is compiled."""
    if not compiled.available():
        return list(values)
    import numpy

    return numpy.array(values, numpy.int64)


def floats(values: Sequence[float]) -> Any:
    """Return real numbers as a kernel takes them."""
    if not compiled.available():
        return list(values)
    import numpy

    return numpy.array(values, numpy.float64)


def zeros(number: int) -> Any:
    """Return an array of whole numbers, all 0, as a kernel takes it."""
    if not compiled.available():
        return [0] * number
    import numpy

    return numpy.zeros(number, numpy.int64)
