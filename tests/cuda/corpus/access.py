"""Launches of the kernels in access.cu: case(kernel, grid, block, arguments), see the package."""

import numpy as np

from . import blank, case, floats, ints


def _strided(stride):
    def build(rng):
        x = floats(rng, 256 * stride)
        return [x, blank(256), stride, 256]

    build.__module__ = __name__
    return build


for _stride in (1, 2, 3, 8, 32):
    case("copy_strided", 2, 128, _strided(_stride), name=f"copy_strided_{_stride}")
case("copy_offset", 2, 128, lambda rng: [floats(rng, 270), blank(270), 5, 250])
case(
    "copy_reversed",
    2,
    128,
    lambda rng: [rng.standard_normal(250), blank(250, dtype=np.float64), 250],
)
case(
    "copy_bytes",
    2,
    128,
    lambda rng: [ints(rng, 0, 256, 250, dtype=np.uint8), blank(250, dtype=np.uint8), 250],
)
case("copy_float4", 2, 64, lambda rng: [floats(rng, 480), blank(480), 480])
case("copy_float2_strided", 2, 64, lambda rng: [floats(rng, 300, 2), blank(100, 2), 100])


def gather(rng):
    x, index = floats(rng, 1000), ints(rng, 0, 1000, 250)
    return [index, x, blank(250), 250]


case("gather", 2, 128, gather)


def scatter(rng):
    x, index = floats(rng, 250), rng.permutation(250).astype(np.int32)
    return [index, x, blank(250), 250]


case("scatter", 2, 128, scatter)
case(
    "columns", 1, 64, lambda rng: [ints(rng, -9, 10, 50, 33).astype(np.float32), blank(50), 33, 50]
)
case("walk_with_pointers", 2, 32, lambda rng: [floats(rng, 64, 7), blank(64), 64, 7])
