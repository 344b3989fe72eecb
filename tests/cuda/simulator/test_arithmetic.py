"""C's arithmetic against values worked out by hand, for values that differ between threads and uniform ones."""

from contextlib import nullcontext

import numpy as np
import pytest

from nnlib.cuda import KernelArithmeticError, RawKernel, force_simulator

from . import compute, kernel, run

i4, u4, i8, u8, f4, f8 = np.int32, np.uint32, np.int64, np.uint64, np.float32, np.float64


def test_an_int_that_overflows_is_a_note_of_the_profile_and_unsigned_numbers_wrap():
    text = 'extern "C" __global__ void f(%s* x) { %s i = threadIdx.x; x[i] = i * 2147483647 + i; }'
    for kind, overflows in (("int", [1]), ("unsigned int", [])):
        x = np.zeros(32, "uint32" if overflows == [] else "int32")
        with force_simulator():
            profile = RawKernel(text % (kind, kind), "f").profile(1, 32, (x,))
        assert profile.overflows == overflows and len(profile.warnings) == len(overflows)


def test_fused_multiply_add_rounds_once():
    a = f4([1 + 2**-12, 1e-3, 3.0])
    got = compute("fmaf(a, a, b)", f4, a, f4([-1, 7, -9]))
    exact = [float(x) * float(x) + y for x, y in zip(a, (-1, 7, -9), strict=True)]
    np.testing.assert_array_equal(got, f4(exact))
    assert got[0] != f4(a[0] * a[0]) - f4(1)  # what two roundings give


def test_functions_with_two_results():
    both = "__device__ float f(float x) { float s, c; sincosf(x, &s, &c); return 10 * s + c; }\n"
    value = compute("f(a)", np.float32, np.float32([0, 0.5, 2]), before=both)
    np.testing.assert_allclose(value, 10 * np.sin([0, 0.5, 2]) + np.cos([0, 0.5, 2]), rtol=1e-6)
    parts = (
        "__device__ float f(float x) { float whole; int n; float rest = modff(x, &whole);\n"
        "return 1000 * whole + 100 * rest + 10 * frexp(x, &n) + n; }\n"
    )
    value = compute("f(a)", np.float32, np.float32([2.5, -3.25, 0]), before=parts)
    np.testing.assert_array_equal(value, [2000 + 50 + 6.25 + 2, -3000 - 25 - 8.125 + 2, 0])
    into = np.zeros(64, np.float32)  # the argument is evaluated once; only active threads store
    run(
        kernel(
            "float* x, int n",
            "int i = threadIdx.x; float* p = x + 2 * i;\n"
            "if (i < n) { sincospi(0.5f * i++, p, p + 1); p[1] *= i; }",
        ),
        [into, np.int32(30)],
    )
    assert into[:8].tolist() == [0, 1, 1, 0, 0, -3, -1, 0] and into[58:].tolist() == [
        1,
        0,
        0,
        0,
        0,
        0,
    ]


@pytest.mark.parametrize(
    "statement, is_wrong",
    [
        ("x[t] = n == 32 ? 0xffffffffu : (1u << n) - 1;", False),
        ("x[t] = n < 32 && (5u >> n) & 1;", False),
        ("unsigned s = 0; for (int i = 0; i < 3; i++) if (n < 32) s += 1u << n; x[t] = s;", False),
        ("for (int i = n; i < 32; i++) x[t] += 1u << n;", False),
        ("x[t] = t < 20 ? 1u << (t + 12) : 7;", False),
        ("x[t] = t < 21 ? 1u << (t + 12) : 7;", True),
        ("x[t] = 1u << n;", True),
    ],
)
def test_only_a_shift_that_is_done_is_wrong(statement, is_wrong):
    kernel = RawKernel(
        f'extern "C" __global__ void k(unsigned* x, int n) {{ int t = threadIdx.x; {statement} }}',
        "k",
    )
    with force_simulator(), pytest.raises(KernelArithmeticError) if is_wrong else nullcontext():
        kernel(1, 32, (np.zeros(32, np.uint32), 32))
