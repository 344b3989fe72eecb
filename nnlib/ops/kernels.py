"""Every operation as our own CUDA kernels: on the GPU, or, the same text, in the simulator. float32.

Signatures and results are those of `nnlib.ops.arrays`. Nothing here calls cuBLAS, cuDNN or another library.
"""

from __future__ import annotations

import functools
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from nnlib.cuda import RawKernel, RawModule
from nnlib.device import array_module, is_device_array
from nnlib.ops.shapes import (
    Size,
    convolution_output,
    pair,
    require_batch,
    require_countable,
    require_dropout,
    require_labels,
    require_matrices,
    require_probabilities,
    require_shape,
    require_targets,
    window_output,
)
from nnlib.ops.tiling import Convolution, Launch, ceil_div

_FOLDER = Path(__file__).parent.parent / "kernels"
_BLOCK = 256
_FEW_CLASSES = 32  # up to here one thread per row of logits


@functools.cache
def kernel(file: str, name: str, options: tuple[str, ...] = ()) -> RawKernel:
    """A kernel of nnlib/kernels/<file>.cu, compiled at its first launch and kept."""
    return RawModule(path=_FOLDER / f"{file}.cu", options=options).get_function(name)


def run(launch: Launch, *args: Any) -> None:
    """Start a kernel as the tiling says; an empty grid needs no launch."""
    if 0 not in launch.grid:
        kernel(launch.file, launch.kernel, launch.options)(launch.grid, launch.block, args, launch.shared)


def _each(file: str, name: str, threads: int, *args: Any, options: tuple[str, ...] = ()) -> None:
    """One thread per element; an empty array needs no launch."""
    if threads:
        kernel(file, name, options)((ceil_div(threads, _BLOCK),), (_BLOCK,), args)


def _contiguous(*arrays: Any) -> Any:
    """C-contiguous arrays that begin on 16 bytes, as float4 needs; a view into another array may not."""
    for array in arrays:
        require_countable(array.shape)
    contiguous = [array_module(a).ascontiguousarray(a) for a in arrays]
    aligned = [a.copy() if is_device_array(a) and a.data.ptr % 16 else a for a in contiguous]
    return aligned if len(aligned) > 1 else aligned[0]


def _empty(like: Any, shape: Any, dtype: Any = np.float32) -> Any:
    require_countable(shape if isinstance(shape, tuple) else (shape,))
    return array_module(like).empty(shape, dtype)


# --- activations --------------------------------------------------------------------------------


def _activate(name: str, x: Any, options: tuple[str, ...] = ()) -> Any:
    x = _contiguous(x)
    y = _empty(x, x.shape)
    _each("activation", "activate", ceil_div(x.size, 4), x, y, x.size, options=(f"-DACTIVATION={name}", *options))
    return y


def _activate_backward(name: str, dy: Any, v: Any, options: tuple[str, ...] = ()) -> Any:
    require_shape("dy", dy, v.shape)
    dy, v = _contiguous(dy, v)
    dx = _empty(v, v.shape)
    _each("activation", "activate_backward", ceil_div(v.size, 4), dy, v, dx, v.size,
          options=(f"-DGRADIENT={name}_gradient", *options))
    return dx


def relu(x: Any) -> Any:
    return _activate("relu", x)


def relu_backward(dy: Any, x: Any) -> Any:
    return _activate_backward("relu", dy, x)


def leaky_relu(x: Any, slope: float = 0.01) -> Any:
    return _activate("leaky_relu", x, (f"-DSLOPE={float(slope)!r}f",))


def leaky_relu_backward(dy: Any, x: Any, slope: float = 0.01) -> Any:
    return _activate_backward("leaky_relu", dy, x, (f"-DSLOPE={float(slope)!r}f",))


def sigmoid(x: Any) -> Any:
    return _activate("sigmoid", x)


def sigmoid_backward(dy: Any, y: Any) -> Any:
    return _activate_backward("sigmoid", dy, y)


def tanh(x: Any) -> Any:
    return _activate("hyperbolic", x)


def tanh_backward(dy: Any, y: Any) -> Any:
    return _activate_backward("hyperbolic", dy, y)


def gelu(x: Any) -> Any:
    return _activate("gelu", x)


def gelu_backward(dy: Any, x: Any) -> Any:
    return _activate_backward("gelu", dy, x)


# --- dropout ------------------------------------------------------------------------------------


