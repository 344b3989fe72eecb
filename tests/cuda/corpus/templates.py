import numpy as np

from . import blank, case, floats, ints


def _sums(x, tile):
    padded = np.zeros(-(-len(x) // tile) * tile, x.dtype)
    padded[: len(x)] = x
    total = np.zeros(len(padded) // tile, x.dtype)
    for column in padded.reshape(-1, tile).T:  # in the kernel's order
        total += column
    return total


@case("tile_sums<float, 16>", 5, 16)
def tile_sums_float(rng):
    x = floats(rng, 77)
    return [x, blank(5), 77], {1: _sums(x * x, 16)}


@case("tile_sums<double>", 4, 8)
def tile_sums_double(rng):
    x = rng.standard_normal(30)
    return [x, blank(4, dtype=np.float64), 30], {1: _sums(x * x, 8)}


@case("tile_sums<int, 1 << 5>", 3, 32)
def tile_sums_int(rng):
    x = ints(rng, -99, 100, 70)
    return [x, blank(3, dtype=np.int32), 70], {1: _sums(x * x + 1, 32)}


@case("shifted<true>", 1, 40)
def shifted_up(rng):
    x = ints(rng, 0, 2**32, 40, dtype=np.uint32)
    return [x, blank(40, dtype=np.uint32), 5], {1: x << np.uint32(3)}


@case("shifted<(2 < 1)>", 1, 40)
def shifted_down(rng):
    x = ints(rng, 0, 2**32, 40, dtype=np.uint32)
    return [x, blank(40, dtype=np.uint32), 5], {1: x >> np.uint32(5)}


@case("waits", 1, 3)
def waits(rng):
    return [blank(3, dtype=np.int64)], {0: np.ones(3, np.int64)}


@case("mapped<square, float>", 1, 40)
def mapped(rng):
    x = floats(rng, 40)
    square = x * x
    return [x, blank(40)], {1: square + square * square - x / 4}
