"""The course of a training, epoch by epoch. Lesson 07."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from nnlib.training.evaluation import Evaluation


@dataclass
class History:
    """The course of a training: an entry per epoch. Training values are means over the epoch, while the weights changed.

    seconds: of the training pass, without validation. rates: learning rate of the last step. The validation lists
    are empty without validation data. interrupted: Ctrl-C or the stop button. stopped_early: patience ran out.
    """

    train_loss: list[float] = field(default_factory=list)
    train_accuracy: list[float] = field(default_factory=list)
    valid_loss: list[float] = field(default_factory=list)
    valid_accuracy: list[float] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    rates: list[float] = field(default_factory=list)
    interrupted: bool = False
    stopped_early: bool = False

    def __len__(self) -> int:
        return len(self.train_loss)

    @property
    def best_epoch(self) -> int:
        """Epoch, from 0, with the smallest validation loss."""
        return int(np.argmin(np.nan_to_num(self.valid_loss, nan=np.inf)))

    def add(
        self, trained: Evaluation, judged: Evaluation | None, seconds: float, rate: float
    ) -> None:
        """Append an epoch; `judged` on the validation data."""
        self.train_loss.append(trained.loss)
        self.train_accuracy.append(trained.accuracy)
        if judged:
            self.valid_loss.append(judged.loss)
            self.valid_accuracy.append(judged.accuracy)
        self.seconds.append(seconds)
        self.rates.append(rate)

    def line(self, epochs: int) -> str:
        """Describe the latest of `epochs` epochs."""
        text = f"epoch {len(self)}/{epochs}  loss {self.train_loss[-1]:.3f}  accuracy {self.train_accuracy[-1]:.1%}"
        if self.valid_loss:
            text += f"  |  validation loss {self.valid_loss[-1]:.3f}  accuracy {self.valid_accuracy[-1]:.1%}"
        return text
