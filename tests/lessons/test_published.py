"""The published program of lesson 07's audit: its two defects, and nothing else, are in the rebuilt network."""

import numpy as np
import pytest

from nnlib import gradcheck, ops
from nnlib.course.exercises.published import published_network
from nnlib.datasets import load
from nnlib.layers import Conv2d
from nnlib.losses import CrossEntropyLoss
from nnlib.ops.recording import NotCapturable
from nnlib.optimizers import SGD
from nnlib.training import fit
from nnlib.training.replay.recorded_step import RecordedStep


def checked(**how):
    rng = np.random.default_rng(0)
    errors = gradcheck.gradient_check(
        published_network((2, 16), 8, **how),
        CrossEntropyLoss(),
        rng.standard_normal((3, 1, 8, 8)),
        np.array([1, 2, 3]),
        entries=10**6,
    )
    return {name for name, error in errors.items() if error > 1e-6}


def test_the_audit_finds_both_convolutions():
    assert checked() == {"input", "0.weight", "0.bias", "2.weight", "2.bias"}
    assert checked(repaired=True) == set()


def test_one_weight_in_32_gets_the_sum_of_32_different_weights():
    rng = np.random.default_rng(1)
    layer, sound = published_network((3, 8), 9).layers[2], Conv2d(3, 8, 3)
    sound.weight[...], x, dy = (
        layer.weight,
        rng.random((2, 3, 7, 7)),
        rng.standard_normal((2, 8, 5, 5)),
    )
    with ops.engine("arrays"):
        layer.forward(x.astype(np.float32))
        dx = layer.backward(dy.astype(np.float32))
    assert not dx.any() and dx.shape == x.shape
    wanted = np.zeros(8 * 27 + 8)
    windows = np.lib.stride_tricks.sliding_window_view(x, (3, 3), axis=(2, 3))
    # Lane number % 32 visits every 32nd place, for its own weight
    for number in range(wanted.size):
        f, tap = (number // 27, number % 27) if number < 8 * 27 else (number - 8 * 27, None)
        seen = (
            np.ones((2, 5, 5)) if tap is None else windows[:, tap // 9, :, :, tap // 3 % 3, tap % 3]
        )
        products = (dy[:, f] * seen).ravel()[number % 32 :: 32]
        wanted[number // 32 * 32] += products.sum()
    assert np.allclose(layer.gradients, wanted, atol=1e-4)
    assert np.count_nonzero(layer.gradients) == -(-wanted.size // 32)


def test_the_first_convolution_never_learns():
    data, net = load("digits").normalised().train[:128], published_network((2, 16))
    before = net.state_dict()
    fit(net, CrossEntropyLoss(), SGD(net, lr=0.05), data, epochs=1, progress=None)
    after = net.state_dict()
    assert [name for name in before if np.array_equal(before[name], after[name])] == [
        "0.weight",
        "0.bias",
    ]
    moved = (before["2.weight"] != after["2.weight"]).ravel()
    assert set(np.flatnonzero(moved) % 32) == {0}


def test_no_recorded_step_leaves_its_backward_out():
    net = published_network((2, 16))
    with ops.engine("mine"), pytest.raises(NotCapturable, match="no captured step for Conv2d"):
        RecordedStep(net, CrossEntropyLoss(), SGD(net, lr=0.1), (4, 1, 28, 28))
