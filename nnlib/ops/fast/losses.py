"""Losses with their gradients: one thread, or one warp, per row of logits: nnlib/kernels/loss*.cu."""

import numpy as np

from nnlib.device import Array
from nnlib.ops.fast.prepared import prepared
from nnlib.ops.launching import BLOCK, ceil_div, contiguous, each, empty
from nnlib.ops.shapes import require_labels, require_probabilities, require_targets

_FEW_CLASSES = 32  # up to here one thread per row of logits


def _each_row(kernel: str, logits: Array, *arrays: Array) -> None:
    """Launch a kernel on rows (N, K): up to 32 classes by a thread per row, else by a warp, whose lanes hold entries."""
    N, K = logits.shape
    if 0 < K <= _FEW_CLASSES:
        each("fast/loss_few", kernel, N, logits, *arrays, N, options=(f"-DCLASSES={K}",))
    else:
        options = (f"-DENTRIES={ceil_div(K, 32)}",)
        each("loss", kernel, 32 * N, logits, *arrays, N, K, options=options)


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
    _each_row("softmax", rows, y)
    return y.reshape(x.shape)


def softmax_cross_entropy(logits: Array, labels: Array) -> tuple[Array, Array]:
    """Return (loss, dlogits) from logits (N, K), float32, and integer labels (N,)."""
    require_labels(logits, labels)
    loss, dlogits = _softmax_cross_entropy(logits, labels.astype(np.int32, copy=False))
    return loss, dlogits


@prepared
def _softmax_cross_entropy(logits: Array, labels: Array) -> tuple[Array, Array]:
    logits, labels = contiguous(logits, labels)
    losses, dlogits = empty(logits, len(logits)), empty(logits, logits.shape)
    _each_row("softmax_cross_entropy", logits, labels, losses, dlogits)
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
