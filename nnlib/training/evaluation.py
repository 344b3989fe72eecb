"""Ask a network without changing it: outputs, predicted classes, loss and accuracy. Lesson 07."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np

from nnlib import device
from nnlib.datasets import Examples
from nnlib.losses import BCELoss, BCEWithLogitsLoss, Loss
from nnlib.model import Sequential
from nnlib.training.parallel import Team


class Evaluation(NamedTuple):
    """Mean loss per example, and the share of right predictions, 0 to 1."""

    loss: float
    accuracy: float


def evaluate(
    model: Sequential,
    loss: Loss,
    examples: Examples,
    batch_size: int = 500,
    *,
    team: Team | None = None,
) -> Evaluation:
    """Return loss and accuracy on `examples`, in evaluation mode: no dropout, and its random sequence stays where it is.

    team: every rank judges its part and returns the same result for the whole.
    """
    team = team or Team()
    examples = examples.beside(model.parameters)
    total, correct = 0.0, 0
    with evaluating(model):
        for x, y in examples[team.part(len(examples))].batches(batch_size):
            outputs = model.forward(x)
            # Stays on the device: no wait per batch
            total += loss(outputs, y).astype(np.float64) * len(y)
            correct += count_right(loss, outputs, y)
    losses, hits = team.total(float(total), int(correct))
    return Evaluation(losses / len(examples), hits / examples.labels.size)


def predict(
    model: Sequential, examples: Examples | np.ndarray, batch_size: int = 500
) -> np.ndarray:
    """Return the network's outputs (N, K), on the host, for Examples or for an array of inputs as the network takes them."""
    if not isinstance(examples, Examples):
        examples = Examples(examples, np.zeros(len(examples), np.int32))
    examples = examples.beside(model.parameters)
    with evaluating(model):
        return np.concatenate(
            [device.to_host(model.forward(x)) for x, _ in examples.batches(batch_size)]
        )


def classify(loss: Loss, outputs: Any) -> Any:
    """Return the classes that outputs mean under this loss: the largest of each row, or for BCE above one half."""
    if isinstance(loss, BCEWithLogitsLoss):
        return outputs > 0
    if isinstance(loss, BCELoss):
        return outputs > 0.5
    return outputs.argmax(axis=-1)


def count_right(loss: Loss, outputs: Any, labels: Any) -> Any:
    """Return how many predictions of a batch are right, a 0-d array where the outputs are."""
    return (classify(loss, outputs) == labels).sum()


@contextmanager
def evaluating(model: Sequential) -> Iterator[None]:
    """Set evaluation mode inside the `with` block; afterwards every layer's mode is what it was."""
    before = [layer.training for layer in model.modules()]
    mode = model.training
    model.eval()
    try:
        yield
    finally:
        model.training = mode
        for layer, training in zip(model.modules(), before, strict=True):
            layer.training = training
