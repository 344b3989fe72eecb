"""Convolution as a matrix product: unfold the image into columns, multiply, fold the gradient back. Lesson 05."""

from __future__ import annotations

from typing import Any

from nnlib.device import array_module
from nnlib.ops.shapes import ShapeError, Size, pair, require_shape, window_output


def im2col(x: Any, kh: int, kw: int, stride: Size = 1, padding: Size = 0) -> Any:
    """Columns (N, C·KH·KW, OH·OW): under each output pixel stand the inputs its window sees.

    x (N, C, H, W). Row order is that of w.reshape(F, -1); PyTorch calls this `unfold`.
    """
    xp = array_module(x)
    OH, OW = window_output(x.shape, (kh, kw), stride, padding)
    (SH, SW), (N, C) = pair(stride, "stride"), x.shape[:2]
    x = _pad(x, padding)
    columns = xp.empty((N, C, kh, kw, OH, OW), x.dtype)
    for i in range(kh):
        for j in range(kw):
            columns[:, :, i, j] = x[:, :, i:i + SH * OH:SH, j:j + SW * OW:SW]
    return columns.reshape(N, C * kh * kw, OH * OW)


def col2im(columns: Any, x_shape: tuple[int, ...], kh: int, kw: int, stride: Size = 1, padding: Size = 0) -> Any:
    """The adjoint of im2col: every column entry is added to the pixel it came from.

    One slice per kernel tap: within a slice no pixel occurs twice, so no update is lost.
    """
    xp = array_module(columns)
    OH, OW = window_output(x_shape, (kh, kw), stride, padding)
    (SH, SW), (PH, PW) = pair(stride, "stride"), pair(padding, "padding", 0)
    N, C, H, W = x_shape
    require_shape("columns", columns, (N, C * kh * kw, OH * OW))
    columns = columns.reshape(N, C, kh, kw, OH, OW)
    x = xp.zeros((N, C, H + 2 * PH, W + 2 * PW), columns.dtype)
    for i in range(kh):
        for j in range(kw):
            x[:, :, i:i + SH * OH:SH, j:j + SW * OW:SW] += columns[:, :, i, j]
    return x[:, :, PH:PH + H, PW:PW + W]


def conv2d(x: Any, w: Any, b: Any, stride: Size = 1, padding: Size = 0) -> Any:
    """y (N, F, OH, OW) from x (N, C, H, W), w (F, C, KH, KW), b (F,): a cross-correlation, as in all deep learning."""
    _check(x, w)
    F, _, KH, KW = w.shape
    require_shape("b", b, (F,))
    OH, OW = window_output(x.shape, (KH, KW), stride, padding)
    y = w.reshape(F, -1) @ im2col(x, KH, KW, stride, padding)
    y += b[:, None]
    return y.reshape(x.shape[0], F, OH, OW)


def conv2d_backward(dy: Any, x: Any, w: Any, stride: Size = 1, padding: Size = 0,
                    needs_dx: bool = True) -> tuple[Any, Any, Any]:
    """(dx, dw, db) from dy (N, F, OH, OW); dx is None unless needed."""
    _check(x, w)
    F, _, KH, KW = w.shape
    OH, OW = window_output(x.shape, (KH, KW), stride, padding)
    require_shape("dy", dy, (x.shape[0], F, OH, OW))
    dy = dy.reshape(x.shape[0], F, OH * OW)
    columns = im2col(x, KH, KW, stride, padding)
    dw = (dy @ columns.swapaxes(1, 2)).sum(axis=0).reshape(w.shape)
    dx = col2im(w.reshape(F, -1).T @ dy, x.shape, KH, KW, stride, padding) if needs_dx else None
    return dx, dw, dy.sum(axis=(0, 2))


def _check(x: Any, w: Any) -> None:
    if x.ndim != 4 or w.ndim != 4 or x.shape[1] != w.shape[1]:
        raise ShapeError(f"got x {x.shape} for w {w.shape}; expected x (N, {w.shape[1] if w.ndim == 4 else 'C'}, H, W)")


def _pad(x: Any, padding: Size) -> Any:
    PH, PW = pair(padding, "padding", 0)
    if PH == PW == 0:
        return x
    N, C, H, W = x.shape
    padded = array_module(x).zeros((N, C, H + 2 * PH, W + 2 * PW), x.dtype)
    padded[:, :, PH:PH + H, PW:PW + W] = x
    return padded
