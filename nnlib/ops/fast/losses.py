"""Losses with their gradients: one thread, or one warp, per row of logits: nnlib/kernels/loss*.cu."""

import numpy as np

from nnlib.device import Array
from nnlib.ops.fast.prepared import prepared
from nnlib.ops.launching import BLOCK, ceil_div, contiguous, each, empty
from nnlib.ops.shapes import require_labels, require_probabilities, require_targets

_FEW_CLASSES = 32  # up to here one thread per row of logits


def _rows(x: Array) -> tuple[int, tuple[str, ...]]:
    """Return the threads for one warp per row, and the option that says how many entries a lane holds."""
    return 32 * x.shape[0], (f"-DENTRIES={ceil_div(x.shape[1], 32)}",)


def mean(values: Array) -> Array:
    """Return the mean of all values, a 0-d array, summed in a fixed order."""
    n, blocks = values.size, min(1024, ceil_div(values.size, 16 * BLOCK))
    if blocks > 1:
        parts = empty(values, blocks)
        each("loss", "block_sums", blocks * BLOCK, values, parts, n, 1.0)
        values = parts
    result = empty(values, 1)
    each("loss", "block_sums", BLOCK, values, result, values.size, float(n))
    return result.reshape(())


def softmax(x: Array) -> Array:
    """Return rows of probabilities, of x's shape; up to 32 classes by a thread per row, else by a warp."""
    rows = contiguous(x).reshape(-1, x.shape[-1])
    y = empty(rows, rows.shape)
    N, K = rows.shape
    if 0 < K <= _FEW_CLASSES:
        each("fast/loss_few", "softmax", N, rows, y, N, options=(f"-DCLASSES={K}",))
    else:
        threads, options = _rows(rows)
        each("loss", "softmax", threads, rows, y, N, K, options=options)
    return y.reshape(x.shape)


def softmax_cross_entropy(logits: Array, labels: Array) -> tuple[Array, Array]:
    """Return (loss, dlogits) from logits (N, K), float32, and integer labels (N,)."""
    require_labels(logits, labels)
    loss, dlogits = _softmax_cross_entropy(logits, labels.astype(np.int32, copy=False))
    return loss, dlogits


@prepared
def _softmax_cross_entropy(logits: Array, labels: Array) -> tuple[Array, Array]:
    N, K = logits.shape
    logits, labels = contiguous(logits, labels)
    losses, dlogits = empty(logits, N), empty(logits, logits.shape)
    if K <= _FEW_CLASSES:
        each(
            "fast/loss_few",
            "softmax_cross_entropy",
            N,
            logits,
            labels,
            losses,
            dlogits,
            N,
            options=(f"-DCLASSES={K}",),
        )
    else:
        threads, options = _rows(logits)
        each(
            "loss",
            "softmax_cross_entropy",
            threads,
            logits,
            labels,
            losses,
            dlogits,
            N,
            K,
            options=options,
        )
    return mean(losses), dlogits


def _binary(name: str, predictions: Array, targets: Array) -> tuple[Array, Array]:
    require_targets(predictions, targets)
    predictions, targets = contiguous(predictions, targets.astype(np.float32))
    losses, gradient = empty(predictions, predictions.size), empty(predictions, predictions.shape)
    each("loss", name, predictions.size, predictions, targets, losses, gradient, predictions.size)
    return mean(losses), gradient


def binary_cross_entropy(probabilities: Array, targets: Array) -> tuple[Array, Array]:
    """Return (loss, dp) from probabilities and targets of the same shape."""
    require_probabilities(probabilities)
    return _binary("binary_cross_entropy", probabilities, targets)


def binary_cross_entropy_with_logits(logits: Array, targets: Array) -> tuple[Array, Array]:
    """Return (loss, dlogits) from logits and targets of the same shape."""
    return _binary("binary_cross_entropy_with_logits", logits, targets)
