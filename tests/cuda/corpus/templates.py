import numpy as np

from . import blank, case, floats, ints


@case("tile_sums<float, 16>", 5, 16)
def tile_sums_float(rng):
    x = floats(rng, 77)
    return [x, blank(5), 77]


@case("tile_sums<double>", 4, 8)
def tile_sums_double(rng):
    x = rng.standard_normal(30)
    return [x, blank(4, dtype=np.float64), 30]


@case("tile_sums<int, 1 << 5>", 3, 32)
def tile_sums_int(rng):
    x = ints(rng, -99, 100, 70)
    return [x, blank(3, dtype=np.int32), 70]


@case("shifted<true>", 1, 40)
def shifted_up(rng):
    x = ints(rng, 0, 2**32, 40, dtype=np.uint32)
    return [x, blank(40, dtype=np.uint32), 5]


@case("shifted<(2 < 1)>", 1, 40)
def shifted_down(rng):
    x = ints(rng, 0, 2**32, 40, dtype=np.uint32)
    return [x, blank(40, dtype=np.uint32), 5]


@case("waits", 1, 3)
def waits(rng):
    return [blank(3, dtype=np.int64)]


@case("mapped<square, float>", 1, 40)
def mapped(rng):
    x = floats(rng, 40)
    return [x, blank(40)]