def dropout(x: Any, p: float, seed: int, offset: int = 0) -> tuple[Any, Any]:
    require_dropout(p)
    x = _contiguous(x)
    y, mask = _empty(x, x.shape), _empty(x, x.shape, np.uint8)
    _each("dropout", "dropout_forward", ceil_div(x.size, 4), x, y, mask, x.size, int(p * 2**32), 1 / (1 - p),
          seed % 2**64, offset)
    return y, mask


def dropout_backward(dy: Any, mask: Any, p: float) -> Any:
    require_shape("mask", mask, dy.shape)
    dy, mask = _contiguous(dy, mask)
    dx = _empty(dy, dy.shape)
    _each("dropout", "dropout_backward", ceil_div(dy.size, 4), dy, mask, dx, dy.size, 1 / (1 - p))
    return dx


# --- linear -------------------------------------------------------------------------------------


def linear(x: Any, w: Any, b: Any) -> Any:
    require_matrices(x, w)
    require_shape("b", b, (w.shape[0],))
    x, w, b = _contiguous(x, w, b)
    (N, I), O = x.shape, w.shape[0]
    y = _empty(x, (N, O))
    run(linear_forward(N, I, O), x, w, b, y, N, I, O, 0)
    return y


def linear_backward(dy: Any, x: Any, w: Any, needs_dx: bool = True) -> tuple[Any, Any, Any]:
    require_matrices(x, w)
    require_shape("dy", dy, (x.shape[0], w.shape[0]))
    dy, x, w = _contiguous(dy, x, w)
    (N, I), O = x.shape, w.shape[0]
    parts, weights, biases = linear_gradients(N, I, O)
    dw, db = _empty(x, (parts, *w.shape)), _empty(x, (parts, O))
    run(weights, dy, x, dw, N, I, O)
    run(biases, dy, db, N, O)
    dx = None
    if needs_dx:
        dx = _empty(x, x.shape)
        run(matrix_tiles("linear_backward_input", N, I), dy, w, dx, N, I, O)
    return dx, _sum_parts(dw), _sum_parts(db)


