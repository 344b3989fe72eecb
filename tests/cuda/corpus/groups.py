import numpy as np

from . import blank, case, floats, ints


@case("ranks", (3, 2), (5, 8))
def ranks(rng):
    return [blank(240, 12, dtype=np.int32)]


@case("tile_shuffles", 2, 32)
def tile_shuffles(rng):
    x = floats(rng, 64)
    return [x, blank(64), blank(64), blank(64), blank(64)]


@case("tile_votes", 1, 32)
def tile_votes(rng):
    x = ints(rng, -99, 100, 4, 8)
    return [x, blank(32, dtype=np.uint32), blank(32, dtype=np.int32), blank(32, dtype=np.int32)]


@case("coalesced_sums", 1, 64)
def coalesced_sums(rng):
    x = ints(rng, -99, 100, 64)
    sums, rank, last = (np.full(64, -1, np.int32) for _ in range(3))
    return [x, *(blank(64, dtype=np.int32) for _ in range(3))]


@case("block_sum", 3, 128)
def block_sum(rng):
    x = floats(rng, 3, 128)
    return [x, blank(3), blank(3)]


@case("partitions", 1, 32)
def partitions(rng):
    x = ints(rng, -99, 100, 32)
    return [x, *(blank(32, dtype=np.int32) for _ in range(4))]


@case("any_group", 1, 64)
def any_group(rng):
    return [blank(64, dtype=np.int32)]


@case("grid_reversed", 40, 64, cooperative=True)
def grid_reversed(rng):
    x = floats(rng, 6000)
    return [x, blank(6000), 6000]
