"""Convolution without columns, and im2col: nnlib/kernels/product.cu and convolution_*.cu. Lessons 05 and 08.

A convolution is a matrix product with columns that nobody writes down. Few channels and small windows make a short sum,
which the direct kernels of convolution_tiled.cu compute with less ado.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from nnlib.ops import product
from nnlib.ops.kernels.launching import contiguous, each, empty, run
from nnlib.ops.kernels.linear import multiply, sum_parts
from nnlib.ops.shapes import (
    Size,
    convolution_output,
    pair,
    require_batch,
    require_shape,
    split_gradients,
    window_output,
)
from nnlib.ops.tiling import Convolution, window_options

_FEW = 16  # channels: a tile of the product would be empty for the most part
_LARGE = 1 << 22  # numbers of dy


def _convolution(x: Any, w: Any, stride: Size, padding: Size) -> Convolution:
    return _of_shapes(x.shape, w.shape, pair(stride, "stride"), pair(padding, "padding", 0))


@functools.lru_cache(maxsize=1024)
def _of_shapes(x: tuple[int, ...], w: tuple[int, ...], stride: tuple[int, int],
               padding: tuple[int, int]) -> Convolution:
    convolution_output(x, w, stride, padding)
    return Convolution.of(x, w, stride, padding)


def conv2d(x: Any, w: Any, b: Any, stride: Size = 1, padding: Size = 0) -> Any:
    """y (N, F, OH, OW) from x (N, C, H, W), w (F, C, KH, KW), b (F,); needs at most 64 MiB but y."""
    shape = _convolution(x, w, stride, padding)
    require_shape("b", b, (shape.F,))
    x, w, b = contiguous(x, w, b)
    N = x.shape[0]
    if not product.direct(shape, N, shape.C):
        return multiply([product.conv_forward(shape, N)], w, x, b).reshape(N, *shape.output)
    y = empty(x, (N, *shape.output))
    run(shape.forward(N), x, w, b, y, empty(x, 1, np.int32))
    return y


def conv2d_backward(dy: Any, x: Any, w: Any, stride: Size = 1, padding: Size = 0,
                    needs_dx: bool = True, out: Any = None) -> tuple[Any, Any, Any]:
    """(dx, dw, db) from dy (N, F, OH, OW); needs at most 64 MiB beside the results."""
    shape = _convolution(x, w, stride, padding)
    N = x.shape[0]
    require_shape("dy", dy, (N, *shape.output))
    require_batch(x)
    dy, x, w = contiguous(dy, x, w)
    dx = _conv2d_backward_input(shape, dy, w, N) if needs_dx else None
    sums = empty(x, w.size + shape.F) if out is None else out
    dw, db = split_gradients(sums, w)
    if product.direct(shape, N, shape.C) and dy.size < _LARGE:
        parts = shape.parts(N)
        partials = sums if parts == 1 else empty(x, (parts, sums.size))
        run(shape.backward_weight(N), dy, dy, x, partials, sums.size, N)
        sum_parts(partials, parts, sums)
    else:
        multiply([product.conv_backward_weight(shape, N)], dy, x, out=sums)
    return dx, dw, db


def _conv2d_backward_input(shape: Convolution, dy: Any, w: Any, N: int) -> Any:
    dx_shape = (N, shape.C, shape.H, shape.W)
    if (shape.SH, shape.SW) == (1, 1) and (product.direct(shape, N, shape.F) or shape.tiled and shape.C < _FEW):
        dx = empty(dy, dx_shape)
        run(shape.backward_input(N), dy, dy, w, dx)
        return dx
    return multiply(product.conv_backward_input(shape, N), w, dy).reshape(dx_shape)


def im2col(x: Any, kh: int, kw: int, stride: Size = 1, padding: Size = 0) -> Any:
    """Columns (N, C·KH·KW, OH·OW), one thread per output pixel and channel."""
    OH, OW = window_output(x.shape, (kh, kw), stride, padding)
    x = contiguous(x)
    N, C, H, W = x.shape
    columns = empty(x, (N, C * kh * kw, OH * OW))
    each("windows", "im2col", N * C * OH * OW, x, columns, N * C,
          options=window_options(H, W, (kh, kw), stride, padding))
    return columns


def col2im(columns: Any, x_shape: tuple[int, ...], kh: int, kw: int, stride: Size = 1, padding: Size = 0) -> Any:
    """The adjoint of im2col, gathered: one thread per pixel of the image (N, C, H, W), no atomics."""
    OH, OW = window_output(x_shape, (kh, kw), stride, padding)
    N, C, H, W = x_shape
    require_shape("columns", columns, (N, C * kh * kw, OH * OW))
    columns = contiguous(columns)
    x = empty(columns, x_shape)
    each("windows", "col2im", x.size, columns, x, N * C, options=window_options(H, W, (kh, kw), stride, padding))
    return x
