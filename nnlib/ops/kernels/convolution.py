"""Convolution without columns, tile by tile in shared memory, and im2col: nnlib/kernels/convolution*.cu. Lesson 05.

Windows too large for the tiled kernels, and strides in the input gradient, take the first, naive versions.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from nnlib.ops.kernels.launching import BLOCK, contiguous, each, empty, run
from nnlib.ops.kernels.linear import sum_parts
from nnlib.ops.shapes import Size, convolution_output, pair, require_batch, require_shape, window_output
from nnlib.ops.tiling import Convolution, window_options


def _convolution(x: Any, w: Any, stride: Size, padding: Size) -> Convolution:
    convolution_output(x, w, stride, padding)
    return Convolution.of(x.shape, w.shape, pair(stride, "stride"), pair(padding, "padding", 0))


def conv2d(x: Any, w: Any, b: Any, stride: Size = 1, padding: Size = 0) -> Any:
    """y (N, F, OH, OW) from x (N, C, H, W), w (F, C, KH, KW), b (F,); needs no memory but y."""
    shape = _convolution(x, w, stride, padding)
    require_shape("b", b, (shape.F,))
    x, w, b = contiguous(x, w, b)
    N = x.shape[0]
    y = empty(x, (N, *shape.output))
    if shape.tiled and y.size:
        run(shape.forward(N), x, w, b, y, empty(x, 1, np.int32))
    else:
        each("convolution", "conv_forward_naive", y.size, x, w, b, y, *shape.sizes(N))
    return y


def conv2d_backward(dy: Any, x: Any, w: Any, stride: Size = 1, padding: Size = 0,
                    needs_dx: bool = True) -> tuple[Any, Any, Any]:
    """(dx, dw, db) from dy (N, F, OH, OW); at most 128 partial sums per weight are kept meanwhile."""
    shape = _convolution(x, w, stride, padding)
    N = x.shape[0]
    require_shape("dy", dy, (N, *shape.output))
    require_batch(x)
    dy, x, w = contiguous(dy, x, w)
    dx = _conv2d_backward_input(shape, dy, w, N) if needs_dx else None
    if shape.tiled:
        parts, entries = shape.parts(N), shape.weights + shape.F
        partials = empty(x, (parts, entries))
        run(shape.backward_weight(N), dy, dy, x, partials, entries, N)
        sums = sum_parts(partials)
        return dx, sums[:shape.weights].reshape(w.shape), sums[shape.weights:]
    dw, db = empty(x, w.shape), empty(x, shape.F)
    each("convolution", "conv_backward_weight_warp", 32 * w.size, dy, x, dw, *shape.sizes(N))
    each("convolution", "conv_backward_bias", BLOCK * shape.F, dy, db, N, shape.F, shape.OH * shape.OW)
    return dx, dw, db


def _conv2d_backward_input(shape: Convolution, dy: Any, w: Any, N: int) -> Any:
    dx = empty(dy, (N, shape.C, shape.H, shape.W))
    if shape.tiled and (shape.SH, shape.SW) == (1, 1):
        run(shape.backward_input(N), dy, dy, w, dx)
    else:
        each("convolution", "conv_backward_input_naive", dx.size, dy, w, dx, *shape.sizes(N))
    return dx


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
