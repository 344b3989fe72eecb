"""How convolutions are cut into blocks: within the shared memory that a GPU has, and right whatever that is."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest

from nnlib import device, ops
from nnlib.cuda import force_simulator
from nnlib.ops.fast import tiling
from nnlib.ops.fast.tiling import Convolution
from nnlib.ops.kernels import kernel, run

KIB = 1024
GPUS = {"GTX 10": 48 * KIB, "T4": 64 * KIB, "RTX 30": 99 * KIB, "H100": 227 * KIB}


def launches():
    """Forward and input gradient of many convolutions."""
    for C, F, size, taps, stride, padding, pool in itertools.product(
        (1, 16, 32, 64),
        (4, 10, 32, 128, 1024),
        (7, 12, 28, 64),
        (1, 3, 7),
        (1, 2),
        (0, 1),
        (False, True),
    ):
        shape = Convolution.of(
            (C, size, size), (F, C, taps, taps), (stride, stride), (padding, padding)
        )
        shape = replace(shape, relu=pool, pool=pool and shape.OH > 1)
        yield shape.forward(64)
        if stride == 1:
            yield shape.backward_input(64)


@pytest.mark.parametrize("gpu", GPUS)
def test_a_block_fits_on_every_gpu(gpu, small_gpu):
    small_gpu(GPUS[gpu])
    largest = max(launch.shared for launch in launches())
    assert 0.9 * min(96 * KIB, GPUS[gpu]) < largest <= GPUS[gpu]


@pytest.mark.parametrize(
    ("size", "taps", "N"), [(64, 3, 128), (128, 3, 128), (224, 3, 64), (224, 7, 8), (500, 5, 128)]
)
def test_inputs_behind_pooling_fit_into_what_a_kernel_may_declare(size, taps, N):
    """Large images are cut into slices; the parts are as many as the update adds up."""
    shape = replace(
        Convolution.of((3, size, size), (16, 3, taps, taps), (1, 1), (1, 1)), relu=True, pool=True
    )
    launch = shape.backward_weight(N)
    with force_simulator():
        kernel(launch.file, launch.kernel, launch.options).compile()
    assert shape.slices(N) <= shape.parts(N) <= tiling.PARTS


def test_gradient_behind_pooling_of_large_images(monkeypatch):
    monkeypatch.setattr(tiling, "PARTS", 2)  # both of them see all three images
    shape = replace(
        Convolution.of((1, 110, 108), (2, 1, 3, 3), (1, 1), (0, 0)), relu=True, pool=True
    )
    random = np.random.default_rng(0)
    x, w, b, dy = (
        random.standard_normal(size).astype(np.float32)
        for size in ((3, 1, 110, 108), (2, 1, 3, 3), 2, (3, *shape.output))
    )
    y, argmax, partials = (
        np.empty_like(dy),
        np.empty(dy.shape, np.int32),
        np.empty((2, 20), np.float32),
    )
    with force_simulator():
        run(shape.forward(3), x, w, b, y, argmax)
        run(shape.backward_weight(3), dy, argmax, x, partials, 20, 3)
    with ops.engine("arrays"):
        before = ops.conv2d(x, w, b)
        pooled, chosen = ops.max_pool2d(ops.relu(before), 2)
        da = ops.relu_backward(ops.max_pool2d_backward(dy, chosen, before.shape), before)
        _, dw, db = ops.conv2d_backward(da, x, w)
    np.testing.assert_allclose(y, pooled, atol=1e-5)
    right = np.concatenate([dw.ravel(), db])
    assert shape.slices(3) == shape.parts(3) == 2
    np.testing.assert_allclose(partials.sum(axis=0), right, atol=2e-5 * np.abs(right).max())


BEHIND_POOLING = [  # N, C, H, W, F, KH, KW, PH, PW, ReLU
    (2, 16, 26, 26, 32, 3, 3, 0, 0, True),
    (2, 3, 9, 8, 5, 3, 3, 1, 1, True),
    (1, 4, 12, 11, 3, 5, 5, 2, 2, False),
    (1, 33, 7, 9, 6, 2, 3, 0, 1, True),
    (1, 2, 10, 70, 4, 7, 7, 3, 0, True),
    (1, 20, 6, 30, 40, 1, 1, 0, 0, False),
    (1, 40, 8, 60, 35, 3, 3, 1, 1, True),
    (1, 9, 8, 8, 7, 4, 6, 1, 2, True),
    (1, 40, 12, 13, 9, 7, 7, 3, 3, True),
]


@pytest.mark.parametrize("sizes", BEHIND_POOLING, ids=str)
def test_input_gradient_behind_pooling(sizes, move, small_gpu):
    N, C, H, W, F, KH, KW, PH, PW, relu = sizes
    random = np.random.default_rng(0)
    shape = replace(
        Convolution.of((C, H, W), (F, C, KH, KW), (1, 1), (PH, PW)), relu=relu, pool=True
    )
    x, w = (
        random.standard_normal(size).astype(np.float32) for size in ((N, C, H, W), (F, C, KH, KW))
    )
    dy = random.standard_normal((N, *shape.output)).astype(np.float32)
    with ops.engine("arrays"):
        before = ops.conv2d(x, w, np.zeros(F, np.float32), padding=(PH, PW))
        y = ops.relu(before) if relu else before
        pooled, argmax = ops.max_pool2d(y, 2)
        da = ops.max_pool2d_backward(dy, argmax, y.shape)
        if relu:
            da, argmax = ops.relu_backward(da, y), np.where(pooled > 0, argmax, np.int32(-1))
        right, _, _ = ops.conv2d_backward(
            *(a.astype(np.float64) for a in (da, x, w)), padding=(PH, PW)
        )
    known = set()
    for most in (48 * KIB, 96 * KIB):
        small_gpu(most)
        known.add(shape.backward_input(N))  # often the same for both
    for chosen in known:
        dx = move(np.full(x.shape, np.nan, np.float32))
        run(chosen, *map(move, (dy, argmax, w)), dx)
        assert np.abs(device.to_host(dx) - right).max() < 1e-6 * np.abs(right).max()


@pytest.mark.parametrize("most", [6 * KIB, 20 * KIB, 96 * KIB])
def test_right_with_any_amount(most, move, small_gpu):
    random = np.random.default_rng(0)
    x, w, b, dy = (
        random.standard_normal(shape).astype(np.float32)
        for shape in ((1, 40, 9, 8), (9, 40, 3, 3), 9, (1, 9, 9, 8))
    )
    with ops.engine("arrays"):
        expected = [ops.conv2d(x, w, b, padding=1), *ops.conv2d_backward(dy, x, w, padding=1)]
    small_gpu(most)
    x, w, b, dy = map(move, (x, w, b, dy))
    with ops.engine("kernels"):
        got = [ops.conv2d(x, w, b, padding=1), *ops.conv2d_backward(dy, x, w, padding=1)]
    for ours, right in zip(got, expected, strict=True):
        np.testing.assert_allclose(device.to_host(ours), right, atol=2e-5 * np.abs(right).max())
