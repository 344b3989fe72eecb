"""CUDA's element-wise intrinsics as functions of NumPy values. To add one: write it here, under its CUDA name.

Transcendental functions of doubles are NumPy's; those of floats, such as expf, are CUDA C (../rounded.py), so that they
have the same bits on every machine. Both differ from CUDA's by a few units in the last place; the fast ones (`__expf`)
are as precise as the others here. Lesson 04.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from statistics import NormalDist
from typing import Any

import numpy as np

from ..masks import PerThread
from .arithmetic import float_to_integer

Function = Callable[..., Any]
MATH: dict[str, Function] = {}
ROUNDINGS = {"rn": np.rint, "rz": np.trunc, "ru": np.ceil, "rd": np.floor}
INTEGERS = {
    name: np.dtype(code)
    for name, code in {"int": "i4", "uint": "u4", "ll": "i8", "ull": "u8"}.items()
}


def _know(functions: dict[str, Function]) -> None:
    """Make functions known under CUDA's names, of which a key has one or several."""
    for names, function in functions.items():
        MATH.update(dict.fromkeys(names.split(), function))


def _families(
    functions: dict[str, Function], made: Callable[[Function], Function] = lambda f: f
) -> None:
    """Register functions f of doubles and ff of floats."""
    for names, function in functions.items():
        _know({f"{name} {name}f": made(function) for name in names.split()})


def _through_double(function: Function) -> Function:
    """Compute in float64, round once to the argument's type."""

    def rounded(*values: PerThread) -> PerThread:
        result = function(*(value.astype(np.float64) for value in values))
        return np.asarray(result).astype(values[0].dtype)[()]

    return rounded


def _each(function: Function) -> Function:
    """Apply a scalar function of the math module to every element."""
    vectorised = np.vectorize(function, otypes=[np.float64])
    return _through_double(lambda *values: vectorised(*values)[()])


def _sine_of_half_turns(x: PerThread, quarters: int) -> PerThread:
    """Return sin(pi * x + quarters * pi / 2), exact at multiples of a quarter turn."""
    part = np.remainder(x, 2)
    nearest = np.rint(2 * part)
    rest = np.pi * (part - nearest / 2)
    sine, cosine = np.sin(rest), np.cos(rest)
    return np.choose(
        ((nearest.astype(np.int64) + quarters) % 4).astype(np.intp), [sine, cosine, -sine, -cosine]
    )


def _length(*parts: PerThread) -> PerThread:
    """Return the length of a vector."""
    return np.sqrt(sum(np.square(part) for part in parts))


def _gamma(function: Callable[[float], float], x: float) -> float:
    try:
        return function(x)
    except (ValueError, OverflowError):
        return math.inf


def _quantile(p: float) -> float:
    if 0 < p < 1:
        return float(NormalDist().inv_cdf(p))
    return {0.0: -math.inf, 1.0: math.inf}.get(p, math.nan)


def _inverse_erf(x: float) -> float:
    if abs(x) < 1e-4:  # the quantile of nearly one half has lost the digits
        return math.sqrt(math.pi) / 2 * (x + math.pi / 12 * x**3)
    return _quantile((x + 1) / 2) / math.sqrt(2)


def _scaled_erfc(x: float) -> float:
    if x < -26:
        return math.inf
    if x < 25:
        return math.exp(x * x) * math.erfc(x)
    total = part = 1.0
    for k in range(1, 8):  # the asymptotic series, which there is exact to the last digits
        part *= (0.5 - k) / (x * x)
        total += part
    return total / (x * math.sqrt(math.pi))


# --- floats and doubles ------------------------------------------------------------------------------

