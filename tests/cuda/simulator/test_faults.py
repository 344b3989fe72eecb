"""Wrong kernels: which error, in which line, by which thread and block. Right ones next to them pass."""

import numpy as np
import pytest

from nnlib.cuda import (
    BarrierError,
    KernelArithmeticError,
    KernelError,
    LaunchError,
    MisalignedAccessError,
    OutOfBoundsError,
    RaceError,
    UninitializedReadError,
)
from tests.cuda.language.texts import recorded_messages

from . import kernel, run


def floats(n=64):
    return np.arange(n, dtype=np.float32)


FAULTS = [  # parameters, body, what stands before it, block, grid; error, line, thread, block, words
    (
        "const float* x, float* o",
        "int i = blockIdx.x * blockDim.x + threadIdx.x;\no[i % 64] = x[i];",
        "",
        48,
        2,
        OutOfBoundsError,
        3,
        (16, 0, 0),
        (1, 0, 0),
        "x[64]",
    ),
    (
        "float* o",
        "o[(int)threadIdx.x - 1] = 1.0f;",
        "",
        32,
        1,
        OutOfBoundsError,
        2,
        (0, 0, 0),
        (0, 0, 0),
        "o[-1]",
    ),
    (
        "float* o",
        "__shared__ float s[4][8];\ns[threadIdx.x / 8 + 1][threadIdx.x % 8] = 1.0f;",
        "",
        32,
        1,
        OutOfBoundsError,
        3,
        (24, 0, 0),
        (0, 0, 0),
        "s[4][0]",
    ),
    (
        "float* o",
        "float a[3] = {0};\no[threadIdx.x] = a[threadIdx.x];",
        "",
        32,
        1,
        OutOfBoundsError,
        3,
        (3, 0, 0),
        (0, 0, 0),
        "a[3]",
    ),
    (
        "float* o",
        "o[threadIdx.x] = c[threadIdx.x / 2];",
        "__constant__ float c[4] = {1, 2};",
        32,
        1,
        OutOfBoundsError,
        2,
        (8, 0, 0),
        (0, 0, 0),
        "c has 4 elements",
    ),
    (
        "float* o",
        "float* p = 0;\no[0] = *p;",
        "",
        1,
        1,
        OutOfBoundsError,
        3,
        (0, 0, 0),
        (0, 0, 0),
        "null pointer",
    ),
    (
        "float* o",
        "atomicAdd(&o[threadIdx.x * 3], 1.0f);",
        "",
        32,
        1,
        OutOfBoundsError,
        2,
        (22, 0, 0),
        (0, 0, 0),
        "atomic on o[66]",
    ),
    (
        "float* o",
        "__shared__ float s[64];\nif (threadIdx.x != 9) s[threadIdx.x] = 1;\n__syncthreads();\n"
        "o[threadIdx.x] = s[63 - threadIdx.x];",
        "",
        64,
        2,
        UninitializedReadError,
        5,
        (54, 0, 0),
        (0, 0, 0),
        "s[9]",
    ),
    (
        "float* o",
        "float v;\nif (threadIdx.x < 5) v = 1;\no[threadIdx.x] = v;",
        "",
        32,
        1,
        UninitializedReadError,
        4,
        (5, 0, 0),
        (0, 0, 0),
        "v = 0",
    ),
    (
        "float* o",
        "float v;\nif (threadIdx.x < 5) v = 1;\no[threadIdx.x] = __shfl_down_sync(~0u, v, 1);",
        "",
        32,
        1,
        UninitializedReadError,
        4,
        (4, 0, 0),
        (0, 0, 0),
        "v is read",
    ),
    (
        "float* o",
        "float sum;\nfor (int i = 0; i < 3; i++)\n  sum += i;\no[0] = sum;",
        "",
        1,
        1,
        UninitializedReadError,
        4,
        (0, 0, 0),
        (0, 0, 0),
        "sum",
    ),
    (
        "float* o",
        "int i = threadIdx.x + i;\no[i] = 1;",
        "",
        32,
        1,
        UninitializedReadError,
        2,
        (0, 0, 0),
        (0, 0, 0),
        "i is read before it has a value",
    ),
    (
        "float* o",
        "float v = threadIdx.x < 3 ? 1 : v * 2;\no[0] = v;",
        "",
        32,
        1,
        UninitializedReadError,
        2,
        (3, 0, 0),
        (0, 0, 0),
        "v is read before it has a value",
    ),
    (
        "float* o",
        "\no[threadIdx.x] = f(threadIdx.x);",
        "__device__ int f(int n) { if (n < 30) return 1; }",
        32,
        1,
        UninitializedReadError,
        1,
        (30, 0, 0),
        (0, 0, 0),
        "f ends without returning a value",
    ),
    (
        "float* o",
        "char* p = (char*)o;\n*(float*)(p + threadIdx.x) = 1;",
        "",
        32,
        1,
        MisalignedAccessError,
        3,
        (1, 0, 0),
        (0, 0, 0),
        "whole elements",
    ),
    (
        "float* o",
        "int a[4];\na[threadIdx.x % 3] = 1;\no[threadIdx.x] = a[2];",
        "",
        32,
        1,
        UninitializedReadError,
        4,
        (0, 0, 0),
        (0, 0, 0),
        "a[2]",
    ),
    (
        "float* o",
        "float4 v = *(float4*)(o + threadIdx.x);\no[threadIdx.x] = v.x;",
        "",
        8,
        1,
        MisalignedAccessError,
        2,
        (1, 0, 0),
        (0, 0, 0),
        "multiple of 16 bytes",
    ),
    (
        "int* o",
        "o[threadIdx.x] = 12 / (3 - (int)threadIdx.x);",
        "",
        8,
        1,
        KernelArithmeticError,
        2,
        (3, 0, 0),
        (0, 0, 0),
        "division by zero",
    ),
    (
        "int* o",
        "o[threadIdx.x] = 12 % o[0];",
        "",
        8,
        1,
        KernelArithmeticError,
        2,
        (0, 0, 0),
        (0, 0, 0),
        "remainder",
    ),
    (
        "float* o",
        "if (threadIdx.x < 40) {\n  o[0] = 1;\n  __syncthreads();\n}",
        "",
        64,
        1,
        BarrierError,
        4,
        (40, 0, 0),
        (0, 0, 0),
        "24 of 64 threads",
    ),
    (
        "float* o",
        "for (int i = 0; i < threadIdx.x + 60; i++)\n  __syncthreads();",
        "",
        64,
        1,
        BarrierError,
        3,
        (0, 0, 0),
        (0, 0, 0),
        "1 of 64 threads",
    ),
    (
        "float* o",
        "if (threadIdx.x % 2) __syncthreads();\nelse __syncthreads();",
        "",
        64,
        1,
        BarrierError,
        2,
        (0, 0, 0),
        (0, 0, 0),
        "32 of 64",
    ),
    (
        "float* o",
        "float v = threadIdx.x;\nif (threadIdx.x < 8)\n  v += __shfl_down_sync(0xffffffff, v, 4);\n"
        "o[threadIdx.x] = v;",
        "",
        32,
        1,
        BarrierError,
        4,
        (0, 0, 0),
        (0, 0, 0),
        "names lanes",
    ),
    (
        "float* o",
        "float v = threadIdx.x;\nif (threadIdx.x < 8)\n  v += __shfl_down_sync(0xff, v, 4);\n"
        "o[threadIdx.x] = v;",
        "",
        32,
        1,
        BarrierError,
        4,
        (4, 0, 0),
        (0, 0, 0),
        "lane 8",
    ),
    (
        "float* o",
        "float v = threadIdx.x;\nv += __shfl_down_sync(0xffffffff, v, 16);\no[threadIdx.x] = v;",
        "",
        40,
        1,
        BarrierError,
        3,
        (32, 0, 0),
        (0, 0, 0),
        "does not exist",
    ),
    # what was right for the whole warp is wrong for a part of it
    (
        "float* o",
        "float v = __shfl_down_sync(~0u, 1.0f, 8);\nif (threadIdx.x < 16)\n"
        "  v += __shfl_down_sync(0xffff, v, 8);\no[threadIdx.x] = v;",
        "",
        32,
        1,
        BarrierError,
        4,
        (8, 0, 0),
        (0, 0, 0),
        "lane 16",
    ),
    (
        "float* o",
        "__syncwarp();\n__syncwarp(0xff);",
        "",
        32,
        1,
        BarrierError,
        3,
        (8, 0, 0),
        (0, 0, 0),
        "own mask",
    ),
    (
        "float* o",
        "__syncwarp();\nif (threadIdx.x > 3)\n  __syncwarp();",
        "",
        32,
        1,
        BarrierError,
        4,
        (4, 0, 0),
        (0, 0, 0),
        "names lanes",
    ),
    (
        "float* o",
        "assert(threadIdx.x < 7);",
        "",
        8,
        1,
        KernelError,
        2,
        (7, 0, 0),
        (0, 0, 0),
        "assertion",
    ),
    (
        "int* o",
        "if (threadIdx.x == 3)\n__trap();",
        "",
        8,
        2,
        KernelError,
        3,
        (3, 0, 0),
        (0, 0, 0),
        "__trap()",
    ),
    (
        "int* o",
        "struct P { int a, b; } p; p.a = 1;\no[0] = p.b;",
        "",
        2,
        1,
        UninitializedReadError,
        3,
        (0, 0, 0),
        (0, 0, 0),
        "p.b is read",
    ),
    (
        "int* o",
        "struct P { int a[2], b; } p = {};\no[threadIdx.x] = p.a[threadIdx.x];",
        "",
        4,
        1,
        OutOfBoundsError,
        3,
        (2, 0, 0),
        (0, 0, 0),
        "subscript 2 is outside of p.a",
    ),
    (
        "float* o",
        "float4* p = (float4*)o + 16;\n*p = make_float4(1, 2, 3, 4);",
        "",
        1,
        1,
        OutOfBoundsError,
        3,
        (0, 0, 0),
        (0, 0, 0),
        "o[64]",
    ),
    (
        "int* o",
        "__shared__ int s[4]; s[threadIdx.x] = 1;\no[0] = s[o[0] + threadIdx.x + 1];",
        "",
        4,
        1,
        OutOfBoundsError,
        3,
        (3, 0, 0),
        (0, 0, 0),
        "s[4]",
    ),
    (
        "int* o",
        "__shared__ int s[64];\ns[threadIdx.x] = threadIdx.x;\no[threadIdx.x] = s[63 - threadIdx.x];",
        "",
        64,
        1,
        RaceError,
        4,
        (0, 0, 0),
        (0, 0, 0),
        "race: reads s[",
    ),
    (
        "int* o",
        "o[threadIdx.x % 4] = blockIdx.x;",
        "",
        4,
        2,
        RaceError,
        2,
        (0, 0, 0),
        (1, 0, 0),
        "blocks run in any",
    ),
    (
        "int* o",
        "if (threadIdx.x < 8) __syncwarp(0xff);\nelse\n__syncwarp(0xffff);",
        "",
        32,
        1,
        BarrierError,
        4,
        (16, 0, 0),
        (0, 0, 0),
        "own mask",
    ),
    (
        "int* o",
        "int v = __shfl_sync(0xffff, 1, 3);\no[threadIdx.x] = v;",
        "",
        32,
        1,
        BarrierError,
        2,
        (16, 0, 0),
        (0, 0, 0),
        "own mask",
    ),
]


