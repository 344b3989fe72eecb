"""Sizes of windows and outputs, and the one error for shapes that do not fit."""

from __future__ import annotations

import math
from numbers import Real

from nnlib.device import Array, to_host

Size = int | tuple[int, int]
# Elements: kernels count them in int, up to 2^31 - 1, and may step past the end by a whole grid
_MOST = 2 * 10**9


class ShapeError(ValueError):
    """Arrays whose shapes do not fit together; the message names both."""


def pair(value: Size, name: str, smallest: int = 1) -> tuple[int, int]:
    """Turn `3` and `(3, 3)` into `(3, 3)`; refuse anything below `smallest`."""
    numbers = tuple(value) if isinstance(value, (tuple, list)) else (value, value)
    if tuple(map(type, numbers)) == (int, int) and min(numbers) >= smallest:
        return numbers[0], numbers[1]
    if len(numbers) != 2 or any(
        not isinstance(number, Real) or number % 1 or number < smallest for number in numbers
    ):
        raise ValueError(
            f"{name} must be an integer of at least {smallest} or a pair of them, got {value!r}"
        )
    return int(numbers[0]), int(numbers[1])


def window_output(
    x_shape: tuple[int, ...], size: Size, stride: Size, padding: Size = 0
) -> tuple[int, int]:
    """Return (OH, OW): how many windows fit into the last two axes of an image batch (N, C, H, W).

    >>> window_output((64, 1, 28, 28), 3, stride=1), window_output((64, 1, 28, 28), 3, stride=2, padding=1)
    ((26, 26), (14, 14))
    """
    if len(x_shape) != 4:
        raise ShapeError(f"expected images of shape (N, C, H, W), got {x_shape}")
    if 0 in x_shape[1:]:
        raise ShapeError(f"images of shape {x_shape} have no pixels")
    (KH, KW), (SH, SW), (PH, PW) = (
        pair(size, "size"),
        pair(stride, "stride"),
        pair(padding, "padding", 0),
    )
    H, W = x_shape[2] + 2 * PH, x_shape[3] + 2 * PW
    if KH > H or KW > W:
        raise ShapeError(
            f"a window of {KH}×{KW} does not fit into images of shape {x_shape} with padding {(PH, PW)}"
        )
    return (H - KH) // SH + 1, (W - KW) // SW + 1


def convolution_output(
    x: tuple[int, ...], w: tuple[int, ...], stride: Size, padding: Size
) -> tuple[int, int]:
    """Return (OH, OW) of images of shape x = (N, C, H, W) under filters of shape w = (F, C, KH, KW)."""
    if len(x) != 4 or len(w) != 4 or x[1] != w[1]:
        raise ShapeError(
            f"got x {x} for w {w}; expected x (N, {w[1] if len(w) == 4 else 'C'}, H, W)"
        )
    if w[0] == 0:
        raise ShapeError(f"w {w} has no filters")
    return window_output(x, w[2:], stride, padding)


def require_matrices(x: Array, w: Array) -> None:
    """Refuse inputs x (N, I) that do not fit to weights w (O, I)."""
    if x.ndim != 2 or w.ndim != 2 or x.shape[1] != w.shape[1]:
        raise ShapeError(f"got x {x.shape} for w {w.shape}; expected x (N, {w.shape[-1]})")


def require_shape(name: str, array: Array, expected: tuple[int, ...]) -> None:
    """Refuse an array of another shape than the one computed from its partners."""
    if tuple(array.shape) != tuple(expected):
        raise ShapeError(f"{name} has shape {tuple(array.shape)}, expected {tuple(expected)}")


def split_gradients(gradients: Array, w: Array) -> tuple[Array, Array]:
    """Return (dw, db) as they lie in one flat array, dw first; refuses one of another size. A layer keeps them so."""
    require_shape("out", gradients, (w.size + w.shape[0],))
    return gradients[: w.size].reshape(w.shape), gradients[w.size :]


