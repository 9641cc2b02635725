"""Functions bound to a game and compiled by Numba. There is no second implementation of any rule.

`gramy.playout.specialise` binds a function and all that it calls to a game. Here Numba compiles them: without the GIL,
all inlined, cached on disk in a folder whose name depends on all source files. Only the smallest functions of
`gramy.cards` are written as machine instructions (`gramy.instructions`). Numba is imported on first use; callers use
the plain functions where it is not installed.
"""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from types import FunctionType
from typing import Any

from gramy import playout
from gramy.contract import Rules


def available() -> bool:
    """Return whether Numba is installed."""
    return find_spec("numba") is not None


@cache
def compiled(
    rules: Rules,
    function: Callable[..., Any],
    lean: bool = False,
    others: tuple[tuple[str, Callable[..., Any]], ...] = (),
) -> Callable[..., Any]:
    """Return a function bound to a game and compiled; its first call compiles it or loads it from disk.

    `others` are further functions to bind, with the names under which they are called.

    `lean` turns off Numba's reference counting of arrays, which can take more than half of the time where many small
    functions take arrays. A lean function must not create arrays, nor slices of them.
    """
    import numba

    from gramy.instructions import machine_instructions

    instructions = machine_instructions()
    ours = all(
        part.__module__.startswith("gramy.") for part in (function, *dict(others).values())
    )  # the folder's name covers these

    def finish(original: FunctionType, bound: FunctionType) -> Any:
        """Compile a function. Only the outermost is cached on disk; the others are inlined in it."""
        if original in instructions:
            return instructions[original]
        outermost = original is function
        kept = outermost and ours
        if lean:
            bound.__qualname__ += ".lean"  # the cache on disk distinguishes functions by their names
        with _cache_folder():
            return numba.njit(nogil=True, forceinline=not outermost, cache=kept, _nrt=not lean)(bound)

    specialised: Callable[..., Any] = playout.specialise(rules, function, finish, dict(others))
    return specialised


@contextmanager
def _cache_folder() -> Iterator[None]:
    """Let Numba cache in `folder()`."""
    import numba

    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(folder())
    try:
        yield
    finally:
        numba.config.CACHE_DIR = before


@cache
def target() -> str:
    """Return a short hash of what machine code depends on besides the sources: Numba's version and the processor."""
    import numba
    from numba.core.registry import cpu_target

    parts = (numba.__version__, *cpu_target.target_context.codegen().magic_tuple())
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:16]


@cache
def folder() -> Path:
    """Return the folder of compiled code, in GRAMY_CACHE or the user's cache.

    Its name is a hash of all sources, so that a changed rule is never played from an old file.
    """
    home = os.environ.get("GRAMY_CACHE") or os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    digest = hashlib.sha256(sys.version.encode())
    for source in sorted(Path(__file__).parent.rglob("*.py")):
        digest.update(source.read_bytes())
    return Path(home) / "gramy" / f"compiled-{digest.hexdigest()[:16]}"
