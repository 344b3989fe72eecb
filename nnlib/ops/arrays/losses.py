"""Losses, each returning its value and its gradient: means over the batch, safe for any finite input. Lesson 06."""

from __future__ import annotations

from typing import Any

from nnlib.device import array_module
from nnlib.ops.shapes import ShapeError, require_batch, require_shape


def softmax(x: Any) -> Any:
    """Rows of probabilities. The largest entry is subtracted first: exp cannot overflow, the result is the same."""
    exponentials = array_module(x).exp(x - x.max(axis=-1, keepdims=True))
    return exponentials / exponentials.sum(axis=-1, keepdims=True)


def softmax_cross_entropy(logits: Any, labels: Any) -> tuple[Any, Any]:
    """(loss, dlogits) from logits (N, K) and integer labels (N,) in 0 … K-1.

    loss is a 0-d array, the mean of log Σ exp(z) - z[label]; dlogits = (softmax(z) - onehot) / N.
    """
    if logits.ndim != 2 or labels.ndim != 1 or logits.shape[0] != labels.shape[0]:
        raise ShapeError(f"got logits {logits.shape} for labels {labels.shape}; expected (N, K) and (N,)")
    require_batch(logits)
    N, K = logits.shape
    lowest, highest = int(labels.min()), int(labels.max())
    if lowest < 0 or highest >= K:
        raise ValueError(f"labels run from {lowest} to {highest}, but the {K} classes are 0 to {K - 1}")
    xp = array_module(logits)
    rows = xp.arange(N)
    shifted = logits - logits.max(axis=1, keepdims=True)
    exponentials = xp.exp(shifted)
    total = exponentials.sum(axis=1, keepdims=True)
    loss = xp.log(total).mean() - shifted[rows, labels].mean()
    dlogits = exponentials / total
    dlogits[rows, labels] -= 1
    dlogits /= N
    return loss, dlogits


def binary_cross_entropy(probabilities: Any, targets: Any) -> tuple[Any, Any]:
    """(loss, dp) from probabilities and targets in [0, 1] of the same shape; the mean over all entries.

    Probabilities are kept one rounding unit away from 0 and 1, so neither log nor the quotient meets a zero.
    """
    _require_pair("probabilities", probabilities, targets)
    xp = array_module(probabilities)
    unit = float(xp.finfo(probabilities.dtype).eps)
    p, t = xp.clip(probabilities, unit, 1 - unit), targets.astype(probabilities.dtype)
    loss = -(t * xp.log(p) + (1 - t) * xp.log(1 - p)).mean()
    return loss, (p - t) / (p * (1 - p) * p.size)


def binary_cross_entropy_with_logits(logits: Any, targets: Any) -> tuple[Any, Any]:
    """(loss, dlogits) from logits z = log(p / (1 - p)): mean of max(z, 0) - z t + log(1 + e^-|z|)."""
    _require_pair("logits", logits, targets)
    xp = array_module(logits)
    z, t = logits, targets.astype(logits.dtype)
    decay = xp.exp(-abs(z))
    loss = (xp.maximum(z, 0) - z * t + xp.log1p(decay)).mean()
    p = xp.where(z >= 0, 1, decay) / (1 + decay)
    return loss, (p - t) / z.size


def _require_pair(name: str, predictions: Any, targets: Any) -> None:
    require_shape(f"targets (for {name} {tuple(predictions.shape)})", targets, predictions.shape)
    require_batch(predictions)
