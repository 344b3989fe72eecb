import numpy as np

from . import blank, case, floats

F = np.float32


@case("mandelbrot", (3, 3), (16, 8))
def mandelbrot(rng):
    return [blank(24, 40, dtype=np.int32), 40, 24, 40]


@case("julia_double", (1, 30), 32)
def julia_double(rng):
    return [blank(30, 30, dtype=np.uint8), 30, -0.8, 0.156]


@case("daxpy", 1, 64)
def daxpy(rng):
    x, y = rng.standard_normal(50), rng.standard_normal(50)
    return [50, 1.25, x, y]


@case("newton_sqrt", 1, 64, rtol=1e-14)
def newton_sqrt(rng):
    x = rng.uniform(0.1, 1000, 50)
    return [x, blank(50, dtype=np.float64), 50]


@case("mixed_precision", 1, 64)
def mixed_precision(rng):
    a, b = floats(rng, 50), rng.standard_normal(50)
    return [a, b, blank(50), blank(50, dtype=np.float64), 50]


@case("monte_carlo_pi", 2, 64)
def monte_carlo_pi(rng):
    return [np.zeros(1, np.uint32), 20]


@case("n_body_forces", 1, 64, rtol=1e-3)
def n_body_forces(rng):
    body = floats(rng, 40, 4)
    return [body, blank(40, 3), 40]


@case("k_means_assign", 2, 64, shared_mem=40)
def k_means_assign(rng):
    points, centres = floats(rng, 100, 2), floats(rng, 5, 2)
    return [points, centres, blank(100, dtype=np.int32), 100, 5]


@case("rounding", 1, 64)
def rounding(rng):
    x = np.concatenate([floats(rng, 40) * 5, np.arange(-5, 5, dtype=F) + F(0.5)])
    return [x, *(blank(50) for _ in range(5)), 50]


@case("transcendental", 1, 64, ulps=8)
def transcendental(rng):
    x = rng.uniform(0.1, 20, 50).astype(F)
    return [x, *(blank(50) for _ in range(5)), 50]
