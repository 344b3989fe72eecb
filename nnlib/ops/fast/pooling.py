"""Maximum and average pooling, one thread per window: nnlib/kernels/fast/windows.cu and pooling.cu."""

from __future__ import annotations

import numpy as np

from nnlib.device import Array, array_module
from nnlib.ops.fast.prepared import prepared
from nnlib.ops.fast.tiling import pooling_cells, window_options
from nnlib.ops.launching import contiguous, each, empty
from nnlib.ops.shapes import Size, require_shape, window_output


def _pooling(
    x_shape: tuple[int, ...], size: Size, stride: Size | None
) -> tuple[tuple[int, ...], tuple[str, ...]]:
    """Return (shape of y, options of the kernels)."""
    stride = size if stride is None else stride
    pixels = window_output(x_shape, size, stride)  # refuses what is no batch of images
    N, C, H, W = x_shape
    return (N, C, *pixels), window_options(H, W, size, stride)


@prepared
def max_pool2d(x: Array, size: Size, stride: Size | None = None) -> tuple[Array, Array]:
    """Return (y, argmax), both (N, C, OH, OW); argmax (int32) is the flat index into the H·W plane."""
    shape, options = _pooling(x.shape, size, stride)
    x = contiguous(x)
    y, argmax = empty(x, shape), empty(x, shape, np.int32)
    each(
        "fast/windows",
        "max_pool_forward",
        y.size,
        x,
        y,
        argmax,
        x.shape[0] * x.shape[1],
        options=options,
    )
    return y, argmax


@prepared
def max_pool2d_backward(
    dy: Array,
    argmax: Array,
    x_shape: tuple[int, ...],
    size: Size | None = None,
    stride: Size | None = None,
) -> Array:
    """Return dx (N, C, H, W): gathered where the windows are known, else scattered with atomic additions."""
    require_shape("dy", dy, argmax.shape)
    dy, argmax = contiguous(dy, argmax)
    N, C, H, W = x_shape
    if size is not None:
        dx = empty(dy, x_shape)
        cells = pooling_cells(N * C, H, W, size if stride is None else stride)
        each(
            "fast/windows",
            "max_pool_backward",
            cells,
            dy,
            argmax,
            dx,
            N * C,
            options=_pooling(x_shape, size, stride)[1],
        )
        return dx
    dx = array_module(dy).zeros(x_shape, np.float32)
    each("pooling", "max_pool_backward_atomic", dy.size, dy, argmax, dx, N * C, H, W, *dy.shape[2:])
    return dx


@prepared
def avg_pool2d(x: Array, size: Size, stride: Size | None = None) -> Array:
    """Return y (N, C, OH, OW): the mean of each window."""
    shape, options = _pooling(x.shape, size, stride)
    x = contiguous(x)
    y = empty(x, shape)
    each("fast/windows", "avg_pool_forward", y.size, x, y, x.shape[0] * x.shape[1], options=options)
    return y


@prepared
def avg_pool2d_backward(
    dy: Array, x_shape: tuple[int, ...], size: Size, stride: Size | None = None
) -> Array:
    """Return dx (N, C, H, W): equal shares of dy, gathered."""
    shape, options = _pooling(x_shape, size, stride)
    require_shape("dy", dy, shape)
    dy = contiguous(dy)
    dx = empty(dy, x_shape)
    N, C, H, W = x_shape
    cells = pooling_cells(N * C, H, W, size if stride is None else stride)
    each("fast/windows", "avg_pool_backward", cells, dy, dx, N * C, options=options)
    return dx
