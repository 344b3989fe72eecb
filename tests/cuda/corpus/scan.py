import numpy as np

from . import blank, case, ints


@case("scan_hillis_steele", 1, 128)
def scan_hillis_steele(rng):
    x = ints(rng, -50, 50, 120)
    return [x, blank(120, dtype=np.int32), 120]


@case("scan_blelloch", 1, 64, shared_mem=512)
def scan_blelloch(rng):
    x = ints(rng, -50, 50, 128)
    return [x, blank(128, dtype=np.int32)]


@case("scan_warps", 2, 64)
def scan_warps(rng):
    x = ints(rng, -50, 50, 128).astype(np.float32)
    return [x, blank(120), 120]


@case("compact_positive", 1, 128)
def compact_positive(rng):
    x = ints(rng, -5, 6, 120)
    return [x, blank(120, dtype=np.int32), blank(1, dtype=np.int32), 120]
