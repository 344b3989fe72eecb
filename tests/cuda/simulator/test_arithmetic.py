"""C's arithmetic against values worked out by hand, for values that differ between threads and uniform ones."""

import math
from contextlib import nullcontext

import numpy as np
import pytest

from nnlib.cuda import KernelArithmeticError, RawKernel, force_simulator

from . import compute, kernel, run

i4, u4, i8, u8, f4, f8 = np.int32, np.uint32, np.int64, np.uint64, np.float32, np.float64


@pytest.mark.parametrize(
    "expression, result, inputs, expected",
    [
        ("a / b", i4, (i4([7, -7, 7, -7]), i4([2, 2, -2, -2])), [3, -3, -3, 3]),
        ("a % b", i4, (i4([7, -7, 7, -7]), i4([2, 2, -2, -2])), [1, -1, 1, -1]),
        ("a / 2", i4, (i4([-7, -1, 5]),), [-3, 0, 2]),
        ("a + 1", i4, (i4([2**31 - 1, -1]),), [-(2**31), 0]),
        ("a * a", i4, (i4([65536, 46341]),), [0, -2147479015]),
        ("a - 1", u4, (u4([0, 5]),), [2**32 - 1, 4]),
        ("a / b", u4, (u4([2**32 - 1, 7]), u4([2, 2])), [2**31 - 1, 3]),
        ("a > b", i4, (i4([-1, 1]), u4([1, 0])), [1, 1]),  # -1 becomes unsigned
        ("a >> 1", i4, (i4([-5, 5]),), [-3, 2]),
        ("a >> b", u4, (u4([2**31, 2**31]), u4([31, 0])), [1, 2**31]),
        ("a << b", i4, (i4([1, 3]), i4([31, 1])), [-(2**31), 6]),
        ("a >> b", i4, (i4([-8, -8]), i4([31, 1])), [-1, -4]),
        ("~a & 0xFF", i4, (i4([1, 0]),), [254, 255]),
        ("-a", u4, (u4([1, 0]),), [2**32 - 1, 0]),
        ("!a", i4, (i4([0, 5]),), [1, 0]),
        ("(signed char)a", i4, (i4([200, -129]),), [-56, 127]),
        ("(unsigned char)a", i4, (i4([-1, 256]),), [255, 0]),
        ("(int)a", i4, (f4([2.9, -2.9, 3e9, -3e9, math.nan]),), [2, -2, 2**31 - 1, -(2**31), 0]),
        ("(unsigned int)a", u4, (f4([2.9, -2.9, 5e9, math.nan]),), [2, 0, 2**32 - 1, 0]),
        ("(long long)a", i8, (f8([1e19, -0.5]),), [2**63 - 1, 0]),
        ("(float)a", f4, (i4([16777217, 3]),), [16777216, 3]),
        ("a + b", f4, (f4([0.1, 1e8]), f4([0.2, 1])), [f4(0.1) + f4(0.2), f4(1e8)]),
        ("a + 0.1", f8, (f4([1, 2]),), [1.1, 2.1]),
        ("a / b", f4, (f4([1, -1]), f4([0, 0])), [math.inf, -math.inf]),
        ("fmodf(a, b)", f4, (f4([5.5, -5.5]), f4([2, 2])), [1.5, -1.5]),
        ("(a + b) / 2", i8, (i8([2**40, -3]), i8([2, 0])), [2**39 + 1, -1]),
        ("a * b", u8, (u8([2**63, 3]), u8([2, 5])), [0, 15]),
        ("a ? 10 : 20", i4, (i4([0, 3]),), [20, 10]),
        ("(a, b)", i4, (i4([1, 2]), i4([3, 4])), [3, 4]),
        (
            "(a > b << c) + (a >= b << c) * 2 + (a < b << c) * 4 + (a <= b << c) * 8",
            i4,
            (i4([8, 3]), i4([2, 2]), i4([1, 1])),
            [3, 12],
        ),
    ],
)
def test_values(expression, result, inputs, expected):
    np.testing.assert_array_equal(compute(expression, result, *inputs), np.array(expected, result))
    for lane, wanted in enumerate(expected):  # one thread: everything is uniform
        got = compute(expression, result, *(column[lane] for column in inputs))
        np.testing.assert_array_equal(got, np.array(wanted, result))


def test_an_int_that_overflows_is_a_note_of_the_profile_and_unsigned_numbers_wrap():
    text = 'extern "C" __global__ void f(%s* x) { %s i = threadIdx.x; x[i] = i * 2147483647 + i; }'
    for kind, overflows in (("int", [1]), ("unsigned int", [])):
        x = np.zeros(32, "uint32" if overflows == [] else "int32")
        with force_simulator():
            profile = RawKernel(text % (kind, kind), "f").profile(1, 32, (x,))
        assert profile.overflows == overflows and len(profile.warnings) == len(overflows)


