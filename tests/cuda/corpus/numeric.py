import math

import numpy as np

from . import blank, case, floats

F = np.float32


@case("mandelbrot", (3, 3), (16, 8))
def mandelbrot(rng):
    py, px = np.indices((24, 40)).astype(F)
    cx, cy = F(-2) + F(3) * px / F(40), F(-1) + F(2) * py / F(24)
    x, y, count = np.zeros_like(cx), np.zeros_like(cx), np.zeros((24, 40), np.int32)
    for _ in range(40):
        inside = x * x + y * y <= 4
        count += inside
        x, y = np.where(inside, x * x - y * y + cx, x), np.where(inside, F(2) * x * y + cy, y)
    return [blank(24, 40, dtype=np.int32), 40, 24, 40], {0: count}


@case("julia_double", (1, 30), 32)
def julia_double(rng):
    py, px = np.indices((30, 30)).astype(np.float64)
    x, y, count = 3 * px / 30 - 1.5, 3 * py / 30 - 1.5, np.zeros((30, 30), np.uint8)
    for _ in range(50):
        inside = x * x + y * y <= 4
        count += inside
        x, y = np.where(inside, x * x - y * y - 0.8, x), np.where(inside, 2 * x * y + 0.156, y)
    return [blank(30, 30, dtype=np.uint8), 30, -0.8, 0.156], {0: count}


@case("daxpy", 1, 64)
def daxpy(rng):
    x, y = rng.standard_normal(50), rng.standard_normal(50)
    return [50, 1.25, x, y], {3: 1.25 * x + y}


@case("newton_sqrt", 1, 64, rtol=1e-14)
def newton_sqrt(rng):
    x = rng.uniform(0.1, 1000, 50)
    return [x, blank(50, dtype=np.float64), 50], {1: np.sqrt(x)}


@case("mixed_precision", 1, 64)
def mixed_precision(rng):
    a, b = floats(rng, 50), rng.standard_normal(50)
    return [a, b, blank(50), blank(50, dtype=np.float64), 50], {
        2: (a * b).astype(F),
        3: (a / F(3)) + b / 3,
    }


@case("monte_carlo_pi", 2, 64)
def monte_carlo_pi(rng):
    seed, hits = F(0), 0
    seed = 1234567 + 7919 * np.arange(128, dtype=np.uint32)
    for _ in range(20):
        point = []
        for _axis in range(2):
            seed = seed * np.uint32(1664525) + np.uint32(1013904223)
            point.append((seed >> 8).astype(F) / F(16777216))
        hits += int((point[0] ** 2 + point[1] ** 2 < 1).sum())
    return [np.zeros(1, np.uint32), 20], {0: np.array([hits], np.uint32)}


@case("n_body_forces", 1, 64, rtol=1e-3)
def n_body_forces(rng):
    body = floats(rng, 40, 4)
    position, mass = body[:, :3].astype(np.float64), body[:, 3].astype(np.float64)
    d = position[None] - position[:, None]
    d2 = (d * d).sum(2) + 0.01
    return [body, blank(40, 3), 40], {1: (d * (mass / d2**1.5)[..., None]).sum(1).astype(F)}


@case("k_means_assign", 2, 64, shared_mem=40)
def k_means_assign(rng):
    points, centres = floats(rng, 100, 2), floats(rng, 5, 2)
    nearest = ((points[:, None] - centres[None]) ** 2).sum(2).argmin(1).astype(np.int32)
    return [points, centres, blank(100, dtype=np.int32), 100, 5], {2: nearest}


@case("rounding", 1, 64)
def rounding(rng):
    x = np.concatenate([floats(rng, 40) * 5, np.arange(-5, 5, dtype=F) + F(0.5)])
    return [x, *(blank(50) for _ in range(5)), 50], {
        1: np.floor(x),
        2: np.ceil(x),
        3: np.rint(x),
        4: np.trunc(x),
        5: np.fmod(x, F(1.25)),
    }


@case("transcendental", 1, 64, ulps=8)
def transcendental(rng):
    x = rng.uniform(0.1, 20, 50).astype(F)
    exact = x.astype(np.float64)
    return [x, *(blank(50) for _ in range(5)), 50], {
        1: np.sin(exact).astype(F),
        2: np.cos(exact).astype(F),
        3: (exact**1.5).astype(F),
        4: np.log2(exact).astype(F),
        5: np.array([1 / math.sqrt(v) for v in exact], F),
    }
