"""Small networks and devices to try answers of lessons 07 and 11 on. Nothing here works out a right answer.

Marking runs a student's function beside this module, in a process that cannot read the references.
"""

import functools
import re
from typing import Any

import numpy as np

from nnlib import ops
from nnlib.datasets import Examples
from nnlib.layers import Conv2d, Dropout, Flatten, Linear, MaxPool2d, ReLU
from nnlib.losses import CrossEntropyLoss
from nnlib.model import Sequential
from nnlib.optimizers import SGD, Adam
from nnlib.support.devices import on_devices

# The numbers count
TRAININGS = [
    "91 images in batches of 30, 3 epochs",
    "64 images in batches of 32, 2 epochs",
    "50 images in batches of 25, 4 epochs",
    "a network with dropout, 70 images in batches of 30, 2 epochs",
]


def _images(count: Any) -> Any:
    rng = np.random.default_rng(count)
    labels = rng.integers(0, 10, count).astype(np.int32)
    strokes = np.arange(36).reshape(1, 6, 6) % 10 == labels[:, None, None, None]
    return Examples(
        (rng.integers(0, 60, strokes.shape) + 180 * strokes).astype(np.uint8),
        labels,
        mean=0.3,
        std=0.3,
    )


def trained(train: Any, case: Any) -> Any:
    """Train a fresh network, which comes in evaluation mode, on the CPU; return (losses, weights)."""
    count, batch_size, epochs = map(int, re.findall(r"\d+", case))
    drop = 0.3 if "dropout" in case else 0
    with ops.engine("arrays"):
        model = (
            Sequential(Flatten(), Linear(36, 12), ReLU(), Dropout(drop), Linear(12, 10))
            .to("cpu")
            .eval()
        )
        optimizer = Adam(model, lr=0.01) if drop else SGD(model, lr=0.1, momentum=0.9)
        losses = train(model, CrossEntropyLoss(), optimizer, _images(count), epochs, batch_size)
        if losses is ... or losses is None:
            return losses
        return np.array([float(value) for value in np.atleast_1d(losses)]), model.parameters


def _layer(
    kind: Any, *settings: Any, weight: Any = 1.0, bias: Any = 1.0, dx: Any = 1.0, every: Any = 1
) -> Any:
    """Make a layer whose backward pass is wrong by these factors. Of the weights only every `every`-th gradient is wrong.

    All layers are made here and look alike: only their gradients reveal which one is wrong.
    """

    def backward(self: Any, dy: Any, needs_dx: Any = True) -> Any:
        to_input = kind.backward(self, dy, needs_dx)
        self.grad_weight.ravel()[every - 1 :: every] *= weight
        self.grad_bias[...] *= bias
        return to_input if to_input is None else dx * to_input

    return type(kind.__name__, (kind,), {"backward": _closed(backward)})(*settings)


def _closed(function: Any) -> Any:
    """Wrap a function so that students cannot read the factors in its closure."""
    kept = functools.lru_cache(maxsize=0)(function)
    del kept.__wrapped__
    return kept


_FAULTS = {
    "a bias without gradient": {"bias": 0.0},
    "a weight gradient twice as large": {"weight": 2.0},
    "half of the weights a tenth too small": {"weight": 0.9, "every": 2},
    "an input gradient with the wrong sign": {"dx": -1.0},
    "all gradients of a layer twice as large": {"weight": 2.0, "bias": 2.0},
}
# It has them in its last layer
_BEHIND = {"a bias without gradient", "an input gradient with the wrong sign"}
_TWO = "one weight in each of two layers"  # the last one of each: one gradient is too small, the other too large
_LITTLE = "weights three in a thousand too large"  # what a generous tolerance passes over
_SMALL = "small weight gradients one percent too large"  # what passes any difference that is taken for small
AUDITED = ["a sound network", *_FAULTS, _TWO, _LITTLE, _SMALL]


