"""CUDA's element-wise intrinsics as functions of NumPy values. To add one: write it here, under its CUDA name.

Transcendental functions of doubles are NumPy's; those of floats, such as expf, are CUDA C (../rounded.py), so that they
have the same bits on every machine. Both differ from CUDA's by a few units in the last place; the fast ones (`__expf`)
are as precise as the others here. Lesson 04.
"""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import Any

import numpy as np

from . import arithmetic
from .arithmetic import float_to_integer

MATH: dict[str, Any] = {}


def intrinsic(*names):
    """Make the decorated function known under CUDA's name(s)."""

    def register(function):
        for name in names:
            MATH[name] = function
        return function

    return register


def _family(name, function):
    MATH[name] = MATH[name + "f"] = function


def _through_double(function):
    """Compute in float64, round once to the argument's type."""

    def rounded(*values):
        result = function(*(value.astype(np.float64) for value in values))
        return np.asarray(result).astype(values[0].dtype)[()]

    return rounded


def _each(function):
    """A scalar function of the math module, applied to every element."""
    vectorised = np.vectorize(function, otypes=[np.float64])
    return _through_double(lambda *values: vectorised(*values)[()])


for _name in "sqrt ceil floor trunc rint fabs".split():
    _family(_name, getattr(np, _name))
for _name, _ufunc in dict(
    nearbyint=np.rint,
    fmod=np.fmod,
    fmin=np.fmin,
    fmax=np.fmax,
    copysign=np.copysign,
    nextafter=np.nextafter,
    ldexp=np.ldexp,
).items():
    _family(_name, _ufunc)
for _name in "cbrt exp exp2 expm1 log log2 log10 log1p sin cos tan sinh cosh tanh hypot".split():
    MATH[_name] = getattr(np, _name)
MATH |= {
    "asin": np.arcsin,
    "acos": np.arccos,
    "atan": np.arctan,
    "atan2": np.arctan2,
    "pow": np.power,
}
MATH |= {
    "rsqrt": lambda x: 1 / np.sqrt(x),
    "rcbrt": lambda x: 1 / np.cbrt(x),
    "exp10": lambda x: np.power(10.0, x),
}
for _name, _function in dict(
    asinh=np.arcsinh,
    acosh=np.arccosh,
    atanh=np.arctanh,
    rhypot=lambda x, y: 1 / np.hypot(x, y),
    norm3d=lambda *x: _length(x),
    rnorm3d=lambda *x: 1 / _length(x),
    norm4d=lambda *x: _length(x),
    rnorm4d=lambda *x: 1 / _length(x),
    sinpi=lambda x: _sine_of_half_turns(x, 0),
    cospi=lambda x: _sine_of_half_turns(x, 1),
    remainder=lambda x, y: np.vectorize(_ieee_remainder, otypes=[float])(x, y)[()],
).items():
    _family(_name, _through_double(_function))


def _sine_of_half_turns(x, quarters: int):
    """sin(pi * x + quarters * pi / 2), exact at multiples of a quarter turn."""
    part = np.remainder(x, 2)
    nearest = np.rint(2 * part)
    rest = np.pi * (part - nearest / 2)
    sine, cosine = np.sin(rest), np.cos(rest)
    return np.choose(
        ((nearest.astype(np.int64) + quarters) % 4).astype(np.intp), [sine, cosine, -sine, -cosine]
    )


def _length(parts):
    """Of a vector."""
    return np.sqrt(sum(np.square(part) for part in parts))


def _ieee_remainder(x, y):
    return math.remainder(x, y) if math.isfinite(x) and y else math.nan


def _gamma(function):
    def safe(x):
        try:
            return function(x)
        except (ValueError, OverflowError):
            return math.inf

    return safe


def _quantile(p):
    return (
        NormalDist().inv_cdf(p)
        if 0 < p < 1
        else -math.inf
        if p == 0
        else math.inf
        if p == 1
        else math.nan
    )


def _inverse_erf(x):
    if abs(x) < 1e-4:  # the quantile of nearly one half has lost the digits
        return math.sqrt(math.pi) / 2 * (x + math.pi / 12 * x**3)
    return _quantile((x + 1) / 2) / math.sqrt(2)


def _scaled_erfc(x):
    if x < -26:
        return math.inf
    if x < 25:
        return math.exp(x * x) * math.erfc(x)
    total = part = 1.0
    for k in range(1, 8):  # the asymptotic series, which there is exact to the last digits
        part *= (0.5 - k) / (x * x)
        total += part
    return total / (x * math.sqrt(math.pi))


