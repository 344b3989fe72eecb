"""Divergence: a branch that splits warps gives the same results as one that does not, for twice the instructions."""

from pathlib import Path

import numpy as np
import pytest

import nnlib
from nnlib.cuda import RawModule

MODULE = RawModule(path=Path(nnlib.__file__).parent / "kernels" / "warps.cu")


@pytest.mark.parametrize(
    ("name", "first_side"),
    [("by_lane", lambda i: i % 2 == 0), ("by_warp", lambda i: i // 32 % 2 == 0)],
)
def test_every_element_goes_through_its_side(name, first_side):
    x = np.linspace(-1, 1, 128, dtype=np.float32)
    expected = x.copy()
    for _ in range(3):
        expected = np.where(
            first_side(np.arange(128)), np.float32(0.5) * expected + 1, 1 - expected * expected
        )
    MODULE.get_function(name)((2,), (64,), (x, 3))
    np.testing.assert_allclose(x, expected, rtol=1e-6, atol=1e-6)


def test_lanes_that_disagree_cost_twice_the_instructions():
    lane, warp = (
        MODULE.get_function(name).profile((1,), (64,), (np.zeros(64, np.float32), 100))
        for name in ("by_lane", "by_warp")
    )
    assert (lane.divergent_branches, warp.divergent_branches) == (2, 0)
    assert 1.9 < lane.instructions / warp.instructions < 2.0
    assert lane.flops == warp.flops
