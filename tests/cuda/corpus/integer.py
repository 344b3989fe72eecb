"""Launches of the kernels in integer.cu: case(kernel, grid, block, arguments), see the package."""

import numpy as np

from . import blank, case, ints


def _out(n, *dtypes):
    return [blank(n, dtype=t) for t in dtypes or (np.int32,)]


case(
    "division_puzzle",
    1,
    64,
    lambda rng: [
        ints(rng, -100, 100, 60),
        ints(rng, 1, 9, 60) * np.where(rng.random(60) < 0.5, -1, 1).astype(np.int32),
        *_out(60, np.int32, np.int32, np.int32),
        60,
    ],
)
case(
    "conversions",
    1,
    64,
    lambda rng: [
        rng.uniform(-700, 700, 60).astype(np.float32),
        *_out(60, np.int32, np.uint8, np.int16, np.float32),
        60,
    ],
)
case(
    "mixed_signs",
    1,
    64,
    lambda rng: [
        ints(rng, -(2**31), 2**31, 60),
        ints(rng, 0, 2**32, 60, dtype=np.uint32),
        *_out(60, np.int32, np.uint32, np.int64),
        60,
    ],
)
case("collatz", 1, 64, lambda rng: [*_out(60), 60])
case("gcd_table", (2, 2), (16, 16), lambda rng: [blank(25, 25, dtype=np.int32), 25])
case("is_prime", 3, 64, lambda rng: [*_out(180), 180])
case("xorshift", 1, 64, lambda rng: [ints(rng, 1, 2**32, 64, dtype=np.uint32), 5])
case(
    "lcg_64",
    1,
    64,
    lambda rng: [ints(rng, 0, 2**63, 64, dtype=np.uint64), blank(64, dtype=np.float64)],
)
case(
    "crc32",
    1,
    32,
    lambda rng: [ints(rng, 0, 256, 32, 11, dtype=np.uint8), *_out(32, np.uint32), 11],
)
case("switch_machine", 1, 64, lambda rng: [ints(rng, 0, 12, 60), *_out(60), 60])
case("nested_loops", 1, 64, lambda rng: [*_out(60), 60])
case("short_circuit", 1, 64, lambda rng: [ints(rng, -9, 10, 50), *_out(50, np.int32, np.int32), 50])
case(
    "morton",
    1,
    64,
    lambda rng: [ints(rng, 0, 65536, 50), ints(rng, 0, 65536, 50), *_out(50, np.uint32), 50],
)
