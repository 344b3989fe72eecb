"""Launches of the kernels in elementwise.cu: case(kernel, grid, block, arguments), see the package."""

import numpy as np

from . import blank, case, floats

case("vector_add", 4, 128, lambda rng: [floats(rng, 500), floats(rng, 500), blank(500), 500])
case("saxpy", 3, 96, lambda rng: [260, 1.75, floats(rng, 260), floats(rng, 260)])
case("scale_grid_stride", 2, 64, lambda rng: [floats(rng, 1000), 0.5, 1000])
case("polynomial", 4, 64, lambda rng: [floats(rng, 250), blank(250), 250])
case(
    "add_2d",
    (3, 5),
    (32, 8),
    lambda rng: [floats(rng, 37, 70), floats(rng, 37, 70), blank(37, 70), 70, 37],
)
case(
    "coordinates_3d", (2, 2, 2), (8, 4, 4), lambda rng: [blank(7, 5, 13, dtype=np.int32), 13, 5, 7]
)
case("odd_even_branches", 2, 128, lambda rng: [floats(rng, 250), blank(250), 250])
case("clamp", 2, 128, lambda rng: [floats(rng, 250), blank(250), -0.5, 0.75, 250])
case(
    "activations",
    2,
    128,
    lambda rng: [floats(rng, 250) * 3, blank(250), blank(250), blank(250), blank(250), 250],
    ulps=4,
)


def black_scholes(rng):
    price, strike = (rng.uniform(20, 40, 150).astype(np.float32) for _ in range(2))
    years = rng.uniform(0.25, 2, 150).astype(np.float32)
    return [price, strike, years, 0.02, 0.3, blank(150), 150]


case("black_scholes", 3, 64, black_scholes, rtol=0.0002, ulps=2000)
