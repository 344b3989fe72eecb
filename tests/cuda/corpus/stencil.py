import numpy as np

from . import blank, case, floats, ints


@case("stencil_1d", 4, 64)
def stencil_1d(rng):
    x = ints(rng, -50, 50, 230)
    return [x, blank(230, dtype=np.int32), 230], {
        1: np.convolve(x, np.ones(7, np.int32), "same").astype(np.int32)
    }


@case("heat_step", (3, 4), (16, 8))
def heat_step(rng):
    x = floats(rng, 30, 45)
    y = x.copy()
    y[1:-1, 1:-1] += np.float32(0.1) * (
        x[1:-1, :-2] + x[1:-1, 2:] + x[:-2, 1:-1] + x[2:, 1:-1] - 4 * x[1:-1, 1:-1]
    )
    return [x, blank(30, 45), 45, 30, 0.1], {1: y}


@case("game_of_life", (2, 3), (16, 8))
def game_of_life(rng):
    x = ints(rng, 0, 2, 24, 24, dtype=np.uint8)
    alive = sum(np.roll(x, (dy, dx), (0, 1)) for dy in (-1, 0, 1) for dx in (-1, 0, 1)) - x
    return [x, blank(24, 24, dtype=np.uint8), 24], {
        1: ((alive == 3) | ((alive == 2) & (x == 1))).astype(np.uint8)
    }


@case("sobel", (3, 3), (16, 8))
def sobel(rng):
    x = ints(rng, 0, 256, 20, 40, dtype=np.uint8)
    p = x.astype(np.int32)
    gx = (p[:-2, 2:] + 2 * p[1:-1, 2:] + p[2:, 2:]) - (p[:-2, :-2] + 2 * p[1:-1, :-2] + p[2:, :-2])
    gy = (p[2:, :-2] + 2 * p[2:, 1:-1] + p[2:, 2:]) - (p[:-2, :-2] + 2 * p[:-2, 1:-1] + p[:-2, 2:])
    y = np.zeros((20, 40), np.uint8)
    y[1:-1, 1:-1] = np.minimum(abs(gx) + abs(gy), 255)
    return [x, blank(20, 40, dtype=np.uint8), 40, 20], {1: y}


@case("box_blur_tiled", (3, 3), (16, 8))
def box_blur_tiled(rng):
    x = floats(rng, 20, 40)
    padded = np.pad(x, 1, mode="edge")
    y = sum(padded[dy : dy + 20, dx : dx + 40] for dy in range(3) for dx in range(3)) / 9
    return [x, blank(20, 40), 40, 20], {1: y}
