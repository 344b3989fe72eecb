"""Launches of the kernels in memory.cu: case(kernel, grid, block, arguments), see the package."""

import numpy as np

from . import blank, case, floats, ints

case("reverse_dynamic", 2, 64, lambda rng: [ints(rng, 0, 1000, 2, 64)], shared_mem=256)
case(
    "two_dynamic_arrays",
    1,
    64,
    lambda rng: [floats(rng, 64), ints(rng, 0, 64, 64), blank(64)],
    shared_mem=512,
)
case("constant_table", 1, 64, lambda rng: [ints(rng, 0, 100, 50), blank(50), 50])
case("pointers_to_locals", 1, 32, lambda rng: [floats(rng, 30, 9), blank(30), 9, 30])
case(
    "local_histogram",
    1,
    32,
    lambda rng: [ints(rng, 0, 256, 20, 40, dtype=np.uint8), blank(20, dtype=np.int32), 40, 20],
)
case("module_variable", 2, 32, lambda rng: [blank(64, dtype=np.int32)])
case(
    "in_place_double_buffer",
    1,
    64,
    lambda rng: [ints(rng, 0, 256, 60).astype(np.float32), blank(60), 60, 3],
)