def linear_gradients(N: int, I: int, O: int) -> tuple[int, Launch, Launch]:
    """(parts, linear_backward_weight, linear_backward_bias): the long sums of few results are cut into parts."""
    tiles = matrix_tiles("linear_backward_weight", O, I)
    parts = max(1, min(N // 512, 1024 // max(1, math.prod(tiles.grid))))
    biases = Launch("linear", "linear_backward_bias", (), (ceil_div(32 * O, _BLOCK), parts), (_BLOCK,))
    return parts, replace(tiles, grid=(*tiles.grid, parts)), biases


def _sum_parts(partials: Any) -> Any:
    """partials.sum(axis=0), in a fixed order."""
    if len(partials) == 1:
        return partials[0]
    sums = _empty(partials, partials.shape[1:])
    _each("linear", "sum_parts", sums.size, partials, sums, len(partials), sums.size)
    return sums


def matrix_tiles(name: str, rows: int, columns: int) -> Launch:
    """Tiles of 64×64 results, or 32×32 where the larger ones would leave most of the GPU idle."""
    tile = 64 if ceil_div(rows, 64) * ceil_div(columns, 64) >= 128 else 32
    return Launch("linear", name, (f"-DTILE={tile}",), (ceil_div(columns, tile), ceil_div(rows, tile)), (256,))


def linear_forward(N: int, I: int, O: int) -> Launch:
    """linear_forward(x, w, b, y, N, I, O, relu) by tiles, or by one warp per output where outputs are few."""
    if N * O <= 4096:
        return Launch("linear", "linear_forward_warp", (), (ceil_div(N * O, 8),), (256,))
    return matrix_tiles("linear_forward", N, O)


# --- convolution --------------------------------------------------------------------------------


def _convolution(x: Any, w: Any, stride: Size, padding: Size) -> Convolution:
    convolution_output(x, w, stride, padding)
    return Convolution.of(x.shape, w.shape, pair(stride, "stride"), pair(padding, "padding", 0))


def conv2d(x: Any, w: Any, b: Any, stride: Size = 1, padding: Size = 0) -> Any:
    shape = _convolution(x, w, stride, padding)
    require_shape("b", b, (shape.F,))
    x, w, b = _contiguous(x, w, b)
    N = x.shape[0]
    y = _empty(x, (N, *shape.output))
    if shape.tiled and y.size:
        run(shape.forward(N), x, w, b, y, _empty(x, 1, np.int32))
    else:
        _each("convolution", "conv_forward_naive", y.size, x, w, b, y, *shape.sizes(N))
    return y


def conv2d_backward(dy: Any, x: Any, w: Any, stride: Size = 1, padding: Size = 0,
                    needs_dx: bool = True) -> tuple[Any, Any, Any]:
    shape = _convolution(x, w, stride, padding)
    N = x.shape[0]
    require_shape("dy", dy, (N, *shape.output))
    require_batch(x)
    dy, x, w = _contiguous(dy, x, w)
    dx = _conv2d_backward_input(shape, dy, w, N) if needs_dx else None
    if shape.tiled:
        parts, entries = shape.parts(N), shape.weights + shape.F
        partials = _empty(x, (parts, entries))
        run(shape.backward_weight(N), dy, dy, x, partials, entries, N)
        sums = _sum_parts(partials)
        return dx, sums[:shape.weights].reshape(w.shape), sums[shape.weights:]
    dw, db = _empty(x, w.shape), _empty(x, shape.F)
    _each("convolution", "conv_backward_weight_warp", 32 * w.size, dy, x, dw, *shape.sizes(N))
    _each("convolution", "conv_backward_bias", _BLOCK * shape.F, dy, db, N, shape.F, shape.OH * shape.OW)
    return dx, dw, db


def _conv2d_backward_input(shape: Convolution, dy: Any, w: Any, N: int) -> Any:
    dx = _empty(dy, (N, shape.C, shape.H, shape.W))
    if shape.tiled and (shape.SH, shape.SW) == (1, 1):
        run(shape.backward_input(N), dy, dy, w, dx)
    else:
        _each("convolution", "conv_backward_input_naive", dx.size, dy, w, dx, *shape.sizes(N))
    return dx


def window_options(H: int, W: int, size: Size, stride: Size, padding: Size = 0) -> tuple[str, ...]:
    """The sizes that the kernels of windows.cu are compiled for."""
    sizes = (H, W, *pair(size, "size"), *pair(stride, "stride"), *pair(padding, "padding", 0))
    return tuple(f"-D{name}={value}" for name, value in zip("H W KH KW SH SW PH PW".split(), sizes, strict=True))


def im2col(x: Any, kh: int, kw: int, stride: Size = 1, padding: Size = 0) -> Any:
    OH, OW = window_output(x.shape, (kh, kw), stride, padding)
    x = _contiguous(x)
    N, C, H, W = x.shape
    columns = _empty(x, (N, C * kh * kw, OH * OW))
    _each("windows", "im2col", N * C * OH * OW, x, columns, N * C,
          options=window_options(H, W, (kh, kw), stride, padding))
    return columns


def col2im(columns: Any, x_shape: tuple[int, ...], kh: int, kw: int, stride: Size = 1, padding: Size = 0) -> Any:
    OH, OW = window_output(x_shape, (kh, kw), stride, padding)
    N, C, H, W = x_shape
    require_shape("columns", columns, (N, C * kh * kw, OH * OW))
    columns = _contiguous(columns)
    x = _empty(columns, x_shape)
    _each("windows", "col2im", x.size, columns, x, N * C, options=window_options(H, W, (kh, kw), stride, padding))
    return x


# --- pooling ------------------------------------------------------------------------------------


def _pooling(x_shape: tuple[int, ...], size: Size, stride: Size | None) -> tuple[tuple[int, ...], tuple[str, ...]]:
    """(shape of y, options of the kernels)."""
    stride = size if stride is None else stride
    N, C, H, W = x_shape
    return (N, C, *window_output(x_shape, size, stride)), window_options(H, W, size, stride)


def max_pool2d(x: Any, size: Size, stride: Size | None = None) -> tuple[Any, Any]:
    shape, options = _pooling(x.shape, size, stride)
    x = _contiguous(x)
    y, argmax = _empty(x, shape), _empty(x, shape, np.int32)
    _each("windows", "max_pool_forward", y.size, x, y, argmax, x.shape[0] * x.shape[1], options=options)
    return y, argmax


def max_pool2d_backward(dy: Any, argmax: Any, x_shape: tuple[int, ...]) -> Any:
    require_shape("dy", dy, argmax.shape)
    dy, argmax = _contiguous(dy, argmax)
    N, C, H, W = x_shape
    dx = array_module(dy).zeros(x_shape, np.float32)
    # Without the window's size only the scatter is possible; the captured training step knows it and gathers.
    _each("pooling", "max_pool_backward_atomic", dy.size, dy, argmax, dx, N * C, H, W, *dy.shape[2:])
    return dx


def avg_pool2d(x: Any, size: Size, stride: Size | None = None) -> Any:
    shape, options = _pooling(x.shape, size, stride)
    x = _contiguous(x)
    y = _empty(x, shape)
    _each("windows", "avg_pool_forward", y.size, x, y, x.shape[0] * x.shape[1], options=options)
    return y


def avg_pool2d_backward(dy: Any, x_shape: tuple[int, ...], size: Size, stride: Size | None = None) -> Any:
    shape, options = _pooling(x_shape, size, stride)
    require_shape("dy", dy, shape)
    dy = _contiguous(dy)
    dx = _empty(dy, x_shape)
    N, C, H, W = x_shape
    cells = pooling_cells(N * C, H, W, size if stride is None else stride)
    _each("windows", "avg_pool_backward", cells, dy, dx, N * C, options=options)
    return dx


def pooling_cells(planes: int, H: int, W: int, stride: Size) -> int:
    """Threads of the pooling gradients in windows.cu: each writes as many pixels as the window steps over."""
    SH, SW = pair(stride, "stride")
    return planes * ceil_div(H, SH) * ceil_div(W, SW)


# --- losses -------------------------------------------------------------------------------------


def _rows(x: Any) -> tuple[int, tuple[str, ...]]:
    """Threads for one warp per row, and the option that says how many entries a lane holds."""
    return 32 * x.shape[0], (f"-DENTRIES={ceil_div(x.shape[1], 32)}",)


def _mean(values: Any) -> Any:
    n, blocks = values.size, min(1024, ceil_div(values.size, 16 * _BLOCK))
    add = kernel("loss", "block_sums")
    if blocks > 1:
        parts = _empty(values, blocks)
        add((blocks,), (_BLOCK,), (values, parts, n, 1.0))
        values = parts
    result = _empty(values, 1)
    add((1,), (_BLOCK,), (values, result, values.size, n))
    return result.reshape(())


def softmax(x: Any) -> Any:
    rows = _contiguous(x).reshape(-1, x.shape[-1])
    y = _empty(rows, rows.shape)
    N, K = rows.shape
    if 0 < K <= _FEW_CLASSES:
        _each("loss_few", "softmax", N, rows, y, N, options=(f"-DCLASSES={K}",))
    else:
        threads, options = _rows(rows)
        _each("loss", "softmax", threads, rows, y, N, K, options=options)
    return y.reshape(x.shape)


def softmax_cross_entropy(logits: Any, labels: Any) -> tuple[Any, Any]:
    require_labels(logits, labels)
    N, K = logits.shape
    logits, labels = _contiguous(logits, labels.astype(np.int32))
    losses, dlogits = _empty(logits, N), _empty(logits, logits.shape)
    if K <= _FEW_CLASSES:
        _each("loss_few", "softmax_cross_entropy", N, logits, labels, losses, dlogits, N, options=(f"-DCLASSES={K}",))
    else:
        threads, options = _rows(logits)
        _each("loss", "softmax_cross_entropy", threads, logits, labels, losses, dlogits, N, K, options=options)
    return _mean(losses), dlogits


def _binary(name: str, predictions: Any, targets: Any) -> tuple[Any, Any]:
    require_targets(predictions, targets)
    predictions, targets = _contiguous(predictions, targets.astype(np.float32))
    losses, gradient = _empty(predictions, predictions.size), _empty(predictions, predictions.shape)
    _each("loss", name, predictions.size, predictions, targets, losses, gradient, predictions.size)
    return _mean(losses), gradient


def binary_cross_entropy(probabilities: Any, targets: Any) -> tuple[Any, Any]:
    require_probabilities(probabilities)
    return _binary("binary_cross_entropy", probabilities, targets)


def binary_cross_entropy_with_logits(logits: Any, targets: Any) -> tuple[Any, Any]:
    return _binary("binary_cross_entropy_with_logits", logits, targets)


# --- optimizers ---------------------------------------------------------------------------------


def sgd_step(params: Any, grads: Any, velocity: Any, lr: float, momentum: float = 0.0, nesterov: bool = False,
             weight_decay: float = 0.0) -> None:
    velocity = params if velocity is None else velocity  # untouched without momentum
    _each("optimizer", "sgd_step", params.size, params, grads, velocity, params.size, lr, momentum, int(nesterov),
          weight_decay)


def adam_step(params: Any, grads: Any, m: Any, v: Any, step: int, lr: float, beta1: float = 0.9, beta2: float = 0.999,
              eps: float = 1e-8, weight_decay: float = 0.0) -> None:
    _each("optimizer", "adam_step", params.size, params, grads, m, v, params.size, lr, beta1, beta2, eps, weight_decay,
          1 - beta1**step, 1 - beta2**step)
