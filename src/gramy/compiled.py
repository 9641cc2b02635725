"""The same functions, compiled. No rule is written here, nor anywhere twice.

`gramy.playout.linked` makes a twin of a function that calls compiled twins; here they go through Numba: without the
GIL, all inlined, cached on disk under a name that changes with every source file. Only the smallest functions of
`gramy.cards` are put in by hand (`gramy.instructions`). Numba is imported on first use; without it the plain
functions do.
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
    """Whether Numba is installed."""
    return find_spec("numba") is not None


@cache
def compiled(rules: Rules, function: Callable[..., Any], lean: bool = False) -> Callable[..., Any]:
    """A function of `gramy.playout` for a game's rules, compiled; its first call compiles it or loads it from disk. Who
    makes no arrays and copies no rows of them may be lean: nobody counts then who holds an array, which can take more
    than half of the time where many small functions are handed some."""
    import numba

    from gramy.instructions import atoms

    by_hand = atoms()

    def finish(original: FunctionType, twin: FunctionType) -> Any:
        """Inner functions are inlined and not kept; the outermost is kept on disk, whole."""
        if original in by_hand:
            return by_hand[original]
        outermost = original is function
        kept = outermost and function.__module__.startswith("gramy.")  # the folder's name covers only our own sources
        if lean:
            twin.__qualname__ += ".lean"  # both kinds are kept on disk, and told apart by their names alone
        with _cache_folder():
            return numba.njit(nogil=True, forceinline=not outermost, cache=kept, _nrt=not lean)(twin)

    twin: Callable[..., Any] = playout.specialise(rules, function, finish)
    return twin


@contextmanager
def _cache_folder() -> Iterator[None]:
    """Numba's cache in a folder of our own, named after all sources: an old rule is never played from an old file."""
    import numba

    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(folder())
    try:
        yield
    finally:
        numba.config.CACHE_DIR = before


@cache
def folder() -> Path:
    """Where compiled code is kept: GRAMY_CACHE, or the user's cache."""
    home = os.environ.get("GRAMY_CACHE") or os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    digest = hashlib.sha256(sys.version.encode())
    for source in sorted(Path(__file__).parent.rglob("*.py")):
        digest.update(source.read_bytes())
    return Path(home) / "gramy" / f"compiled-{digest.hexdigest()[:16]}"
