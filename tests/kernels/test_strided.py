"""The input gradient behind a stride, where channels are few: kernels/fast/convolution_strided.cu."""

from __future__ import annotations

import numpy as np
import pytest

from nnlib import device
from nnlib.ops import arrays
from nnlib.ops.fast.tiling import Convolution
from nnlib.ops.launching import run

CASES = [  # N, C, H, W, F, window, stride, padding
    (2, 3, 20, 23, 10, (7, 7), (2, 2), (3, 3)),
    (1, 1, 9, 9, 3, (3, 3), (2, 2), (0, 0)),  # a last row that no window sees
    (2, 5, 11, 8, 4, (5, 3), (2, 1), (2, 1)),  # two groups of channels
    (1, 15, 9, 11, 7, (3, 2), (1, 2), (2, 1)),
    (1, 3, 70, 9, 9, (1, 1), (2, 2), (0, 0)),  # most pixels meet no tap
    (1, 2, 12, 12, 3, (2, 2), (2, 2), (1, 1)),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_the_input_gradient(case, move):
    N, C, H, W, F, window, stride, padding = case
    random = np.random.default_rng(H)
    x, w = random.standard_normal((N, C, H, W)), random.standard_normal((F, C, *window))
    y = arrays.conv2d(x, w, np.zeros(F), stride, padding)
    dy = random.standard_normal(y.shape)
    right, _, _ = arrays.conv2d_backward(dy, x, w, stride, padding)
    shape = Convolution.of(x.shape, w.shape, stride, padding)
    dx = move(np.full(x.shape, np.nan, np.float32))
    run(
        shape.backward_input_strided(N),
        move(dy.astype(np.float32)),
        move(w.astype(np.float32)),
        dx,
    )
    assert np.linalg.norm(device.to_host(dx) - right) < 1e-6 * np.linalg.norm(right)
