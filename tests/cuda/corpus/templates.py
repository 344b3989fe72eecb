"""Launches of the kernels in templates.cu: case(kernel, grid, block, arguments), see the package."""

import numpy as np

from . import blank, case, floats, ints

case("tile_sums<float, 16>", 5, 16, lambda rng: [floats(rng, 77), blank(5), 77])
case(
    "tile_sums<double>", 4, 8, lambda rng: [rng.standard_normal(30), blank(4, dtype=np.float64), 30]
)
case(
    "tile_sums<int, 1 << 5>",
    3,
    32,
    lambda rng: [ints(rng, -99, 100, 70), blank(3, dtype=np.int32), 70],
)
case(
    "shifted<true>",
    1,
    40,
    lambda rng: [ints(rng, 0, 2**32, 40, dtype=np.uint32), blank(40, dtype=np.uint32), 5],
)
case(
    "shifted<(2 < 1)>",
    1,
    40,
    lambda rng: [ints(rng, 0, 2**32, 40, dtype=np.uint32), blank(40, dtype=np.uint32), 5],
)
case("waits", 1, 3, lambda rng: [blank(3, dtype=np.int64)])
case("mapped<square, float>", 1, 40, lambda rng: [floats(rng, 40), blank(40)])
