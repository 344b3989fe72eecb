"""Convolution without columns, and im2col: product.cu, winograd.cu, convolution_*.cu of nnlib/kernels/fast.

A convolution is a matrix product whose columns are never stored. Few channels and small windows make short sums, for
which the direct kernels of convolution_tiled.cu are faster. With many channels and 3×3 windows, Winograd's algorithm
needs fewer multiplications.
"""

from __future__ import annotations

import functools

import numpy as np

from nnlib.device import Array
from nnlib.ops.fast import product, winograd
from nnlib.ops.fast.linear import multiply, sum_parts
from nnlib.ops.fast.prepared import prepared
from nnlib.ops.fast.tiling import Convolution, window_options
from nnlib.ops.launching import Tiling, contiguous, dense, each, empty, run
from nnlib.ops.mixed_precision import current_precision
from nnlib.ops.shapes import (
    Size,
    convolution_output,
    pair,
    require_batch,
    require_countable,
    require_shape,
    split_gradients,
    window_output,
)

_FEW = 16  # with fewer channels, a tile of the product would be mostly empty


class _Tilings:
    """The tilings of a convolution of one shape. One is None where product.cu or winograd.cu computes instead.

    narrow: factors are rounded, so product.cu multiplies.
    """

    def __init__(
        self,
        x: tuple[int, ...],
        w: tuple[int, ...],
        stride: tuple[int, int],
        padding: tuple[int, int],
        narrow: bool,
    ) -> None:
        convolution_output(x, w, stride, padding)
        self.shape, self.N = Convolution.of(x, w, stride, padding), x[0]
        self.x, self.y, self.narrow = x, (self.N, *self.shape.output), narrow
        require_countable(self.y)

    @functools.cached_property
    def forward(self) -> Tiling | None:
        return self.shape.forward(self.N) if self._direct(self.shape.C) else None

    @functools.cached_property
    def backward_weight(self) -> Tiling | None:
        direct = not self.narrow and product.direct_weights(self.shape, self.N)
        return self.shape.backward_weight(self.N) if direct else None

    @functools.cached_property
    def backward_input(self) -> Tiling | None:
        shape, few = self.shape, self.shape.tiled and self.shape.C < _FEW and not self.narrow
        if (shape.SH, shape.SW) != (1, 1):
            return shape.backward_input_strided(self.N) if few else None
        return shape.backward_input(self.N) if few or self._direct(shape.F) else None

    @functools.cached_property
    def winograd(self) -> tuple[bool, bool, bool]:
        """Return whether Winograd is faster than product.cu: for the forward pass, for dx, and for dw."""
        shape, N = self.shape, self.N
        if self.narrow:
            return False, False, False
        return (
            winograd.quicker(shape, N),
            winograd.quicker(shape, N, turned=True),
            winograd.quicker_weights(shape, N),
        )

    def _direct(self, planes: int) -> bool:
        return not self.narrow and product.direct(self.shape, self.N, planes)


def _tilings(x: Array, w: Array, stride: Size, padding: Size) -> _Tilings:
    steps = pair(stride, "stride"), pair(padding, "padding", 0)
    return _Tilings(x.shape, w.shape, *steps, current_precision().narrow)


@prepared
def conv2d(x: Array, w: Array, b: Array, stride: Size = 1, padding: Size = 0) -> Array:
    """Return y (N, F, OH, OW) from x (N, C, H, W), w (F, C, KH, KW), b (F,); needs at most 64 MiB beside y."""
    tilings = _tilings(x, w, stride, padding)
    require_shape("b", b, (tilings.shape.F,))
    (x, w), b = contiguous(x, w), dense(b)
    if tilings.forward is None:
        if tilings.winograd[0]:
            return winograd.forward(tilings.shape, x, w, b)
        whole = product.conv_forward(tilings.shape, tilings.N, current_precision())
        return multiply([whole], w, x, b).reshape(tilings.y)
    y = empty(x, tilings.y)
    run(tilings.forward, x, w, b, y, empty(x, 1, np.int32))
    return y


@prepared
def conv2d_backward(
    dy: Array,
    x: Array,
    w: Array,
    stride: Size = 1,
    padding: Size = 0,
    needs_dx: bool = True,
    out: Array = None,
) -> tuple[Array, Array, Array]:
    """Return (dx, dw, db) from dy (N, F, OH, OW); needs at most 64 MiB beside the results."""
    tilings = _tilings(x, w, stride, padding)
    require_shape("dy", dy, tilings.y)
    require_batch(x)
    dy, x, w = contiguous(dy, x, w)
    dx = _conv2d_backward_input(tilings, dy, w) if needs_dx else None
    sums = empty(x, w.size + tilings.shape.F) if out is None else out
    dw, db = split_gradients(sums, w)
    if tilings.backward_weight is None and tilings.winograd[2]:
        winograd.backward_weight(tilings.shape, dy, x, sums)
    elif tilings.backward_weight is None:
        multiply(
            [product.conv_backward_weight(tilings.shape, tilings.N, current_precision())],
            dy,
            x,
            out=sums,
        )
    else:
        parts = tilings.backward_weight.grid[0]
        partials = sums if parts == 1 else empty(x, (parts, sums.size))
        run(tilings.backward_weight, dy, dy, x, partials, sums.size, tilings.N)
        sum_parts(partials, parts, sums)
    return dx, dw, db


def _conv2d_backward_input(tilings: _Tilings, dy: Array, w: Array) -> Array:
    if tilings.backward_input is None:
        if tilings.winograd[1]:
            return winograd.backward_input(tilings.shape, dy, w)
        products = product.conv_backward_input(tilings.shape, tilings.N, current_precision())
        return multiply(products, w, dy).reshape(tilings.x)
    dx = empty(dy, tilings.x)
    where = (dy,) if (tilings.shape.SH, tilings.shape.SW) == (1, 1) else ()
    run(tilings.backward_input, dy, *where, w, dx)
    return dx


@prepared
def im2col(x: Array, kh: int, kw: int, stride: Size = 1, padding: Size = 0) -> Array:
    """Return columns (N, C·KH·KW, OH·OW), one thread per output pixel and channel."""
    OH, OW = window_output(x.shape, (kh, kw), stride, padding)
    x = contiguous(x)
    N, C, H, W = x.shape
    columns = empty(x, (N, C * kh * kw, OH * OW))
    each(
        "fast/windows",
        "im2col",
        N * C * OH * OW,
        x,
        columns,
        N * C,
        options=window_options(H, W, (kh, kw), stride, padding),
    )
    return columns


@prepared
def col2im(
    columns: Array, x_shape: tuple[int, ...], kh: int, kw: int, stride: Size = 1, padding: Size = 0
) -> Array:
    """Compute the adjoint of im2col, gathered: one thread per pixel of the image (N, C, H, W), no atomics."""
    OH, OW = window_output(x_shape, (kh, kw), stride, padding)
    N, C, H, W = x_shape
    require_shape("columns", columns, (N, C * kh * kw, OH * OW))
    columns = contiguous(columns)
    x = empty(columns, x_shape)
    each(
        "fast/windows",
        "col2im",
        x.size,
        columns,
        x,
        N * C,
        options=window_options(H, W, (kh, kw), stride, padding),
    )
    return x
