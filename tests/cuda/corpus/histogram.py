import numpy as np

from . import blank, case, floats, ints


@case("histogram_global", 4, 64)
def histogram_global(rng):
    x = ints(rng, 0, 256, 250, dtype=np.uint8)
    return [x, np.zeros(256, np.uint32), 250], {1: np.bincount(x, minlength=256).astype(np.uint32)}


@case("histogram_shared", 2, 96)
def histogram_shared(rng):
    x = ints(rng, 0, 256, 1000, dtype=np.uint8)
    return [x, np.zeros(64, np.uint32), 1000], {
        1: np.bincount(x >> 2, minlength=64).astype(np.uint32)
    }


@case("take_tickets", 2, 64)
def take_tickets(rng):
    holders = np.zeros(128, np.int32)
    return [np.zeros(1, np.int32), holders, 120], {
        0: np.full(1, 120, np.int32),
        1: (np.arange(128) < 120).astype(np.int32),
    }


@case("maximum_by_cas", 1, 128)
def maximum_by_cas(rng):
    x = floats(rng, 100)
    return [x, blank(1), 100], {1: x.max(keepdims=True)}


@case("bitmap", 2, 64)
def bitmap(rng):
    x = ints(rng, 0, 256, 128)
    count = np.bincount(x, minlength=256)
    weights = np.uint32(1) << np.arange(32, dtype=np.uint32)
    words = [
        (flags.reshape(8, 32) * weights).sum(1, dtype=np.uint32) for flags in (count > 0, count % 2)
    ]
    return [x, np.zeros(8, np.uint32), np.zeros(8, np.uint32), 128], {1: words[0], 2: words[1]}


@case("scatter_add", 2, 64)
def scatter_add(rng):
    index, value = ints(rng, 0, 10, 128), ints(rng, -9, 10, 128).astype(np.float32)
    return [index, value, np.zeros(10, np.float32), 128], {
        2: np.bincount(index, value, 10).astype(np.float32)
    }
