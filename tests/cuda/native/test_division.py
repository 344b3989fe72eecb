"""Division by numbers that are known is done by multiplication; C says what comes out."""

from __future__ import annotations

import numpy as np
import pytest

from nnlib.cuda import RawKernel
from tests.cuda.native.launching import WAYS, natively

DIVISORS = (
    2,
    3,
    5,
    6,
    7,
    8,
    9,
    10,
    24,
    26,
    28,
    32,
    63,
    64,
    100,
    576,
    641,
    784,
    1000,
    46341,
    65536,
    2**30,
    2**30 + 1,
    2**31 - 1,
)
LOWEST, HIGHEST = -(2**31), 2**31 - 1


@pytest.mark.parametrize("way", WAYS, ids=lambda way: f"{way[0]}-{way[1] or 'lanes'}")
def test_quotients_and_remainders_are_cut_off_towards_zero(way: tuple[str, int]) -> None:
    lines = "\n".join(
        f"q[{k} * n + i] = x[i] / {divisor}; r[{k} * n + i] = x[i] % {divisor};"
        for k, divisor in enumerate(DIVISORS)
    )
    kernel = RawKernel(
        'extern "C" __global__ void divide(const int* x, int* q, int* r, int n) { int i = blockIdx.x * '
        "blockDim.x + threadIdx.x; if (i < n) {" + lines + "} }",
        "divide",
    )
    near = [
        sign * (many * divisor + off)
        for divisor in DIVISORS
        for many in (0, 1, 2, HIGHEST // divisor)
        for off in (-1, 0, 1)
        for sign in (1, -1)
    ]
    x = np.array(
        [number for number in [*near, LOWEST, LOWEST + 1, HIGHEST] if LOWEST <= number <= HIGHEST],
        np.int32,
    )
    q, r = np.zeros((2, len(DIVISORS), len(x)), np.int32)
    assert (
        natively(kernel, ((len(x) + 127) // 128,), (128,), [x, q, r, np.int32(len(x))], way=way)
        == ""
    )
    wide, by = x.astype(np.int64), np.array(DIVISORS, np.int64)[:, None]
    quotients = np.sign(wide) * (abs(wide) // by)
    np.testing.assert_array_equal(q, quotients)
    np.testing.assert_array_equal(r, wide - quotients * by)
