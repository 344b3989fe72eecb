import numpy as np

from . import blank, case, floats, ints


def _per_lane(rows):
    return np.repeat(rows, 32)


@case("votes", 1, 96)
def votes(rng):
    x = ints(rng, -9, 10, 3, 32)
    ballot = ((x & 1).astype(np.uint32) << np.arange(32, dtype=np.uint32)).sum(1, dtype=np.uint32)
    return [x, *(blank(96, dtype=t) for t in (np.int32, np.int32, np.uint32, np.int32))], {
        1: _per_lane((x > 8).any(1).astype(np.int32)),
        2: _per_lane((x > -9).all(1).astype(np.int32)),
        3: _per_lane(ballot),
        4: _per_lane((x & 1).sum(1, dtype=np.int32)),
    }


@case("broadcast_and_rotate", 1, 64)
def broadcast_and_rotate(rng):
    x = floats(rng, 2, 32)
    return [x, blank(64), blank(64)], {1: _per_lane(x[:, 0]), 2: np.roll(x, -1, 1).ravel()}


@case("shuffle_widths", 1, 64)
def shuffle_widths(rng):
    x = ints(rng, 0, 1000, 64)
    lane = np.arange(64)
    return [x, *(blank(64, dtype=np.int32) for _ in range(3))], {
        1: x[np.where(lane % 8 >= 3, lane - 3, lane)],
        2: x[np.where(lane % 16 < 14, lane + 2, lane)],
        3: x[lane // 4 * 4 + 1],
    }


@case("butterfly_maximum", 1, 64)
def butterfly_maximum(rng):
    x = rng.standard_normal((2, 32))
    return [x, blank(64, dtype=np.float64)], {1: _per_lane(x.max(1))}


@case("half_warp_sum", 1, 64)
def half_warp_sum(rng):
    x = ints(rng, -99, 99, 2, 32)
    return [x, blank(2, dtype=np.int32)], {1: x[:, :16].sum(1, dtype=np.int32)}


@case("bit_tricks", 1, 64)
def bit_tricks(rng):
    x = ints(rng, 0, 2**32, 50, dtype=np.uint32) >> ints(rng, 0, 33, 50, dtype=np.uint64).astype(
        np.uint32
    )
    text = [f"{v:032b}" for v in x]
    wide = [int(v) * int(v) + (int(v) * 0x9E3779B9 >> 32) for v in x]
    return [
        x,
        blank(50, dtype=np.int32),
        blank(50, dtype=np.uint32),
        blank(50, dtype=np.int32),
        blank(50, dtype=np.uint64),
        50,
    ], {
        1: np.array([(t + "1").index("1") for t in text], np.int32),
        2: np.array([int(t[::-1], 2) for t in text], np.uint32),
        3: np.array([(t[::-1].find("1") + 1) for t in text], np.int32),
        4: np.array(wide, np.uint64),
    }
