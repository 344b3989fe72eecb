"""One pass over the training examples, step by step, and what went wrong when the loss is not a number."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, Protocol

import numpy as np

from nnlib import device
from nnlib.datasets import Examples
from nnlib.losses import Loss
from nnlib.model import Sequential
from nnlib.optimizers import Optimizer
from nnlib.training.evaluation import Evaluation, count_right, evaluating


class NonFiniteError(FloatingPointError):
    """The loss became NaN or infinite; the parameters are those before the bad step.

    step: counted from 0 within the epoch. place: what had NaN or infinite values first.
    """

    def __init__(self, step: int, place: str) -> None:
        super().__init__(f"the loss is not finite in step {step}: {place}. "
                         "Try a smaller learning rate, and look at the inputs")
        self.step, self.place = step, place


class Steps(Protocol):
    """A way to run an epoch: `EagerSteps` anywhere, or the same steps recorded as a CUDA graph."""

    def run(self, order: np.ndarray, rates: Sequence[float], advance: Callable[[int], None]) -> Evaluation:
        """Train once on all examples in `order`, step i with learning rate `rates[i]`; mean loss and accuracy.

        Calls `advance(n)` after each n steps. Raises NonFiniteError.
        """


class EagerSteps:
    """Forward, loss, backward, update: one operation after another."""

    def __init__(self, model: Sequential, loss: Loss, optimizer: Optimizer, train: Examples, batch_size: int) -> None:
        self.model, self.loss, self.optimizer = model, loss, optimizer
        self.train, self.batch_size = train, batch_size

    def run(self, order: np.ndarray, rates: Sequence[float], advance: Callable[[int], None]) -> Evaluation:
        """As `Steps.run`; the loss is looked at in every step, which waits for the GPU."""
        total, answers = 0.0, []
        self.model.train()
        for step, (x, y) in enumerate(self.train.batches(self.batch_size, order)):
            with np.errstate(over="ignore", invalid="ignore"):  # noticed here, by the loss
                outputs = self.model.forward(x)
                loss = self.loss(outputs, y)
                self.model.backward(self.loss.backward())
                value = float(loss)  # waits for a GPU, which has more to do by now
                if not math.isfinite(value):
                    raise NonFiniteError(step, first_non_finite(self.model, x))
                self.optimizer.lr = rates[step]
                self.optimizer.step()
            total += value * len(y)
            answers.append(outputs)  # looked at when all are there: fetching each would take longer
            advance(1)
        xp = device.array_module(self.train.labels)
        correct = count_right(self.loss, xp.concatenate(answers), self.train.labels[xp.asarray(order)])
        return Evaluation(total / len(self.train), int(correct) / self.train.labels.size)


def first_non_finite(model: Sequential, x: Any) -> str:
    """Where NaN or infinity appears first: the inputs, a layer's parameters, its output, or only the loss."""
    if not np.isfinite(x).all():
        return "the inputs of this batch already are not"
    with evaluating(model), np.errstate(all="ignore"):
        for index, layer in enumerate(model.layers):
            parameters = getattr(layer, "parameters", None)
            if parameters is not None and not np.isfinite(parameters).all():
                return f"first in the parameters of layer {index}, {layer}"
            x = layer.forward(x)
            if not np.isfinite(x).all():
                return f"first in the output of layer {index}, {layer}"
    return "all layers are finite, the loss itself overflows"
