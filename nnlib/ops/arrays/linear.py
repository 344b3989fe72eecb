"""The linear layer, three matrix products: output, input gradient, weight gradient. Lesson 03."""

from contextlib import AbstractContextManager, nullcontext

import numpy as np

from nnlib.device import Array, array_module
from nnlib.ops.mixed_precision import current_precision
from nnlib.ops.shapes import require_matrices, require_shape, split_gradients
from nnlib.support.threads import one_blas_thread


def linear(x: Array, w: Array, b: Array) -> Array:
    """Return y = x wᵀ + b with x (N, IN), w (OUT, IN), b (OUT,), y (N, OUT)."""
    require_matrices(x, w)
    require_shape("b", b, (w.shape[0],))
    with _threads_for(x, w):
        rounded = current_precision().rounded
        y = rounded(x) @ rounded(w).T
        y += b
        return y


def linear_backward(
    dy: Array, x: Array, w: Array, needs_dx: bool = True, out: Array = None
) -> tuple[Array, Array, Array]:
    """Return (dx, dw, db) from dy (N, OUT); dx is None unless needed. out: a flat array that takes dw, and db behind it."""
    require_matrices(x, w)
    require_shape("dy", dy, (x.shape[0], w.shape[0]))
    xp = array_module(x)
    dw, db = split_gradients(xp.empty(w.size + w.shape[0], x.dtype) if out is None else out, w)
    with _threads_for(x, w):
        kind = current_precision()
        factor = kind.rounded_gradient(dy)
        xp.matmul(factor.T, kind.rounded(x), out=dw)
        dy.sum(axis=0, out=db)
        return factor @ kind.rounded(w) if needs_dx else None, dw, db


def _threads_for(x: Array, w: Array) -> AbstractContextManager[Array]:
    """Keep small products on one thread: OpenBLAS wakes its threads from 2**18 on, which pays from 2**22 on."""
    return (
        one_blas_thread()
        if isinstance(x, np.ndarray) and 2**18 < len(x) * w.size <= 2**22
        else nullcontext()
    )
