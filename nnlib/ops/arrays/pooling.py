"""Maximum and average pooling. Windows may overlap; what does not fill a window is left out. Lesson 05."""

from __future__ import annotations

from typing import Any

import numpy as np

from nnlib.device import array_module
from nnlib.ops.shapes import Size, pair, require_shape, window_output


def max_pool2d(x: Any, size: Size, stride: Size | None = None) -> tuple[Any, Any]:
    """(y, argmax), both (N, C, OH, OW), from x (N, C, H, W).

    argmax (int32) is the flat index into the H·W plane of the image. Of equal values the first wins.
    """
    xp = array_module(x)
    OH, OW, taps = _taps(x.shape, size, stride)
    W = x.shape[3]
    (SH, SW) = pair(size if stride is None else stride, "stride")
    corner = (xp.arange(OH, dtype=np.int32)[:, None] * (SH * W) + xp.arange(OW, dtype=np.int32) * SW)
    y = x[:, :, ::SH, ::SW][:, :, :OH, :OW].copy()
    offset = xp.zeros(y.shape, np.int32)
    for i, j, window in taps:
        candidate = x[window]
        larger = candidate > y
        y = xp.where(larger, candidate, y)
        offset[larger] = i * W + j
    return y, corner + offset


def max_pool2d_backward(dy: Any, argmax: Any, x_shape: tuple[int, ...]) -> Any:
    """dx (N, C, H, W): every dy goes to the pixel that was the maximum; overlapping windows add up."""
    require_shape("dy", dy, argmax.shape)
    xp = array_module(dy)
    N, C, H, W = x_shape
    plane = xp.arange(N * C, dtype=np.int64)[:, None] * (H * W)
    position = (argmax.reshape(N * C, -1) + plane).ravel()
    return xp.bincount(position, weights=dy.ravel(), minlength=N * C * H * W).astype(dy.dtype).reshape(x_shape)


def avg_pool2d(x: Any, size: Size, stride: Size | None = None) -> Any:
    """y (N, C, OH, OW): the mean of each window of x (N, C, H, W)."""
    KH, KW = pair(size, "size")
    OH, OW, taps = _taps(x.shape, size, stride)
    return sum(x[window] for _, _, window in taps) * x.dtype.type(1 / (KH * KW))


def avg_pool2d_backward(dy: Any, x_shape: tuple[int, ...], size: Size, stride: Size | None = None) -> Any:
    """dx (N, C, H, W): every dy is shared equally among the pixels of its window."""
    KH, KW = pair(size, "size")
    OH, OW, taps = _taps(x_shape, size, stride)
    require_shape("dy", dy, (*x_shape[:2], OH, OW))
    dx = array_module(dy).zeros(x_shape, dy.dtype)
    share = dy * dy.dtype.type(1 / (KH * KW))
    for _, _, window in taps:
        dx[window] += share
    return dx


def _taps(x_shape: tuple[int, ...], size: Size, stride: Size | None) -> tuple[int, int, list[tuple[int, int, Any]]]:
    """(OH, OW, taps): for each place (i, j) in the window, the slices that pick it from all windows at once."""
    KH, KW = pair(size, "size")
    SH, SW = pair(size if stride is None else stride, "stride")
    OH, OW = window_output(x_shape, (KH, KW), (SH, SW))
    return OH, OW, [(i, j, (..., slice(i, i + SH * OH, SH), slice(j, j + SW * OW, SW)))
                    for i in range(KH) for j in range(KW)]