def raised(parameters, body, before, block, grid):
    """The kernel's text, and what is said of it."""
    types = {"float*": floats(), "const float*": floats(), "int*": np.zeros(64, np.int32)}
    args = [types[p.strip().rpartition(" ")[0]] for p in parameters.split(",")]
    kept = [a.copy() for a in args]
    text = kernel(parameters, body, before.rstrip() + " " if before else "")
    with pytest.raises(KernelError) as caught:
        run(text, args, block, grid)
    for now, before_launch in zip(args, kept, strict=True):
        np.testing.assert_array_equal(now, before_launch)
    return text, caught.value


@pytest.mark.parametrize(
    "parameters, body, before, block, grid, error, line, thread, block_index, words", FAULTS
)
def test_fault(parameters, body, before, block, grid, error, line, thread, block_index, words):
    text, fault = raised(parameters, body, before, block, grid)
    assert str(fault) == recorded_messages()[text]
    assert type(fault) is error and (fault.line, fault.thread, fault.block) == (
        line,
        thread,
        block_index,
    ), str(fault)
    assert (
        fault.kernel == "k"
        and words in str(fault)
        and f"kernel.cu:{line}:{fault.column}" in str(fault)
    )


@pytest.mark.parametrize(
    "body",
    [
        "if (threadIdx.x >= 40) return; __syncthreads(); o[threadIdx.x] = 1;",
        "if (blockIdx.x == 1) { o[64 + threadIdx.x] = 1; __syncthreads(); o[127 - threadIdx.x] = 2; }",
        "float v; if (threadIdx.x < 3) v = 1; if (threadIdx.x < 3) o[threadIdx.x] = v;",
        "float v; for (int i = 0; i < 2; i++) { if (i == 0) v = 5; else o[blockIdx.x * 64 + threadIdx.x] = v; }",
        "int i = threadIdx.x; if (i > 0 && o[i - 1] >= 0) {} ",
        "float v; if (threadIdx.x % 32 == 0) v = 7; o[blockIdx.x * 64 + threadIdx.x] = __shfl_sync(0xffffffff, v, 0);",
        "float v = threadIdx.x; if (threadIdx.x < 32) v = __shfl_xor_sync(0xffffffff, v, 1);",
        "float v = 1; for (int d = 8; d > 0; d /= 2) v += __shfl_down_sync(0xffffffff, v, d, 16);",
        "if (threadIdx.x < 16) { unsigned m = __ballot_sync(0xffff, 1); if (m != 0xffff) o[-1] = 0; }",
    ],
)
def test_right_kernels_are_not_accused(body):
    run(kernel("float* o", body), [floats(128)], 64, 2)


