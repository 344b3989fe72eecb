"""Launches of the kernels in scan.cu: case(kernel, grid, block, arguments), see the package."""

import numpy as np

from . import blank, case, ints

case(
    "scan_hillis_steele",
    1,
    128,
    lambda rng: [ints(rng, -50, 50, 120), blank(120, dtype=np.int32), 120],
)
case(
    "scan_blelloch",
    1,
    64,
    lambda rng: [ints(rng, -50, 50, 128), blank(128, dtype=np.int32)],
    shared_mem=512,
)
case("scan_warps", 2, 64, lambda rng: [ints(rng, -50, 50, 128).astype(np.float32), blank(120), 120])
case(
    "compact_positive",
    1,
    128,
    lambda rng: [ints(rng, -5, 6, 120), blank(120, dtype=np.int32), blank(1, dtype=np.int32), 120],
)
