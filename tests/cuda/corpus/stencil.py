"""Launches of the kernels in stencil.cu: case(kernel, grid, block, arguments), see the package."""

import numpy as np

from . import blank, case, floats, ints

case("stencil_1d", 4, 64, lambda rng: [ints(rng, -50, 50, 230), blank(230, dtype=np.int32), 230])
case("heat_step", (3, 4), (16, 8), lambda rng: [floats(rng, 30, 45), blank(30, 45), 45, 30, 0.1])
case(
    "game_of_life",
    (2, 3),
    (16, 8),
    lambda rng: [ints(rng, 0, 2, 24, 24, dtype=np.uint8), blank(24, 24, dtype=np.uint8), 24],
)
case(
    "sobel",
    (3, 3),
    (16, 8),
    lambda rng: [ints(rng, 0, 256, 20, 40, dtype=np.uint8), blank(20, 40, dtype=np.uint8), 40, 20],
)
case("box_blur_tiled", (3, 3), (16, 8), lambda rng: [floats(rng, 20, 40), blank(20, 40), 40, 20])
