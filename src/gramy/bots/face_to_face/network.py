"""The weights of the networks: stored one by one in a file, packed four to a word for `evaluation`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from gramy.bots.face_to_face.evaluation import LANE, SIZE, UNITS, WORDS
from gramy.bots.face_to_face.features import ROWS, SYMMETRIC
from gramy.bots.kernel import Ints
from gramy.bots.weights import read_weights

FILE = Path(__file__).with_name("network.bin")
POPULATION_FILE = Path(__file__).with_name("network_population.bin")
FILES = FILE, POPULATION_FILE
"""The networks of the package: the first one is better against greedy players, the second one against strong ones."""
AGAINST_GREEDY, AGAINST_STRONG = range(2)
TYPECODE = "h"
"""Type of the numbers in a weight file."""
WEIGHTS = ROWS * UNITS + 1
"""A row of weights for each feature, and the output's bias."""


def read(file: Path = FILE) -> Sequence[int]:
    """Return the weights in a file."""
    return read_weights(file, TYPECODE, WEIGHTS)


def packed(weights: Sequence[int]) -> list[int]:
    """Return the weights packed into words."""
    words = [0] * SIZE
    pack(weights, words)
    return words


def pack(weights: Sequence[int], words: Ints) -> None:
    """Pack the weights into words. It can be compiled.

    A feature that is the same upside down is an input of both halves of the units, so its two weights are added.
    """
    for row in range(ROWS):
        for word in range(WORDS):
            packed = 0
            for lane in range(4):
                unit = 4 * word + lane
                weight = weights[row * UNITS + unit]
                if row >= SYMMETRIC:
                    weight += weights[row * UNITS + (unit ^ UNITS // 2)]
                packed += weight << LANE * lane
            words[row * WORDS + word] = packed
    words[ROWS * WORDS] = weights[ROWS * UNITS]
