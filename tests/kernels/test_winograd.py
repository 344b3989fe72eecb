"""3×3 convolutions of stride 1 by Winograd's way: right for every size and padding, and taken where it is quicker."""

from __future__ import annotations

import numpy as np
import pytest

from nnlib import device
from nnlib.cuda import force_simulator
from nnlib.ops import arrays, kernels
from nnlib.ops.fast import winograd
from nnlib.ops.fast.tiling import Convolution
from nnlib.ops.recording import Recording

CASES = [  # N, C, H, W, F, padding
    (2, 3, 7, 9, 5, (1, 1)),  # broken tiles, blocks and steps
    (1, 12, 6, 8, 68, (0, 0)),  # two blocks of filters; outputs are written in pairs, dw in fours
    (2, 33, 4, 3, 3, (3, 4)),  # two blocks of channels in dw; a padding beyond the filter
    (5, 2, 3, 1, 2, (0, 1)),  # one output
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_convolution(place, move, case):
    N, C, H, W, F, padding = case
    shape = Convolution.of((N, C, H, W), (F, C, 3, 3), (1, 1), padding)
    if place == "gpu" and not winograd.fits(shape):
        pytest.skip(f"this GPU has less than {winograd.SHARED} bytes of shared memory per block")
    random = np.random.default_rng(H)
    x, w, b = (random.standard_normal(size) for size in ((N, C, H, W), (F, C, 3, 3), F))
    y = arrays.conv2d(x, w, b, 1, padding)
    dy = random.standard_normal(y.shape)
    dx, dw, db = arrays.conv2d_backward(dy, x, w, 1, padding)
    x, w, b, dy = (move(array.astype(np.float32)) for array in (x, w, b, dy))
    sums = move(np.zeros(w.size + F, np.float32))
    winograd.backward_weight(shape, dy, x, sums)
    found = winograd.forward(shape, x, w, b), winograd.backward_input(shape, dy, w), sums
    for got, right in zip(found, (y, dx, np.concatenate([dw.ravel(), db])), strict=True):
        assert got.shape == right.shape
        assert np.linalg.norm(device.to_host(got) - right) < 5e-7 * np.linalg.norm(right)


def test_an_operation_takes_it_where_it_is_quicker():
    x, w, b = (np.zeros(size, np.float32) for size in ((64, 256, 14, 14), (256, 256, 3, 3), 256))
    recording = Recording()
    with force_simulator(), recording.on():
        dy = kernels.conv2d(x, w, b, 1, 1)
        kernels.conv2d_backward(dy, x, w, 1, 1)
    forward = input_gradient = ["winograd_filters", "winograd"]
    weight_gradient = ["winograd", "sum_parts", "winograd_filters_gradient"]
    names = [launch.kernel.name for launch in recording.launches]
    assert names == forward + input_gradient + weight_gradient


def shape_of(C, size, F, window=3, stride=1, padding=1):
    return Convolution.of(
        (C, size, size), (F, C, window, window), (stride, stride), (padding, padding)
    )


# Too few channels
@pytest.mark.parametrize(
    ("N", "C", "size", "F", "expected"),
    [
        (256, 128, 28, 128, True),
        (64, 128, 28, 128, True),
        (64, 256, 14, 256, True),
        (64, 512, 7, 512, True),
        (64, 64, 56, 64, True),
        (8, 64, 224, 64, True),
        (1, 256, 14, 256, False),  # too few tiles for all multiprocessors
        (64, 16, 26, 32, False),
    ],
)
def test_taken_where_it_was_quicker_on_an_h200(N, C, size, F, expected):
    shape = shape_of(C, size, F)
    assert winograd.quicker(shape, N) is winograd.quicker(shape, N, turned=True) is expected
    assert winograd.quicker_weights(shape, N) is expected


def test_not_for_other_windows_strides_and_gpus(small_gpu):
    # Whose transformed filters would take 256 MiB
    assert not any(
        winograd.quicker(shape, 256) or winograd.quicker_weights(shape, 256)
        for shape in (
            shape_of(128, 28, 128, window=5),
            shape_of(128, 28, 128, stride=2),
            shape_of(128, 28, 128, window=1, padding=0),
            shape_of(2048, 14, 2048),
        )
    )
    small_gpu(64 << 10)  # a T4
    assert not winograd.fits(shape_of(128, 28, 128))


def test_memory_beside_the_results_is_at_most_64_mib():
    for N, C, size, F in [
        (256, 128, 28, 128),
        (64, 1000, 7, 900),
        (256, 64, 56, 64),
        (1, 8, 500, 2000),
    ]:
        shape = shape_of(C, size, F)
        assert winograd.fits(shape)
        gradient = winograd.weight_gradient(shape, N)
        assert winograd.convolution(shape, N).size <= 1 << 24 >= gradient.parts * gradient.size
