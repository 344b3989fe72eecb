"""The state of a training between epochs, which a checkpoint stores."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import numpy as np

import nnlib
from nnlib import ops
from nnlib.datasets import Examples
from nnlib.losses import Loss
from nnlib.model import Sequential
from nnlib.optimizers import Optimizer
from nnlib.support.files import StrPath
from nnlib.training import checkpoints
from nnlib.training.history import History
from nnlib.training.parallel import Team, checksum


class TrainingRun:
    """The history of a training, its learning rates, its best weights; saved to a file and taken up again.

    settings: what a checkpoint must agree with. count: steps per epoch. factors: on the learning rate, for every step.
    """

    def __init__(
        self,
        model: Sequential,
        optimizer: Optimizer,
        settings: dict[str, Any],
        count: int,
        epochs: int,
        factors: list[Any] | None,
        patience: int | None,
    ) -> None:
        self.model, self.optimizer, self.settings, self.patience = (
            model,
            optimizer,
            settings,
            patience,
        )
        self.epochs, self.count, self.factors = epochs, count, factors
        # A float of NumPy's would compute in float64
        self.history, self.lr = (History(), float(optimizer.lr))
        self.past_rates: list[float] = []  # of every step that is done
        self.best: dict[str, np.ndarray] = {}

    def rates(self, epoch: int) -> list[float]:
        """Return the learning rate of every step of an epoch."""
        if self.factors is None:
            return [self.lr] * self.count
        return [
            float(self.lr * factor)
            for factor in self.factors[epoch * self.count : (epoch + 1) * self.count]
        ]

    def is_over(self) -> bool:
        """Return whether the validation loss has not improved for `patience` epochs."""
        history = self.history
        return (
            self.patience is not None
            and bool(history)
            and len(history) - 1 - history.best_epoch >= self.patience
        )

    def keep(self, rates: list[float]) -> None:
        """Remember the epoch that is done."""
        self.past_rates += rates
        if self.patience is not None and self.history.best_epoch == len(self.history) - 1:
            self.best = self.model.state_dict()

    def restore_best(self) -> None:
        """Put the weights of the best epoch, if patience kept any, into the model."""
        if self.best:
            self.model.load_state_dict(self.best)

    def save(self, path: StrPath) -> None:
        """Write a checkpoint."""
        notes = {
            "history": asdict(self.history),
            "settings": self.settings,
            "lr": self.lr,
            "patience": self.patience,
        }
        checkpoints.save(
            path,
            self.model,
            self.optimizer,
            notes,
            {"rates": np.array(self.past_rates), **self.best},
        )

    def load(self, path: StrPath) -> None:
        """Go on from a checkpoint; CheckpointError, and nothing changes, where the two would not be one training."""
        notes, arrays = checkpoints.read(path)
        saved = notes.get("settings", {})
        for name, value in self.settings.items():
            if saved.get(name) != value:
                raise checkpoints.CheckpointError(
                    f"{path}: cannot go on with {name} {value}, it was saved with "
                    f"{saved.get(name, 'none')}; use that, or another checkpoint file"
                )
        if self.patience is not None and notes.get("patience") is None:
            raise checkpoints.CheckpointError(
                f"{path}: cannot go on with patience, it was saved without, and so without the weights of its best "
                "epoch; leave patience out, or use another checkpoint file"
            )
        self.history, self.lr, past = History(**notes["history"]), notes["lr"], arrays.pop("rates")
        now = np.concatenate(
            [self.rates(epoch) for epoch in range(min(len(self.history), self.epochs))]
        )
        for step in np.flatnonzero(~np.isclose(past[: len(now)], now, rtol=1e-6, atol=0))[:1]:
            what = f"this schedule over {self.epochs} epochs" if self.factors else "no schedule"
            raise checkpoints.CheckpointError(
                f"{path}: cannot go on with {what}: step {step} had a learning rate of {past[step]:.3g}, here it would "
                f"be {now[step]:.3g}; use the schedule and the epochs it was saved with, or another checkpoint file"
            )
        checkpoints.load(path, self.model, self.optimizer)
        self.past_rates, self.best = past.tolist(), {} if self.patience is None else arrays


def settings_of(
    loss: Loss,
    optimizer: Optimizer,
    train: Examples,
    valid: Examples | None,
    batch_size: int,
    seed: int,
) -> dict[str, Any]:
    """Return what makes two trainings one and the same, by name."""
    return {
        "seed": int(seed),
        "batch size": int(batch_size),
        "examples": len(train),
        "validation examples": len(valid or ()),
        "mean": _rounded(train.mean),
        "standard deviation": _rounded(train.std),
        "loss": repr(loss),
        **{name: _rounded(getattr(optimizer, name)) for name in optimizer.settings},
    }


def agree(team: Team, run: TrainingRun, train: Examples, valid: Examples | None) -> None:
    """Raise TeamError unless all ranks are about to train the same network on the same data, then begin with rank 0's.

    They may have drawn other weights: everything that changes in a training comes from rank 0.
    """
    model, optimizer = run.model, run.optimizer
    if team.size == 1:
        return
    team.agree(
        version=nnlib.__version__,
        engine=ops.current_engine(),
        numbers=str(model.parameters.dtype),
        network=[repr(layer) for layer in model.layers],
        optimizer=type(optimizer).__name__,
        **{name.replace(" ", "_"): value for name, value in run.settings.items()},
        epochs=run.epochs,
        learning_rate=run.lr,
        schedule=checksum(np.array(run.factors or ())),
        patience=run.patience,
        history=[run.history.train_loss, run.history.valid_loss],
        training_data=checksum(train.inputs, train.labels),
        validation_data=checksum(*(() if valid is None else (valid.inputs, valid.labels))),
    )
    for part in (model, optimizer):
        state = {name: np.array(value) for name, value in part.state_dict().items()}
        for value in state.values():
            team.broadcast(value)
        part.load_state_dict(state)


def _rounded(value: Any) -> Any:
    """Round to what JSON keeps, six digits: another machine's mean of the same pixels differs in the last bits."""
    if isinstance(value, (tuple, list)):
        return [_rounded(number) for number in value]
    return value if isinstance(value, bool) else float(f"{value:.6g}")
