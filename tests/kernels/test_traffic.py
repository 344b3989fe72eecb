"""Kernels whose floor is memory read every input once and write every output once, as their headers say."""

from __future__ import annotations

import numpy as np
import pytest

from nnlib.ops.kernels import kernel

N = 992  # elements; a multiple of 32, so that arrays of bytes end with a sector, too
ROWS = 32  # of logits


def floats(*shape):
    return np.random.default_rng(1).random(shape, np.float32)


# name: file, kernel, options, what is read, what is written (of both: read and written), numbers, threads
CASES = {
    "activate": (
        "activation",
        "activate",
        ("-DACTIVATION=gelu",),
        [floats(N)],
        [floats(N)],
        [N],
        N // 4,
    ),
    "activate_backward": (
        "activation",
        "activate_backward",
        ("-DGRADIENT=gelu_gradient",),
        [floats(N), floats(N)],
        [floats(N)],
        [N],
        N // 4,
    ),
    "dropout_forward": (
        "dropout",
        "dropout_forward",
        (),
        [floats(N)],
        [floats(N), np.zeros(N, np.uint8)],
        [N, 2**31, 2.0, 1, 0],
        N // 4,
    ),
    "dropout_backward": (
        "dropout",
        "dropout_backward",
        (),
        [floats(N), np.ones(N, np.uint8)],
        [floats(N)],
        [N, 2.0],
        N // 4,
    ),
    "softmax, few classes": (
        "fast/loss_few",
        "softmax",
        ("-DCLASSES=10",),
        [floats(ROWS, 10)],
        [floats(ROWS, 10)],
        [ROWS],
        ROWS,
    ),
    "softmax": (
        "loss",
        "softmax",
        ("-DENTRIES=3",),
        [floats(ROWS, 80)],
        [floats(ROWS, 80)],
        [ROWS, 80],
        32 * ROWS,
    ),
}


def sectors(arrays):
    return sum(array.nbytes for array in arrays) / 32


@pytest.mark.parametrize("name", CASES)
def test_once(name):
    file, function, options, inputs, outputs, numbers, threads = CASES[name]
    profile = kernel(file, function, options).profile(
        (-(-threads // 256),), (256,), (*inputs, *outputs, *numbers)
    )
    assert profile.global_load.sectors == sectors(inputs)
    assert profile.global_store.sectors == sectors(outputs)


@pytest.mark.parametrize(
    ("name", "states", "numbers"),
    [
        ("sgd_step", 1, (0.1, 0.9, 0, 0.01)),
        ("adam_step", 2, (0.1, 0.9, 0.999, 1e-8, 0.01, 0.1, 0.001)),
    ],
)
def test_optimizers(name, states, numbers):
    arrays = [floats(N) for _ in range(2 + states)]  # parameters, gradients, states
    profile = kernel("optimizer", name).profile((-(-N // 256),), (256,), (*arrays, N, *numbers))
    assert profile.global_load.sectors == sectors(arrays)
    assert profile.global_store.sectors == sectors(arrays[1:])
