"""Every function of mathematics.py against Python's own, many in one kernel."""

import math
from statistics import NormalDist

import numpy as np
import pytest

from . import kernel, run

A, B, P = [0.3, -0.85, 0.625, -0.1], [1.5, -2.25, 0.4, 3.0], [0.2, 0.75, 0.5, 0.99]
NORMAL = NormalDist()

# Of both precisions: sqrt(p) is sqrtf(p) for floats. a is between -1 and 1, b is not, p is between 0 and 1.
FUNCTIONS = {
    "sqrt(p)": "p ** 0.5",
    "rsqrt(p)": "p ** -0.5",
    "cbrt(b)": "math.copysign(abs(b) ** (1 / 3), b)",
    "rcbrt(p)": "p ** (-1 / 3)",
    "exp(b)": "math.exp(b)",
    "exp2(b)": "2 ** b",
    "exp10(b)": "10 ** b",
    "expm1(a)": "math.expm1(a)",
    "log(p)": "math.log(p)",
    "log2(p)": "math.log2(p)",
    "log10(p)": "math.log10(p)",
    "log1p(a)": "math.log1p(a)",
    "sin(b)": "math.sin(b)",
    "cos(b)": "math.cos(b)",
    "tan(b)": "math.tan(b)",
    "sinpi(b)": "math.sin(math.pi * b)",
    "cospi(b)": "math.cos(math.pi * b)",
    "asin(a)": "math.asin(a)",
    "acos(a)": "math.acos(a)",
    "atan(b)": "math.atan(b)",
    "sinh(b)": "math.sinh(b)",
    "cosh(b)": "math.cosh(b)",
    "tanh(b)": "math.tanh(b)",
    "asinh(b)": "math.asinh(b)",
    "acosh(p + 1)": "math.acosh(p + 1)",
    "atanh(a)": "math.atanh(a)",
    "erf(b)": "math.erf(b)",
    "erfc(b)": "math.erfc(b)",
    "erfcx(a)": "math.exp(a * a) * math.erfc(a)",
    "erfcx(30 * p + 20)": "_far_erfcx(30 * p + 20)",
    "normcdf(b)": "NORMAL.cdf(b)",
    "normcdfinv(p)": "NORMAL.inv_cdf(p)",
    "erfinv(a)": "NORMAL.inv_cdf((a + 1) / 2) / 2 ** 0.5",
    "erfcinv(p)": "-NORMAL.inv_cdf(p / 2) / 2 ** 0.5",
    "erf(erfinv(a / 9000)) * 9000": "a",
    "tgamma(b)": "math.gamma(b)",
    "lgamma(p)": "math.lgamma(p)",
    "ceil(b)": "math.ceil(b)",
    "floor(b)": "math.floor(b)",
    "trunc(b)": "math.trunc(b)",
    "rint(2 * b)": "round(2 * b)",
    "nearbyint(2 * b)": "round(2 * b)",
    "fabs(b)": "abs(b)",
    "logb(5 * b)": "math.frexp(5 * b)[1] - 1",
    "round(2 * b)": "math.copysign(math.floor(abs(2 * b) + 0.5), b)",
    "pow(p, b)": "p ** b",
    "fmod(b, p)": "math.fmod(b, p)",
    "atan2(a, b)": "math.atan2(a, b)",
    "hypot(a, b)": "math.hypot(a, b)",
    "rhypot(a, b)": "1 / math.hypot(a, b)",
    "fmin(a, b)": "min(a, b)",
    "fmax(a, b)": "max(a, b)",
    "fdim(a, b)": "max(a - b, 0)",
    "copysign(p, b)": "math.copysign(p, b)",
    "remainder(b, p)": "math.remainder(b, p)",
    "fma(a, b, p)": "a * b + p",
    "norm3d(a, b, p)": "math.hypot(a, b, p)",
    "rnorm3d(a, b, p)": "1 / math.hypot(a, b, p)",
    "norm4d(a, b, p, a)": "math.hypot(a, b, p, a)",
    "rnorm4d(a, b, p, b)": "1 / math.hypot(a, b, p, b)",
    "ldexp(a, 3)": "a * 8",
    "scalbn(a, -2)": "a / 4",
    "lround(2 * b)": "math.copysign(math.floor(abs(2 * b) + 0.5), b)",
    "llround(2 * b)": "math.copysign(math.floor(abs(2 * b) + 0.5), b)",
    "lrint(2 * b)": "round(2 * b)",
    "llrint(2 * b)": "round(2 * b)",
}
OWN = {
    "float": {
        "__expf(b)": "math.exp(b)",
        "__exp10f(b)": "10 ** b",
        "__logf(p)": "math.log(p)",
        "__log2f(p)": "math.log2(p)",
        "__log10f(p)": "math.log10(p)",
        "__sinf(b)": "math.sin(b)",
        "__cosf(b)": "math.cos(b)",
        "__tanf(b)": "math.tan(b)",
        "__powf(p, b)": "p ** b",
        "__fsqrt_rn(p)": "p ** 0.5",
        "__frsqrt_rn(p)": "p ** -0.5",
        "__frcp_rn(b)": "1 / b",
        "__fadd_rn(a, b)": "a + b",
        "__fsub_rn(a, b)": "a - b",
        "__fmul_rn(a, b)": "a * b",
        "__fdiv_rn(a, b)": "a / b",
        "__fmaf_rn(a, b, p)": "a * b + p",
        "fdividef(a, b)": "a / b",
        "__fdividef(a, b)": "a / b",
        "__saturatef(b)": "min(max(b, 0), 1)",
        "abs(b)": "abs(b)",
        "max(a, b)": "max(a, b)",
        "__int_as_float(__float_as_int(a) + 1)": "np.nextafter(np.float32(a), np.float32(9 * a))",
        "__uint_as_float(__float_as_uint(a))": "a",
        "nextafterf(a, 9)": "np.nextafter(np.float32(a), np.float32(9))",
        "__int2float_rn(int(9 * b))": "int(9 * b)",
        "__uint2float_rn(unsigned(9 * p))": "int(9 * p)",
        "__ll2float_rn(1ll << 40)": "2 ** 40",
        "__ull2float_rn(1ull << 63)": "2 ** 63",
        "__double2float_rn(0.1)": "0.1",
    },
    "double": {
        "__dsqrt_rn(p)": "p ** 0.5",
        "__drcp_rn(b)": "1 / b",
        "__dadd_rn(a, b)": "a + b",
        "__dsub_rn(a, b)": "a - b",
        "__dmul_rn(a, b)": "a * b",
        "__ddiv_rn(a, b)": "a / b",
        "__fma_rn(a, b, p)": "a * b + p",
        "abs(b)": "abs(b)",
        "min(a, b)": "min(a, b)",
        "nextafter(a, 9)": "np.nextafter(a, 9)",
        "__longlong_as_double(__double_as_longlong(a) + 1)": "np.nextafter(a, 9 * a)",
        "__hiloint2double(__double2hiint(a), __double2loint(a))": "a",
        "__int2double_rn(int(9 * b))": "int(9 * b)",
        "__uint2double_rn(3000000000u)": "3e9",
        "__ll2double_rn(-(1ll << 62))": "-2.0 ** 62",
        "__ull2double_rn(1ull << 63)": "2.0 ** 63",
    },
}


