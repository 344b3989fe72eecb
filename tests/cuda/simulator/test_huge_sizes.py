"""Sizes that no kernel means: each is refused or bounded at once, and takes neither all time nor all memory."""

import numpy as np
import pytest

from nnlib.cuda import RawKernel
from nnlib.cuda._engine.errors import KernelError, UnsupportedError
from nnlib.cuda._engine.simulator.running.binding import Bindings

KERNEL = 'extern "C" __global__ void k(float* x) { if (threadIdx.x == 0) { %s } }'


def profiled(body):
    RawKernel(KERNEL % body, "k").profile(1, 32, (np.ones(64, np.float32),))


@pytest.mark.parametrize(
    "body, said",
    [
        ("memset(x, 0, -1);", "memset of 18,446,744,073,709,551,615 bytes"),
        ("memcpy(x, x + 1, 1ull << 62);", "memcpy of 4,611,686,018,427,387,904 bytes"),
    ],
)
def test_a_copy_that_no_thread_would_finish_is_refused_when_it_is_compiled(body, said):
    with pytest.raises(UnsupportedError, match=said):
        profiled(body)


def test_too_little_memory_is_said(monkeypatch):
    def lack(self):
        raise MemoryError

    monkeypatch.setattr(Bindings, "save", lack)
    with pytest.raises(KernelError, match="needs more memory than this computer has"):
        RawKernel(KERNEL % "x[0] = 1;", "k")(1, 1, (np.ones(1, np.float32),))
