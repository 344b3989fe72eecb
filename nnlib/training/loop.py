"""Train a network: epochs, learning-rate schedule, early stopping, checkpoints. Lesson 07."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import asdict
from typing import Any

import numpy as np

from nnlib import device
from nnlib.datasets import Examples, shuffled
from nnlib.losses import Loss
from nnlib.model import Sequential
from nnlib.optimizers import Optimizer
from nnlib.training import checkpoints
from nnlib.training.evaluation import evaluate
from nnlib.training.graph import best_steps
from nnlib.training.history import History
from nnlib.training.preconditions import TrainingError, check_parts, check_settings
from nnlib.training.progress import CHOICES, Progress

Data = Examples | tuple[Any, Any]


def fit(model: Sequential, loss: Loss, optimizer: Optimizer, train: Data, valid: Data | None = None,
        epochs: int = 5, batch_size: int = 64, *, schedule: Callable[[float], float] | None = None,
        patience: int | None = None, seed: int = 0, checkpoint: str | os.PathLike | None = None, resume: bool = False,
        progress: str | None = "auto", on_epoch: Callable[[Sequential, History], Any] | None = None) -> History:
    """Train `model` in place and return what happened.

    Args:
        train, valid: Examples, or (inputs, labels). The last batch of an epoch may be smaller.
        schedule: factor on the learning rate by progress, 0 to 1 (see nnlib.training.schedules), set before every step.
        patience: stop when the validation loss has not improved for so many epochs; ends with the best weights.
        seed: of the order of the examples, new in every epoch and the same on every machine.
        checkpoint: file written after every epoch. resume: go on from it where it exists; the numbers are those
            of a training that was never stopped.
        progress: "bar" (tqdm), "lines" (one per epoch), None, or "auto": a bar in a terminal, else lines.
        on_epoch: called with the model and the history after every epoch, for example to draw.

    Ctrl-C ends the training; the model can be used and `history.interrupted` says so. Raises TrainingError before
    anything starts, checkpoints.CheckpointError, and NonFiniteError when the loss is not a number.

        >>> from nnlib import datasets, layers, losses, optimizers
        >>> model, data = Sequential(layers.Flatten(), layers.Linear(784, 10)), datasets.load("digits").normalised()
        >>> optimizer = optimizers.SGD(model, lr=0.01)
        >>> history = fit(model, losses.CrossEntropyLoss(), optimizer, data.train, epochs=2, progress=None)
        >>> history.train_accuracy[-1] > 0.8
        True
    """
    train, valid = _examples(train, model), None if valid is None else _examples(valid, model)
    check_settings(train, valid, epochs, batch_size, patience, checkpoint, resume)
    check_parts(model, loss, optimizer, train, valid)
    if progress not in CHOICES:
        raise TrainingError(f"progress is {progress!r}: choose one of {', '.join(map(repr, CHOICES))}")
    course = _Course(model, optimizer, patience, {"seed": int(seed), "batch size": int(batch_size),
                                                  "examples": len(train), "validation examples": len(valid or ())})
    if checkpoint is not None and resume and os.path.exists(checkpoint):
        course.load(checkpoint)
    history, mode = course.history, model.training
    steps = best_steps(model, loss, optimizer, train, batch_size)
    count = -(-len(train) // batch_size)  # steps per epoch
    try:
        with Progress(progress, epochs * count, len(history) * count) as advance:
            while len(history) < epochs and not course.is_over():
                epoch = len(history)
                rates = [float(course.lr * (schedule((epoch * count + step) / (epochs * count)) if schedule else 1))
                         for step in range(count)]
                start = time.perf_counter()
                trained = steps.run(shuffled(len(train), seed, epoch), rates, advance)
                device.synchronize()
                seconds = time.perf_counter() - start
                history.add(trained, evaluate(model, loss, valid) if valid else None, seconds, rates[-1])
                course.keep_best()
                if checkpoint is not None:
                    course.save(checkpoint)
                advance.report(history.line(epochs))
                if on_epoch:
                    on_epoch(model, history)
        history.stopped_early = len(history) < epochs
    except KeyboardInterrupt:
        history.interrupted = True
    finally:
        optimizer.lr = course.lr
        model.train(mode)
    course.restore_best()
    return history


class _Course:
    """What a training must remember from epoch to epoch, and what a checkpoint therefore holds."""

    def __init__(self, model: Sequential, optimizer: Optimizer, patience: int | None, settings: dict[str, int]) -> None:
        self.model, self.optimizer, self.patience, self.settings = model, optimizer, patience, settings
        self.history, self.lr = History(), float(optimizer.lr)  # a float of NumPy's would compute in float64
        self.best: dict[str, np.ndarray] = {}

    def is_over(self) -> bool:
        """The validation loss has not improved for `patience` epochs."""
        history = self.history
        return self.patience is not None and bool(history) and len(history) - 1 - history.best_epoch >= self.patience

    def keep_best(self) -> None:
        if self.patience is not None and self.history.best_epoch == len(self.history) - 1:
            self.best = self.model.state_dict()

    def restore_best(self) -> None:
        if self.best:
            self.model.load_state_dict(self.best)

    def save(self, path: str | os.PathLike) -> None:
        notes = {"history": asdict(self.history), "settings": self.settings, "lr": self.lr, "patience": self.patience}
        checkpoints.save(path, self.model, self.optimizer, notes, self.best)

    def load(self, path: str | os.PathLike) -> None:
        notes = checkpoints.read_notes(path)
        for name, value in self.settings.items():
            if notes.get("settings", {}).get(name) != value:
                raise checkpoints.CheckpointError(
                    f"{path}: cannot go on with {name} {value}, it was saved with "
                    f"{notes.get('settings', {}).get(name, 'none')}; use that, or another checkpoint file")
        if self.patience is not None and notes.get("patience") is None:
            raise checkpoints.CheckpointError(
                f"{path}: cannot go on with patience, it was saved without, and so without the weights of its best "
                "epoch; leave patience out, or use another checkpoint file")
        _, best = checkpoints.load(path, self.model, self.optimizer)
        self.best = {} if self.patience is None else best
        self.history, self.lr = History(**notes["history"]), notes["lr"]


def _examples(data: Data, model: Sequential) -> Examples:
    if not isinstance(data, Examples):
        if not isinstance(data, (tuple, list)) or len(data) != 2:
            raise TrainingError(f"data are Examples, or a pair (inputs, labels), not {type(data).__name__}")
        data = Examples(*data)
    return data.beside(model.parameters)
