import numpy as np

from . import blank, case, floats, ints


@case("bitonic_sort", 2, 128)
def bitonic_sort(rng):
    x = ints(rng, -500, 500, 2, 128)
    return [
        x,
    ]


@case("bitonic_step", 2, 64)
def bitonic_step(rng):
    x = floats(rng, 128)
    return [x, 8, 16]


@case("odd_even_sort", 1, 64, shared_mem=480)
def odd_even_sort(rng):
    x = floats(rng, 119)
    return [x, 119]


@case("rank_sort", 2, 64)
def rank_sort(rng):
    x = ints(rng, -20, 20, 100)
    return [x, blank(100, dtype=np.int32), 100]


@case("radix_split", 1, 64)
def radix_split(rng):
    x = ints(rng, 0, 256, 64, dtype=np.uint32)
    return [x, blank(64, dtype=np.uint32), 3]


@case("sort_rows_locally", 1, 64)
def sort_rows_locally(rng):
    x = ints(rng, -500, 500, 50, 8, dtype=np.int16)
    return [x, blank(50, 8, dtype=np.int16), 50]


@case("binary_search", 2, 64)
def binary_search(rng):
    x = np.unique(ints(rng, 0, 300, 150))
    wanted = ints(rng, 0, 300, 100)
    return [x, len(x), wanted, blank(100, dtype=np.int32), 100]