def test_launch_limits():
    run(kernel("float* o", "o[0] = 1;"), [floats()], 1, shared_mem=227 * 1024)
    with pytest.raises(LaunchError, match="232,449 bytes"):
        run(kernel("float* o", "o[0] = 1;"), [floats()], 1, shared_mem=227 * 1024 + 1)
    bounded = kernel("float* o", "o[0] = 1;").replace("void", "void __launch_bounds__(64)", 1)
    run(bounded, [floats()], 64)
    with pytest.raises(LaunchError, match="65 threads; __launch_bounds__ allows at most 64"):
        run(bounded, [floats()], 65)


def test_one_byte_does_not_make_a_float_known():
    text = kernel(
        "float* o",
        "__shared__ float s[32]; int t = threadIdx.x;\n((unsigned char*)s)[4 * t] = 0;\n{}\n"
        "__syncthreads(); o[t] = s[t];",
    )
    with pytest.raises(UninitializedReadError, match=r"s\[0\] is read"):
        run(text.replace("{}", ""), [floats()])
    run(
        text.replace("{}", "for (int i = 1; i < 4; i++) ((unsigned char*)s)[4 * t + i] = 0;"),
        [floats()],
    )


def test_subscript_beyond_its_row_is_a_note():
    profile = run(
        kernel("float* o", "__shared__ float s[2][8];\ns[0][threadIdx.x] = 1;"),
        [floats()],
        16,
        profile=True,
    )
    assert len(profile.warnings) == 1 and "subscript 8 of s[2][8]" in profile.warnings[0]


