"""Check what must hold before a training starts; otherwise nothing is changed and the message says what to do."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from nnlib import device
from nnlib.datasets import Examples
from nnlib.losses import CrossEntropyLoss, Loss
from nnlib.model import Sequential
from nnlib.ops.arrays.inputs import ONLY_BYTES_OR_FLOATS
from nnlib.optimizers import Optimizer
from nnlib.support.files import StrPath
from nnlib.training.evaluation import evaluating


class TrainingError(ValueError):
    """The settings or the data do not allow a training to start."""


def check_settings(
    train: Examples,
    valid: Examples | None,
    epochs: int,
    batch_size: int,
    patience: int | None,
    seed: int,
    checkpoint: StrPath | None,
    resume: bool,
) -> None:
    """Check the numbers of epochs, examples per batch and epochs of patience, the seed and the checkpoint's path."""
    given = {"epochs": epochs, "batch_size": batch_size, "seed": seed} | (
        {} if patience is None else {"patience": patience}
    )
    for name, number in given.items():
        if not isinstance(number, int | np.integer) or isinstance(number, bool):
            raise TrainingError(f"{name} is {number!r}: choose a whole number")
    if seed < 0:
        raise TrainingError(f"seed is {seed}: choose 0 or more")
    if epochs < 1:
        raise TrainingError(f"epochs is {epochs}: train for at least 1")
    if not 1 <= batch_size <= len(train):
        raise TrainingError(
            f"batch_size is {batch_size}: choose 1 to {len(train)}, the number of training examples"
        )
    if patience is not None and (valid is None or patience < 1):
        raise TrainingError(
            "patience needs validation data and must be at least 1: it waits for their loss to improve"
        )
    if checkpoint is not None and not isinstance(checkpoint, str | os.PathLike):
        raise TrainingError(f"checkpoint is {checkpoint!r}: name a file")
    if checkpoint is not None and (
        Path(checkpoint).is_dir() or not Path(checkpoint).parent.is_dir()
    ):
        raise TrainingError(
            f"checkpoint is {os.fspath(checkpoint)!r}: name a file, in a folder that exists"
        )
    if resume and checkpoint is None:
        raise TrainingError("resume needs the checkpoint to go on from: name its file")


def factors_of(schedule: Callable[[float], float] | None, steps: int) -> list[Any] | None:
    """Return the factor on the learning rate of every step, at least 0; None without a schedule."""
    if schedule is None:
        return None
    if not callable(schedule):
        raise TrainingError(
            f"schedule is {schedule!r}: give a function of the progress, such as schedules.cosine"
        )
    factors = [schedule(step / steps) for step in range(steps)]
    for step, factor in enumerate(factors):
        if not isinstance(factor, int | float | np.number) or not 0 <= factor < np.inf:
            raise TrainingError(
                f"schedule({step / steps:.3g}) is {factor!r}: the factor on the learning rate must be "
                "a number that is at least 0"
            )
    return factors


def check_parts(
    model: Sequential, loss: Loss, optimizer: Optimizer, *sets: Examples | None
) -> None:
    """Model, optimizer, loss and data fit together; runs one example through the network, in evaluation mode."""
    here = model.parameters
    if optimizer.model is not model:
        raise TrainingError("the optimizer was made for another model: make it with this one")
    if any(
        type(buffer) is not type(here) or buffer.dtype != here.dtype for buffer in optimizer.buffers
    ):
        raise TrainingError(
            "the model was moved after the optimizer was made: make the optimizer again"
        )
    for index, layer in enumerate(model.layers):
        if layer.size and layer.parameters.base is not here:
            raise TrainingError(
                f"the weights of layer {index}, {layer}, are not among this model's parameters: it was "
                "put into another model since, or into this one after it was made. "
                "Sequential(*model.layers, seed=None) ties all layers together again"
            )
    for name, examples in zip(("training", "validation"), sets, strict=True):
        if examples is None:
            continue
        if not len(examples):
            raise TrainingError(f"there are no {name} examples")
        if model.takes == "f":
            _check_inputs(examples.inputs, name)
        with evaluating(model), np.errstate(all="ignore"):  # only the shape matters here
            outputs = model.forward(examples.prepare(examples.inputs[:1]))
        _check_labels(loss, examples.labels, outputs.shape, name)


def _check_inputs(inputs: Any, name: str) -> None:
    """Refuse NaN: a ReLU may let it vanish, and the loss stays finite while the weights are lost."""
    if inputs.dtype == np.uint8:
        return
    if inputs.dtype.kind != "f":
        raise TrainingError(f"the {name} inputs are {inputs.dtype}: {ONLY_BYTES_OR_FLOATS}")
    finite = device.array_module(inputs).isfinite(inputs).reshape(len(inputs), -1).all(axis=1)
    if not finite.all():
        raise TrainingError(
            f"{name} example {int(finite.argmin())} has inputs that are NaN or infinite"
        )


def _check_labels(loss: Loss, labels: Any, output_shape: tuple[int, ...], name: str) -> None:
    labels = device.to_host(labels)
    expected: tuple[int, ...]
    if isinstance(loss, CrossEntropyLoss):
        expected, largest = (len(labels), *output_shape[1:-1]), output_shape[-1] - 1
        if labels.dtype.kind not in "iu":
            raise TrainingError(
                f"the {name} labels are {labels.dtype}; {loss} takes class numbers, int32"
            )
    else:
        expected, largest = (len(labels), *output_shape[1:]), 1
    if labels.shape != expected:
        raise TrainingError(
            f"the {name} labels have shape {labels.shape}; {loss} takes {expected} for this network"
        )
    outside = np.argwhere(~((labels >= 0) & (labels <= largest)))
    if len(outside):
        place = tuple(outside[0])
        raise TrainingError(
            f"{name} label {labels[place]} (example {place[0]}) is outside 0 to {largest}, "
            "which is what this network and loss can tell apart"
        )