_families(
    {
        name: getattr(np, name)
        for name in ["sqrt", "ceil", "floor", "trunc", "rint", "fabs", "fmod", "fmin", "fmax"]
    }
    | {name: getattr(np, name) for name in ["copysign", "nextafter", "ldexp"]}
    | {
        "nearbyint": np.rint,
        "fdim": lambda x, y: np.where(
            x > y, x - y, np.where(np.isnan(x) | np.isnan(y), x + y, x.dtype.type(0))
        )[()],
        "lround llround": lambda x: float_to_integer(_round_half_away(x), INTEGERS["ll"]),
        "lrint llrint": lambda x: float_to_integer(np.rint(x), INTEGERS["ll"]),
    },
)
_families(
    {
        "asinh": np.arcsinh,
        "acosh": np.arccosh,
        "atanh": np.arctanh,
        "rhypot": lambda x, y: 1 / np.hypot(x, y),
        "norm3d norm4d": _length,
        "rnorm3d rnorm4d": lambda *x: 1 / _length(*x),
        "sinpi": lambda x: _sine_of_half_turns(x, 0),
        "cospi": lambda x: _sine_of_half_turns(x, 1),
    },
    _through_double,
)
_families(
    {
        "erf": math.erf,
        "erfc": math.erfc,
        "tgamma": partial(_gamma, math.gamma),
        "lgamma": partial(_gamma, math.lgamma),
        "erfcx": _scaled_erfc,
        "normcdf": lambda x: 0.5 * math.erfc(-x / math.sqrt(2)),
        "normcdfinv": _quantile,
        "erfinv": _inverse_erf,
        "erfcinv": lambda x: -_quantile(x / 2) / math.sqrt(2),
        "remainder": lambda x, y: math.remainder(x, y) if math.isfinite(x) and y else math.nan,
    },
    _each,
)
_know(
    {
        name: getattr(np, name)
        for name in [
            "cbrt",
            "exp",
            "exp2",
            "expm1",
            "log",
            "log2",
            "log10",
            "log1p",
            "sin",
            "cos",
            "tan",
            "sinh",
            "cosh",
            "tanh",
            "hypot",
        ]
    }
)
_know(
    {
        "asin": np.arcsin,
        "acos": np.arccos,
        "atan": np.arctan,
        "atan2": np.arctan2,
        "pow": np.power,
        "rsqrt": lambda x: 1 / np.sqrt(x),
        "rcbrt": lambda x: 1 / np.cbrt(x),
        "exp10": lambda x: np.power(10.0, x),
        "__fsqrt_rn __dsqrt_rn": np.sqrt,
        "__fadd_rn __dadd_rn": np.add,
        "__fsub_rn __dsub_rn": np.subtract,
        "__fmul_rn __dmul_rn": np.multiply,
        "__fdiv_rn __ddiv_rn fdividef __fdividef": np.divide,
        "__saturatef": lambda x: np.fmin(np.fmax(x, np.float32(0)), np.float32(1)),
        "min": np.minimum,
        "max": np.maximum,
        "abs": np.abs,
        "isnan": lambda x: np.isnan(x).astype(np.int32),
        "isinf": lambda x: np.isinf(x).astype(np.int32),
        "isfinite": lambda x: np.isfinite(x).astype(np.int32),
        "signbit": lambda x: np.signbit(x).astype(np.int32),
    }
)


def _round_half_away(x: PerThread) -> PerThread:
    whole = np.trunc(x)
    return np.where(np.abs(x - whole) >= 0.5, whole + np.copysign(x.dtype.type(1), x), whole)[()]


def _exponent(x: PerThread) -> PerThread:
    exponent = (np.frexp(x)[1] - 1).astype(x.dtype)
    finite = np.where(np.isfinite(x), exponent, np.abs(x))
    return np.where(x == 0, -np.inf, finite).astype(x.dtype)[()]


_families({"round": _round_half_away, "logb": _exponent})