@pytest.mark.parametrize(
    "expression, result, inputs, expected",
    [
        ("__popc(a)", i4, (u4([0, 255, 2**32 - 1]),), [0, 8, 32]),
        ("__clz(a)", i4, (i4([0, 1, -1]),), [32, 31, 0]),
        ("__ffs(a)", i4, (i4([0, 8, -1]),), [0, 4, 1]),
        ("__clzll(a)", i4, (i8([0, 1, 2**40]),), [64, 63, 23]),
        ("__brev(a)", u4, (u4([1, 0xF0]),), [2**31, 0x0F000000]),
        ("__mulhi(a, b)", i4, (i4([2**30, -(2**30)]), i4([8, 8])), [2, -2]),
        ("__umul64hi(a, b)", u8, (u8([2**63, 2**64 - 1]), u8([4, 2**64 - 1])), [2, 2**64 - 2]),
        ("__float_as_int(a)", i4, (f4([1, -0.0]),), [0x3F800000, -(2**31)]),
        ("__byte_perm(a, b, 0x7531)", u4, (u4([0x33221100]), u4([0x77665544])), [0x77553311]),
        ("__funnelshift_l(a, b, 8)", u4, (u4([0xAABBCCDD]), u4([0x11223344])), [0x223344AA]),
        ("roundf(a)", f4, (f4([0.5, 1.5, -2.5, 0.49999997]),), [1, 2, -3, 0]),
        ("rintf(a)", f4, (f4([0.5, 1.5, -2.5]),), [0, 2, -2]),
        ("__float2int_rn(a)", i4, (f4([2.5, 3.5]),), [2, 4]),
        ("fminf(a, b)", f4, (f4([1, math.nan]), f4([2, 3])), [1, 3]),
        ("max(a, b)", i4, (i4([-3, 3]), i4([2, 2])), [2, 3]),
        ("rsqrtf(a)", f4, (f4([4, 0.25]),), [0.5, 2]),
        ("erff(a)", f4, (f4([0, 100]),), [0, 1]),
        (
            "__dp4a(a, b, 5)",
            i4,
            (i4([0x01FF7F80, -1]), i4([0x02030405, 0x01010101])),
            [2 - 3 + 127 * 4 - 640 + 5, 1],
        ),
        (
            "__dp4a(a, b, 5u)",
            u4,
            (u4([0x01FF7F80, 0]), u4([0x020304FF, 9])),
            [2 + 255 * 3 + 127 * 4 + 128 * 255 + 5, 5],
        ),
        ("norm3df(a, 2, b)", f4, (f4([1, 3]), f4([-2, 6])), [3, 7]),
        ("norm4d(a, 2, 4, b)", f8, (f8([2, 1]), f8([1, -2])), [5, 5]),
        ("rnorm3df(a, 0, b) + rnorm4d(a, a, b, b)", f8, (f8([0]), f8([2])), [0.5 + 8**-0.5]),
        ("rhypotf(a, b)", f4, (f4([3]), f4([4])), [0.2]),
        ("fdimf(a, b)", f4, (f4([3, 1]), f4([1, 3])), [2, 0]),
    ],
)
def test_intrinsics(expression, result, inputs, expected):
    got = np.atleast_1d(compute(expression, result, *inputs))
    np.testing.assert_array_equal(got, np.array(expected, result))


def test_fused_multiply_add_rounds_once():
    a = f4([1 + 2**-12, 1e-3, 3.0])
    got = compute("fmaf(a, a, b)", f4, a, f4([-1, 7, -9]))
    exact = [float(x) * float(x) + y for x, y in zip(a, (-1, 7, -9), strict=True)]
    np.testing.assert_array_equal(got, f4(exact))
    assert got[0] != f4(a[0] * a[0]) - f4(1)  # what two roundings give


def test_compound_assignment_computes_in_the_common_type_and_evaluates_the_place_once():
    x, calls = np.array([250, 10], np.uint8), np.zeros(1, i4)
    run(
        kernel(
            "unsigned char* x, int* calls", "int j = 0; x[j++] += 10; x[j++] *= 2.6f; calls[0] = j;"
        ),
        [x, calls],
        1,
    )
    assert x.tolist() == [4, 26] and calls[0] == 2


@pytest.mark.parametrize(
    "text, expected",
    [
        ("int y = a++; out[t] = y * 100 + a;", [102, 203]),
        ("int y = ++a; out[t] = y * 100 + a;", [202, 303]),
        ("int y = a--; out[t] = y * 100 + a;", [100, 201]),
        ("int y; y = a = 7; out[t] = y + a;", [14, 14]),
    ],
)
def test_increments_and_chained_assignment(text, expected):
    out = np.zeros(2, i4)
    run(kernel("int* out", f"int t = threadIdx.x, a = t + 1; {text}"), [out], 2)
    assert out.tolist() == expected


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
    head = 'extern "C" __global__ void k(unsigned* x, int n) { int t = threadIdx.x; '
    kernel = RawKernel(head + statement + " }", "k")
    with force_simulator(), pytest.raises(KernelArithmeticError) if is_wrong else nullcontext():
        kernel(1, 32, (np.zeros(32, np.uint32), 32))