for _name, _function in dict(
    erf=math.erf,
    erfc=math.erfc,
    tgamma=_gamma(math.gamma),
    lgamma=_gamma(math.lgamma),
    erfcx=_scaled_erfc,
    normcdf=lambda x: 0.5 * math.erfc(-x / math.sqrt(2)),
    normcdfinv=_quantile,
    erfinv=_inverse_erf,
    erfcinv=lambda x: -_quantile(x / 2) / math.sqrt(2),
).items():
    _family(_name, _each(_function))

MATH["__fsqrt_rn"], MATH["__dsqrt_rn"] = MATH["sqrtf"], MATH["sqrt"]
for _name, _ufunc in dict(fadd=np.add, fsub=np.subtract, fmul=np.multiply, fdiv=np.divide).items():
    MATH[f"__{_name}_rn"] = MATH[f"__d{_name[1:]}_rn"] = _ufunc
MATH["fdividef"] = MATH["__fdividef"] = np.divide
MATH["fmaf"] = MATH["__fmaf_rn"] = arithmetic.fused_multiply_add
MATH["fma"] = MATH["__fma_rn"] = arithmetic.fused_multiply_add_double
MATH["min"], MATH["max"], MATH["abs"] = np.minimum, np.maximum, np.abs


@intrinsic("fdim", "fdimf")
def fdim(x, y):
    return np.where(x > y, x - y, np.where(np.isnan(x) | np.isnan(y), x + y, x.dtype.type(0)))[()]


@intrinsic("round", "roundf")
def round_half_away(x):
    whole = np.trunc(x)
    return np.where(np.abs(x - whole) >= 0.5, whole + np.copysign(x.dtype.type(1), x), whole)[()]


@intrinsic("logb", "logbf")
def logb(x):
    exponent = (np.frexp(x)[1] - 1).astype(x.dtype)
    return np.where(x == 0, -np.inf, np.where(np.isfinite(x), exponent, np.abs(x))).astype(x.dtype)[
        ()
    ]


@intrinsic("__saturatef")
def saturate(x):
    return np.fmin(np.fmax(x, np.float32(0)), np.float32(1))


@intrinsic("__frcp_rn", "__drcp_rn")
def reciprocal(x):
    return x.dtype.type(1) / x


for _name, _test in dict(
    isnan=np.isnan, isinf=np.isinf, isfinite=np.isfinite, signbit=np.signbit
).items():
    MATH[_name] = lambda x, _test=_test: _test(x).astype(np.int32)


# Several results: the value, if the function has one, then what goes through its pointers.
def _sine_and_cosine(sine, cosine):
    def both(x):
        return MATH[sine](x), MATH[cosine](x)

    return both


RESULTS: dict[str, Any] = {"modff": np.modf, "modf": np.modf, "frexpf": np.frexp, "frexp": np.frexp}
for _name, _sine, _cosine in (
    ("sincosf", "sinf", "cosf"),
    ("__sincosf", "__sinf", "__cosf"),
    ("sincos", "sin", "cos"),
    ("sincospif", "sinpif", "cospif"),
    ("sincospi", "sinpi", "cospi"),
):
    RESULTS[_name] = _sine_and_cosine(_sine, _cosine)

# Conversions with a stated rounding.
for _mode, _rounding in dict(rn=np.rint, rz=np.trunc, ru=np.ceil, rd=np.floor).items():
    for _short, _dtype in dict(int=np.int32, uint=np.uint32, ll=np.int64, ull=np.uint64).items():

        def _convert(x, rounding=_rounding, dtype=_dtype):
            return float_to_integer(rounding(x), dtype)

        MATH[f"__float2{_short}_{_mode}"] = MATH[f"__double2{_short}_{_mode}"] = _convert
for _name in ("lround", "llround"):
    _family(_name, lambda x: float_to_integer(round_half_away(x), np.dtype(np.int64)))
for _name in ("lrint", "llrint"):
    _family(_name, lambda x: float_to_integer(np.rint(x), np.dtype(np.int64)))
for _short in ("int", "uint", "ll", "ull"):
    MATH[f"__{_short}2float_rn"] = lambda x: x.astype(np.float32)
    MATH[f"__{_short}2double_rn"] = lambda x: x.astype(np.float64)
MATH["__double2float_rn"] = lambda x: x.astype(np.float32)
for _name, _bits in dict(
    __float_as_int=np.int32,
    __float_as_uint=np.uint32,
    __int_as_float=np.float32,
    __uint_as_float=np.float32,
    __double_as_longlong=np.int64,
    __longlong_as_double=np.float64,
).items():
    MATH[_name] = lambda x, dtype=_bits: x.view(dtype)