def require_countable(shape: tuple[int, ...]) -> None:
    """Refuse an array with more elements than our kernels can count."""
    if math.prod(shape) > _MOST:
        raise ShapeError(
            f"an array of shape {tuple(shape)} has {math.prod(shape):,} elements, our kernels count up to "
            f"{_MOST:,}: use a smaller batch"
        )


def require_batch(x: Array) -> None:
    """Refuse a batch without examples: its mean is undefined."""
    if x.shape[0] == 0:
        raise ShapeError(f"the batch is empty: shape {tuple(x.shape)}")


def require_labels(logits: Array, labels: Array) -> None:
    """Refuse labels (N,) that are not one of the classes 0 … K - 1 for each row of logits (N, K)."""
    if logits.ndim != 2 or labels.ndim != 1 or logits.shape[0] != labels.shape[0]:
        raise ShapeError(
            f"got logits {logits.shape} for labels {labels.shape}; expected (N, K) and (N,)"
        )
    require_batch(logits)
    if labels.dtype.kind not in "iu":
        raise ValueError(f"labels are {labels.dtype}, but class numbers are integers")
    # Copying all labels from a GPU is faster than asking it for the largest. As unsigned numbers, negative ones are large.
    K, labels = logits.shape[1], to_host(labels)
    unsigned = labels.view(labels.dtype.str.replace("i", "u"))
    if int(unsigned.max()) >= K:
        raise ValueError(
            f"labels run from {int(labels.min())} to {int(labels.max())}, but the {K} classes are "
            f"0 to {K - 1}"
        )


def require_embedding(tokens: Array, w: Array) -> None:
    """Refuse tokens that are not integers 0 … V - 1, one of the rows of w (V, D)."""
    if w.ndim != 2:
        raise ShapeError(f"got w {w.shape}; expected (V, D), a row for each of V tokens")
    if tokens.dtype.kind not in "iu":
        raise ValueError(f"tokens are {tokens.dtype}, but numbers of rows are integers")
    if tokens.size and not 0 <= int(tokens.min()) <= int(tokens.max()) < len(w):
        raise ValueError(
            f"tokens run from {int(tokens.min())} to {int(tokens.max())}, but w has the rows 0 to {len(w) - 1}"
        )


def require_scales(x: Array, w: Array) -> None:
    """Refuse w that is not one number for each entry of the last axis of x."""
    if x.ndim == 0 or w.shape != x.shape[-1:] or not w.size:
        raise ShapeError(f"got w {w.shape} for x {x.shape}; expected as many as x has in a row")


def require_heads(qkv: Array, heads: int) -> None:
    """Refuse queries, keys and values (N, T, 3 E) whose E numbers cannot be shared among so many heads."""
    if qkv.ndim != 3 or heads < 1 or qkv.shape[2] % (3 * heads) or 0 in qkv.shape[1:]:
        raise ShapeError(
            f"got qkv {qkv.shape} for {heads} heads; expected (N, T, 3 E), E a multiple of {heads}"
        )


def require_targets(predictions: Array, targets: Array) -> None:
    """Refuse targets that are not one for each of the predictions of a batch."""
    require_shape("targets", targets, predictions.shape)
    require_batch(predictions)


def require_probabilities(p: Array) -> None:
    """Refuse what a sigmoid cannot have returned. NaN passes: the loss becomes NaN, and says where it came from."""
    if (p < 0).any() or (p > 1).any():
        raise ValueError(
            f"probabilities run from {float(p.min()):.3g} to {float(p.max()):.3g}; they are 0 to 1: end "
            "the network with Sigmoid, or take BCEWithLogitsLoss"
        )


def require_dropout(p: float) -> None:
    """Refuse what is no probability, and 1, which would leave nothing to scale."""
    if not 0 <= p < 1:
        raise ValueError(f"the dropout probability must be in [0, 1), got {p}")
