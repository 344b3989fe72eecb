"""The probes of the clinic: each looks at one thing of a program, and at the same of a healthy one."""

from __future__ import annotations

from typing import Any

import numpy as np

from nnlib.course.clinic.machine import digits
from nnlib.course.clinic.patients import SEEDS
from nnlib.course.clinic.training import BATCH, TrainingProgram, fresh_memory, train
from nnlib.gradcheck import numerical_gradient
from nnlib.support.threads import one_blas_thread


class Bench:
    """A fresh network of a program with one batch in front of it. first, size: of the batch."""

    def __init__(self, chosen: TrainingProgram, first: int = 0, size: int = BATCH) -> None:
        self.names, self.ward = chosen.names, chosen.ward
        seed, self.rate = self.names["settings"]()
        batch = np.arange(first, first + size)
        self.net = self.names["network"](seed)
        self.x, self.t = (
            self.names["images"](digits().train.inputs[batch]),
            self.names["labels"](batch),
        )
        self.memory = fresh_memory()

    def backpropagate(self) -> float:
        """Fill the gradients; the loss."""
        with np.errstate(all="ignore"):
            return float(self.names["backpropagate"](self.net, self.x, self.t))

    def step(self) -> None:
        """Take one step of the ward's optimizer."""
        self.names[self.ward.optimizer](self.net, self.memory, self.rate)

    def in_float64(self) -> None:
        """Compute with float64 from now on."""
        for arrays in self.net:
            arrays[:] = [each.astype(np.float64) for each in arrays]
        self.x = self.x.astype(np.float64)


@one_blas_thread()
def gradients(
    chosen: TrainingProgram, size: int = BATCH, entries: int = 12
) -> list[tuple[float, float]]:
    """Return per layer (cosine, length) of its weight gradient beside central differences, at the largest entry of many units.

    Right is (1, 1): another length is a factor, a smaller cosine a wrong direction.
    """
    bench = Bench(chosen, size=size)
    bench.in_float64()
    bench.backpropagate()
    ours_of = [each.ravel().copy() for each in bench.net.dw]

    def loss() -> float:
        outputs = bench.names["forward"](bench.net, bench.x)
        return float(bench.names["loss_and_gradient"](outputs, bench.t)[0])

    found = []
    for w, ours in zip(bench.net.w, ours_of, strict=True):
        best = np.abs(ours.reshape(w.shape)).argmax(axis=1) + np.arange(len(w)) * w.shape[1]
        some = best[np.argsort(-np.abs(ours[best]))][:entries]
        # So small that no ReLU bends between
        true = numerical_gradient(loss, w, eps=1e-7, entries=some).ravel()[some]
        length, expected = float(np.linalg.norm(ours[some])), float(np.linalg.norm(true))
        found.append(
            (
                float(ours[some] @ true) / max(length * expected, 1e-30),
                length / max(expected, 1e-30),
            )
        )
    return found


def twice(chosen: TrainingProgram) -> float:
    """Return the length of the gradient after a second backward pass on the same batch, in units of the first: right is 1."""
    bench, lengths = Bench(chosen), []
    for _ in range(2):
        bench.backpropagate()
        lengths.append(np.sqrt(sum((each.astype(np.float64) ** 2).sum() for each in bench.net.dw)))
    return float(lengths[1] / lengths[0])


def batch(chosen: TrainingProgram) -> tuple[Any, Any, Any]:
    """Return ten images (10, 28, 28) and their labels as the network gets them, and what the images show."""
    bench = Bench(chosen, first=12, size=10)
    return bench.x.reshape(10, 28, 28), bench.t, digits().train.labels[12:22]


def reads(chosen: TrainingProgram) -> tuple[np.ndarray, float]:
    """Return how often the first layer reads each pixel (28, 28) of an image, and the share that it reads elsewhere.

    Each of eight images gets pixels that tell where they come from.
    """
    bench = Bench(chosen, size=8)
    marked = np.arange(bench.x.size, dtype=np.float32).reshape(bench.x.shape)
    bench.names["forward"](bench.net, marked)
    met = np.asarray(bench.net.y[0]).reshape(8, -1)[1].astype(int) - 784
    own = met[(met >= 0) & (met < 784)]
    return np.bincount(own, minlength=784).reshape(28, 28), 1 - own.size / met.size


def movement(chosen: TrainingProgram) -> list[float]:
    """Return, per layer, the largest change of a weight in the first step, in learning rates."""
    bench = Bench(chosen)
    before = [each.copy() for each in bench.net.w]
    bench.backpropagate()
    bench.step()
    return [
        float(np.abs(new - old).max() / bench.rate)
        for new, old in zip(bench.net.w, before, strict=True)
    ]


@one_blas_thread()
def one_batch(chosen: TrainingProgram, steps: int = 150) -> tuple[float, float]:
    """Return the loss before the first and after the last of many steps on one batch, which it should learn by heart."""
    bench = Bench(chosen)
    losses = []
    for _ in range(steps):
        losses.append(bench.backpropagate())
        with np.errstate(all="ignore"):
            bench.step()
    return losses[0], losses[-1]


def rates(chosen: TrainingProgram) -> dict[float, tuple[float, float]]:
    """Return factor of the learning rate -> (loss at the end, share of right test digits) after the whole training."""
    _, rate = chosen.names["settings"]()
    runs = {
        factor: train(chosen.with_settings(rate=rate * factor)) for factor in (0.02, 0.1, 1, 10, 50)
    }
    return {factor: (run.end, run.accuracy) for factor, run in runs.items()}


def seeds(chosen: TrainingProgram) -> list[tuple[float, float]]:
    """Return (loss at the end, share of right test digits) after the whole training, with four other seeds."""
    own, _ = chosen.names["settings"]()
    runs = [train(chosen.with_settings(seed=seed)) for seed in [s for s in SEEDS if s != own][:4]]
    return [(run.end, run.accuracy) for run in runs]
