"""States as numbers in a row of an array, and back: functions generated from the shape of a state.

A state is a NamedTuple of integers, NamedTuples and tuples. Its numbers lie in the array in the order in which the
state names them. The functions are ordinary Python on one array and an index, so that `specialise` can bind them and
Numba can compile them like any rule.
"""

from __future__ import annotations

from collections.abc import Iterator
from types import FunctionType
from typing import Any


def size(shape: Any) -> int:
    """Return how many numbers a nested tuple has."""
    return sum(size(part) for part in shape) if isinstance(shape, tuple) else 1


def loader(name: str, shape: Any, at: int) -> FunctionType:
    """Return `name(records, i)`: it reads a tuple of this shape from row i of an array, beginning at column `at`."""
    classes: dict[str, Any] = {}
    columns = iter(range(at, at + size(shape)))
    return _function(name, "records, i", f"return {_constructor(shape, columns, classes)}", classes)


def storer(name: str, shape: Any, at: int) -> FunctionType:
    """Return `name(records, i, value)`: it writes a tuple of this shape to row i, beginning at column `at`."""
    parts = _parts("value", shape)
    lines = [f"records[i, {column}] = {part}" for column, part in enumerate(parts, at)]
    return _function(name, "records, i, value", "; ".join(lines), {})


def _constructor(shape: Any, columns: Iterator[int], classes: dict[str, Any]) -> str:
    """Return the expression that builds a tuple; it finds the classes under the names collected in `classes`."""
    if not isinstance(shape, tuple):
        return f"int(records[i, {next(columns)}])"  # plain Python needs an int: NumPy's numbers overflow
    inner = "".join(f"{_constructor(part, columns, classes)}, " for part in shape)
    if type(shape) is tuple:
        return f"({inner})"
    name = f"{type(shape).__name__}_{len(classes)}"
    classes[name] = type(shape)
    return f"{name}({inner})"


def _parts(expression: str, shape: Any) -> Iterator[str]:
    """Yield an expression for each number of a nested tuple, in order."""
    if not isinstance(shape, tuple):
        yield expression
        return
    for index, part in enumerate(shape):
        yield from _parts(f"{expression}[{index}]", part)


def _function(name: str, arguments: str, body: str, names: dict[str, Any]) -> FunctionType:
    exec(f"def {name}({arguments}): {body}", names)
    function = names[name]
    assert isinstance(function, FunctionType)
    function.__module__ = __name__
    return function
