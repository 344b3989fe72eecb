"""Losses, each returning its value and its gradient: means over the batch, safe for any finite input. Lesson 06."""

from nnlib.device import Array, array_module
from nnlib.ops.shapes import require_labels, require_probabilities, require_targets


def softmax(x: Array) -> Array:
    """Return rows of probabilities. The largest entry is subtracted first: exp cannot overflow, the result is the same.

    >>> import numpy as np
    >>> softmax(np.float32([[1000, 1000]]))
    array([[0.5, 0.5]], dtype=float32)
    """
    exponentials = array_module(x).exp(x - x.max(axis=-1, keepdims=True))
    return exponentials / exponentials.sum(axis=-1, keepdims=True)


def softmax_cross_entropy(logits: Array, labels: Array) -> tuple[Array, Array]:
    """Return (loss, dlogits) from logits (N, K) and integer labels (N,) in 0 … K-1.

    loss is a 0-d array, the mean of log Σ exp(z) - z[label]; dlogits = (softmax(z) - onehot) / N.

        >>> import numpy as np
        >>> loss, dlogits = softmax_cross_entropy(np.zeros((1, 4), np.float32), np.array([2]))
        >>> round(float(loss), 4)  # log 4: four classes, nothing known
        1.3863
        >>> dlogits
        array([[ 0.25,  0.25, -0.75,  0.25]], dtype=float32)
    """
    require_labels(logits, labels)
    N = len(logits)
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


def binary_cross_entropy(probabilities: Array, targets: Array) -> tuple[Array, Array]:
    """Return (loss, dp) from probabilities and targets in [0, 1] of the same shape; the mean over all entries.

    Probabilities are kept one rounding unit away from 0 and 1, so neither log nor the quotient meets a zero.
    """
    require_targets(probabilities, targets)
    require_probabilities(probabilities)
    xp = array_module(probabilities)
    unit = float(xp.finfo(probabilities.dtype).eps)
    p, t = xp.clip(probabilities, unit, 1 - unit), targets.astype(probabilities.dtype)
    loss = -(t * xp.log(p) + (1 - t) * xp.log(1 - p)).mean()
    return loss, (p - t) / (p * (1 - p) * p.size)


def binary_cross_entropy_with_logits(logits: Array, targets: Array) -> tuple[Array, Array]:
    """Return (loss, dlogits) from logits z = log(p / (1 - p)): mean of max(z, 0) - z t + log(1 + e^-|z|)."""
    require_targets(logits, targets)
    xp = array_module(logits)
    z, t = logits, targets.astype(logits.dtype)
    decay = xp.exp(-abs(z))
    loss = (xp.maximum(z, 0) - z * t + xp.log1p(decay)).mean()
    p = xp.where(z >= 0, 1, decay) / (1 + decay)
    return loss, (p - t) / z.size