# Several results: the value, if the function has one, then what goes through its pointers.
RESULTS: dict[str, Function] = {
    "modff": np.modf,
    "modf": np.modf,
    "frexpf": np.frexp,
    "frexp": np.frexp,
}
for _name in ("sincosf", "__sincosf", "sincos", "sincospif", "sincospi"):
    _sine, _cosine = (_name.replace("sincos", word) for word in ("sin", "cos"))
    RESULTS[_name] = lambda x, names=(_sine, _cosine): tuple(MATH[name](x) for name in names)

# --- conversions with a stated rounding, and bits as they are ------------------------------------------

for _short, _dtype in INTEGERS.items():
    for _mode, _rounding in ROUNDINGS.items():
        _names = f"__float2{_short}_{_mode} __double2{_short}_{_mode}"
        _know({_names: lambda x, f=_rounding, dtype=_dtype: float_to_integer(f(x), dtype)})
    _know({f"__{_short}2float_rn": lambda x: x.astype(np.float32)})
    _know({f"__{_short}2double_rn": lambda x: x.astype(np.float64)})


def _both(low: PerThread, high: PerThread) -> PerThread:
    """Join two words to one of 64 bits."""
    return low.astype(np.uint64) & np.uint64(0xFFFFFFFF) | high.astype(np.uint64) << np.uint64(32)


_know(
    {
        "__double2float_rn": lambda x: x.astype(np.float32),
        "__float_as_int": lambda x: x.view(np.int32),
        "__float_as_uint": lambda x: x.view(np.uint32),
        "__int_as_float __uint_as_float": lambda x: x.view(np.float32),
        "__double_as_longlong": lambda x: x.view(np.int64),
        "__longlong_as_double": lambda x: x.view(np.float64),
        "__double2hiint": lambda x: (x.view(np.int64) >> np.int64(32)).astype(np.int32),
        "__double2loint": lambda x: x.view(np.int64).astype(np.int32),
        "__hiloint2double": lambda high, low: _both(low, high).view(np.float64),
    }
)

# --- integers ------------------------------------------------------------------------------------------


def _byte_permute(x: PerThread, y: PerThread, selector: PerThread) -> PerThread:
    both, result = _both(x, y), np.uint64(0)
    for k in range(4):
        pick = (selector >> np.uint32(4 * k)).astype(np.uint64) & np.uint64(7)
        byte = both >> (pick << np.uint64(3)) & np.uint64(255)
        result = result | byte << np.uint64(8 * k)
    return result.astype(np.uint32)


def _multiply_high_64(x: PerThread, y: PerThread) -> PerThread:
    half, low = np.uint64(32), np.uint64(0xFFFFFFFF)
    a, b = x.view(np.uint64), y.view(np.uint64)
    (ah, al), (bh, bl) = (a >> half, a & low), (b >> half, b & low)
    middle = ah * bl + (al * bl >> half)
    result = ah * bh + (middle >> half) + ((middle & low) + al * bh >> half)
    if x.dtype.kind == "i":
        result = result - np.where(x < 0, b, np.uint64(0)) - np.where(y < 0, a, np.uint64(0))
    return result.view(x.dtype)


def _halving_add(x: PerThread, y: PerThread, up: int) -> PerThread:
    total = x.astype(np.int64) + y.astype(np.int64) + np.int64(up)
    return (total >> np.int64(1)).astype(x.dtype)


def _dot_of_four_bytes(x: PerThread, y: PerThread, z: PerThread) -> PerThread:
    for left in range(0, 32, 8):
        z = z + (x << left >> 24) * (y << left >> 24)
    return z


_know(
    {
        "__popc __popcll": lambda x: np.bitwise_count(x).astype(np.int32),
        "__byte_perm": _byte_permute,
        "__mul64hi __umul64hi": _multiply_high_64,
        "__sad __usad": lambda x, y, z: (np.maximum(x, y) - np.minimum(x, y)).view(np.uint32) + z,
        "__hadd __uhadd": lambda x, y: _halving_add(x, y, 0),
        "__rhadd": lambda x, y: _halving_add(x, y, 1),
        "__dp4a": _dot_of_four_bytes,
    }
)