MATH["__double2hiint"] = lambda x: (x.view(np.int64) >> np.int64(32)).astype(np.int32)
MATH["__double2loint"] = lambda x: x.view(np.int64).astype(np.int32)


@intrinsic("__hiloint2double")
def hiloint2double(high, low):
    return (high.astype(np.int64) << np.int64(32) | low.view(np.uint32).astype(np.int64)).view(
        np.float64
    )


# Bits.
def _bit_length(x):
    """Bits of an unsigned value up to its highest 1."""
    if x.dtype.itemsize == 4:
        return np.frexp(x.astype(np.float64))[1].astype(np.int32)
    high = (x >> np.uint64(32)).astype(np.uint32)
    return np.where(high != 0, 32 + _bit_length(high), _bit_length(x.astype(np.uint32))).astype(
        np.int32
    )[()]


def _unsigned(x):
    return x.view(f"u{x.dtype.itemsize}")


MATH["__popc"] = MATH["__popcll"] = lambda x: np.bitwise_count(x).astype(np.int32)


@intrinsic("__clz", "__clzll")
def count_leading_zeros(x):
    return (x.dtype.itemsize * 8 - _bit_length(_unsigned(x))).astype(np.int32)


@intrinsic("__ffs", "__ffsll")
def find_first_set(x):
    return _bit_length(_unsigned(x & -x))


@intrinsic("__brev", "__brevll")
def reverse_bits(x):
    bits = x.dtype.itemsize * 8
    result = x & x.dtype.type(0)
    for k in range(bits):
        result = result | ((x >> x.dtype.type(k)) & x.dtype.type(1)) << x.dtype.type(bits - 1 - k)
    return result


@intrinsic("__byte_perm")
def byte_permute(x, y, selector):
    both = x.astype(np.uint64) | y.astype(np.uint64) << np.uint64(32)
    result = np.uint64(0)
    for k in range(4):
        pick = (selector >> np.uint32(4 * k)).astype(np.uint64) & np.uint64(7)
        byte = both >> (pick << np.uint64(3)) & np.uint64(255)
        result = result | byte << np.uint64(8 * k)
    return result.astype(np.uint32)


@intrinsic("__funnelshift_l")
def funnel_shift_left(low, high, shift):
    both = low.astype(np.uint64) | high.astype(np.uint64) << np.uint64(32)
    return ((both << (shift & np.uint32(31)).astype(np.uint64)) >> np.uint64(32)).astype(np.uint32)


@intrinsic("__funnelshift_r")
def funnel_shift_right(low, high, shift):
    both = low.astype(np.uint64) | high.astype(np.uint64) << np.uint64(32)
    return (both >> (shift & np.uint32(31)).astype(np.uint64)).astype(np.uint32)


@intrinsic("__mulhi", "__umulhi")
def multiply_high(x, y):
    wide = np.int64 if x.dtype.kind == "i" else np.uint64
    return (x.astype(wide) * y.astype(wide) >> wide(32)).astype(x.dtype)


@intrinsic("__mul64hi", "__umul64hi")
def multiply_high_64(x, y):
    half, low = np.uint64(32), np.uint64(0xFFFFFFFF)
    a, b = x.view(np.uint64), y.view(np.uint64)
    (ah, al), (bh, bl) = (a >> half, a & low), (b >> half, b & low)
    middle = ah * bl + (al * bl >> half)
    result = ah * bh + (middle >> half) + ((middle & low) + al * bh >> half)
    if x.dtype.kind == "i":
        result = result - np.where(x < 0, b, np.uint64(0)) - np.where(y < 0, a, np.uint64(0))
    return result.view(x.dtype)


@intrinsic("__mul24", "__umul24")
def multiply_24(x, y):
    eight = x.dtype.type(8)
    return ((x << eight) >> eight) * ((y << eight) >> eight)


@intrinsic("__sad", "__usad")
def sum_of_absolute_difference(x, y, z):
    return (np.maximum(x, y) - np.minimum(x, y)).view(np.uint32) + z


@intrinsic("__hadd", "__uhadd")
def halving_add(x, y):
    return ((x.astype(np.int64) + y.astype(np.int64)) >> np.int64(1)).astype(x.dtype)


@intrinsic("__rhadd")
def rounding_halving_add(x, y):
    return ((x.astype(np.int64) + y.astype(np.int64) + np.int64(1)) >> np.int64(1)).astype(x.dtype)


@intrinsic("__dp4a")
def dot_of_four_bytes(x, y, z):
    kind = x.dtype.type
    for k in range(4):
        z = z + (x << kind(24 - 8 * k) >> kind(24)) * (y << kind(24 - 8 * k) >> kind(24))
    return z
