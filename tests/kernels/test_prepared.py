"""Prepared operations: a later call gives what the first one gives, and what the operation itself does."""

from __future__ import annotations

import numpy as np
import pytest

from nnlib import device
from nnlib.cuda import ArgumentError
from nnlib.ops import kernels

CASES = {
    "linear": (kernels.linear, [(64, 784), (256, 784), (256,)]),
    "linear of few": (kernels.linear, [(3, 70), (4, 70), (4,)]),
    "linear backwards": (kernels.linear_backward, [(64, 256), (64, 784), (256, 784)]),
    "linear backwards, few": (kernels.linear_backward, [(5, 10), (5, 33), (10, 33), False]),
    "into an array": (kernels.linear_backward, [(7, 3), (7, 5), (3, 5), True, (18,)]),
    "convolution": (kernels.conv2d, [(2, 64, 14, 14), (32, 64, 3, 3), (32,), 1, 1]),
    "convolution, direct": (kernels.conv2d, [(2, 3, 9, 8), (4, 3, 3, 3), (4,), (2, 1), 1]),
    "its gradients": (
        kernels.conv2d_backward,
        [(2, 32, 14, 14), (2, 64, 14, 14), (32, 64, 3, 3), 1, 1],
    ),
    "with a stride": (kernels.conv2d_backward, [(2, 8, 5, 5), (2, 3, 9, 9), (8, 3, 3, 3), 2, 1]),
    "7 x 7 of a picture": (
        kernels.conv2d_backward,
        [(1, 64, 28, 28), (1, 3, 56, 56), (64, 3, 7, 7), 2, 3],
    ),
    "im2col": (kernels.im2col, [(2, 3, 9, 9), 3, 3, 1, 1]),
    "pooling": (kernels.max_pool2d, [(3, 4, 9, 8), 3, 2]),
    "average": (kernels.avg_pool2d, [(3, 4, 9, 8), 2]),
    "relu": (kernels.relu, [(33, 7)]),
    "sigmoid backwards": (kernels.sigmoid_backward, [(33, 7), (33, 7)]),
}


def drawn(wanted, seed):
    random = device.xp.random.default_rng(seed)
    return [
        random.standard_normal(one, dtype=np.float32)
        if isinstance(one, tuple) and one != (2, 1)
        else one
        for one in wanted
    ]


def listed(results):
    return [
        device.to_host(one)
        for one in (results if isinstance(results, tuple) else (results,))
        if one is not None
    ]


@pytest.mark.gpu
@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_later_call_does_what_the_operation_does(case):
    operation, wanted = CASES[case]
    for seed in range(3):
        args = drawn(wanted, seed)
        got, right = listed(operation(*args)), listed(operation.__wrapped__(*args))
        assert [one.shape for one in got] == [one.shape for one in right]
        assert all(map(np.array_equal, got, right))


@pytest.mark.gpu
def test_arrays_that_cannot_be_handed_over_are_copied_as_ever():
    x = device.xp.arange(64, dtype=np.float32).reshape(8, 8) - 20
    for part in (x, x, x.T, x[1:], x.ravel()[1:], x[:, ::2]):
        assert np.array_equal(
            device.to_host(kernels.relu(part)), np.maximum(device.to_host(part), 0)
        )


@pytest.mark.gpu
def test_arrays_that_begin_anywhere():
    """A layer's bias or gradients may begin at any number of the model's buffer; other arrays are copied then."""
    random = device.xp.random.default_rng(0)
    for shift in (0, 1, 2):
        for _ in range(2):
            x, w, b, dy = (
                random.standard_normal(size, dtype=np.float32)
                for size in ((9, 40), (20, 40), 23, (9, 20))
            )
            out = device.xp.zeros(820 + shift, np.float32)[shift:]
            y = kernels.linear(x, w, b[shift : shift + 20])
            assert device.xp.allclose(y, x @ w.T + b[shift : shift + 20], atol=1e-4)
            kernels.linear_backward(dy, x, w, True, out)
            assert device.xp.allclose(
                out, device.xp.concatenate([(dy.T @ x).ravel(), dy.sum(axis=0)]), atol=1e-4
            )
            crooked = random.standard_normal(360 + shift, dtype=np.float32)[shift:].reshape(9, 40)
            assert device.xp.allclose(
                kernels.linear(crooked, w, b[:20]), crooked @ w.T + b[:20], atol=1e-4
            )


@pytest.mark.gpu
def test_another_type_is_refused_after_the_right_one_was_prepared():
    x = device.xp.ones((4, 4), np.float32)
    for _ in range(2):
        kernels.relu(x)
        with pytest.raises(ArgumentError, match="float64"):
            kernels.relu(x.astype(np.float64))


def test_without_a_gpu_the_operation_runs_as_it_is():
    x = np.array([[-1.0, 2.0]], np.float32)
    assert np.array_equal(kernels.relu(x), [[0, 2]])
