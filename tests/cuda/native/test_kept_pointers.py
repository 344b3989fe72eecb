"""A pointer that lies in memory native code leaves to the simulator."""

import numpy as np
import pytest

from nnlib.cuda import RawKernel
from nnlib.cuda._engine.language.refusal import Refusal
from tests.cuda.native.launching import natively


@pytest.mark.parametrize(
    "body",
    [
        "__shared__ int* p; p = x; *p = 1;",
        "__shared__ int* p; p = x; p++; *p = 1;",
        "__shared__ int* p[2]; p[threadIdx.x] = x; *p[1] = 1;",
        "__shared__ S s; s.p = x; *s.p = 1;",
    ],
)
def test_a_pointer_in_shared_memory_is_refused(body: str) -> None:
    kernel = RawKernel(
        'struct S { int* p; }; extern "C" __global__ void k(int* x) { ' + body + " }", "k"
    )
    with pytest.raises(Refusal, match="a pointer kept in memory"):
        natively(kernel, (1,), (2,), [np.zeros(4, np.int32)])
