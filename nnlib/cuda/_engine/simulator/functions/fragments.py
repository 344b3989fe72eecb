"""Which lane of a warp holds which element of a tile, as NVIDIA's PTX manual draws it for mma.sync. Lesson 09.

A tile is cut into blocks of 8 rows, four lanes to a row; each lane holds one 32-bit register of the block: one float,
two halves or four bytes that lie side by side. For wmma the manual leaves the places open; an H200 has the same ones.
"""

from __future__ import annotations

import functools
from typing import NamedTuple

import numpy as np

from ..masks import PerThread

A, B, SUM = 0, 1, 2  # what a tile is for
Shape = tuple[int, int, int]  # M, N, K
LANES = np.arange(32)
ROW, COLUMN = LANES // 4, LANES % 4  # of a lane in its block


class FragmentTile(NamedTuple):
    """rows, columns: of each element of each lane, (elements, 32). shape: of the whole."""

    rows: np.ndarray
    columns: np.ndarray
    shape: tuple[int, int]

    @property
    def turned(self) -> FragmentTile:
        """The transposed tile."""
        return FragmentTile(self.columns, self.rows, self.shape[::-1])

    @property
    def held(self) -> int:
        """Elements of a lane."""
        return len(self.rows)

    @property
    def places(self) -> PerThread:
        """(elements, 32) numbers of the elements, row by row."""
        return self.rows * self.shape[1] + self.columns

    @property
    def holders(self) -> np.ndarray:
        """For each element of the tile, row by row, where it is among (elements, 32)."""
        return np.argsort(self.places, axis=None, kind="stable")


@functools.cache
def tile(use: int, shape: Shape, packed: int) -> FragmentTile:
    """Return the layout of matrix A, matrix B or their sums in registers.

    packed: elements in a register, 1, 2 or 4; sums come in pairs of one row.
    """
    m, n, k = shape
    if m == 8:  # the product of 32 x 8, with both sides exchanged
        return tile({A: B, B: A, SUM: SUM}[use], (n, m, k), packed).turned
    steps = k // (4 * packed)  # blocks in the direction of k
    if use == SUM:
        g = np.arange(m * n // 64)[:, None]  # of each register, the number
        rows = ROW + 8 * (g % 2) + 16 * (g // 2) * (n == 8)
        return _of(rows, 8 * (g // 2) * (n > 8) + 2 * COLUMN, 2, (m, n))
    if use == A:
        g = np.arange(m // 8 * steps)[:, None]
        rows = ROW + 8 * (g % 2) + 16 * (g // (2 * steps))
        return _of(rows, packed * (COLUMN + 4 * (g // 2 % steps)), packed, (m, k))
    g = np.arange(n // 8 * steps)[:, None]
    rows = ROW + 8 * (g // steps)
    return _of(rows, packed * (COLUMN + 4 * (g % steps)), packed, (n, k)).turned


def _of(rows: np.ndarray, columns: np.ndarray, packed: int, shape: tuple[int, int]) -> FragmentTile:
    """Make a tile from its registers, given by row and first column of each lane."""
    k = np.tile(np.arange(packed), len(rows))[:, None]
    return FragmentTile(np.repeat(rows, packed, 0), np.repeat(columns, packed, 0) + k, shape)
