"""Dropout, its random numbers made by every thread for itself: nnlib/kernels/dropout.cu."""

import numpy as np

from nnlib.device import Array
from nnlib.ops.launching import ceil_div, contiguous, each, empty
from nnlib.ops.shapes import require_dropout, require_shape


def dropout(x: Array, p: float, seed: int, offset: int = 0) -> tuple[Array, Array]:
    """Return (y, mask): philox in every thread, one call for four elements. ValueError for p outside [0, 1)."""
    require_dropout(p)
    x = contiguous(x)
    y, mask = empty(x, x.shape), empty(x, x.shape, np.uint8)
    each(
        "dropout",
        "dropout_forward",
        ceil_div(x.size, 4),
        x,
        y,
        mask,
        x.size,
        int(p * 2**32),
        1 / (1 - p),
        seed % 2**64,
        offset,
    )
    return y, mask


def dropout_backward(dy: Array, mask: Array, p: float) -> Array:
    """Return dx = dy · mask / (1 - p)."""
    require_shape("mask", mask, dy.shape)
    dy, mask = contiguous(dy, mask)
    dx = empty(dy, dy.shape)
    each("dropout", "dropout_backward", ceil_div(dy.size, 4), dy, mask, dx, dy.size, 1 / (1 - p))
    return dx
