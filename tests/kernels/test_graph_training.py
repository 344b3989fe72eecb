"""Recorded training steps change the parameters exactly as step-by-step training on NumPy does."""

from __future__ import annotations

import copy
import itertools
from types import SimpleNamespace

import numpy as np
import pytest

from nnlib import device, ops
from nnlib.cuda import force_simulator
from nnlib.layers import (
    GELU,
    AvgPool2d,
    Conv2d,
    Dropout,
    Flatten,
    LeakyReLU,
    Linear,
    MaxPool2d,
    ReLU,
    Sigmoid,
    Tanh,
)
from nnlib.losses import BCELoss, CrossEntropyLoss
from nnlib.model import Sequential
from nnlib.ops.fast import tiling
from nnlib.ops.recording import NotCapturable
from nnlib.optimizers import SGD, Adam
from nnlib.training.eager import EagerSteps, NonFiniteError
from nnlib.training.replay.captured_step import CapturedStep
from nnlib.training.replay.graph import GraphSteps, ModelTooLargeError, _bytes_needed, _check_memory
from nnlib.training.replay.recorded_step import Epoch
from tests.network.team_program import RECORDED
from tests.network.team_program import pictures as examples

NETWORKS = {
    "convolutions, pooled": RECORDED["convolutions"],
    "two pooled, one padded": lambda: (
        Conv2d(1, 2, 3, padding=1),
        ReLU(),
        MaxPool2d(2),
        Conv2d(2, 3, 2),
        MaxPool2d(2),
        Flatten(),
        Linear(3, 4),
    ),
    "strided": lambda: (
        Conv2d(1, 2, 3),
        ReLU(),
        Conv2d(2, 3, 3, stride=2, padding=1),
        Tanh(),
        Flatten(),
        Linear(27, 4),
    ),
    "average pooling, dropout": lambda: (
        Conv2d(1, 2, 3),
        GELU(),
        AvgPool2d(2),
        Flatten(),
        Dropout(0.3, seed=5),
        Linear(18, 4),
    ),
    "overlapping pooling": lambda: (
        MaxPool2d(3, 2),
        Conv2d(1, 2, 2),
        LeakyReLU(0.1),
        Flatten(),
        Linear(8, 4),
    ),
    "more than a block of threads": lambda: (
        Conv2d(1, 2, 3, padding=1),
        LeakyReLU(0.1),
        MaxPool2d(3, 1),
        Flatten(),
        Linear(72, 260),
        ReLU(),
        Dropout(0.3, seed=5),
        Linear(260, 4),
    ),
    "perceptron": lambda: (
        Flatten(),
        Linear(64, 20),
        ReLU(),
        Linear(20, 18),
        Sigmoid(),
        Linear(18, 17),
    ),
}
OPTIMIZERS = {
    "SGD": lambda model: SGD(model, 0.2),
    "Nesterov": lambda model: SGD(model, 0.1, momentum=0.9, nesterov=True, weight_decay=0.01),
    "Adam": lambda model: Adam(model, 0.01, weight_decay=0.01),
}