def _far_erfcx(x):
    """Compute erfcx of large arguments by its continued fraction."""
    rest = x
    for k in range(60, 0, -1):
        rest = x + k / 2 / rest
    return 1 / (math.sqrt(math.pi) * rest)


def all_of(kind, expressions, inputs):
    """The values of expressions in a, b, p: one row each."""
    values = np.zeros(
        (len(expressions), len(A)), np.dtype({"float": "f4", "long long": "i8"}.get(kind, "f8"))
    )
    lines = [f"out[{k} * {len(A)} + t] = {text};" for k, text in enumerate(expressions)]
    real = "double" if kind == "double" else "float"
    run(
        kernel(
            f"{kind}* out, const {real}* A, const {real}* B, const {real}* P",
            f"int t = threadIdx.x; {real} a = A[t], b = B[t], p = P[t];\n" + "\n".join(lines),
        ),
        [values, *inputs],
        len(A),
    )
    return values


@pytest.mark.parametrize("kind, precision", [("float", 4e-6), ("double", 1e-12)])
def test_as_python_has_them(kind, precision):
    suffix, dtype = ("f", np.float32) if kind == "float" else ("", np.float64)
    table = {
        text.replace("(", f"{suffix}(", 1): formula for text, formula in FUNCTIONS.items()
    } | OWN[kind]
    inputs = [np.array(column, dtype) for column in (A, B, P)]
    found = all_of(kind, table, inputs)
    for (text, formula), row in zip(table.items(), found, strict=True):
        expected = [
            eval(formula, globals() | dict(zip("abp", map(float, lane), strict=True)))
            for lane in zip(*inputs, strict=True)
        ]
        tight = 0 if "nextafter" in formula else precision
        np.testing.assert_allclose(
            row, np.array(expected, dtype), rtol=tight, atol=tight, err_msg=text
        )


ROUND = {"rn": round, "rz": math.trunc, "ru": math.ceil, "rd": math.floor}


def test_conversions_round_as_they_say():
    table = {
        f"__{real}2{whole}_{mode}(b)": (whole, function)
        for real in ("float", "double")
        for whole in ("int", "uint", "ll", "ull")
        for mode, function in ROUND.items()
    }
    b = np.array([2.5, -2.5, 3.5, -0.25], np.float32)
    for row, (text, (whole, function)) in zip(
        all_of("long long", table, [b, b, b]), table.items(), strict=True
    ):
        lowest = 0 if whole.startswith("u") else -math.inf
        assert row.tolist() == [max(function(float(x)), lowest) for x in b], text