@pytest.mark.parametrize(
    "index, block, hint",
    [
        ("t", 96, "guard it, as in if (i < n): the grid has more"),
        ("64 - t", 32, "work out by hand"),
        ("t + 1", 96, "and rows and columns that are too large"),
        ("(t / 8 + 3) * 8 + t % 8", 96, "work out by hand"),
        ("4 * t", 32, "guard threads that have none"),
        ("t - 1", (16, 9), "t - 1 is negative here"),
        ("threadIdx.x - 1", 32, "below 0 an unsigned number starts again at the largest"),
        ("threadIdx.y * 8 + t", (8, 9), "x < columns && y < rows): here x is 0, and y is 8"),
        ("t * 8 + threadIdx.y", (9, 8), "x < columns && y < rows)\n"),
        ("threadIdx.z * 8 + t", (8, 1, 9), "y < rows)\n"),
    ],
)
def test_hints_fit_the_launch(index, block, hint):
    with pytest.raises(OutOfBoundsError) as raised:
        run(kernel("float* o", f"int t = threadIdx.x;\no[{index}] = 1;"), [floats()], block)
    assert hint in f"{raised.value}\n"


@pytest.mark.parametrize(
    "index, hint",
    [
        ("[threadIdx.x / 8 + 1][t % 8]", "compare the first index, 4, with the declared size"),
        ("[3][t % 8 + 1]", "compare the second index, 8, with the declared size"),
    ],
)
def test_the_hint_says_which_index_of_several_is_too_large(index, hint):
    with pytest.raises(OutOfBoundsError, match=hint):
        run(
            kernel("float* o", f"__shared__ float s[4][8]; int t = threadIdx.x;\ns{index} = 1;"),
            [floats()],
        )


def test_an_extern_array_without_its_size_says_where_the_size_is_given():
    with pytest.raises(OutOfBoundsError, match="here shared_mem=64 bytes"):
        run(
            kernel("float* o", "extern __shared__ float s[];\ns[threadIdx.x] = 1;"),
            [floats()],
            shared_mem=64,
        )
