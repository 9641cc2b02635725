"""The network of `value` as it is stored, one small number for each weight, and as it is gone by, packed into words."""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence
from pathlib import Path

from gramy.bots.face_to_face.value import APART, LANE, ROWS, SIZE, UNITS, WORDS
from gramy.bots.weights import read_weights

FILE = Path(__file__).with_name("network.bin")
WEIGHTS = ROWS * UNITS + 1
"""A row for each fact, and what the log-odds are if no unit speaks."""


def read(file: Path = FILE) -> Sequence[int]:
    """Return the weights in a file."""
    return read_weights(file, "h", WEIGHTS)


def packed(weights: Sequence[int]) -> list[int]:
    """As `value` reads it."""
    words = [0] * SIZE
    pack(weights, words)
    return words


def pack(weights: Sequence[int], words: MutableSequence[int]) -> None:
    """Pack the weights into words. Facts that are the same upside down speak to both halves of the units alike. Written
    to be compiled."""
    for row in range(ROWS):
        for word in range(WORDS):
            packed = 0
            for lane in range(4):
                unit = 4 * word + lane
                weight = weights[row * UNITS + unit]
                if row >= APART:
                    weight += weights[row * UNITS + (unit ^ UNITS // 2)]
                packed += weight << LANE * lane
            words[row * WORDS + word] = packed
    words[ROWS * WORDS] = weights[ROWS * UNITS]
