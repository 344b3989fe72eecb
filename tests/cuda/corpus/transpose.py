"""Launches of the kernels in transpose.cu: case(kernel, grid, block, arguments), see the package."""

import numpy as np

from . import blank, case, floats, ints


def _transpose(kernel, block):
    def build(rng):
        x = floats(rng, 50, 70)
        return [x, blank(70, 50), 70, 50]

    build.__module__ = __name__
    case(kernel, (3, 2), block, build)


_transpose("transpose_naive", (32, 32))
_transpose("transpose_tiled", (32, 32))
_transpose("transpose_padded", (32, 8))
case(
    "transpose_swizzled",
    (2, 2),
    (32, 32),
    lambda rng: [ints(rng, -1000, 1000, 64, 64), blank(64, 64, dtype=np.int32), 64],
)


def _shared(kernel, threads, size, stride, lanes, dtype):
    def build(rng):
        x = ints(rng, 0, 200, size, lanes, dtype=dtype)
        return [x, blank(threads, lanes, dtype=dtype), stride]

    build.__module__ = __name__
    case(kernel, 1, threads, build, name=f"{kernel}_{stride}")


for _stride in (1, 2, 4, 5, 32):
    _shared("shared_stride", 32, 1024, _stride, 1, np.float32)
for _stride in (1, 2, 3):
    _shared("shared_doubles", 64, 256, _stride, 1, np.float64)
    _shared("shared_vectors", 64, 128, _stride, 4, np.float32)
    _shared("shared_bytes", 64, 2048, 4 * _stride - 3, 1, np.uint8)
