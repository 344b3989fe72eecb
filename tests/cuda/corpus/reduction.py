import numpy as np

from . import blank, case, floats, ints


def _block_sums(kernel, dtype):
    def build(rng):
        x = ints(rng, -100, 100, 500, dtype=dtype)
        return [x, blank(4, dtype=dtype), 500]

    build.__module__ = __name__
    case(kernel, 4, 128)(build)


_block_sums("reduce_interleaved", np.int32)
_block_sums("reduce_strided_index", np.int32)
_block_sums("reduce_sequential", np.float32)


@case("reduce_shuffle", 2, 128)
def reduce_shuffle(rng):
    x = ints(rng, -100, 100, 1000).astype(np.float32)
    return [x, blank(2), 1000]


@case("reduce_atomic", 3, 64)
def reduce_atomic(rng):
    x = ints(rng, -100, 100, 170)
    return [x, np.zeros(1, np.int32), 170]


@case("reduce_shared_atomic", 3, 64)
def reduce_shared_atomic(rng):
    x = ints(rng, -100, 100, 170).astype(np.float32)
    return [x, np.zeros(1, np.float32), 170]


@case("reduce_last_warp", 3, 64)
def reduce_last_warp(rng):
    x = ints(rng, -100, 100, 192)
    return [x, blank(3, dtype=np.int32)]


@case("dot_product", 1, 128, shared_mem=512)
def dot_product(rng):
    a, b = floats(rng, 1000), floats(rng, 1000)
    return [a, b, blank(1), 1000]


@case("argmax_rows", 5, 64)
def argmax_rows(rng):
    x = ints(rng, 0, 40, 5, 150).astype(np.float32)
    return [x, blank(5, dtype=np.int32), 150]


@case("mean_and_variance", 3, 64)
def mean_and_variance(rng):
    x = rng.standard_normal((3, 500))
    return [x, blank(3, dtype=np.float64), blank(3, dtype=np.float64), 500]


@case("min_and_max", 2, 128)
def min_and_max(rng):
    x = ints(rng, -1000, 1000, 200)
    return [x, np.full(1, 5000, np.int32), np.full(1, -5000, np.int32), 200]


@case("last_block_adds_up", 5, 64)
def last_block_adds_up(rng):
    x = ints(rng, -1000, 1000, 300)
    return [x, blank(5, dtype=np.int32), np.zeros(1, np.uint32), blank(1, dtype=np.int32), 300]
