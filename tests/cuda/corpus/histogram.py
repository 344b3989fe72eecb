import numpy as np

from . import blank, case, floats, ints


@case("histogram_global", 4, 64)
def histogram_global(rng):
    x = ints(rng, 0, 256, 250, dtype=np.uint8)
    return [x, np.zeros(256, np.uint32), 250]


@case("histogram_shared", 2, 96)
def histogram_shared(rng):
    x = ints(rng, 0, 256, 1000, dtype=np.uint8)
    return [x, np.zeros(64, np.uint32), 1000]


@case("take_tickets", 2, 64)
def take_tickets(rng):
    holders = np.zeros(128, np.int32)
    return [np.zeros(1, np.int32), holders, 120]


@case("maximum_by_cas", 1, 128)
def maximum_by_cas(rng):
    x = floats(rng, 100)
    return [x, blank(1), 100]


@case("bitmap", 2, 64)
def bitmap(rng):
    x = ints(rng, 0, 256, 128)
    return [x, np.zeros(8, np.uint32), np.zeros(8, np.uint32), 128]


@case("scatter_add", 2, 64)
def scatter_add(rng):
    index, value = ints(rng, 0, 10, 128), ints(rng, -9, 10, 128).astype(np.float32)
    return [index, value, np.zeros(10, np.float32), 128]
