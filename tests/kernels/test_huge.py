"""Arrays of billions of elements: right as long as an int can count them, refused beyond."""

from __future__ import annotations

import math

import numpy as np
import pytest

from nnlib import device, ops
from nnlib.ops import kernels
from nnlib.ops.fast.losses import mean

MOST = 2 * 10**9


def pretended(*shape):
    """Return an array of that shape that takes four bytes in memory."""
    return np.broadcast_to(np.float32(0), shape)


@pytest.mark.parametrize(
    "call",
    [
        lambda: ops.relu(pretended(MOST + 1)),
        lambda: ops.conv2d(pretended(10**6, 1, 28, 28), pretended(16, 1, 3, 3), pretended(16)),
        lambda: ops.linear(pretended(50_000, 10), pretended(50_000, 10), pretended(50_000)),
    ],
    ids=["input", "images", "output"],
)
def test_more_elements_than_kernels_count_are_refused(call):
    with (
        ops.engine("kernels"),
        pytest.raises(ops.ShapeError, match="elements, our kernels count up to 2,000,000,000"),
    ):
        call()


def test_more_blocks_than_a_grid_holds_are_refused():
    with (
        ops.engine("kernels"),
        pytest.raises(ops.ShapeError, match="up to 65535 blocks: use a smaller batch"),
    ):
        ops.conv2d(pretended(70_000, 1, 4, 4), pretended(1, 1, 3, 3), pretended(1))


@pytest.fixture
def two():
    """Return as many twos as a kernel takes, less one, so that the last three are no float4."""
    xp = device.xp
    pool = xp.get_default_memory_pool()
    if min(xp.cuda.runtime.memGetInfo()[0], pool.get_limit() or math.inf) < 40e9:
        pytest.skip("needs 40 GB of GPU memory")
    yield xp.full(MOST - 1, 2.0, xp.float32)
    pool.free_all_blocks()


@pytest.mark.gpu
@pytest.mark.parametrize(
    "call",
    [
        lambda x: kernels.relu(x),
        lambda x: kernels.relu_backward(x, x),
        lambda x: kernels.dropout(x, 0.0, 1)[0],
        lambda x: kernels.dropout_backward(x, (x > 1).view(np.uint8), 0.0),
    ],
    ids=["activate", "activate_backward", "dropout", "dropout_backward"],
)
def test_the_largest_arrays(call, two):
    assert bool((call(two) == 2.0).all())


@pytest.mark.gpu
@pytest.mark.parametrize("name", ["copy", "add_float4"])
def test_the_largest_vectors(name, two):
    out, n = device.xp.zeros_like(two), two.size
    inputs = [two] if name == "copy" else [two, two]
    kernels.kernel("vector", name)((-(-n // 1024),), (256,), (*inputs, out, n))
    assert bool((out == 2.0 * len(inputs)).all())


@pytest.mark.gpu
def test_the_mean_of_the_largest_vector(two):
    assert float(mean(two)) == pytest.approx(2.0)
