"""A kernel of a graph waits, in its first line, for the one before it."""

from __future__ import annotations

import pytest

from nnlib.cuda import LaunchError
from nnlib.cuda._engine.gpu import dependent_launches
from nnlib.ops.launching import FOLDER

TEXT = """__device__ float twice(float x) { return 2 * x; }
extern "C" __global__ void first(float* x) { x[0] = 1; }
extern "C" __global__ void __launch_bounds__(64) second(const float* __restrict__ x,
                                                        float* y)
{
    y[0] = twice(x[0]);
}
"""


def test_the_named_kernel_waits_and_lines_keep_their_numbers():
    text = dependent_launches.waiting(TEXT, "second")
    changed = [
        (old, new)
        for old, new in zip(TEXT.splitlines(), text.splitlines(), strict=True)
        if old != new
    ]
    assert len(changed) == 1
    assert changed[0][1].startswith('{asm volatile("griddepcontrol.wait;"')


@pytest.mark.parametrize(
    ("file", "kernel"),
    [
        ("fast/training", "linear_cross_entropy"),
        ("fast/convolution_tiled", "conv_backward_input"),
        ("optimizer", "adam_update"),
        ("fast/convolution_pooled", "conv_backward_weight"),
        ("fast/product", "product"),
        ("fast/winograd", "winograd"),
    ],
)
def test_our_kernels_are_found(file, kernel):
    text = (FOLDER / f"{file}.cu").read_text("utf-8")
    line = 'asm volatile("griddepcontrol.wait;" ::: "memory");'
    before, waits, after = dependent_launches.waiting(text, kernel).partition(line)
    assert waits and before.rindex(kernel) > before.rindex("__global__")
    assert before + after == text


def test_a_kernel_that_is_not_there():
    with pytest.raises(LaunchError, match="third"):
        dependent_launches.waiting(TEXT, "third")
