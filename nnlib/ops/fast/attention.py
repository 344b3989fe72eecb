"""Embedding, RMS normalisation and causal self-attention: nnlib/kernels/attention.cu and fast/attention.cu."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from nnlib.device import Array
from nnlib.ops.fast.linear import sum_parts
from nnlib.ops.fast.prepared import prepared
from nnlib.ops.launching import Tiling, ceil_div, contiguous, dense, each, empty, run
from nnlib.ops.shapes import (
    ShapeError,
    require_batch,
    require_embedding,
    require_heads,
    require_scales,
    require_shape,
)

_LARGEST_HEAD = 128  # floats of a head whose tiles fit into 48 KB of shared memory


@prepared
def add(a: Array, b: Array) -> Array:
    """Return a + b of the same shape."""
    require_shape("b", b, a.shape)
    a, b = contiguous(a, b)
    y = empty(a, a.shape)
    each("vector", "add", a.size, a, b, y, a.size)
    return y


def embedding(tokens: Array, w: Array) -> Array:
    """Return y (..., D) = w[tokens], w (V, D), float32."""
    require_embedding(tokens, w)
    tokens, w = contiguous(tokens.astype(np.int32, copy=False), w)
    y = empty(w, (*tokens.shape, w.shape[1]))
    each("attention", "embedding", y.size, tokens, w, y, y.size, w.shape[1])
    return y


def embedding_backward(dy: Array, tokens: Array, w: Array, out: Array = None) -> Array:
    """Return dw (V, D) from dy (..., D), summed in a fixed order. out: takes dw."""
    require_embedding(tokens, w)
    V, D = w.shape
    require_shape("dy", dy, (*tokens.shape, D))
    dy, tokens = contiguous(dy, tokens.astype(np.int32, copy=False))
    dw = empty(w, w.shape) if out is None else out.reshape(w.shape)
    grid = (ceil_div(D, 32) * V,)
    run(Tiling("attention", "embedding_grad", (), grid, (32, 8)), dy, tokens, dw, tokens.size, D)
    return dw


@prepared
def rms_norm(x: Array, w: Array, eps: float = 1e-5) -> Array:
    """Return y = x / sqrt(mean(x²) + eps) · w along the last axis, by a warp per row."""
    require_scales(x, w)
    x, w = contiguous(x), dense(w)
    y = empty(x, x.shape)
    rows, D = x.size // w.size, w.size
    each("attention", "rms_norm", 32 * rows, x, w, y, eps, rows, D)
    return y


@prepared
def rms_norm_backward(
    dy: Array, x: Array, w: Array, eps: float = 1e-5, needs_dx: bool = True, out: Array = None
) -> tuple[Array, Array]:
    """Return (dx or None, dw); many rows are summed in parts. out: takes dw."""
    require_scales(x, w)
    require_shape("dy", dy, x.shape)
    (dy, x), w = contiguous(dy, x), dense(w)
    rows, D = x.size // w.size, w.size
    dx, reciprocals = empty(x, x.shape), empty(x, rows)
    dw = empty(w, D) if out is None else out
    parts = min(max(1, rows // 256), 64)
    partials = dw if parts == 1 else empty(w, (parts, D))
    each("attention", "rms_norm_grad", 32 * rows, dy, x, w, dx, reciprocals, eps, rows, D)
    scale = Tiling("attention", "rms_norm_grad_scale", (), (ceil_div(D, 32), parts), (32, 8))
    run(scale, dy, x, reciprocals, partials, rows, D)
    sum_parts(partials, parts, dw)
    return dx if needs_dx else None, dw


@prepared
def attention(qkv: Array, heads: int) -> tuple[Array, Array]:
    """Return (y (N, T, E), logsumexp (N, H, T)) from qkv (N, T, 3 E); its weights are never stored."""
    N, T, D = _sizes(qkv, heads)
    qkv = contiguous(qkv)
    y, logsumexp = empty(qkv, (N, T, heads * D)), empty(qkv, (N, heads, T))
    _run("attention", 64 if D <= 64 else 32, D, qkv, y, logsumexp, T, heads)
    return y, logsumexp


@prepared
def attention_backward(dy: Array, qkv: Array, y: Array, logsumexp: Array, heads: int) -> Array:
    """Return dqkv (N, T, 3 E); the weights are computed again from the logsumexp of their rows."""
    N, T, D = _sizes(qkv, heads)
    require_shape("dy", dy, y.shape)
    require_shape("logsumexp", logsumexp, (N, heads, T))
    dy, qkv, y, logsumexp = contiguous(dy, qkv, y, logsumexp)
    dqkv, delta = empty(qkv, qkv.shape), empty(qkv, logsumexp.shape)
    tile = 32 if D <= 64 else 16
    options, size = (f"-DD={D}", f"-DTILE={tile}"), delta.size
    each("fast/attention", "attention_delta", size, dy, y, delta, size, T, heads, options=options)
    for name in ("attention_grad_keys", "attention_grad_queries"):
        _run(name, tile, D, dy, qkv, logsumexp, delta, dqkv, T, heads)
    return dqkv


def _sizes(qkv: Array, heads: int) -> tuple[int, int, int]:
    """Return (N, T, D), D numbers in each head."""
    require_heads(qkv, heads)
    require_batch(qkv)
    N, T, E3 = qkv.shape
    D = E3 // 3 // heads
    if D > _LARGEST_HEAD:
        raise ShapeError(
            f"a head of {D} numbers does not fit into shared memory, {_LARGEST_HEAD} do: take more heads"
        )
    return N, T, D


def _run(name: str, tile: int, D: int, *args: Any) -> None:
    """Launch a kernel of fast/attention.cu, a block for each tile of each head."""
    *arrays, T, heads = args
    N = len(arrays[-1])
    grid, block = (N * heads * ceil_div(T, tile),), ((tile // 4) ** 2,)
    options = (f"-DD={D}", f"-DTILE={tile}")
    scale = 1 / math.sqrt(D)
    run(Tiling("fast/attention", name, options, grid, block), *arrays, scale, T, heads)
