"""What an out-of-bounds report says of the conditions on the way to the access, and the fields of all other errors."""

import numpy as np
import pytest

from nnlib.cuda import (
    BarrierError,
    KernelError,
    KernelTimeoutError,
    LaunchError,
    RaceError,
    RawKernel,
    UninitializedReadError,
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


@pytest.mark.parametrize(
    ("kind", "body", "fields"),
    [
        (
            RaceError,
            "__shared__ float s[128];\ns[i] = x[i];\ny[i % 100] = s[127 - i];",
            {
                "array": "s",
                "space": "shared",
                "access": "read",
                "other_access": "write",
                "other_line": 5,
                "limit": 128,
            },
        ),
        (
            UninitializedReadError,
            "__shared__ float s[4][8];\ny[i % 100] = s[1][2];",
            {
                "array": "s",
                "subscripts": (1, 2),
                "shape": (4, 8),
                "index": 10,
                "limit": 32,
                "space": "shared",
            },
        ),
        (UninitializedReadError, "float sum; sum += x[i];", {"array": "sum", "space": "local"}),
        (BarrierError, "if (i < 5) __syncthreads();", {"call": "__syncthreads", "mask": None}),
        (
            BarrierError,
            "__shfl_down_sync(1, 1.0f, 1);",
            {"call": "__shfl_down_sync", "mask": 1, "thread": (1, 0, 0)},
        ),
        (KernelTimeoutError, "while (i >= 0) ;", {"loop": 4, "may_end": False}),
        (
            KernelError,
            "if (i == 0) for (int k = 0; k <= n; k++)\ny[k] = i;",
            {"loop": 4, "index": 100, "line": 5},
        ),
    ],
)
def test_fields(kind, body, fields):
    error = failed(f"{I}\n{body}")
    assert isinstance(error, kind) and {name: getattr(error, name) for name in fields} == fields, (
        error.as_dict()
    )


def test_fields_of_a_launch_and_unknown_ones():
    error = failed("", grid=0)
    assert isinstance(error, LaunchError) and (error.setting, error.value) == ("grid.x", 0)
    assert (
        "hint: " not in failed(f"{I} y[i] = 1;").finding
        and "y has 100 elements" in failed(f"{I} y[i] = 1;").finding
    )
    with pytest.raises(TypeError, match="has no field colour"):
        KernelError("wrong", colour="red")
