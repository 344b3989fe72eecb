"""Dropout with a counter-based generator: the mask is a pure function of seed, offset and position. Lesson 06.

Philox4x32-10: Salmon et al. 2011, "Parallel random numbers: as easy as 1, 2, 3". Being pure, it gives the
same numbers in NumPy, in CuPy and in a CUDA thread that knows nothing of its neighbours.
"""

from typing import Any

import numpy as np

from nnlib.device import Array, array_module
from nnlib.ops.shapes import require_dropout, require_shape

_MULTIPLIERS = (0xD2511F53, 0xCD9E8D57)
_WEYL = (0x9E3779B9, 0xBB67AE85)
_LOW = 0xFFFFFFFF


def philox(count: int, seed: int, offset: int = 0, xp: Any = np) -> Array:
    """Return `count` random uint32. Number i is lane i % 4 of counter (i // 4 + offset) under the 64-bit key `seed`."""
    blocks = xp.arange(-(-count // 4), dtype=np.uint64) + np.uint64(offset)
    # 32-bit words in 64-bit registers: the high half of a product is then a shift away.
    c0, c1 = blocks & _LOW, blocks >> 32
    c2 = c3 = xp.zeros_like(blocks)
    key0, key1 = seed & _LOW, (seed >> 32) & _LOW
    for _ in range(10):
        product0, product1 = c0 * _MULTIPLIERS[0], c2 * _MULTIPLIERS[1]
        c0, c1, c2, c3 = (
            (product1 >> 32) ^ c1 ^ key0,
            product1 & _LOW,
            (product0 >> 32) ^ c3 ^ key1,
            product0 & _LOW,
        )
        key0, key1 = (key0 + _WEYL[0]) & _LOW, (key1 + _WEYL[1]) & _LOW
    return xp.stack([c0, c1, c2, c3], axis=1).astype(np.uint32).ravel()[:count]


def dropout(x: Array, p: float, seed: int, offset: int = 0) -> tuple[Array, Array]:
    """Return (y, mask): y = x · mask / (1 - p), mask uint8 of x's shape, zero with probability p.

    Element i is dropped where philox(i) < p · 2³². The mean of y is that of x, so evaluation needs no scaling.
    """
    require_dropout(p)
    threshold = np.uint32(int(p * 2**32))
    mask = (
        (philox(x.size, seed, offset, array_module(x)) >= threshold)
        .astype(np.uint8)
        .reshape(x.shape)
    )
    return dropout_backward(x, mask, p), mask


def dropout_backward(dy: Array, mask: Array, p: float) -> Array:
    """Return dx = dy · mask / (1 - p): dropout is linear, so forward and backward are the same map."""
    require_shape("mask", mask, dy.shape)
    return dy * mask * dy.dtype.type(1 / (1 - p))
