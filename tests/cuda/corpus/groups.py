import numpy as np

from . import blank, case, floats, ints


@case("ranks", (3, 2), (5, 8))
def ranks(rng):
    block, thread = np.divmod(np.arange(240), 40)
    rows = [
        thread,
        40,
        thread % 8,
        8,
        thread // 8,
        5,
        thread % 8 // 4,
        4 + 2,
        240,
        block + 6,
        thread // 5 + 10 * (block % 3),
        5 + 300,
    ]
    wanted = np.stack([np.broadcast_to(row, 240) for row in rows], 1).astype(np.int32)
    return [blank(240, 12, dtype=np.int32)], {0: wanted}


@case("tile_shuffles", 2, 32)
def tile_shuffles(rng):
    x = floats(rng, 64)
    i = np.arange(64)
    k = i % 16
    return [x, blank(64), blank(64), blank(64), blank(64)], {
        1: x[np.where(k >= 3, i - 3, i)],
        2: x[np.where(k < 11, i + 5, i)],
        3: x[i ^ 9],
        4: x[i - k + 2],
    }


@case("tile_votes", 1, 32)
def tile_votes(rng):
    x = ints(rng, -99, 100, 4, 8)
    ballot = ((x > 0) << np.arange(8)).sum(1).astype(np.uint32)
    each = [
        np.repeat(v, 8)
        for v in (ballot, (x > 90).any(1).astype(np.int32), (x > -70).all(1).astype(np.int32))
    ]
    return [x, blank(32, dtype=np.uint32), blank(32, dtype=np.int32), blank(32, dtype=np.int32)], {
        1: each[0],
        2: each[1],
        3: each[2],
    }


@case("coalesced_sums", 1, 64)
def coalesced_sums(rng):
    x = ints(rng, -99, 100, 64)
    sums, rank, last = (np.full(64, -1, np.int32) for _ in range(3))
    for warp in (range(32), range(32, 64)):
        there = [i for i in warp if x[i] % 3 == 0]
        for k, i in enumerate(there):
            sums[i], rank[i] = x[there].sum(), 100 * len(there) + k
            last[i] = (
                x[there[-1]]
                + x[there[max(k - 1, 0)]]
                - x[there[k + 2 if k + 2 < len(there) else k]]
            )
    return [x, *(blank(64, dtype=np.int32) for _ in range(3))], {1: sums, 2: rank, 3: last}


@case("block_sum", 3, 128)
def block_sum(rng):
    x = floats(rng, 3, 128)
    return [x, blank(3), blank(3)], {1: x.sum(1), 2: x.max(1)}


@case("partitions", 1, 32)
def partitions(rng):
    x = ints(rng, -99, 100, 32)
    sign, label = x > 0, (x + 99) % 5
    by_sign = [100 * (sign == sign[i]).sum() + (sign == sign[i])[:i].sum() for i in range(32)]
    return [x, *(blank(32, dtype=np.int32) for _ in range(4))], {
        1: np.int32(by_sign),
        2: np.int32([x[label == own].min() for own in label]),
        3: np.cumsum(x, dtype=np.int32),
        4: (np.cumsum(x) - x).astype(np.int32),
    }


@case("any_group", 1, 64)
def any_group(rng):
    i = np.arange(64)
    return [blank(64, dtype=np.int32)], {0: (i + 64_000 - (i % 8 + 8_000)).astype(np.int32)}


@case("grid_reversed", 40, 64, cooperative=True)
def grid_reversed(rng):
    x = floats(rng, 6000)
    return [x, blank(6000), 6000], {0: 2 * x[::-1], 1: 2 * x}
