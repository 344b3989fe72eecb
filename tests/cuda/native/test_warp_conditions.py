"""A function of the warp may decide a condition, and stand where only the other side of && || ?: leads to it."""

from __future__ import annotations

import numpy as np
import pytest

from nnlib.cuda import RawKernel
from tests.cuda.native.launching import WAYS, natively

ANY = "__any_sync(~0u, x[threadIdx.x] > 62)"


def launched(condition: str, way: tuple[str, int]) -> list[int]:
    text = f'extern "C" __global__ void f(const int* x, int* y, int n) {{ y[threadIdx.x] = {condition}; }}'
    kernel = RawKernel(text, "f")
    x, y = np.arange(64, dtype=np.int32), np.zeros(64, np.int32)
    assert natively(kernel, (1,), (64,), [x, y, np.int32(7)], way=way) == ""
    return y.tolist()


@pytest.mark.parametrize("way", WAYS, ids=lambda way: f"{way[0]}-{way[1] or 'lanes'}")
@pytest.mark.parametrize(
    "condition, first, second",
    [(f"{ANY} && n > 6", 0, 1), (f"{ANY} || n > 7", 0, 1), (f"{ANY} ? n : 3", 3, 7)],
)
def test_all_lanes_come_to_what_is_asked_first(
    condition: str, first: int, second: int, way: tuple[str, int]
) -> None:
    assert launched(condition, way) == [first] * 32 + [second] * 32


@pytest.mark.parametrize("way", WAYS, ids=lambda way: f"{way[0]}-{way[1] or 'lanes'}")
@pytest.mark.parametrize(
    "condition, first, second",
    [
        (f"n > 6 && {ANY}", 0, 1),
        (f"n > 7 || {ANY}", 0, 1),
        (f"n > 7 && {ANY}", 0, 0),
        (f"n > 6 ? {ANY} : 3", 0, 1),
        (f"n > 7 ? {ANY} : 3", 3, 3),
        (f"n > 6 ? 3 : {ANY}", 3, 3),
        (f"(n += {ANY}) * 2 + n", 21, 24),
    ],
)
def test_what_is_asked_second_is_a_branch(
    condition: str, first: int, second: int, way: tuple[str, int]
) -> None:
    assert launched(condition, way) == [first] * 32 + [second] * 32
