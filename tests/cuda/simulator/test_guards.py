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
XY = "int c = threadIdx.x, r = threadIdx.y;"


def failed(body, n=100, size=100, block=128, grid=1):
    """The error of a kernel with an input x of 90,000 floats, an output y of `size` floats, and n."""
    kernel = RawKernel(
        f'extern "C" __global__ void f(const float* x, float* y, int n)\n{{\n{body}\n}}', "f"
    )
    with force_simulator(), pytest.raises(KernelError) as caught:
        kernel(grid, block, (np.zeros(90_000, np.float32), np.zeros(size, np.float32), n))
    return caught.value


@pytest.mark.parametrize(
    ("body", "guard", "condition", "hint"),
    [
        ("y[i] = 1;", "missing", None, "guard it, as in if (i < n)"),
        (
            "if (i <= n) y[i] = 1;",
            "equal",
            "i <= n",
            "the condition i <= n lets i = 100 through, and that is one too many",
        ),
        (
            "if (i > n) return;\ny[i] = 1;",
            "equal",
            "i > n",
            "the condition i > n lets i = 100 through",
        ),
        ("for (int k = i; k <= n; k += 128) y[k] = 1;", "equal", "k <= n", "lets k = 100 through"),
        ("bool in = i <= n;\nif (in) y[i] = 1;", "equal", "i <= n", "lets i = 100 through"),
        (
            "if (i < n + 20) y[i] = 1;",
            "limit",
            "i < n + 20",
            "every index below 120 through, and y has 100 elements",
        ),
        (
            "y[i] = 1;\nif (i >= n) return;",
            "late",
            "i >= n",
            "is asked in line 5, after this access",
        ),
        ("if (i >= n) y[i] = 1;", "inverted", "i >= n", "turn it around"),
        (
            "if (i < n || i > 7) y[i] = 1;",
            "either",
            "i < n || i > 7",
            "a thread may work where all of them are, &&",
        ),
        (
            "if (i >= n && x[0] == 1.0) return;\ny[i] = 1;",
            "both",
            "i >= n && x[0] == 1.0",
            "stop where one of them is, ||",
        ),
        (
            "int j = 2 * i;\nif (i < n) y[j] = 1;",
            "passed",
            "i < n",
            "lets this thread through, and the index j is 100",
        ),
        (
            "int j = threadIdx.x + blockIdx.y;\nint k = threadIdx.y;\nif (k < n) y[j] = 1;",
            "other",
            "k < n",
            "does not limit j, on which this index depends",
        ),
        ("if (0 <= i < n) y[i] = 1;", "chained", "0 <= i < n", "compares twice in Python only"),
        (
            "float* row = y + n;\nif (i < n) row[i] = 1;",
            "passed",
            "i < n",
            "the index n + i is 100 here",
        ),
        (
            "int j = i * 50000 * 50000;\ny[j] = 1;",
            "wrapped",
            None,
            "i * 50000 * 50000 is 2,500,000,000 in this thread",
        ),
        (
            "unsigned j = i;\ny[j - 1] = 1;",
            "wrapped",
            None,
            "j - 1 is -1 in this thread, and below 0 an unsigned number",
        ),
        (
            "if (i < n) y[i - 1] = 1;",
            "negative",
            None,
            "i - 1 is negative here: guard it from below, as in if (i >= 1)",
        ),
        (
            "int j = i - 2;\nif (i > 0 && j < n) y[j] = 1;",
            "passed",
            "i > 0 && j < n",
            "j is negative here although i > 0",
        ),
        ("y[(i - 1) * n + i] = 1;", "missing", None, "what does it subtract? Guard each direction"),
        (
            "if (i < n) y[min(i, 3) + 98] = 1;",
            "passed",
            "i < n",
            "the index min(i, 3) + 98 is 100 here",
        ),
    ],
)
def test_what_is_wrong_with_a_guard(body, guard, condition, hint):
    error = failed(f"{I}\n{body}")
    assert (error.guard, error.condition) == (guard, condition) and hint in error.hint, error
    assert (error.array, error.limit, error.access, error.space) == ("y", 100, "write", "global")


@pytest.mark.parametrize(
    ("condition", "guard"),
    [
        ("c < n", "missing"),
        ("r < n && c < n", "passed"),
        ("c < n || r < n", "either"),
        ("!(c >= n && r >= n)", "both"),
        ("r <= n && c < n", "equal"),
    ],
)
def test_rows_and_columns(condition, guard):
    length, size = ("n", 16) if guard != "passed" else (30, 90)
    assert failed(f"{XY} if ({condition}) y[r * {length} + c] = 1;", 4, size, (8, 8)).guard == guard


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
