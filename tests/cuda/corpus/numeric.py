"""Launches of the kernels in numeric.cu: case(kernel, grid, block, arguments), see the package."""

import numpy as np

from . import blank, case, floats

F = np.float32


case("mandelbrot", (3, 3), (16, 8), lambda rng: [blank(24, 40, dtype=np.int32), 40, 24, 40])
case("julia_double", (1, 30), 32, lambda rng: [blank(30, 30, dtype=np.uint8), 30, -0.8, 0.156])
case("daxpy", 1, 64, lambda rng: [50, 1.25, rng.standard_normal(50), rng.standard_normal(50)])
case(
    "newton_sqrt",
    1,
    64,
    lambda rng: [rng.uniform(0.1, 1000, 50), blank(50, dtype=np.float64), 50],
    rtol=1e-14,
)
case(
    "mixed_precision",
    1,
    64,
    lambda rng: [
        floats(rng, 50),
        rng.standard_normal(50),
        blank(50),
        blank(50, dtype=np.float64),
        50,
    ],
)
case("monte_carlo_pi", 2, 64, lambda rng: [np.zeros(1, np.uint32), 20])
case("n_body_forces", 1, 64, lambda rng: [floats(rng, 40, 4), blank(40, 3), 40], rtol=0.001)
case(
    "k_means_assign",
    2,
    64,
    lambda rng: [floats(rng, 100, 2), floats(rng, 5, 2), blank(100, dtype=np.int32), 100, 5],
    shared_mem=40,
)


def rounding(rng):
    x = np.concatenate([floats(rng, 40) * 5, np.arange(-5, 5, dtype=F) + F(0.5)])
    return [x, *(blank(50) for _ in range(5)), 50]


case("rounding", 1, 64, rounding)


def transcendental(rng):
    x = rng.uniform(0.1, 20, 50).astype(F)
    return [x, *(blank(50) for _ in range(5)), 50]


case("transcendental", 1, 64, transcendental, ulps=8)
