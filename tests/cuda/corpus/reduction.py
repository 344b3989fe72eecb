"""Launches of the kernels in reduction.cu: case(kernel, grid, block, arguments), see the package."""

import numpy as np

from . import blank, case, floats, ints


def _block_sums(kernel, dtype):
    def build(rng):
        x = ints(rng, -100, 100, 500, dtype=dtype)
        return [x, blank(4, dtype=dtype), 500]

    build.__module__ = __name__
    case(kernel, 4, 128, build)


_block_sums("reduce_interleaved", np.int32)
_block_sums("reduce_strided_index", np.int32)
_block_sums("reduce_sequential", np.float32)
case(
    "reduce_shuffle",
    2,
    128,
    lambda rng: [ints(rng, -100, 100, 1000).astype(np.float32), blank(2), 1000],
)
case("reduce_atomic", 3, 64, lambda rng: [ints(rng, -100, 100, 170), np.zeros(1, np.int32), 170])
case(
    "reduce_shared_atomic",
    3,
    64,
    lambda rng: [ints(rng, -100, 100, 170).astype(np.float32), np.zeros(1, np.float32), 170],
)
case("reduce_last_warp", 3, 64, lambda rng: [ints(rng, -100, 100, 192), blank(3, dtype=np.int32)])
case(
    "dot_product",
    1,
    128,
    lambda rng: [floats(rng, 1000), floats(rng, 1000), blank(1), 1000],
    shared_mem=512,
)
case(
    "argmax_rows",
    5,
    64,
    lambda rng: [ints(rng, 0, 40, 5, 150).astype(np.float32), blank(5, dtype=np.int32), 150],
)
case(
    "mean_and_variance",
    3,
    64,
    lambda rng: [
        rng.standard_normal((3, 500)),
        blank(3, dtype=np.float64),
        blank(3, dtype=np.float64),
        500,
    ],
)
case(
    "min_and_max",
    2,
    128,
    lambda rng: [
        ints(rng, -1000, 1000, 200),
        np.full(1, 5000, np.int32),
        np.full(1, -5000, np.int32),
        200,
    ],
)
case(
    "last_block_adds_up",
    5,
    64,
    lambda rng: [
        ints(rng, -1000, 1000, 300),
        blank(5, dtype=np.int32),
        np.zeros(1, np.uint32),
        blank(1, dtype=np.int32),
        300,
    ],
)
