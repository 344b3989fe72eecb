"""The operations of a transformer: embedding, RMS normalisation, causal self-attention."""

import math

from nnlib.device import Array, array_module
from nnlib.ops.shapes import (
    require_batch,
    require_embedding,
    require_heads,
    require_scales,
    require_shape,
)


def add(a: Array, b: Array) -> Array:
    """Return a + b of the same shape: what a residual connection does."""
    require_shape("b", b, a.shape)
    return a + b


def embedding(tokens: Array, w: Array) -> Array:
    """Return y (..., D) = w[tokens]: the row of w (V, D) for every token, an integer in 0 … V-1.

    >>> import numpy as np
    >>> embedding(np.int32([[2, 0]]), np.float32([[1, 2], [3, 4], [5, 6]]))
    array([[[5., 6.],
            [1., 2.]]], dtype=float32)
    """
    require_embedding(tokens, w)
    return w[tokens]


def embedding_backward(dy: Array, tokens: Array, w: Array, out: Array = None) -> Array:
    """Return dw (V, D): each row is the sum of dy (..., D) over the places where its token stands. out: takes dw."""
    require_embedding(tokens, w)
    require_shape("dy", dy, (*tokens.shape, w.shape[1]))
    xp = array_module(dy)
    dw = xp.empty(w.shape, dy.dtype) if out is None else out.reshape(w.shape)
    dw[...] = 0
    xp.add.at(dw, tokens.ravel(), dy.reshape(-1, w.shape[1]))
    return dw


def rms_norm(x: Array, w: Array, eps: float = 1e-5) -> Array:
    """Return y = x / sqrt(mean(x²) + eps) · w along the last axis, x (..., D), w (D,). arXiv:1910.07467."""
    require_scales(x, w)
    return x * _reciprocal(x, eps) * w


def rms_norm_backward(
    dy: Array, x: Array, w: Array, eps: float = 1e-5, needs_dx: bool = True, out: Array = None
) -> tuple[Array, Array]:
    """Return (dx or None, dw) from dy of x's shape (..., D). out: an array of D numbers that takes dw."""
    require_scales(x, w)
    require_shape("dy", dy, x.shape)
    r = _reciprocal(x, eps)
    rows = (dy * x * r).reshape(-1, x.shape[-1])
    dw = rows.sum(axis=0, out=out)
    if not needs_dx:
        return None, dw
    g = dy * w
    return r * (g - x * (r * r * (g * x).mean(axis=-1, keepdims=True))), dw


def attention(qkv: Array, heads: int) -> tuple[Array, Array]:
    """Return causal self-attention (y (N, T, E), logsumexp (N, H, T)) from qkv (N, T, 3 E): queries, keys, values.

    Each of H heads works on D = E / H numbers of all three: y_t = Σ_s p_ts v_s over s ≤ t, where p_t is the softmax of
    q_t · k_s / sqrt(D). Vaswani and others 2017, arXiv:1706.03762.

        >>> import numpy as np
        >>> qkv = np.zeros((1, 2, 3), np.float32)
        >>> qkv[0, :, 2] = 4, 8
        >>> attention(qkv, heads=1)[0].ravel()  # the first token sees itself, the second both alike
        array([4., 6.], dtype=float32)
    """
    q, k, v = _split(qkv, heads)
    scores = _scores(q, k)
    largest = scores.max(axis=-1, keepdims=True)
    xp = array_module(qkv)
    p = xp.exp(scores - largest)
    total = p.sum(axis=-1, keepdims=True)
    y = _join((p / total) @ v)
    return y, (largest + xp.log(total))[..., 0]


def attention_backward(dy: Array, qkv: Array, y: Array, logsumexp: Array, heads: int) -> Array:
    """Return dqkv (N, T, 3 E) from dy (N, T, E), with what `attention` returned: the weights are computed again."""
    q, k, v = _split(qkv, heads)
    N, T, E = y.shape
    require_shape("dy", dy, y.shape)
    require_shape("logsumexp", logsumexp, (N, heads, T))
    xp = array_module(qkv)
    dy, y = (a.reshape(N, T, heads, -1).transpose(0, 2, 1, 3) for a in (dy, y))
    p = xp.exp(_scores(q, k) - logsumexp[..., None])
    dv = p.swapaxes(-1, -2) @ dy
    ds = (
        p * (dy @ v.swapaxes(-1, -2) - (dy * y).sum(axis=-1, keepdims=True)) / math.sqrt(E // heads)
    )
    return xp.concatenate([_join(a) for a in (ds @ k, ds.swapaxes(-1, -2) @ q, dv)], axis=-1)


def _reciprocal(x: Array, eps: float) -> Array:
    """Return 1 / sqrt(mean(x²) + eps) of every row, in x's precision."""
    return 1 / array_module(x).sqrt((x * x).mean(axis=-1, keepdims=True) + eps)


def _split(qkv: Array, heads: int) -> Array:
    """Return q, k, v, each (N, H, T, D)."""
    require_heads(qkv, heads)
    require_batch(qkv)
    N, T, E3 = qkv.shape
    return qkv.reshape(N, T, 3, heads, E3 // 3 // heads).transpose(2, 0, 3, 1, 4)


def _join(x: Array) -> Array:
    """Return (N, T, H·D) from (N, H, T, D)."""
    N, H, T, D = x.shape
    return x.transpose(0, 2, 1, 3).reshape(N, T, H * D)


def _scores(q: Array, k: Array) -> Array:
    """Return q · k / sqrt(D) of every query with every key (N, H, T, T); what lies ahead is minus infinity."""
    xp = array_module(q)
    scores = q @ k.swapaxes(-1, -2) / math.sqrt(q.shape[-1])
    T = q.shape[2]
    return xp.where(xp.tri(T, dtype=bool), scores, -math.inf)
