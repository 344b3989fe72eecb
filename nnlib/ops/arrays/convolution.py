"""Convolution as a matrix product, tuned: the columns of columns.py, of which most are never written. Lesson 05."""

from collections.abc import Callable
from typing import Any

from nnlib.device import Array, array_module
from nnlib.ops.arrays.columns import pad, view
from nnlib.ops.mixed_precision import current_precision
from nnlib.ops.shapes import (
    Size,
    convolution_output,
    pair,
    require_batch,
    require_shape,
    split_gradients,
)
from nnlib.support.threads import over_images


def conv2d(x: Array, w: Array, b: Array, stride: Size = 1, padding: Size = 0) -> Array:
    """Return y (N, F, OH, OW) from x (N, C, H, W), w (F, C, KH, KW), b (F,): a cross-correlation, as in all deep learning."""
    F, OH, OW = _sizes(x, w, stride, padding)
    require_shape("b", b, (F,))
    xp, rounded = array_module(x), current_precision().rounded
    x, w = rounded(x), rounded(w)
    y = xp.empty((x.shape[0], F, OH, OW), x.dtype)
    weights = w.swapaxes(1, 2).reshape(F, -1)

    def convolve(images: slice) -> None:
        rows = xp.matmul(weights, _windows_by_row(x[images], w, OH, OW, stride, padding))
        y[images] = rows.reshape(OH, F, -1, OW).swapaxes(0, 2)
        # Of whole images: added while they are copied, row by row, it takes longer
        y[images] += b[:, None, None]

    _over_images(convolve, x, w, OH, OW)
    return y


def conv2d_backward(
    dy: Array,
    x: Array,
    w: Array,
    stride: Size = 1,
    padding: Size = 0,
    needs_dx: bool = True,
    out: Array = None,
) -> tuple[Array, Array, Array]:
    """Return (dx, dw, db) from dy (N, F, OH, OW); dx is None unless needed. out: a flat array that takes dw, then db."""
    F, OH, OW = _sizes(x, w, stride, padding)
    (C, KH, KW), xp = w.shape[1:], array_module(x)
    require_shape("dy", dy, (x.shape[0], F, OH, OW))
    require_batch(x)
    kind = current_precision()
    dy, x, w = kind.rounded_gradient(dy), kind.rounded(x), kind.rounded(w)
    dx: Array = xp.empty(x.shape, x.dtype) if needs_dx else None
    dw, db = split_gradients(xp.empty(w.size + F, x.dtype) if out is None else out, w)

    def differentiate(images: slice) -> tuple[Array, Array]:
        biases = dy[images].sum(axis=0).sum(axis=(1, 2))
        # BLAS sums over pixels twice as fast if they are the rows of dy, not its columns.
        pixels = xp.ascontiguousarray(dy[images].transpose(2, 0, 3, 1)).reshape(OH, -1, F)
        weights = xp.matmul(_windows_by_row(x[images], w, OH, OW, stride, padding), pixels).sum(
            axis=0
        )
        if needs_dx:
            dx[images] = _input_gradient(dy[images], w, x.shape, stride, padding)
        return weights, biases

    weights, biases = zip(*_over_images(differentiate, x, w, OH, OW), strict=True)
    dw[...], db[...] = sum(weights).T.reshape(F, KH, C, KW).swapaxes(1, 2), sum(biases)
    return dx, dw, db


def _sizes(x: Array, w: Array, stride: Size, padding: Size) -> tuple[int, int, int]:
    """Return (F, OH, OW)."""
    return w.shape[0], *convolution_output(x.shape, w.shape, stride, padding)


def _over_images(work: Callable[[slice], Any], x: Any, w: Any, OH: int, OW: int) -> list[Any]:
    floats = x.shape[2] * w.shape[1] * w.shape[3] * OW
    return over_images(
        work, array_module(x), len(x), floats, threaded=len(x) * w.size * OH * OW > 2**22
    )


def _windows_by_row(x: Array, w: Array, OH: int, OW: int, stride: Size, padding: Size) -> Array:
    """Return (OH, KH·C·KW, N·OW): im2col for one output row at a time, over all images.

    Only the columns of the kernel are unfolded, KW copies of x. With the rows of the image outermost, the KH rows
    that an output row sees lie one after another in memory, and overlap with those of the next: a view is enough.
    """
    x = pad(x, padding).copy()  # read in order: the jumps of the next copy then find x in the cache
    (_, C, KH, KW), (SH, SW) = w.shape, pair(stride, "stride")
    N, _, H, _ = x.shape
    image, channel, row, column = x.strides
    unfolded = view(x, (H, C, KW, N, OW), (row, channel, column, image, column * SW)).copy()
    row, _, line, _, column = unfolded.strides
    return view(unfolded, (OH, KH * C * KW, N * OW), (row * SH, line, column))


def _input_gradient(
    dy: Array, w: Array, x_shape: tuple[int, ...], stride: Size, padding: Size
) -> Array:
    """Return col2im(w.reshape(F, -1).T @ dy), of which only the columns are added up: the rows are gathered by a view.

    One addition per column of the kernel is left, over runs of memory as long as the batch. Q: how many strides, begun
    ones too, the padded image is high and wide; M: the kernel.
    """
    xp, (N, F, OH, OW), (_, C, KH, KW) = array_module(dy), dy.shape, w.shape
    (SH, SW), (PH, PW), (H, W) = pair(stride, "stride"), pair(padding, "padding", 0), x_shape[2:]
    QH, QW, MH, MW = -(-(H + 2 * PH) // SH), -(-(W + 2 * PW) // SW), -(-KH // SH), -(-KW // SW)
    rows = xp.zeros((MH - 1 + QH, F, N, QW), dy.dtype)
    rows[MH - 1 : MH - 1 + OH, :, :, :OW] = dy.swapaxes(0, 2)
    row, line, _, column = rows.strides
    taps = xp.zeros((F, C, MH * SH, MW * SW), w.dtype)
    taps[:, :, :KH, :KW] = w
    weights = (
        taps.reshape(F, C, MH, SH, MW, SW)[:, :, ::-1]
        .transpose(3, 4, 5, 1, 2, 0)
        .reshape(-1, MH * F)
    )
    products = xp.matmul(weights, view(rows, (QH, MH * F, N * QW), (row, line, column))).reshape(
        QH * SH, MW, -1
    )
    dx = products[:, 0]
    for j in range(1, MW):
        dx[:, j:] += products[:, j, :-j]  # what leaves a line on the right is zero
    dx = dx.reshape(QH * SH, SW, C, N, QW).transpose(3, 2, 0, 4, 1).reshape(N, C, QH * SH, QW * SW)
    return dx[:, :, PH : PH + H, PW : PW + W]
