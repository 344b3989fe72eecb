import numpy as np

from . import blank, case, floats, ints


@case("softmax_rows", 3, 64, ulps=8)
def softmax_rows(rng):
    x = floats(rng, 3, 100) * 4
    return [x, blank(3, 100), 100]


@case("layer_norm_warp", 2, (32, 2), rtol=1e-4, ulps=64)
def layer_norm_warp(rng):
    x = floats(rng, 4, 75)
    return [x, blank(4, 75), 75]


@case("max_pool", 2, 128)
def max_pool(rng):
    x = floats(rng, 3, 12, 14)
    return [x, blank(3, 6, 7), blank(3, 6, 7, dtype=np.int32), 3, 12, 14]


@case("average_pool", (1, 4, 3), 32)
def average_pool(rng):
    x = floats(rng, 3, 12, 15)
    return [x, blank(3, 4, 5), 12, 15, 3]


@case("conv2d_direct", (1, 2, 4), (16, 8))
def conv2d_direct(rng):
    x, w, b = floats(rng, 2, 14, 16), floats(rng, 4, 2, 3, 3), floats(rng, 4)
    return [x, w, b, blank(4, 12, 14), 2, 14, 16, 4, 3]


@case("conv2d_constant", (2, 2), (16, 8))
def conv2d_constant(rng):
    x = floats(rng, 14, 20)
    return [x, blank(14, 20), 14, 20]


@case("im2col", 10, 128)
def im2col(rng):
    x = floats(rng, 2, 7, 8)
    return [x, blank(2, 3, 3, 7, 8), 2, 7, 8, 3, 1]


@case("col2im", 1, 128)
def col2im(rng):
    columns = ints(rng, -9, 10, 2, 3, 3, 5, 6).astype(np.float32)
    return [columns, blank(2, 7, 8), 2, 7, 8, 3]


@case("cross_entropy", 1, 64, ulps=16)
def cross_entropy(rng):
    x, labels = floats(rng, 50, 10), ints(rng, 0, 10, 50)
    return [x, labels, blank(50), 10, 50]
