"""What rounds a float, or turns its sign, has the simulator's bits in every native way: alone and in lanes."""

from __future__ import annotations

import numpy as np
import pytest

from nnlib.cuda import RawKernel, force_simulator, native_code
from tests.cuda.native.launching import WAYS, natively, same_bits

FUNCTIONS = ("floorf", "ceilf", "truncf", "rintf", "nearbyintf", "roundf", "fabsf", "sqrtf", "-")
NUMBERS = (
    0.0,
    0.25,
    0.5,
    0.75,
    1.0,
    1.5,
    2.5,
    3.5,
    7.49,
    1e-30,
    8388607.5,
    8388608.0,
    16777217.0,
    3e38,
    np.inf,
    np.nan,
)


@pytest.mark.parametrize("way", WAYS, ids=lambda way: f"{way[0]}-{way[1] or 'lanes'}")
@pytest.mark.parametrize("function", FUNCTIONS)
def test_every_rounding_has_the_bits_of_the_simulator(function: str, way: tuple[str, int]) -> None:
    kernel = RawKernel(
        'extern "C" __global__ void rounded(const float* x, float* y, int n) { int i = blockIdx.x * '
        f"blockDim.x + threadIdx.x; if (i < n) y[i] = {function}(x[i]); }}",
        "rounded",
    )
    x = np.array([sign * number for number in NUMBERS for sign in (1, -1)] * 5, np.float32)
    native, simulated = np.zeros_like(x), np.zeros_like(x)
    assert natively(kernel, (2,), (96,), [x, native, np.int32(len(x))], way=way) == ""
    with force_simulator(), native_code(False):
        kernel((2,), (96,), (x, simulated, np.int32(len(x))))
    assert same_bits(native, simulated)
