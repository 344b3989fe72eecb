"""Lesson 04's way to a sum: each kernel right, and what the next one is better at."""

import numpy as np
import pytest

from nnlib.ops.launching import kernel

RNG = np.random.default_rng(4)


def profiled(name, grid, block, *args):
    return kernel("reductions", name).profile((grid,), (block,), args)


@pytest.mark.parametrize("rows, columns", [(1, 1), (37, 10), (100, 70)])
def test_a_thread_sums_its_column(rows, columns):
    dy, db = RNG.standard_normal((rows, columns), np.float32), np.zeros(columns, np.float32)
    profiled("sum_first", -(-columns // 64), 64, dy, db, rows, columns)
    np.testing.assert_allclose(db, dy.sum(0), atol=1e-4)


def test_three_ways_to_one_sum_cost_less_and_less():
    x = RNG.standard_normal(1024, np.float32)
    total, blocks, warps = (np.zeros(n, np.float32) for n in (1, 4, 32))
    atomic = profiled("sum_atomic", 4, 256, x, total, 1024)
    tree = profiled("sum_tree", 4, 256, x, blocks)
    shuffles = profiled("sum_warps", 4, 256, x, warps)
    np.testing.assert_allclose(total[0], x.sum(), atol=1e-4)
    np.testing.assert_allclose(blocks, x.reshape(4, 256).sum(1), atol=1e-4)
    np.testing.assert_allclose(warps, x.reshape(32, 32).sum(1), atol=1e-4)
    assert atomic.atomics == 32 and tree.atomics == shuffles.atomics == 0
    assert tree.shared_load.wavefronts > 0 == shuffles.shared_load.wavefronts
    assert tree.instructions > shuffles.instructions


@pytest.mark.parametrize("rows, classes", [(1, 1), (5, 10), (33, 32)])
def test_a_warp_does_a_row_of_softmax(rows, classes):
    x = RNG.standard_normal((rows, classes), np.float32) + 100
    y = np.zeros_like(x)
    profiled("softmax_warp", -(-rows // 8), 256, x, y, rows, classes)
    e = np.exp(x - x.max(1, keepdims=True))
    np.testing.assert_allclose(y, e / e.sum(1, keepdims=True), atol=1e-6)
