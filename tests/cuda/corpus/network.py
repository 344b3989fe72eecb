"""Launches of the kernels in network.cu: case(kernel, grid, block, arguments), see the package."""

import numpy as np

from . import blank, case, floats, ints

case("softmax_rows", 3, 64, lambda rng: [floats(rng, 3, 100) * 4, blank(3, 100), 100], ulps=8)
case(
    "layer_norm_warp",
    2,
    (32, 2),
    lambda rng: [floats(rng, 4, 75), blank(4, 75), 75],
    rtol=0.0001,
    ulps=64,
)
case(
    "max_pool",
    2,
    128,
    lambda rng: [floats(rng, 3, 12, 14), blank(3, 6, 7), blank(3, 6, 7, dtype=np.int32), 3, 12, 14],
)
case("average_pool", (1, 4, 3), 32, lambda rng: [floats(rng, 3, 12, 15), blank(3, 4, 5), 12, 15, 3])
case(
    "conv2d_direct",
    (1, 2, 4),
    (16, 8),
    lambda rng: [
        floats(rng, 2, 14, 16),
        floats(rng, 4, 2, 3, 3),
        floats(rng, 4),
        blank(4, 12, 14),
        2,
        14,
        16,
        4,
        3,
    ],
)
case("conv2d_constant", (2, 2), (16, 8), lambda rng: [floats(rng, 14, 20), blank(14, 20), 14, 20])
case("im2col", 10, 128, lambda rng: [floats(rng, 2, 7, 8), blank(2, 3, 3, 7, 8), 2, 7, 8, 3, 1])
case(
    "col2im",
    1,
    128,
    lambda rng: [ints(rng, -9, 10, 2, 3, 3, 5, 6).astype(np.float32), blank(2, 7, 8), 2, 7, 8, 3],
)
case(
    "cross_entropy",
    1,
    64,
    lambda rng: [floats(rng, 50, 10), ints(rng, 0, 10, 50), blank(50), 10, 50],
    ulps=16,
)
