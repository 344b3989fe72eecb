"""Launches of the kernels in matmul.cu: case(kernel, grid, block, arguments), see the package."""

import numpy as np

from . import blank, case, floats, ints


def _matmul(kernel, name, m, n, k, grid, block, options=()):
    def build(rng):
        a, b = floats(rng, m, k), floats(rng, k, n)
        sizes = [n] if kernel in ("matmul_tiled_unrolled", "matmul_registers") else [m, n, k]
        return [a, b, blank(m, n), *sizes]

    build.__module__ = __name__
    case(kernel, grid, block, build, name=name, options=options, rtol=0.0001)


_matmul("matmul_naive", "matmul_naive", 30, 45, 20, (3, 4), (16, 8))
_matmul("matmul_tiled", "matmul_tiled", 40, 50, 20, (4, 3), (16, 16))
_matmul("matmul_tiled", "matmul_tiled_8", 20, 30, 20, (4, 3), (8, 8), ("-DTILE=8",))
_matmul("matmul_tiled_unrolled", "matmul_tiled_unrolled", 32, 32, 32, (2, 2), (16, 16))
_matmul("matmul_registers", "matmul_registers", 64, 64, 64, (2, 2), (8, 8))
case(
    "matvec_warp",
    3,
    64,
    lambda rng: [floats(rng, 5, 100), floats(rng, 100), blank(5), 5, 100],
    rtol=0.0001,
)
case("outer_product", 4, 128, lambda rng: [floats(rng, 20), floats(rng, 20), blank(20, 20), 20])


def spmv_csr(rng):
    lengths = ints(rng, 0, 9, 50)
    start = np.concatenate([[0], lengths.cumsum()]).astype(np.int32)
    column, value, x = ints(rng, 0, 40, start[-1]), floats(rng, start[-1]), floats(rng, 40)
    return [start, column, value, x, blank(50), 50]


case("spmv_csr", 1, 64, spmv_csr, rtol=0.0001)
case(
    "int8_dot_rows",
    1,
    32,
    lambda rng: [
        ints(rng, -128, 128, 32, 40, dtype=np.int8),
        ints(rng, -128, 128, 32, 40, dtype=np.int8),
        blank(32, dtype=np.int32),
        40,
    ],
)
