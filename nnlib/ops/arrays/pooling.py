"""Maximum and average pooling. Windows may overlap; what does not fill a window is left out. Lesson 05."""

import operator
from typing import Any

import numpy as np

from nnlib.device import Array, array_module
from nnlib.ops.shapes import Size, pair, require_shape, window_output
from nnlib.support.threads import MANY, over_images


def max_pool2d(x: Array, size: Size, stride: Size | None = None) -> tuple[Array, Array]:
    """Return (y, argmax), both (N, C, OH, OW), from x (N, C, H, W).

    argmax (int32) is the flat index into the H·W plane of the image. Of equal values the first wins.

        >>> y, argmax = max_pool2d(np.arange(16, dtype=np.float32).reshape(1, 1, 4, 4), 2)
        >>> y[0, 0].tolist(), argmax[0, 0].tolist()
        ([[5.0, 7.0], [13.0, 15.0]], [[5, 7], [13, 15]])
    """
    xp = array_module(x)
    OH, OW, taps = _taps(x.shape, size, stride)
    N, C, H, W = x.shape
    corner = xp.arange(H * W, dtype=np.int32).reshape(H, W)[taps[0][2]]
    y, argmax = xp.empty((N, C, OH, OW), x.dtype), xp.empty((N, C, OH, OW), np.int32)
    narrow = np.min_scalar_type(
        taps[-1][0] * W + taps[-1][1]
    ).type  # a quarter of int32's memory to read and write

    def pool(images: slice) -> None:
        largest, place = y[images], xp.zeros(y[images].shape, narrow)
        largest[...] = x[images][taps[0][2]]
        for i, j, window in taps[1:]:
            candidate = x[images][window].copy()
            # i·W + j grows from tap to tap, so the maximum is the place of the latest larger one.
            xp.maximum(place, (candidate > largest).view(np.uint8) * narrow(i * W + j), out=place)
            xp.maximum(largest, candidate, out=largest)
        xp.add(place, corner, out=argmax[images])

    over_images(pool, xp, N, 3 * C * OH * OW, threaded=x.size > MANY)
    return y, argmax


def max_pool2d_backward(
    dy: Array,
    argmax: Array,
    x_shape: tuple[int, ...],
    size: Size | None = None,
    stride: Size | None = None,
) -> Array:
    """Return dx (N, C, H, W): every dy goes to the pixel that was the maximum; overlapping windows add up.

    With the size and stride of the windows a kernel can gather, pixel by pixel, and always adds in the same order;
    and where windows do not overlap nothing is added.
    """
    require_shape("dy", dy, argmax.shape)
    xp = array_module(dy)
    N, C, H, W = x_shape
    dx = xp.zeros((N, C * H * W), dy.dtype)
    apart = size is not None and (
        stride is None or all(map(operator.ge, pair(stride, "stride"), pair(size, "size")))
    )

    def scatter(images: slice) -> None:
        planes = dy[images].shape[0] * C
        places = argmax[images].reshape(planes, -1) + xp.arange(planes)[:, None] * (H * W)
        pixels, places = dx[images].reshape(-1), places.reshape(-1)
        if apart:
            pixels[places] = dy[images].reshape(-1)
        else:
            xp.add.at(pixels, places, dy[images].reshape(-1))

    over_images(scatter, xp, N, C * H * W, threaded=dx.size > MANY)
    return dx.reshape(x_shape)


def avg_pool2d(x: Array, size: Size, stride: Size | None = None) -> Array:
    """Return y (N, C, OH, OW): the mean of each window of x (N, C, H, W)."""
    _, _, taps = _taps(x.shape, size, stride)
    return sum(x[window] for _, _, window in taps) * x.dtype.type(1 / len(taps))


def avg_pool2d_backward(
    dy: Array, x_shape: tuple[int, ...], size: Size, stride: Size | None = None
) -> Array:
    """Return dx (N, C, H, W): every dy is shared equally among the pixels of its window."""
    OH, OW, taps = _taps(x_shape, size, stride)
    require_shape("dy", dy, (*x_shape[:2], OH, OW))
    dx = array_module(dy).zeros(x_shape, dy.dtype)
    share = dy * dy.dtype.type(1 / len(taps))
    for _, _, window in taps:
        dx[window] += share
    return dx


def _taps(
    x_shape: tuple[int, ...], size: Size, stride: Size | None
) -> tuple[int, int, list[tuple[int, int, Any]]]:
    """Return (OH, OW, taps): for each position (i, j) in the window, the slices that pick it from all windows at once."""
    KH, KW = pair(size, "size")
    SH, SW = pair(size if stride is None else stride, "stride")
    OH, OW = window_output(x_shape, (KH, KW), (SH, SW))
    return (
        OH,
        OW,
        [
            (i, j, (..., slice(i, i + SH * OH, SH), slice(j, j + SW * OW, SW)))
            for i in range(KH)
            for j in range(KW)
        ],
    )
