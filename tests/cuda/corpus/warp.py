"""Launches of the kernels in warp.cu: case(kernel, grid, block, arguments), see the package."""

import numpy as np

from . import blank, case, floats, ints


def votes(rng):
    x = ints(rng, -9, 10, 3, 32)
    return [x, *(blank(96, dtype=t) for t in (np.int32, np.int32, np.uint32, np.int32))]


case("votes", 1, 96, votes)
case("broadcast_and_rotate", 1, 64, lambda rng: [floats(rng, 2, 32), blank(64), blank(64)])


def shuffle_widths(rng):
    x = ints(rng, 0, 1000, 64)
    return [x, *(blank(64, dtype=np.int32) for _ in range(3))]


case("shuffle_widths", 1, 64, shuffle_widths)
case(
    "butterfly_maximum",
    1,
    64,
    lambda rng: [rng.standard_normal((2, 32)), blank(64, dtype=np.float64)],
)
case("half_warp_sum", 1, 64, lambda rng: [ints(rng, -99, 99, 2, 32), blank(2, dtype=np.int32)])
case(
    "bit_tricks",
    1,
    64,
    lambda rng: [
        ints(rng, 0, 2**32, 50, dtype=np.uint32)
        >> ints(rng, 0, 33, 50, dtype=np.uint64).astype(np.uint32),
        blank(50, dtype=np.int32),
        blank(50, dtype=np.uint32),
        blank(50, dtype=np.int32),
        blank(50, dtype=np.uint64),
        50,
    ],
)
