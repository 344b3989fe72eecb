"""The layout of mma.sync's tiles in registers: which lane holds which element, as NVIDIA's PTX manual draws it. Lesson 09.

A tile is cut into blocks of 8 rows, four lanes to a row; each lane holds one 32-bit register of the block: one float,
two halves or four bytes that lie side by side. For wmma the manual leaves the layout open; an H200 uses the same one.
So lane L holds row L / 4 of every block, and columns from `packed` * (L % 4) on.
"""

from __future__ import annotations

import functools
from typing import NamedTuple

import numpy as np

from ..masks import PerThread

A, B, SUM = 0, 1, 2  # which operand of A B + C a tile is; SUM is C, and the result
Shape = tuple[int, int, int]  # M, N, K
LANES = np.arange(32)
ROW, COLUMN = LANES // 4, LANES % 4  # of a lane in its block


class FragmentTile(NamedTuple):
    """rows, columns: of each element in each lane, both (elements per lane, 32). shape: rows and columns of the tile."""

    rows: np.ndarray
    columns: np.ndarray
    shape: tuple[int, int]

    @property
    def transposed(self) -> FragmentTile:
        """Return the tile with rows and columns exchanged."""
        return FragmentTile(self.columns, self.rows, self.shape[::-1])

    @property
    def lane_elements(self) -> int:
        """Return how many elements each lane holds."""
        return len(self.rows)

    @property
    def row_major(self) -> PerThread:
        """Return the row-major index in the tile of each element in each lane, (elements per lane, 32)."""
        return self.rows * self.shape[1] + self.columns

    @property
    def lane_order(self) -> np.ndarray:
        """Return the inverse of `row_major`: for each element of the tile, its flat index in (elements per lane, 32)."""
        return np.argsort(self.row_major, axis=None, kind="stable")


@functools.cache
def tile(use: int, shape: Shape, packed: int) -> FragmentTile:
    """Return how the registers of a warp hold matrix A, matrix B or the sums.

    use: A, B or SUM. packed: elements in a register, 1, 2 or 4. Sums come in pairs of one row.

    `block` numbers the blocks in the order of a lane's registers. Those of A and of the sums go down by 8 rows, then
    right, then on to the next 16 rows. B is laid out by columns: along k first, then on to the next 8 columns.
    """
    m, n, k = shape
    if m == 8:  # wmma's 8 x 32: the layout of 32 x 8 with A and B exchanged, transposed
        return tile({A: B, B: A, SUM: SUM}[use], (n, m, k), packed).transposed
    steps = k // (4 * packed)  # blocks in the direction of k
    if use == SUM:
        block = np.arange(m * n // 64)[:, None]
        rows = ROW + 8 * (block % 2) + 16 * (block // 2) * (n == 8)
        return _tile_of(rows, 8 * (block // 2) * (n > 8) + 2 * COLUMN, 2, (m, n))
    if use == A:
        block = np.arange(m // 8 * steps)[:, None]
        rows = ROW + 8 * (block % 2) + 16 * (block // (2 * steps))
        return _tile_of(rows, packed * (COLUMN + 4 * (block // 2 % steps)), packed, (m, k))
    block = np.arange(n // 8 * steps)[:, None]
    rows = ROW + 8 * (block // steps)
    return _tile_of(rows, packed * (COLUMN + 4 * (block % steps)), packed, (n, k)).transposed


def _tile_of(
    rows: np.ndarray, columns: np.ndarray, packed: int, shape: tuple[int, int]
) -> FragmentTile:
    """Return the tile whose registers begin at these rows and columns and hold `packed` elements of a row each."""
    k = np.tile(np.arange(packed), len(rows))[:, None]
    return FragmentTile(np.repeat(rows, packed, 0), np.repeat(columns, packed, 0) + k, shape)
