"""Launches of the kernels in sort.cu: case(kernel, grid, block, arguments), see the package."""

import numpy as np

from . import blank, case, floats, ints

case("bitonic_sort", 2, 128, lambda rng: [ints(rng, -500, 500, 2, 128)])
case("bitonic_step", 2, 64, lambda rng: [floats(rng, 128), 8, 16])
case("odd_even_sort", 1, 64, lambda rng: [floats(rng, 119), 119], shared_mem=480)
case("rank_sort", 2, 64, lambda rng: [ints(rng, -20, 20, 100), blank(100, dtype=np.int32), 100])
case(
    "radix_split",
    1,
    64,
    lambda rng: [ints(rng, 0, 256, 64, dtype=np.uint32), blank(64, dtype=np.uint32), 3],
)
case(
    "sort_rows_locally",
    1,
    64,
    lambda rng: [ints(rng, -500, 500, 50, 8, dtype=np.int16), blank(50, 8, dtype=np.int16), 50],
)


def binary_search(rng):
    x = np.unique(ints(rng, 0, 300, 150))
    wanted = ints(rng, 0, 300, 100)
    return [x, len(x), wanted, blank(100, dtype=np.int32), 100]


case("binary_search", 2, 64, binary_search)
