"""Launches of the kernels in groups.cu: case(kernel, grid, block, arguments), see the package."""

import numpy as np

from . import blank, case, floats, ints

case("ranks", (3, 2), (5, 8), lambda rng: [blank(240, 12, dtype=np.int32)])
case(
    "tile_shuffles",
    2,
    32,
    lambda rng: [floats(rng, 64), blank(64), blank(64), blank(64), blank(64)],
)
case(
    "tile_votes",
    1,
    32,
    lambda rng: [
        ints(rng, -99, 100, 4, 8),
        blank(32, dtype=np.uint32),
        blank(32, dtype=np.int32),
        blank(32, dtype=np.int32),
    ],
)


def coalesced_sums(rng):
    x = ints(rng, -99, 100, 64)
    sums, rank, last = (np.full(64, -1, np.int32) for _ in range(3))
    return [x, *(blank(64, dtype=np.int32) for _ in range(3))]


case("coalesced_sums", 1, 64, coalesced_sums)
case("block_sum", 3, 128, lambda rng: [floats(rng, 3, 128), blank(3), blank(3)])


def partitions(rng):
    x = ints(rng, -99, 100, 32)
    return [x, *(blank(32, dtype=np.int32) for _ in range(4))]


case("partitions", 1, 32, partitions)
case("any_group", 1, 64, lambda rng: [blank(64, dtype=np.int32)])
case("grid_reversed", 40, 64, lambda rng: [floats(rng, 6000), blank(6000), 6000], cooperative=True)
