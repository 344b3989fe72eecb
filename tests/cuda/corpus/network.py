import numpy as np

from . import blank, case, floats, ints


def _windows(x, size):
    return np.lib.stride_tricks.sliding_window_view(x, (size, size), (-2, -1))


@case("softmax_rows", 3, 64, ulps=8)
def softmax_rows(rng):
    x = floats(rng, 3, 100) * 4
    e = np.exp(x.astype(np.float64) - x.max(1, keepdims=True))
    return [x, blank(3, 100), 100], {1: (e / e.sum(1, keepdims=True)).astype(np.float32)}


@case("layer_norm_warp", 2, (32, 2), rtol=1e-4, ulps=64)
def layer_norm_warp(rng):
    x = floats(rng, 4, 75)
    y = (x - x.mean(1, keepdims=True)) / np.sqrt(x.var(1, keepdims=True) + 1e-5)
    return [x, blank(4, 75), 75], {1: y.astype(np.float32)}


@case("max_pool", 2, 128)
def max_pool(rng):
    x = floats(rng, 3, 12, 14)
    blocks = x.reshape(3, 6, 2, 7, 2).transpose(0, 1, 3, 2, 4).reshape(3, 6, 7, 4)
    at = blocks.argmax(3)
    y, col = np.indices((6, 7))
    flat = (2 * y + at // 2) * 14 + 2 * col + at % 2
    return [x, blank(3, 6, 7), blank(3, 6, 7, dtype=np.int32), 3, 12, 14], {
        1: blocks.max(3),
        2: flat.astype(np.int32),
    }


@case("average_pool", (1, 4, 3), 32)
def average_pool(rng):
    x = floats(rng, 3, 12, 15)
    return [x, blank(3, 4, 5), 12, 15, 3], {1: x.reshape(3, 4, 3, 5, 3).mean((2, 4))}


@case("conv2d_direct", (1, 2, 4), (16, 8))
def conv2d_direct(rng):
    x, w, b = floats(rng, 2, 14, 16), floats(rng, 4, 2, 3, 3), floats(rng, 4)
    y = np.einsum("cyxij,fcij->fyx", _windows(x.astype(np.float64), 3), w) + b[:, None, None]
    return [x, w, b, blank(4, 12, 14), 2, 14, 16, 4, 3], {3: y.astype(np.float32)}


@case("conv2d_constant", (2, 2), (16, 8))
def conv2d_constant(rng):
    x = floats(rng, 14, 20)
    p = np.pad(x, 1).astype(np.float64)
    y = 5 * p[1:-1, 1:-1] - p[:-2, 1:-1] - p[2:, 1:-1] - p[1:-1, :-2] - p[1:-1, 2:]
    return [x, blank(14, 20), 14, 20], {1: y.astype(np.float32)}


@case("im2col", 10, 128)
def im2col(rng):
    x = floats(rng, 2, 7, 8)
    y = _windows(np.pad(x, ((0, 0), (1, 1), (1, 1))), 3).transpose(0, 3, 4, 1, 2)
    return [x, blank(2, 3, 3, 7, 8), 2, 7, 8, 3, 1], {1: y.copy()}


@case("col2im", 1, 128)
def col2im(rng):
    columns = ints(rng, -9, 10, 2, 3, 3, 5, 6).astype(np.float32)
    y = np.zeros((2, 7, 8), np.float32)
    for ky in range(3):
        for kx in range(3):
            y[:, ky : ky + 5, kx : kx + 6] += columns[:, ky, kx]
    return [columns, blank(2, 7, 8), 2, 7, 8, 3], {1: y}


@case("cross_entropy", 1, 64, ulps=16)
def cross_entropy(rng):
    x, labels = floats(rng, 50, 10), ints(rng, 0, 10, 50)
    loss = np.log(np.exp(x.astype(np.float64)).sum(1)) - x[np.arange(50), labels]
    return [x, labels, blank(50), 10, 50], {2: loss.astype(np.float32)}