def _network(case: Any) -> Any:
    """Build the network of a case. For one named "drawn by 1234", faults, shape and depth follow from that seed."""
    number = re.search(r"\d+", case)
    if number is None:
        first, last = ({}, _FAULTS[case]) if case in _BEHIND else (_FAULTS.get(case, {}), {})
        if case == _LITTLE:
            first = {"weight": 1.003}
        if case == _SMALL:
            first = {"weight": 1.01}
        if case == _TWO:
            first, last = {"weight": 4.0, "every": 18}, {"weight": -1.0, "every": 24}
        linear = _layer(Linear, 8, 3, **last)
        model = Sequential(
            _layer(Conv2d, 1, 2, 3, **first), ReLU(), MaxPool2d(2), Flatten(), linear
        )
        if case == _SMALL:
            linear.weight[...] *= 0.01  # so little comes back to the convolution
        return model
    rng = np.random.default_rng(int(number[0]))
    faults = [{}, {}, *_FAULTS.values()]

    def drawn(kind: Any, *settings: Any) -> Any:
        return _layer(kind, *settings, **faults[rng.integers(len(faults))])

    channels, hidden, pool = (int(rng.integers(*ends)) for ends in ((2, 4), (4, 7), (0, 2)))
    inputs = channels * (4 if pool else 16)
    return Sequential(
        drawn(Conv2d, 1, channels, 3),
        ReLU(),
        *[MaxPool2d(2)] * pool,
        Flatten(),
        *([drawn(Linear, inputs, hidden), ReLU()] if hidden > 4 else []),
        drawn(Linear, hidden if hidden > 4 else inputs, 3),
        seed=int(number[0]),
    )


def audited(audit: Any, case: Any) -> Any:
    """Return, as a sentence, the layers that an audit of a small float64 network names."""
    rng = np.random.default_rng(7)
    with ops.engine("arrays"):
        model = _network(case).to("cpu", np.float64)
        layers = audit(
            model, CrossEntropyLoss(), rng.standard_normal((5, 1, 6, 6)), rng.integers(0, 3, 5)
        )
    return (
        layers
        if layers is ... or layers is None
        else "layers " + (", ".join(map(str, _numbers(layers))) or "none")
    )


def _numbers(layers: Any) -> Any:
    """Sort the numbers of layers. Raise ValueError for anything that is no such number."""
    if isinstance(layers, str) or not np.iterable(layers):
        raise ValueError(
            f"return a list with the numbers of the layers, such as [0, 4] or [], not {layers!r}"
        )
    for number in layers:
        if isinstance(number, (bool, np.bool_)) or not isinstance(number, (int, np.integer)):
            raise ValueError(
                "return the numbers of the layers, such as [0, 4]; in your list is something of type "
                f"{type(number).__name__}. enumerate(model.layers) gives number and layer"
            )
    numbers = sorted(map(int, layers))
    if len(set(numbers)) < len(numbers):
        raise ValueError(f"each wrong layer once: {numbers} says one of them several times")
    return numbers


def own_numbers(devices: Any, elements: Any, seed: Any) -> Any:
    """Draw an array for each device, (devices, elements): small integers, so that float32 adds them exactly."""
    return np.random.default_rng(seed).integers(1, 99, (devices, elements)).astype(np.float32)


def traceable(elements: Any) -> Any:
    """Return numbers of which none is a multiple of another, so that no sum of repeats looks like another element."""
    return np.arange(elements + 1, 2 * elements + 1)


def all_reduced(program: Any, case: Any) -> Any:
    """Run an all-reduce program; return what it leaves on each device, and (source, target, bytes) of each link.

    case: devices, elements, a seed, and the only device that has numbers, see `traceable`, or None where all have some.
    """
    devices, elements, seed, source = case
    arrays = own_numbers(devices, elements, seed)
    if source is not None:
        arrays[:] = 0
        arrays[source] = traceable(elements)
    run = on_devices(
        program,
        list(arrays),
        lambda grid, block, args: np.add(args[0], args[1], out=args[0]),
        lends=False,
    )
    return np.array(run.arrays), [(*ends, count) for ends, count in run.bytes().items()]
