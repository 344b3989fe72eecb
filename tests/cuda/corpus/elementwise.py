import numpy as np

from . import blank, case, floats


@case("vector_add", 4, 128)
def vector_add(rng):
    a, b = floats(rng, 500), floats(rng, 500)
    return [a, b, blank(500), 500]


@case("saxpy", 3, 96)
def saxpy(rng):
    x, y = floats(rng, 260), floats(rng, 260)
    return [260, 1.75, x, y]


@case("scale_grid_stride", 2, 64)
def scale_grid_stride(rng):
    x = floats(rng, 1000)
    return [x, 0.5, 1000]


@case("polynomial", 4, 64)
def polynomial(rng):
    x = floats(rng, 250)
    return [x, blank(250), 250]


@case("add_2d", (3, 5), (32, 8))
def add_2d(rng):
    a, b = floats(rng, 37, 70), floats(rng, 37, 70)
    return [a, b, blank(37, 70), 70, 37]


@case("coordinates_3d", (2, 2, 2), (8, 4, 4))
def coordinates_3d(rng):
    return [blank(7, 5, 13, dtype=np.int32), 13, 5, 7]


@case("odd_even_branches", 2, 128)
def odd_even_branches(rng):
    x = floats(rng, 250)
    return [x, blank(250), 250]


@case("clamp", 2, 128)
def clamp(rng):
    x = floats(rng, 250)
    return [x, blank(250), -0.5, 0.75, 250]


@case("activations", 2, 128, ulps=4)
def activations(rng):
    x = floats(rng, 250) * 3
    return [x, blank(250), blank(250), blank(250), blank(250), 250]


@case("black_scholes", 3, 64, rtol=2e-4, ulps=2000)
def black_scholes(rng):
    price, strike = (rng.uniform(20, 40, 150).astype(np.float32) for _ in range(2))
    years = rng.uniform(0.25, 2, 150).astype(np.float32)
    return [price, strike, years, 0.02, 0.3, blank(150), 150]
