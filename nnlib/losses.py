"""Losses as PyTorch names them: call for the value, `backward()` for the gradient. Lesson 06."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from nnlib import ops
from nnlib.device import Array


class Loss:
    """`loss(predictions, targets)` is the mean over the batch, a 0-d array: float() of it waits for the GPU."""

    operation: Callable[..., tuple[Any, Any]]

    def forward(self, predictions: Array, targets: Array) -> Array:
        """Return the mean loss of a batch, a 0-d array, and keep its gradient for `backward`."""
        value, self.gradient = type(self).operation(predictions, targets)
        return value

    def backward(self) -> Array:
        """Return dL/d(predictions) of the latest call."""
        return self.gradient

    def __call__(self, predictions: Array, targets: Array) -> Array:
        return self.forward(predictions, targets)

    def __repr__(self) -> str:
        return f"{type(self).__name__}()"


class CrossEntropyLoss(Loss):
    """Logits (N, K), integer labels (N,): softmax and negative log-likelihood in one stable step.

    Of T tokens each, logits (N, T, K) and labels (N, T): the mean over all of them.
    """

    operation = ops.softmax_cross_entropy

    def forward(self, predictions: Array, targets: Array) -> Array:
        """Return the mean loss of a batch, a 0-d array, and keep its gradient for `backward`."""
        if predictions.ndim != 3:
            return super().forward(predictions, targets)
        value = super().forward(predictions.reshape(-1, predictions.shape[-1]), targets.reshape(-1))
        self.gradient = self.gradient.reshape(predictions.shape)
        return value


class BCELoss(Loss):
    """Probabilities and targets of the same shape, both in [0, 1]."""

    operation = ops.binary_cross_entropy


class BCEWithLogitsLoss(Loss):
    """Logits and targets of the same shape: sigmoid and BCELoss in one stable step."""

    operation = ops.binary_cross_entropy_with_logits
