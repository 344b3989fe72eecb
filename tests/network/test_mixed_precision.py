"""Mixed precision: factors rounded as the formats say, the same on both engines, and what a loss scale is for."""

import numpy as np
import pytest

from nnlib import ops
from nnlib.datasets import Examples
from nnlib.layers import Conv2d, Flatten, Linear, MaxPool2d, ReLU
from nnlib.losses import CrossEntropyLoss
from nnlib.model import Sequential
from nnlib.ops.mixed_precision import Precision
from nnlib.optimizers import SGD
from nnlib.training.eager import EagerSteps
from nnlib.training.replay.graph import GraphSteps

NARROW = [("tf32", 1), ("bf16", 1), ("half", 1), ("half", 1024)]
each = pytest.mark.parametrize("kind", NARROW, ids=lambda kind: f"{kind[0]}-{kind[1]}")


def numbers(*shape: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float32)


@pytest.mark.parametrize(("name", "bits"), [("tf32", 10), ("bf16", 7), ("half", 10)])
def test_rounds_to_nearest_even(name: str, bits: int) -> None:
    step = 2.0**-bits
    given = np.float32([1 + step / 2, 1 + 1.5 * step, 1 + 0.51 * step, -1 - step / 2, 0, np.inf])
    assert Precision(name).rounded(given).tolist() == [1, 1 + 2 * step, 1 + step, -1, 0, np.inf]


def products(engine: str) -> list[np.ndarray]:
    x, w, b = numbers(20, 70), numbers(24, 70, seed=1), numbers(24, seed=2)
    images, filters, bias = numbers(2, 3, 9, 10), numbers(6, 3, 3, 3, seed=1), numbers(6, seed=2)
    with ops.engine(engine):
        results = [ops.linear(x, w, b), *ops.linear_backward(1e-3 * numbers(20, 24, seed=3), x, w)]
        for stride, padding in ((1, 1), (2, 0)):
            y = ops.conv2d(images, filters, bias, stride, padding)
            results += [
                y,
                *ops.conv2d_backward(1e-3 * numbers(*y.shape), images, filters, stride, padding),
            ]
    return results


@each
def test_both_engines_round_the_same_factors(kind: tuple[str, float]) -> None:
    exact = products("arrays")
    with ops.precision(*kind):
        ours, kernels = products("arrays"), products("kernels")
    for precise, one, other in zip(exact, ours, kernels, strict=True):
        largest = np.abs(precise).max()
        assert np.abs(one - other).max() < 2e-6 * largest
    assert np.abs(ours[0] - exact[0]).max() > 1e-5


def test_a_scale_saves_gradients_that_half_flushes_to_zero() -> None:
    dy, x, w = np.full((4, 3), 1e-8, np.float32), numbers(4, 5), numbers(3, 5)
    sums = {}
    for scale in (1, 1024):
        with ops.precision("half", scale):
            sums[scale] = ops.linear_backward(dy, x, w)[1]
    exact = dy.T @ x
    assert not sums[1].any()
    assert np.abs(sums[1024] - exact).max() < 0.02 * np.abs(exact).max()


@each
def test_a_captured_step_is_the_eager_one(kind: tuple[str, float]) -> None:
    """Convolution with ReLU and pooling, and linear with ReLU, before the loss; in the simulator where no GPU is."""
    train = Examples(numbers(8, 1, 6, 6), np.arange(8, dtype=np.int32) % 3)
    ends = []
    for chosen, steps in ((kind, EagerSteps), (kind, GraphSteps), (("float32",), EagerSteps)):
        model = Sequential(
            Conv2d(1, 4, 3),
            ReLU(),
            MaxPool2d(2),
            Flatten(),
            Linear(16, 8),
            ReLU(),
            Linear(8, 3),
            seed=0,
        )
        with ops.precision(*chosen):
            steps(model, CrossEntropyLoss(), SGD(model, 0.1), train, 4).run(
                np.arange(8), [0.1, 0.1], lambda done: None
            )
        ends.append(model.parameters)
    eager, captured, exact = ends
    assert np.abs(eager - captured).max() < 0.1 * np.abs(eager - exact).max()


def test_what_it_refuses() -> None:
    with (
        pytest.raises(
            ValueError, match="no precision 'fp8'; choose one of float32, tf32, bf16, half"
        ),
        ops.precision("fp8"),
    ):
        pass
    with pytest.raises(ValueError, match="1000 is no power of two"), ops.precision("half", 1000):
        pass
    with (
        ops.precision("bf16"),
        ops.engine("mine"),
        pytest.raises(ValueError, match="decide on their own precision"),
    ):
        ops.relu(numbers(3))
    assert not ops.current_precision().narrow
