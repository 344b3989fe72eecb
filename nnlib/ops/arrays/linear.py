"""The linear layer, three matrix products: output, input gradient, weight gradient. Lesson 03."""

from __future__ import annotations

from typing import Any

from nnlib.device import array_module
from nnlib.ops.arrays.threads import over_images
from nnlib.ops.shapes import ShapeError, require_shape

# Up to so many products, waking BLAS's threads costs more than it brings: while they wait for the next call they keep
# the cores busy that our own threads need. Such a layer goes through in pieces of a few rows.
FEW = 2**22


def linear(x: Any, w: Any, b: Any) -> Any:
    """y = x wᵀ + b with x (N, IN), w (OUT, IN), b (OUT,), y (N, OUT)."""
    if x.ndim != 2 or w.ndim != 2 or x.shape[1] != w.shape[1]:
        raise ShapeError(f"got x {x.shape} for w {w.shape}; expected x (N, {w.shape[-1]})")
    require_shape("b", b, (w.shape[0],))
    if len(x) * w.size > FEW or not len(x):
        return x @ w.T + b
    xp = array_module(x)
    return xp.concatenate(over_images(lambda rows: x[rows] @ w.T + b, xp, len(x), w.size))


def linear_backward(dy: Any, x: Any, w: Any, needs_dx: bool = True) -> tuple[Any, Any, Any]:
    """(dx, dw, db) from dy (N, OUT); dx is None unless needed."""
    require_shape("dy", dy, (x.shape[0], w.shape[0]))
    if len(x) * w.size > FEW or not len(x):
        return dy @ w if needs_dx else None, dy.T @ x, dy.sum(axis=0)
    xp = array_module(x)
    dw = sum(over_images(lambda rows: dy[rows].T @ x[rows], xp, len(x), w.size))
    dx = xp.concatenate(over_images(lambda rows: dy[rows] @ w, xp, len(x), w.size)) if needs_dx else None
    return dx, dw, dy.sum(axis=0)
