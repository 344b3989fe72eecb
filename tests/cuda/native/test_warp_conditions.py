"""A function of the warp may decide a condition; where only some lanes would come to it, native code refuses it."""

from __future__ import annotations

import numpy as np
import pytest

from nnlib.cuda import RawKernel
from nnlib.cuda._engine.native.refusal import Refusal
from tests.cuda.native.launching import WAYS, natively

ANY = "__any_sync(~0u, x[threadIdx.x] > 62)"


def launched(condition: str, way: tuple[str, int]) -> list[int]:
    text = f'extern "C" __global__ void f(const int* x, int* y, int n) {{ y[threadIdx.x] = {condition}; }}'
    kernel = RawKernel(text, "f")
    x, y = np.arange(64, dtype=np.int32), np.zeros(64, np.int32)
    assert natively(kernel, (1,), (64,), [x, y, np.int32(7)], way=way) == ""
    return y.tolist()


@pytest.mark.parametrize("way", WAYS, ids=lambda way: f"{way[0]}-{way[1] or 'lanes'}")
@pytest.mark.parametrize("condition, first, second", [
    (f"{ANY} && n > 6", 0, 1), (f"{ANY} || n > 7", 0, 1), (f"{ANY} ? n : 3", 3, 7)])
def test_all_lanes_come_to_what_is_asked_first(condition: str, first: int, second: int, way: tuple[str, int]) -> None:
    assert launched(condition, way) == [first] * 32 + [second] * 32


@pytest.mark.parametrize("condition", [
    f"n > 6 && {ANY}", f"n > 7 || {ANY}", f"n > 6 ? {ANY} : 3", f"n > 6 ? 3 : {ANY}"])
def test_what_is_asked_second_is_refused(condition: str) -> None:
    with pytest.raises(Refusal, match=r"inside of && \|\| \?:"):
        launched(condition, WAYS[0])
