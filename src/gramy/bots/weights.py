"""Files of weights: numbers of one type in little-endian order, compressed by zlib. The programs in `training/` write
them, and bots read them.
"""

from __future__ import annotations

import sys
import zlib
from array import array
from collections.abc import Iterable
from pathlib import Path
from typing import Any


def read_weights(file: Path, typecode: str, number: int) -> array[Any]:
    """Return the weights in a file; it must hold exactly this number of them. `typecode` is that of `array.array`."""
    weights = array(typecode, zlib.decompress(file.read_bytes()))
    if sys.byteorder == "big":
        weights.byteswap()
    assert len(weights) == number
    return weights


def write_weights(file: Path, typecode: str, weights: Iterable[float]) -> None:
    """Write weights to a file: the inverse of `read_weights`."""
    numbers: array[Any] = array(typecode, weights)
    if sys.byteorder == "big":
        numbers.byteswap()
    file.write_bytes(zlib.compress(numbers.tobytes(), 9))
