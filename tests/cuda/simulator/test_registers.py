"""What a compiler keeps in registers: loads and stores of global memory, as written and as compiled, of one warp.

Whether nvcc does so is asked over whole kernels, of an H200: tests/cuda/test_counters.py.
"""

import numpy as np

from tests.jupyter import html

from . import kernel, run

T = "int t = threadIdx.x;\n"
SUM = "for (int k = 0; k < 8; k++)\nc[t] += a[t * 8 + k] * b[k];"


def profiled(body, parameters="float* a, float* b, float* c, int n", before=""):
    arrays = [np.ones(512, np.float32) for _ in range(3)]
    return run(kernel(parameters, T + body, before), [*arrays, np.int32(8)], profile=True)


RESTRICT = "const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c, int n"


def test_a_profile_says_both_by_line():
    p = profiled(SUM, RESTRICT)
    note = "line 4: the compiler keeps this in a register: 8 global store requests as written, 1 as compiled"
    assert note in p.kept and note in str(p) and note in html(p)
    assert "as compiled 17 requests" in str(p)
    assert (
        p.as_compiled.lines[4].global_load.requests == 17 and p.lines[4].global_load.requests == 24
    )
    assert (
        sum(line.global_load.sectors for line in p.as_compiled.lines.values())
        == p.as_compiled.global_load.sectors
    )
