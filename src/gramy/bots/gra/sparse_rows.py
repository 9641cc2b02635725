"""Rows of 16-bit weights of which most are 0, as bytes: looked up where they are, without unpacking them.

First comes a mask for each row: a bit for each column, whether its weight is not 0, the lowest bit of a byte first.
Then come the weights that are not 0, row by row.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator


class SparseRows:
    """Stored rows that begin at byte `first` of `stored`."""

    def __init__(self, stored: bytes, first: int, rows: int, columns: int) -> None:
        self.stored, self.first, self.mask_size = stored, first, (columns + 7) // 8
        self.starts = list(self._starts(rows))

    def _starts(self, rows: int) -> Iterator[int]:
        """Return the byte at which the weights of each row begin."""
        at = self.first + rows * self.mask_size
        for row in range(rows):
            yield at
            at += 2 * self._count(row, self.mask_size)

    def _count(self, row: int, size: int) -> int:
        """Return how many weights are not 0 in the columns of the first `size` bytes of a mask."""
        mask = self.first + row * self.mask_size
        return int.from_bytes(self.stored[mask : mask + size], "little").bit_count()

    def weights(self, row: int, columns: Iterable[int]) -> list[tuple[int, int]]:
        """Return those of the columns in which the weight of a row is not 0, each with the weight."""
        mask = self.stored[self.first + row * self.mask_size : self.first + (row + 1) * self.mask_size]
        return [(column, self._weight(row, column)) for column in columns if mask[column >> 3] >> (column & 7) & 1]

    def _weight(self, row: int, column: int) -> int:
        """Return a weight that is not 0."""
        size, bit = divmod(column, 8)
        byte = self.stored[self.first + row * self.mask_size + size]
        before = self._count(row, size) + (byte & ((1 << bit) - 1)).bit_count()
        at = self.starts[row] + 2 * before
        return self.stored[at] | self.stored[at + 1] << 8
