"""Trainings with one silent bug each, and the probes that find it: the clinic of lesson 06.

`Healthy` is a training written so that each of its parts can be exchanged; every patient exchanges one. None of
them raises an error. All run on the CPU in NumPy, about 0.2 s each: 1,500 digits, 64 hidden units.
"""

from __future__ import annotations

from contextlib import suppress
from functools import cache
from typing import Any

import numpy as np

from nnlib import ops
from nnlib.cuda import LaunchError
from nnlib.datasets import load, shuffled
from nnlib.gradcheck import numerical_gradient
from nnlib.layers import Linear, ReLU
from nnlib.losses import CrossEntropyLoss
from nnlib.model import Sequential
from nnlib.ops.kernels import kernel
from nnlib.optimizers import SGD, Adam

PIXELS, BATCH = 784, 50
digits = cache(lambda: load("digits"))


class Healthy:
    """Digits through linear layers with ReLU between them; plain gradient descent on the mean cross-entropy."""

    loss_type, relu_type, linear_type, first_type = CrossEntropyLoss, ReLU, Linear, Linear
    optimizer_type: Any = SGD
    hidden, depth, lr = 64, 3, 0.1

    def __init__(self, seed: int = 0) -> None:
        layers = [self.first_type(PIXELS, self.hidden), self.relu_type()]
        for _ in range(self.depth - 2):
            layers += [self.linear_type(self.hidden, self.hidden), self.relu_type()]
        self.model = Sequential(*layers, self.linear_type(self.hidden, 10), seed=seed).to("cpu")
        self.loss, self.optimizer = self.loss_type(), self.optimizer_type(self.model, self.lr)
        self.losses: list[float] = []

    def inputs(self, pixels: np.ndarray) -> np.ndarray:
        """Bytes (N, 1, 28, 28) as the network sees them, (N, 784)."""
        return pixels.reshape(len(pixels), -1).astype(np.float32) / 128

    def batch(self, chosen: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Inputs and labels of the chosen training examples."""
        return self.inputs(digits().train.inputs[chosen]), digits().train.labels[chosen]

    def backpropagate(self, x: np.ndarray, labels: np.ndarray) -> float:
        """Fill the model's gradients; the loss."""
        value = float(self.loss(self.model(x), labels))
        self.model.backward(self.loss.backward())
        return value

    def train(self, epochs: int = 6) -> Healthy:
        """Extend `losses` by one number per step and set `accuracy`, the share of right test digits."""
        with ops.engine("arrays"), np.errstate(all="ignore"):
            for epoch in range(epochs):
                for chosen in shuffled(len(digits().train), 0, epoch).reshape(-1, BATCH):
                    self.losses.append(self.backpropagate(*self.batch(chosen)))
                    self.optimizer.step()
            predicted = self.model(self.inputs(digits().test.inputs)).argmax(axis=1)
        self.accuracy = float((predicted == digits().test.labels).mean())
        return self


# --- patients -------------------------------------------------------------------------------------

class MeanForgotten(Healthy):
    class loss_type(CrossEntropyLoss):
        def backward(self) -> Any:
            return self.gradient * len(self.gradient)  # p - onehot, without the 1 / N


class DividedTwice(Healthy):
    class loss_type(CrossEntropyLoss):
        def backward(self) -> Any:
            return self.gradient / len(self.gradient)  # the loss is a mean already


class TransposedWeights(Healthy):
    class linear_type(Linear):
        def backward(self, dy: Any, needs_dx: bool = True) -> Any:
            super().backward(dy, needs_dx=False)
            square = self.weight_shape[0] == self.weight_shape[1]  # elsewhere the shapes would object
            return dy @ (self.weight.T if square else self.weight)


class WrongMask(Healthy):
    class relu_type(ReLU):
        def backward(self, dy: Any, needs_dx: bool = True) -> Any:
            return ops.relu_backward(dy, dy)  # masked by the gradient, not by the output


class StaleGradients(Healthy):
    class linear_type(Linear):
        def _store(self, dw: Any, db: Any) -> None:
            self.grad_weight += dw
            self.grad_bias += db

    first_type = linear_type


class ShiftedLabels(Healthy):
    def batch(self, chosen: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        x, _ = super().batch(chosen)
        return x, digits().train.labels[chosen - 1]  # the label file was read from one byte too early


class WrongType(Healthy):
    def inputs(self, pixels: np.ndarray) -> np.ndarray:
        doubles = pixels.reshape(len(pixels), -1) / 128  # float64 ...
        return doubles.view(np.float32).ravel()[:doubles.size].reshape(doubles.shape)  # ... read through a float*


class HealthyAdam(Healthy):
    """Adam on a deeper network, at a learning rate that works when the steps are counted right."""

    optimizer_type, depth, lr = Adam, 6, 0.02


class CountedPerLayer(HealthyAdam):
    class optimizer_type(Adam):
        model: Any

        def _update(self, params: Any, grads: Any) -> None:
            start = 0
            self.steps -= 1
            for layer in self.model.layers:
                for size in (layer.weight.size, layer.bias.size) if isinstance(layer, Linear) else ():
                    self.steps += 1  # once per array, instead of once per step
                    part = slice(start, start + size)
                    m, v = (buffer[part] for buffer in self.buffers)
                    ops.adam_step(params[part], grads[part], m, v, self.steps, self.lr, *self.betas, self.eps)
                    start += size


class NeverLaunched(Healthy):
    class first_type(Linear):
        def backward(self, dy: Any, needs_dx: bool = True) -> Any:
            (N, O), I = dy.shape, self.x.shape[1]  # noqa: E741
            with suppress(LaunchError):  # as in CUDA C++ when nobody asks cudaGetLastError
                kernel("linear", "linear_backward_weight_naive")(
                    (-(-I // 16), -(-O // 16)), (16, 16, 16), (dy, self.x, self.grad_weight, N, I, O))
            self.grad_bias[...] = dy.sum(axis=0)


# --- probes ---------------------------------------------------------------------------------------

def gradients(case: Healthy, entries: int = 12) -> dict[str, tuple[float, float]]:
    """Per layer (cosine, length) of its weight gradient against central differences, at the largest entries.

    Right is (1, 1). A cosine of 1 with another length is a factor; a smaller cosine is a wrong formula.
    """
    model = case.model.to("cpu", np.float64)
    (x, labels), found = case.batch(np.arange(BATCH)), {}
    x = x.astype(np.float64)
    with ops.engine("arrays"):
        case.backpropagate(x, labels)
        for index, layer in enumerate(model.layers):
            if not isinstance(layer, Linear):
                continue
            ours = layer.grad_weight.ravel().copy()
            chosen = np.random.default_rng(0).choice(ours.size, 20 * entries, replace=False)
            chosen = chosen[np.argsort(-np.abs(ours[chosen]))][:entries]
            true = numerical_gradient(lambda: case.loss(model(x), labels), layer.weight, entries=chosen)
            a, b = ours[chosen], true.ravel()[chosen]
            length, expected = map(np.linalg.norm, (a, b))
            found[f"layer {index}"] = (float(a @ b / max(length * expected, 1e-30)), float(length / expected))
    return found


def twice(case: Healthy) -> float:
    """Length of the gradient after a second backward pass on the same batch, in units of the first: right is 1."""
    batch = case.batch(np.arange(BATCH))
    with ops.engine("arrays"):
        case.backpropagate(*batch)
        first = np.linalg.norm(case.model.gradients)
        case.backpropagate(*batch)
    return float(np.linalg.norm(case.model.gradients) / first)


def movement(case: Healthy) -> dict[str, float]:
    """Per layer, the largest change of a weight in the first step, in units of the learning rate.

    Adam's first step moves a weight by exactly one learning rate. Zero means that the layer does not learn.
    """
    layers = {f"layer {i}": layer for i, layer in enumerate(case.model.layers) if isinstance(layer, Linear)}
    before = {name: layer.weight.copy() for name, layer in layers.items()}
    with ops.engine("arrays"):
        case.backpropagate(*case.batch(np.arange(BATCH)))
        case.optimizer.step()
    return {name: float(np.abs(layer.weight - before[name]).max() / case.lr) for name, layer in layers.items()}
