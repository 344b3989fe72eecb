"""Which of a thread's own arrays a trace shows."""

import numpy as np
import pytest

from nnlib.cuda import RawKernel


@pytest.mark.parametrize(("length", "shown"), [(63, True), (64, True), (65, False)])
def test_arrays_of_up_to_64_elements_are_shown(length, shown):
    text = f"""extern "C" __global__ void k(float* x) {{
        float own[{length}];
        for (int i = 0; i < {length}; i++) own[i] = i;
        x[threadIdx.x] = own[{length} - 1];
    }}"""
    steps = RawKernel(text, "k").trace(1, 2, (np.zeros(2, np.float32),), max_steps=10_000).steps
    assert any("own" in step.values for step in steps) == shown
