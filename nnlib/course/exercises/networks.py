"""The small networks that answers of lesson 07 are tried on: nothing here works out what is right.

Marking runs a student's function beside this module, in a process that cannot read the references.
"""

import re

import numpy as np

from nnlib import ops
from nnlib.datasets import Examples
from nnlib.layers import Conv2d, Dropout, Flatten, Linear, MaxPool2d, ReLU
from nnlib.losses import CrossEntropyLoss
from nnlib.model import Sequential
from nnlib.optimizers import SGD, Adam

TRAININGS = ["91 images in batches of 30, 3 epochs", "64 images in batches of 32, 2 epochs",
             "50 images in batches of 25, 4 epochs",
             "a network with dropout, 70 images in batches of 30, 2 epochs"]  # the numbers count


def _images(count):
    rng = np.random.default_rng(count)
    labels = rng.integers(0, 10, count).astype(np.int32)
    strokes = np.arange(36).reshape(1, 6, 6) % 10 == labels[:, None, None, None]
    return Examples((rng.integers(0, 60, strokes.shape) + 180 * strokes).astype(np.uint8), labels, mean=0.3, std=0.3)


def trained(train, case):
    """(losses, weights) after a training of a fresh network on the CPU, which comes in evaluation mode."""
    count, batch_size, epochs = map(int, re.findall(r"\d+", case))
    drop = 0.3 if "dropout" in case else 0
    with ops.engine("arrays"):
        model = Sequential(Flatten(), Linear(36, 12), ReLU(), Dropout(drop), Linear(12, 10)).to("cpu").eval()
        optimizer = Adam(model, lr=0.01) if drop else SGD(model, lr=0.1, momentum=0.9)
        losses = train(model, CrossEntropyLoss(), optimizer, _images(count), epochs, batch_size)
        if losses is ... or losses is None:
            return losses
        return np.array([float(value) for value in np.atleast_1d(losses)]), model.parameters


class _NoBias(Linear):
    def backward(self, dy, needs_dx=True):
        dx = super().backward(dy, needs_dx)
        self.grad_bias[...] = 0
        return dx


class _Tenth(Conv2d):
    def backward(self, dy, needs_dx=True):
        dx = super().backward(dy, needs_dx)
        self.grad_weight.ravel()[1::2] *= 0.9
        return dx


class _Doubled(Conv2d):
    def backward(self, dy, needs_dx=True):
        dx = super().backward(dy, needs_dx)
        self.grad_weight *= 2
        return dx


class _Flipped(Linear):
    def backward(self, dy, needs_dx=True):
        return -super().backward(dy, True)


AUDITED = {"a sound network": (Conv2d, Linear), "a bias without gradient": (Conv2d, _NoBias),
           "a weight gradient twice as large": (_Doubled, Linear),
           "half of the weights a tenth too small": (_Tenth, Linear),
           "an input gradient with the wrong sign": (Conv2d, _Flipped)}


def audited(audit, case):
    """The layers that the audit of a small float64 network names, as words."""
    first, second = AUDITED[case]
    rng = np.random.default_rng(7)
    with ops.engine("arrays"):
        model = Sequential(first(1, 2, 3), ReLU(), MaxPool2d(2), Flatten(), second(8, 3)).to("cpu", np.float64)
        layers = audit(model, CrossEntropyLoss(), rng.standard_normal((5, 1, 6, 6)), rng.integers(0, 3, 5))
    if layers is ... or layers is None:
        return layers
    return "layers " + (", ".join(map(str, sorted(int(number) for number in layers))) or "none")
