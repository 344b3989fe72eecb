"""Asynchronous copies: the thread's own until it has waited, the block's after a barrier behind that."""

from pathlib import Path

import numpy as np
import pytest

import nnlib
from nnlib.cuda import RaceError, RawModule, force_simulator

MATMUL = (Path(nnlib.__file__).parent / "kernels" / "matmul_async.cu").read_text()


@pytest.mark.parametrize("right", [True, False])
def test_wait_and_barrier_of_the_finished_kernel(right):
    pair = "    __pipeline_wait_prior(STAGES - 2);\n    __syncthreads();\n"
    swapped = "    __syncthreads();\n    __pipeline_wait_prior(STAGES - 2);\n"
    assert MATMUL.count(pair) >= 1
    text = MATMUL if right else MATMUL.replace(pair, swapped, 1)
    rng = np.random.default_rng(0)
    a, b = rng.random((32, 16), dtype=np.float32), rng.random((16, 64), dtype=np.float32)
    c = np.zeros((32, 64), np.float32)
    options = ("-DBM=64", "-DBN=128", "-DTM=8", "-DTN=8")
    matmul = RawModule(text, options=options).get_function("matmul_async")
    with force_simulator():
        if right:
            matmul(1, 128, (a, b, c, 32, 64, 16))
            np.testing.assert_allclose(c, a @ b, rtol=1e-5)
        else:
            with pytest.raises(RaceError, match="tiles"):
                matmul(1, 128, (a, b, c, 32, 64, 16))
