"""Convolution as a matrix product: unfold the image into columns, multiply, fold the gradient back. Lesson 05."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from nnlib.device import array_module
from nnlib.ops.arrays.threads import over_images
from nnlib.ops.shapes import ShapeError, Size, pair, require_batch, require_shape, window_output


def im2col(x: Any, kh: int, kw: int, stride: Size = 1, padding: Size = 0) -> Any:
    """Columns (N, C·KH·KW, OH·OW): under each output pixel stand the inputs its window sees.

    x (N, C, H, W). Row order is that of w.reshape(F, -1); PyTorch calls this `unfold`.
    """
    OH, OW = window_output(x.shape, (kh, kw), stride, padding)
    return _unfold(x, kh, kw, OH, OW, stride, padding, strips=1)[:, 0]


def col2im(columns: Any, x_shape: tuple[int, ...], kh: int, kw: int, stride: Size = 1, padding: Size = 0) -> Any:
    """The adjoint of im2col: every column entry is added to the pixel it came from, (N, C, H, W).

    One slice per kernel tap: within a slice no pixel occurs twice, so no update is lost.
    """
    OH, OW = window_output(x_shape, (kh, kw), stride, padding)
    (N, C, H, W), (SH, SW), (PH, PW) = x_shape, pair(stride, "stride"), pair(padding, "padding", 0)
    require_shape("columns", columns, (N, C * kh * kw, OH * OW))
    windows = columns.reshape(N, C, kh, kw, OH, OW)
    x = array_module(columns).zeros((N, C, H + 2 * PH, W + 2 * PW), columns.dtype)
    for i in range(kh):
        for j in range(kw):
            x[:, :, i:i + SH * OH:SH, j:j + SW * OW:SW] += windows[:, :, i, j]
    return x[:, :, PH:PH + H, PW:PW + W]


def conv2d(x: Any, w: Any, b: Any, stride: Size = 1, padding: Size = 0) -> Any:
    """y (N, F, OH, OW) from x (N, C, H, W), w (F, C, KH, KW), b (F,): a cross-correlation, as in all deep learning."""
    F, K, OH, OW = _sizes(x, w, stride, padding)
    KH, KW = w.shape[2:]
    require_shape("b", b, (F,))
    xp = array_module(x)
    y = xp.empty((x.shape[0], F, OH, OW), x.dtype)
    strips = _strips(xp, F * K * OW, OH)

    def convolve(images: slice) -> None:
        columns = _unfold(x[images], KH, KW, OH, OW, stride, padding, strips)
        xp.matmul(w.reshape(F, K), columns, out=_in_strips(y[images], strips))
        y[images] += b[:, None, None]

    over_images(convolve, xp, x.shape[0], K * OH * OW, threaded=_is_small(F * K * OW))
    return y


def conv2d_backward(dy: Any, x: Any, w: Any, stride: Size = 1, padding: Size = 0,
                    needs_dx: bool = True) -> tuple[Any, Any, Any]:
    """(dx, dw, db) from dy (N, F, OH, OW); dx is None unless needed."""
    F, K, OH, OW = _sizes(x, w, stride, padding)
    N, (KH, KW) = x.shape[0], w.shape[2:]
    require_shape("dy", dy, (N, F, OH, OW))
    require_batch(x)
    xp = array_module(x)
    dx: Any = xp.empty(x.shape, x.dtype) if needs_dx else None
    strips = _strips(xp, F * K * OW, OH)

    def differentiate(images: slice) -> tuple[Any, Any]:
        columns = _unfold(x[images], KH, KW, OH, OW, stride, padding, strips)
        dw = xp.matmul(columns, _in_strips(dy[images], strips).swapaxes(2, 3)).sum(axis=(0, 1))
        if needs_dx:
            dx[images] = _input_gradient(dy[images], w, x[images].shape, stride, padding, strips)
        return dw, dy[images].sum(axis=(2, 3)).sum(axis=0)

    parts = over_images(differentiate, xp, N, K * OH * OW, threaded=_is_small(F * K * OW))
    dw, db = (sum(terms) for terms in zip(*parts, strict=True))
    return dx, dw.T.reshape(w.shape), db


def _sizes(x: Any, w: Any, stride: Size, padding: Size) -> tuple[int, int, int, int]:
    """(F, C·KH·KW, OH, OW)."""
    if x.ndim != 4 or w.ndim != 4 or x.shape[1] != w.shape[1]:
        raise ShapeError(f"got x {x.shape} for w {w.shape}; expected x (N, {w.shape[1] if w.ndim == 4 else 'C'}, H, W)")
    if w.shape[0] == 0:
        raise ShapeError(f"w {w.shape} has no filters")
    return w.shape[0], math.prod(w.shape[1:]), *window_output(x.shape, w.shape[2:], stride, padding)


def _is_small(products: int) -> bool:
    """OpenBLAS works on up to 2**18 products in the calling thread: only then is it ours to divide the batch."""
    return products <= 2**18


def _strips(xp: Any, products_per_row: int, OH: int) -> int:
    """Into how many strips of output rows an image is cut, so that each is one small matrix product if a row is."""
    fits = [rows for rows in range(1, OH + 1) if OH % rows == 0 and _is_small(products_per_row * rows)]
    return OH // fits[-1] if xp is np and fits else 1


def _in_strips(y: Any, strips: int) -> Any:
    """View (N, strips, F, OH·OW / strips) of y (N, F, OH, OW)."""
    return y.reshape(*y.shape[:2], strips, -1).swapaxes(1, 2)


def _unfold(x: Any, kh: int, kw: int, OH: int, OW: int, stride: Size, padding: Size, strips: int) -> Any:
    """Columns (N, strips, C·KH·KW, OH·OW / strips): a strided view of all windows, copied."""
    x = _pad(x, padding)
    (N, C), rows, (SH, SW) = x.shape[:2], OH // strips, pair(stride, "stride")
    image, channel, row, column = x.strides
    windows = array_module(x).lib.stride_tricks.as_strided(
        x, (N, strips, C, kh, kw, rows, OW),
        (image, row * SH * rows, channel, row, column, row * SH, column * SW))
    return windows.reshape(N, strips, C * kh * kw, rows * OW)


def _input_gradient(dy: Any, w: Any, x_shape: tuple[int, ...], stride: Size, padding: Size, strips: int) -> Any:
    """col2im(w.reshape(F, -1).T @ dy), of which only the columns are added up and the rows are gathered.

    One addition per row of the kernel is left, over runs of memory as long as the image: twice as fast.
    """
    xp, (N, F, OH, OW), (_, C, KH, KW) = array_module(dy), dy.shape, w.shape
    (SH, SW), (PH, PW), (H, W) = pair(stride, "stride"), pair(padding, "padding", 0), x_shape[2:]
    shifted = xp.zeros((N, F, KW, OH, W + 2 * PW), dy.dtype)
    for j in range(KW):
        shifted[:, :, j, :, j:j + SW * OW:SW] = dy
    rows = xp.empty((N, KH, C, OH, W + 2 * PW), dy.dtype)
    xp.matmul(w.transpose(2, 1, 0, 3).reshape(KH * C, F * KW), _in_strips(shifted.reshape(N, F * KW, OH, -1), strips),
              out=_in_strips(rows.reshape(N, KH * C, OH, -1), strips))
    dx = xp.zeros((N, C, H + 2 * PH, W + 2 * PW), dy.dtype)
    for i in range(KH):
        dx[:, :, i:i + SH * OH:SH] += rows[:, i]
    return dx[:, :, PH:PH + H, PW:PW + W]


def _pad(x: Any, padding: Size) -> Any:
    PH, PW = pair(padding, "padding", 0)
    if PH == PW == 0:
        return x
    N, C, H, W = x.shape
    padded = array_module(x).zeros((N, C, H + 2 * PH, W + 2 * PW), x.dtype)
    padded[:, :, PH:PH + H, PW:PW + W] = x
    return padded
