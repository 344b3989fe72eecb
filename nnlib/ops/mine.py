"""The operations of a network on the student's own kernels, `nnlib.mine`: on a GPU and in the simulator. float32.

Signatures and results are those of `nnlib.ops.arrays`. What no piece of the library does, `nnlib.ops.kernels` does; it
is counted as the course's, and named once.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from nnlib import mine
from nnlib.device import Array
from nnlib.ops import kernels, recording, shapes
from nnlib.ops.launching import contiguous, each, empty
from nnlib.ops.recording import NotCapturable
from nnlib.ops.shapes import Size


def __getattr__(name: str) -> Array:
    if name.startswith("_"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return _of_the_course(name)


def _of_the_course(name: str) -> Array:
    if recording.current() and name not in _WITHOUT_STATE:
        raise NotCapturable(f"there is no piece for this {name}")
    mine.note_course(name)
    return getattr(kernels, name)


_WITHOUT_STATE = ("add", "gelu", "gelu_backward")  # the course's kernels, whose launches repeat


def run(name: str, *args: Any) -> None:
    """Launch a piece, or only note it while recording."""
    if recording.current():
        kernel, grid, block, shared = mine.launch_for(name, *args)
        recording.launch(kernel, grid, block, args[: len(kernel.parameters or args)], shared)
    else:
        mine.run(name, *args)


def normalise(inputs: Array, mean: float, std: float) -> Array:
    """Return (inputs / 255 - mean) / std of pixels, float32; by the kernel normalise_images."""
    if inputs.dtype != np.uint8:
        return _of_the_course("normalise")(inputs, mean, std)
    inputs = contiguous(inputs)
    y = empty(inputs, inputs.shape)
    run("normalise_images", inputs, y, mean, std, inputs.size)
    return y


def relu(x: Array) -> Array:
    """Return max(x, 0); by the piece relu."""
    x = contiguous(x)
    y = empty(x, x.shape)
    run("relu", x, y, x.size)
    return y


def relu_backward(dy: Array, x: Array) -> Array:
    """Return dy where x > 0, else 0; by the piece relu_grad."""
    shapes.require_shape("dy", dy, x.shape)
    dy, x = contiguous(dy, x)
    dx = empty(x, x.shape)
    run("relu_grad", dy, x, dx, x.size)
    return dx


def linear(x: Array, w: Array, b: Array) -> Array:
    """Return y (N, O) = x (N, I) Wᵀ + b; by the piece linear_forward."""
    shapes.require_matrices(x, w)
    shapes.require_shape("b", b, (w.shape[0],))
    x, w, b = contiguous(x, w, b)
    (N, I), O = x.shape, w.shape[0]
    y = empty(x, (N, O))
    run("linear_forward", x, w, b, y, N, I, O)
    return y


def linear_backward(
    dy: Array, x: Array, w: Array, needs_dx: bool = True, out: Array = None
) -> Array:
    """Return (dx or None, dw, db); by linear_grad_input, linear_grad_weight and sum_columns."""
    shapes.require_matrices(x, w)
    shapes.require_shape("dy", dy, (x.shape[0], w.shape[0]))
    dy, x, w = contiguous(dy, x, w)
    (N, I), O = x.shape, w.shape[0]
    dx = empty(x, x.shape) if needs_dx else None
    dw, db = shapes.split_gradients(empty(x, w.size + O) if out is None else out, w)
    if needs_dx:
        run("linear_grad_input", dy, w, dx, N, I, O)
    run("linear_grad_weight", dy, x, dw, N, I, O)
    run("sum_columns", dy, db, N, O, 1)
    return dx, dw, db


def conv2d(x: Array, w: Array, b: Array, stride: Size = 1, padding: Size = 0) -> Array:
    """Return y (N, F, OH, OW); by the piece conv_forward, where windows are square."""
    if not _square(w.shape[2:], stride, padding):
        return _of_the_course("conv2d")(x, w, b, stride, padding)
    OH, OW = shapes.convolution_output(x.shape, w.shape, stride, padding)
    shapes.require_shape("b", b, (w.shape[0],))
    x, w, b = contiguous(x, w, b)
    y = empty(x, (x.shape[0], w.shape[0], OH, OW))
    run("conv_forward", x, w, b, y, *_convolution_sizes(x.shape, w, stride, padding))
    return y


def conv2d_backward(
    dy: Array,
    x: Array,
    w: Array,
    stride: Size = 1,
    padding: Size = 0,
    needs_dx: bool = True,
    out: Array = None,
) -> Array:
    """Return (dx or None, dw, db); by conv_grad_input, conv_grad_weight and sum_columns, where windows are square."""
    if not _square(w.shape[2:], stride, padding):
        return _of_the_course("conv2d_backward")(dy, x, w, stride, padding, needs_dx, out)
    OH, OW = shapes.convolution_output(x.shape, w.shape, stride, padding)
    shapes.require_shape("dy", dy, (x.shape[0], w.shape[0], OH, OW))
    shapes.require_batch(x)
    dy, x, w = contiguous(dy, x, w)
    sizes = _convolution_sizes(x.shape, w, stride, padding)
    N, F, OH, OW = dy.shape
    dx = empty(x, x.shape) if needs_dx else None
    dw, db = shapes.split_gradients(empty(x, w.size + F) if out is None else out, w)
    if needs_dx:
        run("conv_grad_input", dy, w, dx, *sizes)
    run("conv_grad_weight", dy, x, dw, *sizes)
    run("sum_columns", dy, db, N, F, OH * OW)
    return dx, dw, db


def max_pool2d(x: Array, size: Size, stride: Size | None = None) -> Array:
    """Return (y, argmax), both (N, C, OH, OW); by the piece max_pool, where windows are square."""
    if not _square(size, size if stride is None else stride):
        return _of_the_course("max_pool2d")(x, size, stride)
    OH, OW = shapes.window_output(x.shape, size, size if stride is None else stride)
    x = contiguous(x)
    y, argmax = (empty(x, (*x.shape[:2], OH, OW), dtype) for dtype in (np.float32, np.int32))
    run("max_pool", x, y, argmax, *_pooling_sizes(x.shape, size, stride))
    return y, argmax


def max_pool2d_backward(
    dy: Array,
    argmax: Array,
    x_shape: tuple[int, ...],
    size: Size | None = None,
    stride: Size | None = None,
) -> Array:
    """Return dx (N, C, H, W); by the piece max_pool_grad, where the windows are known and square."""
    if size is None or not _square(size, size if stride is None else stride):
        return _of_the_course("max_pool2d_backward")(dy, argmax, x_shape, size, stride)
    shapes.require_shape("dy", dy, argmax.shape)
    dy, argmax = contiguous(dy, argmax)
    dx = empty(dy, x_shape)
    run("max_pool_grad", dy, argmax, dx, *_pooling_sizes(x_shape, size, stride))
    return dx


def softmax_cross_entropy(logits: Array, labels: Array) -> tuple[Array, Array]:
    """Return (loss, dlogits); by the pieces softmax_cross_entropy and sum_columns."""
    shapes.require_labels(logits, labels)
    rows, classes = logits.shape
    logits, labels = contiguous(logits, labels.astype(np.int32, copy=False))
    losses, dlogits = empty(logits, rows), empty(logits, logits.shape)
    run("softmax_cross_entropy", logits, labels, losses, dlogits, rows, classes)
    total = empty(losses, 1)
    run("sum_columns", losses, total, rows, 1, 1)
    return total.reshape(()) / np.float32(rows), dlogits


def sgd_step(
    params: Array,
    grads: Array,
    velocity: Array,
    lr: float,
    momentum: float = 0.0,
    nesterov: bool = False,
    weight_decay: float = 0.0,
) -> None:
    """Take one step in place; by sgd_step, or with momentum by momentum_step."""
    if nesterov or weight_decay:
        _of_the_course("sgd_step")(params, grads, velocity, lr, momentum, nesterov, weight_decay)
    elif momentum:
        run("momentum_step", params, velocity, grads, lr, momentum, params.size)
    else:
        run("sgd_step", params, grads, lr, params.size)


def adamw_step(
    params: Array,
    grads: Array,
    moments: tuple[Array, Array],
    step: int,
    lr: float,
    betas: tuple[float, float] = (0.9, 0.999),
    eps: float = 1e-8,
    weight_decay: float = 0.01,
) -> None:
    """Take one step of AdamW in place; by the piece adamw_step."""
    corrections = (1 - beta**step for beta in betas)
    numbers = (lr, *betas, eps, weight_decay, *corrections)
    run("adamw_step", params, *moments, grads, *numbers, params.size)


def embedding(tokens: Array, w: Array) -> Array:
    """Return y (..., D) = w[tokens]; by the piece embedding."""
    shapes.require_embedding(tokens, w)
    tokens, w = contiguous(tokens.astype(np.int32, copy=False), w)
    y = empty(w, (*tokens.shape, w.shape[1]))
    run("embedding", tokens, w, y, tokens.size, w.shape[1], len(w))
    return y


def embedding_backward(dy: Array, tokens: Array, w: Array, out: Array = None) -> Array:
    """Return dw (V, D), set to zero, then summed by the piece embedding_grad. out: takes dw."""
    shapes.require_embedding(tokens, w)
    V, D = w.shape
    shapes.require_shape("dy", dy, (*tokens.shape, D))
    dy, tokens = contiguous(dy, tokens.astype(np.int32, copy=False))
    dw = empty(w, w.shape) if out is None else out.reshape(w.shape)
    each("vector", "clear", dw.size, dw, dw.size)
    run("embedding_grad", dy, tokens, dw, tokens.size, D, V)
    return dw


def rms_norm(x: Array, w: Array, eps: float = 1e-5) -> Array:
    """Return x / sqrt(mean(x²) + eps) · w along the last axis; by the piece rms_norm."""
    shapes.require_scales(x, w)
    x, w = contiguous(x, w)
    y = empty(x, x.shape)
    run("rms_norm", x, w, y, eps, x.size // w.size, w.size)
    return y


def rms_norm_backward(
    dy: Array, x: Array, w: Array, eps: float = 1e-5, needs_dx: bool = True, out: Array = None
) -> tuple[Array, Array]:
    """Return (dx or None, dw); by the pieces rms_norm_grad and sum_columns. out: takes dw."""
    shapes.require_scales(x, w)
    shapes.require_shape("dy", dy, x.shape)
    dy, x, w = contiguous(dy, x, w)
    rows, D = x.size // w.size, w.size
    dx, shares = empty(x, x.shape), empty(x, x.shape)
    dw = empty(w, D) if out is None else out
    run("rms_norm_grad", dy, x, w, dx, shares, eps, rows, D)
    run("sum_columns", shares, dw, rows, D, 1)
    return dx if needs_dx else None, dw


def attention(qkv: Array, heads: int) -> tuple[Array, Array]:
    """Return (y (N, T, E), logsumexp (N, H, T)) from qkv (N, T, 3 E); by the piece attention."""
    shapes.require_heads(qkv, heads)
    N, T, E3 = qkv.shape
    qkv = contiguous(qkv)
    y, logsumexp = empty(qkv, (N, T, E3 // 3)), empty(qkv, (N, heads, T))
    run("attention", qkv, y, logsumexp, N, T, heads, E3 // 3 // heads)
    return y, logsumexp


def attention_backward(dy: Array, qkv: Array, y: Array, logsumexp: Array, heads: int) -> Array:
    """Return dqkv (N, T, 3 E); by the piece attention_grad."""
    shapes.require_heads(qkv, heads)
    shapes.require_shape("dy", dy, y.shape)
    dy, qkv, y, logsumexp = contiguous(dy, qkv, y, logsumexp)
    N, T, E3 = qkv.shape
    dqkv = empty(qkv, qkv.shape)
    run("attention_grad", dy, qkv, y, logsumexp, dqkv, N, T, heads, E3 // 3 // heads)
    return dqkv


def _square(*sizes: Size) -> bool:
    """Return whether windows, strides and paddings are the same in both directions, as the library's kernels need."""
    return all(
        height == width for height, width in (shapes.pair(size, "size", 0) for size in sizes)
    )


def _convolution_sizes(
    x_shape: tuple[int, ...], w: Array, stride: Size, padding: Size
) -> tuple[int, ...]:
    """Return the last arguments of a convolution's kernels: N, C, H, W, F, K, stride, pad."""
    return (
        *x_shape,
        w.shape[0],
        w.shape[2],
        shapes.pair(stride, "stride")[0],
        shapes.pair(padding, "padding", 0)[0],
    )


def _pooling_sizes(x_shape: tuple[int, ...], size: Size, stride: Size | None) -> tuple[int, ...]:
    """Return planes, H, W, size, stride."""
    N, C, H, W = x_shape
    return (
        N * C,
        H,
        W,
        shapes.pair(size, "size")[0],
        shapes.pair(size if stride is None else stride, "stride")[0],
    )
