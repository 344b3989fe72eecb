"""Convolution as lesson 05 explains it: unfold the image into columns, multiply, fold the gradient back.

`conv2d` and `conv2d_backward` of this file are the reference that the fast ones, here and on a GPU, are compared with.
"""

from nnlib.device import Array, array_module
from nnlib.ops.shapes import Size, pair, require_shape, window_output


def conv2d(x: Array, w: Array, b: Array, stride: Size = 1, padding: Size = 0) -> Array:
    """Return y (N, F, OH, OW) from x (N, C, H, W), w (F, C, KH, KW), b (F,): one product per image, filters times columns."""
    N, (F, _, KH, KW) = len(x), w.shape
    y = w.reshape(F, -1) @ im2col(x, KH, KW, stride, padding) + b[:, None]
    return y.reshape(N, F, *window_output(x.shape, (KH, KW), stride, padding))


def conv2d_backward(
    dy: Array, x: Array, w: Array, stride: Size = 1, padding: Size = 0
) -> tuple[Array, Array, Array]:
    """Return (dx, dw, db) from dy (N, F, OH, OW): as in a linear layer, with columns for inputs."""
    (F, _, KH, KW), dy = w.shape, dy.reshape(*dy.shape[:2], -1)
    dx = col2im(w.reshape(F, -1).T @ dy, x.shape, KH, KW, stride, padding)
    dw = (dy @ im2col(x, KH, KW, stride, padding).swapaxes(1, 2)).sum(axis=0)
    return dx, dw.reshape(w.shape), dy.sum(axis=(0, 2))


def im2col(x: Array, kh: int, kw: int, stride: Size = 1, padding: Size = 0) -> Array:
    """Return columns (N, C·KH·KW, OH·OW): under each output pixel stand the inputs its window sees.

    x (N, C, H, W). Row order is that of w.reshape(F, -1); PyTorch calls this `unfold`.
    """
    OH, OW = window_output(x.shape, (kh, kw), stride, padding)
    x, (SH, SW) = pad(x, padding), pair(stride, "stride")
    (N, C), (image, channel, row, column) = x.shape[:2], x.strides
    windows = view(x, (N, C, kh, kw, OH, OW), (image, channel, row, column, row * SH, column * SW))
    return windows.reshape(N, C * kh * kw, OH * OW)


def col2im(
    columns: Array, x_shape: tuple[int, ...], kh: int, kw: int, stride: Size = 1, padding: Size = 0
) -> Array:
    """Compute the adjoint of im2col: add every column entry to the pixel it came from, (N, C, H, W).

    One slice per kernel tap: within a slice no pixel occurs twice, so no update is lost.
    """
    OH, OW = window_output(x_shape, (kh, kw), stride, padding)
    (N, C, H, W), (SH, SW), (PH, PW) = x_shape, pair(stride, "stride"), pair(padding, "padding", 0)
    require_shape("columns", columns, (N, C * kh * kw, OH * OW))
    windows = columns.reshape(N, C, kh, kw, OH, OW)
    x = array_module(columns).zeros((N, C, H + 2 * PH, W + 2 * PW), columns.dtype)
    for i in range(kh):
        for j in range(kw):
            x[:, :, i : i + SH * OH : SH, j : j + SW * OW : SW] += windows[:, :, i, j]
    return x[:, :, PH : PH + H, PW : PW + W]


def view(x: Array, shape: tuple[int, ...], strides: tuple[int, ...]) -> Array:
    """View the memory of x with another shape and other strides, in bytes."""
    return array_module(x).lib.stride_tricks.as_strided(x, shape, strides)


def pad(x: Array, padding: Size) -> Array:
    """Return x with this many zeros around each image."""
    PH, PW = pair(padding, "padding", 0)
    if PH == PW == 0:
        return x
    N, C, H, W = x.shape
    padded = array_module(x).zeros((N, C, H + 2 * PH, W + 2 * PW), x.dtype)
    padded[:, :, PH : PH + H, PW : PW + W] = x
    return padded
