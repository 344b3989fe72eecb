"""Train for one epoch, step by step, and find where NaN or infinity came from when the loss is not finite."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Protocol

import numpy as np

from nnlib import device
from nnlib.datasets import Examples
from nnlib.losses import Loss
from nnlib.model import Sequential
from nnlib.optimizers import Optimizer
from nnlib.training.evaluation import Evaluation, count_right, evaluating
from nnlib.training.parallel import DRAWN_TOGETHER, Team, dropouts, part_size, parts


class NonFiniteError(FloatingPointError):
    """The loss became NaN or infinite. The parameters are still those from before that step.

    step: counted from 0 within the epoch. place: what had NaN or infinite values first, as a phrase.
    """

    def __init__(self, step: int, place: str) -> None:
        super().__init__(
            f"the loss is not finite in step {step}: {place}. "
            "Try a smaller learning rate, and look at the inputs"
        )
        self.step, self.place = step, place


class Steps(Protocol):
    """A way to run an epoch: `EagerSteps` anywhere, or the same steps recorded as a CUDA graph."""

    def run(
        self, order: np.ndarray, rates: Sequence[float], advance: Callable[[int], None]
    ) -> Evaluation:
        """Train once on all examples in `order`, step i with learning rate `rates[i]`; mean loss and accuracy.

        Calls `advance(n)` after each n steps. Raises NonFiniteError.
        """


class EagerSteps:
    """Steps that run as Python calls: forward, loss, backward, update.

    team: every rank works on its part of each batch; the gradients of all parts are summed before the update. A rank's
    part may be smaller than that of the others, or empty.
    """

    def __init__(
        self,
        model: Sequential,
        loss: Loss,
        optimizer: Optimizer,
        train: Examples,
        batch_size: int,
        team: Team | None = None,
    ) -> None:
        self.model, self.loss, self.optimizer = model, loss, optimizer
        self.train, self.batch_size, self.team = train, batch_size, team or Team()
        self._part_size = part_size(model, batch_size, self.team)
        self._dropouts = (
            dropouts(model.layers, train.inputs.shape[1:]) if self.team.size > 1 else []
        )

    def run(
        self, order: np.ndarray, rates: Sequence[float], advance: Callable[[int], None]
    ) -> Evaluation:
        """Train once on the examples in this order, as `Steps.run` says.

        Every step reads the loss, and so waits for the GPU and for the other ranks.
        """
        total, outputs_of_steps = 0.0, list[Any]()
        self.model.train()
        own = parts(order, self.batch_size, self._part_size, self.team)
        local = np.concatenate(own)
        batches = self.train.batches(max(1, len(own[0])), local)
        for step, part in enumerate(own):
            count = min(self.batch_size, len(order) - step * self.batch_size)
            with np.errstate(over="ignore", invalid="ignore"):  # the loss shows it
                total += count * self._learn(
                    step, count, next(batches) if len(part) else None, outputs_of_steps
                )
                self.optimizer.lr = rates[step]
                self.optimizer.step()
            advance(1)
        xp = device.array_module(self.train.labels)
        (correct,) = self.team.total(
            int(
                count_right(
                    self.loss,
                    xp.concatenate(outputs_of_steps),
                    self.train.labels[xp.asarray(local)],
                )
            )
            if outputs_of_steps
            else 0
        )
        return Evaluation(total / len(self.train), correct / self.train.labels.size)

    def _learn(
        self, step: int, count: int, batch: tuple[Any, Any] | None, outputs_of_steps: list[Any]
    ) -> float:
        """Compute the gradients of one batch and return its mean loss, both over all ranks.

        count: examples of the whole batch. batch: this rank's inputs and labels, None if it has none. The outputs are
        appended to `outputs_of_steps`: right answers are counted once per epoch, because fetching a count per step
        would take longer. The loss of a part is a mean, so it is weighted by the rank's share of the batch.
        """
        value = share = 0.0
        with self._random_numbers_of_this_rank(count):
            if batch is None:  # the other ranks have all examples of this batch
                self.model.gradients[...] = 0
            else:
                x, y = batch
                share = len(y) / count
                outputs = self.model.forward(x)
                loss, dy = self.loss(outputs, y), self.loss.backward()
                self.model.backward(dy if share == 1 else dy * share)
                value = float(loss)  # waits for the GPU, which works on the gradients meanwhile
                outputs_of_steps.append(outputs)
        (mean,) = self.team.total(value * share)
        if not math.isfinite(mean):
            raise NonFiniteError(
                step,
                self.team.first("" if math.isfinite(value) else first_non_finite(self.model, x)),
            )
        self.team.all_reduce(self.model.gradients)
        return mean

    @contextmanager
    def _random_numbers_of_this_rank(self, count: int) -> Iterator[None]:
        """Let dropout draw the random numbers that one process would draw for this rank's part of the batch.

        Inside, the offset of each dropout layer is moved to the first number of this rank's examples; one counter of the
        generator gives DRAWN_TOGETHER numbers. Afterwards it stands behind the numbers of all `count` examples, on every
        rank the same.
        """
        start, before = (
            self.team.part(count, self._part_size).start,
            [layer.offset for layer, _ in self._dropouts],
        )
        for (layer, per_example), offset in zip(self._dropouts, before, strict=True):
            layer.offset = offset + start * per_example // DRAWN_TOGETHER
        yield
        for (layer, per_example), offset in zip(self._dropouts, before, strict=True):
            layer.offset = offset
            layer.advance(count * per_example)


def first_non_finite(model: Sequential, x: Any) -> str:
    """Return where NaN or infinity appears first: the inputs, a layer's parameters, its output, or only the loss."""
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