def train(steps, model, epochs: int = 2):
    results = []
    for epoch in range(epochs):
        order = np.random.default_rng(epoch).permutation(steps.examples).astype(np.int32)
        rates = [0.2 - 0.01 * step - 0.1 * epoch for step in range(-(-steps.examples // 4))]
        results.append(steps.run(order, rates, lambda n: None))
    return results, device.to_host(model.parameters)


def compare(network: str, optimizer: str, place: str) -> None:
    data = examples(10)
    # With 3, rounding decides where a maximum is
    model = Sequential(*NETWORKS[network](), seed=4).to("cpu")
    reference = copy.deepcopy(model)
    with ops.engine("arrays"):
        eager = EagerSteps(reference, CrossEntropyLoss(), OPTIMIZERS[optimizer](reference), data, 4)
        eager.examples = len(data)
        expected, parameters = train(eager, reference)
    model = model.to(place)
    recorded = OPTIMIZERS[optimizer](model)
    data = data.beside(model.parameters)
    results, trained = train(GraphSteps(model, CrossEntropyLoss(), recorded, data, 4), model)
    # Adam divides by the size of the gradient: where that is nearly zero, rounding alone decides the direction.
    tolerance = 1e-3 if optimizer == "Adam" else 3e-5
    np.testing.assert_allclose(
        trained, parameters, rtol=0, atol=tolerance * np.abs(parameters).max()
    )
    np.testing.assert_allclose(results, expected, rtol=1e-4)
    assert recorded.steps == eager.optimizer.steps
    for layer, other in zip(model.layers, reference.layers, strict=True):
        assert getattr(layer, "offset", 0) == getattr(other, "offset", 0)


CASES = [(network, "SGD") for network in NETWORKS] + [
    ("perceptron", name) for name in ("Nesterov", "Adam")
]


@pytest.mark.parametrize("network, optimizer", CASES)
def test_same_as_step_by_step(network, optimizer, place):
    compare(network, optimizer, place)


@pytest.mark.parametrize("network", ["convolutions, pooled", "strided"])
def test_blocks_that_take_several_images(network, place, monkeypatch):
    """Two blocks share the images of a weight gradient, as 128 do for large batches."""
    monkeypatch.setattr(tiling, "PARTS", 2)
    compare(network, "SGD", place)


def test_large_batches(place):
    """More rows than the kernel for few outputs takes: blocks share them, and their parts are added up."""
    data = examples(1100)
    model = Sequential(Flatten(), Linear(64, 5), ReLU(), Linear(5, 4), seed=3).to("cpu")
    reference = copy.deepcopy(model)
    with ops.engine("arrays"):
        steps = EagerSteps(reference, CrossEntropyLoss(), SGD(reference, 0.2), data, 1100)
        steps.run(np.arange(1100), [0.2], lambda n: None)
    model = model.to(place)
    data = data.beside(model.parameters)
    GraphSteps(model, CrossEntropyLoss(), SGD(model, 0.2), data, 1100).run(
        np.arange(1100), [0.2], lambda n: None
    )
    np.testing.assert_allclose(
        device.to_host(model.parameters), reference.parameters, rtol=0, atol=2e-5
    )


def test_what_cannot_be_captured_says_why():
    def reason(*layers, loss=None):
        model = Sequential(*layers).to("cpu")
        with pytest.raises(NotCapturable) as caught, force_simulator():
            GraphSteps(model, loss or CrossEntropyLoss(), SGD(model), examples(4), 4)
        return str(caught.value)

    assert "BCELoss()" in reason(Flatten(), Linear(64, 1), loss=BCELoss())
    assert "33 classes" in reason(Flatten(), Linear(64, 33))


@pytest.mark.parametrize("kind", [Linear, Conv2d, MaxPool2d, Dropout, Flatten, ReLU])
def test_a_layer_of_ones_own_is_not_taken_for_ours(kind):
    own = type("Own", (kind,), {})
    layers = (
        Conv2d(1, 2, 3),
        ReLU(),
        MaxPool2d(2),
        Flatten(),
        Dropout(),
        Linear(18, 9),
        ReLU(),
        Linear(9, 4),
    )
    model = Sequential(
        *(own(*layer.settings) if type(layer) is kind else layer for layer in layers)
    ).to("cpu")
    with pytest.raises(NotCapturable, match=r"no captured step for Own\("), force_simulator():
        GraphSteps(model, CrossEntropyLoss(), SGD(model), examples(4), 4)


def test_a_model_of_ones_own_is_not_taken_for_ours():
    model = type("Residual", (Sequential,), {})(Flatten(), Linear(64, 4)).to("cpu")
    with pytest.raises(NotCapturable, match="no captured step for Residual"), force_simulator():
        GraphSteps(model, CrossEntropyLoss(), SGD(model), examples(4), 4)


def on_a_gpu(count, launch, synchronize):
    """Steps of a small model, so many of them in a graph that is launched so."""
    model = Sequential(Flatten(), Linear(64, 4)).to("cpu")
    with force_simulator():
        steps = GraphSteps(model, CrossEntropyLoss(), SGD(model), examples(12), 4)
    steps._graphs = {(count, 0): SimpleNamespace(launch=launch)}
    steps._stream = SimpleNamespace(synchronize=synchronize)
    return steps


def test_an_interrupted_epoch_waits_for_what_was_launched():
    launched, waited = [], []
    steps = on_a_gpu(1, launched.append, lambda: waited.append(len(launched)))

    def interrupt(steps):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        steps.run(np.arange(12), [0.1] * 3, interrupt)
    assert waited == [1]


def interrupted(kind, after: int):
    """An epoch of five steps, interrupted `after` so many, then a whole one: what was counted, and the parameters."""
    model = Sequential(Flatten(), Dropout(0.3, seed=5), Linear(64, 4), seed=3).to("cpu")
    optimizer = Adam(model, 0.01, eps=1e-3)  # rounding of tiny gradients must not turn a step round
    steps = kind(model, CrossEntropyLoss(), optimizer, examples(10).beside(model.parameters), 2)
    done = 0

    def interrupt(count: int) -> None:
        nonlocal done
        done += count
        if done == after:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        steps.run(np.arange(10), [0.01] * 5, interrupt)
    counted = optimizer.steps, model.layers[1].offset
    steps.run(np.arange(10), [0.01] * 5, lambda count: None)
    return counted, optimizer.steps, model.layers[1].offset, device.to_host(model.parameters)


@pytest.mark.parametrize("after", [1, 3, 5])
def test_the_steps_of_an_interrupted_epoch_count(after):
    with ops.engine("arrays"):
        *expected, parameters = interrupted(EagerSteps, after)
    with force_simulator():  # a GPU runs several steps between two places to interrupt it
        *counted, trained = interrupted(GraphSteps, after)
    assert counted == expected and counted[0] == (after, 32 * after)
    np.testing.assert_allclose(trained, parameters, rtol=0, atol=1e-4)  # a step is 1e-2 long


def test_steps_that_ran_although_their_launch_was_interrupted_count():
    """Ctrl-C between the launch of a graph and the next line of Python."""

    def launch(stream):
        for launch in itertools.chain(*steps._launches):
            launch()
        raise KeyboardInterrupt

    steps = on_a_gpu(2, launch, lambda: None)
    with force_simulator(), pytest.raises(KeyboardInterrupt):
        steps.run(np.arange(12), [0.1] * 3, lambda count: None)
    assert steps.optimizer.steps == 2


def test_a_loss_that_is_not_a_number_is_found(place):
    model = Sequential(Flatten(), Linear(64, 4), seed=1).to(place)
    steps = GraphSteps(
        model, CrossEntropyLoss(), SGD(model), examples(12).beside(model.parameters), 4
    )
    with pytest.raises(NonFiniteError) as caught:
        steps.run(np.arange(12), [0.1, 1e38, 1e38], lambda n: None)
    assert caught.value.step == 2
    # As after the two good steps
    assert 1e30 < np.abs(device.to_host(model.parameters)).max() < np.inf


class _Card:
    """A GPU with one gigabyte free, as far as the memory check asks."""

    class cuda:
        class runtime:
            memGetInfo = staticmethod(lambda: (10**9, 2 * 10**9))

    @staticmethod
    def get_default_memory_pool():
        class Pool:
            free_bytes = staticmethod(lambda: 0)

        return Pool


def test_the_memory_of_a_step_is_counted_as_the_pool_rounds():
    assert _bytes_needed(lambda allocate: None) == 0
    assert (
        _bytes_needed(lambda allocate: [allocate(128, np.float32), allocate(513, np.uint8)])
        == 512 + 1024
    )


def test_a_model_too_large_says_which_batch_fits():
    model = Sequential(
        Conv2d(1, 64, 3, padding=1),
        ReLU(),
        Conv2d(64, 64, 3, padding=1),
        ReLU(),
        Flatten(),
        Linear(64 * 28 * 28, 10),
    ).to("cpu")

    def needed(N):
        shape, loss, optimizer = (1, 28, 28), CrossEntropyLoss(), SGD(model)
        return _bytes_needed(
            lambda allocate: CapturedStep(
                model, loss, optimizer, shape, N, Epoch(100, N, allocate), allocate
            )
        )

    message = r"batches of 4096 needs 3\.\d GB, the GPU has 1\.0 GB free; the largest"
    with pytest.raises(ModelTooLargeError, match=message) as caught:
        _check_memory(needed, 4096, _Card)
    largest = int(str(caught.value).split()[-1])
    assert needed(largest) <= 10**9 < needed(largest + 1)
