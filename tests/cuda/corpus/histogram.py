"""Launches of the kernels in histogram.cu: case(kernel, grid, block, arguments), see the package."""

import numpy as np

from . import blank, case, floats, ints

case(
    "histogram_global",
    4,
    64,
    lambda rng: [ints(rng, 0, 256, 250, dtype=np.uint8), np.zeros(256, np.uint32), 250],
)
case(
    "histogram_shared",
    2,
    96,
    lambda rng: [ints(rng, 0, 256, 1000, dtype=np.uint8), np.zeros(64, np.uint32), 1000],
)
case("take_tickets", 2, 64, lambda rng: [np.zeros(1, np.int32), np.zeros(128, np.int32), 120])
case("maximum_by_cas", 1, 128, lambda rng: [floats(rng, 100), blank(1), 100])
case(
    "bitmap",
    2,
    64,
    lambda rng: [ints(rng, 0, 256, 128), np.zeros(8, np.uint32), np.zeros(8, np.uint32), 128],
)
case(
    "scatter_add",
    2,
    64,
    lambda rng: [
        ints(rng, 0, 10, 128),
        ints(rng, -9, 10, 128).astype(np.float32),
        np.zeros(10, np.float32),
        128,
    ],
)
