"""What an out-of-bounds report says of the conditions on the way to the access, and the fields of all other errors."""

import numpy as np
import pytest

from nnlib.cuda import (
    KernelError,
    LaunchError,
    RawKernel,
    force_simulator,
)

I = "int i = blockIdx.x * blockDim.x + threadIdx.x;"


def failed(body, n=100, size=100, block=128, grid=1):
    """The error of a kernel with an input x of 90,000 floats, an output y of `size` floats, and n."""
    kernel = RawKernel(
        f'extern "C" __global__ void f(const float* x, float* y, int n)\n{{\n{body}\n}}', "f"
    )
    with force_simulator(), pytest.raises(KernelError) as caught:
        kernel(grid, block, (np.zeros(90_000, np.float32), np.zeros(size, np.float32), n))
    return caught.value


def test_fields_of_a_launch_and_unknown_ones():
    error = failed("", grid=0)
    assert isinstance(error, LaunchError) and (error.setting, error.value) == ("grid.x", 0)
    assert (
        "hint: " not in failed(f"{I} y[i] = 1;").finding
        and "y has 100 elements" in failed(f"{I} y[i] = 1;").finding
    )
    with pytest.raises(TypeError, match="has no field colour"):
        KernelError("wrong", colour="red")
