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
    """Of matrix A, matrix B or their sums. packed: elements in a register, 1, 2 or 4; sums come in pairs of one row."""
    m, n, k = shape
    if m == 8:  # the product of 32 x 8, with both sides exchanged
        return tile({A: B, B: A, SUM: SUM}[use], (n, m, k), packed).turned
    if use == SUM:
        return _of(
            [
                (ROW + 8 * (g % 2) + 16 * (g // 2) * (n == 8), 8 * (g // 2) * (n > 8) + 2 * COLUMN)
                for g in range(m * n // 64)
            ],
            2,
            (m, n),
        )
    steps = k // (4 * packed)  # blocks in the direction of k
    if use == A:
        return _of(
            [
                (
                    ROW + 8 * (g % 2) + 16 * (g // (2 * steps)),
                    packed * (COLUMN + 4 * (g // 2 % steps)),
                )
                for g in range(m // 8 * steps)
            ],
            packed,
            (m, k),
        )
    return _of(
        [
            (ROW + 8 * (g // steps), packed * (COLUMN + 4 * (g % steps)))
            for g in range(n // 8 * steps)
        ],
        packed,
        (n, k),
    ).turned


def _of(
    registers: list[tuple[np.ndarray, np.ndarray]], packed: int, shape: tuple[int, int]
) -> FragmentTile:
    """registers: row and first column of each lane."""
    rows = np.stack([row for row, _ in registers for _ in range(packed)])
    columns = np.stack([column + k for _, column in registers for k in range(packed)])
    return FragmentTile(rows, columns, shape)
