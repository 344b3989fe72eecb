"""__half and __nv_bfloat16: every operation as a GPU has it, computed exactly enough and rounded once.

A __half is a NumPy float16, a __nv_bfloat16 the upper half of a float32's bits as uint16; a pair is a tuple of two.
Sums, products, quotients and roots are computed in float32 and then narrowed. A float32 has 24 binary digits, which is
enough that rounding again, to 11 or 8 digits, gives the correctly rounded result. Only the bits of a NaN differ from
CUDA's.
"""

from __future__ import annotations

import operator
from functools import partial

import numpy as np

from ...language.types import BFLOAT16, Half, Scalar, Type, Vector
from ..masks import PerThread
from . import arithmetic
from .mathematics import INTEGERS, MATH, ROUNDINGS, Function

_BITS = np.dtype(np.uint16)
ONE = {np.dtype(np.float16): np.float16(1), _BITS: np.uint16(0x3F80)}


# --- to other types and back -------------------------------------------------------------------


def widened(x: PerThread) -> PerThread:
    """Return numbers as float32, exactly."""
    if x.dtype == _BITS:
        return (x.astype(np.uint32) << np.uint32(16)).view(np.float32)
    return x.astype(np.float32)


def narrowed(x: PerThread, dtype: np.dtype) -> PerThread:
    """Round numbers of any type once to the nearest half, ties to even."""
    if x.dtype.kind in "iu":
        x = _without_rounding(x)
    if dtype != _BITS:
        return x.astype(dtype)
    x = _rounded_to_odd(x) if x.dtype.itemsize > 4 else x.astype(np.float32)
    bits = x.view(np.uint32)
    rounded = (bits + (np.uint32(0x7FFF) + (bits >> np.uint32(16) & np.uint32(1)))) >> np.uint32(16)
    return np.where(np.isnan(x), np.uint32(0x7FFF), rounded).astype(_BITS)[()]


def _without_rounding(x: PerThread) -> PerThread:
    """Return integers as float64.

    One of more than 53 bits becomes a float64 that rounds to 24 binary digits or fewer exactly as the integer does.
    """
    if x.dtype.itemsize < 8:
        return x.astype(np.float64)
    low = x & x.dtype.type(0x7FF)
    sticky = np.where(low != 0, (x - low) | x.dtype.type(0x800), x)
    return np.where(np.abs(x.astype(np.float64)) >= 2.0**53, sticky, x).astype(np.float64)[()]


def _rounded_to_odd(x: PerThread) -> PerThread:
    """Round a float64 to a float32 that rounds to fewer digits exactly as x itself does."""
    near = x.astype(np.float32)
    back = near.astype(np.float64)
    bits = np.asarray(near).view(np.int32)
    off = (back != x) & (bits & 1 == 0) & np.isfinite(x)
    if not np.any(off):
        return near
    towards = np.where(np.abs(back) < np.abs(x), 1, -1).astype(np.int32)
    return np.where(off, bits + towards, bits).astype(np.int32).view(np.float32)[()]


def _directed(x: PerThread, dtype: np.dtype, mode: str) -> PerThread:
    """Round towards zero (rz), down (rd) or up (ru)."""
    x = _without_rounding(x) if x.dtype.kind in "iu" else x.astype(np.float64)
    near = narrowed(x, dtype)
    back, bits = widened(near).astype(np.float64), np.asarray(near).view(_BITS)
    smaller, larger = np.abs(back) < np.abs(x), np.abs(back) > np.abs(x)
    outwards = (
        smaller & ((x > 0) if mode == "ru" else (x < 0)) if mode != "rz" else np.zeros_like(smaller)
    )
    inwards = larger & {"rz": True, "ru": x < 0, "rd": x > 0}[mode]
    return (bits + outwards.astype(_BITS) - inwards.astype(_BITS)).astype(_BITS).view(dtype)[()]


def to_integer(x: PerThread, dtype: np.dtype, mode: str = "rz") -> PerThread:
    """Round to an integer and clamp it to the range of the type. A NaN becomes 0; in 64 bits, only the top bit is set."""
    nothing = 0 if dtype.itemsize < 8 else np.uint64(1 << 63).view(dtype)
    return arithmetic.clamped(ROUNDINGS[mode](to_double(x)), dtype, nothing)


def to_bool(x: PerThread) -> PerThread:
    return widened(x) != 0


def to_double(x: PerThread) -> PerThread:
    return widened(x).astype(np.float64)


def to_half(x: PerThread) -> PerThread:
    return narrowed(x, np.dtype(np.float16))


def to_bfloat16(x: PerThread) -> PerThread:
    return narrowed(x, _BITS)


def conversion(source: Type, kind: Type) -> Function:
    """Return the function that converts a value of `source` to `kind`; at least one of the two is a half type."""
    encode = to_bfloat16 if kind == BFLOAT16 else to_half
    if not isinstance(source, Half):
        return encode
    if isinstance(kind, Half):
        return lambda x: encode(widened(x))
    assert isinstance(kind, Scalar)
    dtype = kind.dtype
    if dtype.kind == "b":
        return to_bool
    if dtype.kind == "f":
        return to_double if dtype.itemsize == 8 else widened
    return lambda x: to_integer(x, dtype)


# --- functions -----------------------------------------------------------------------------------


def _narrow(function: Function) -> Function:
    """Make a function of float32 one of halves, rounded to the type of the first argument."""
    return lambda *values: narrowed(function(*map(widened, values)), values[0].dtype)


def _through_double(function: Function) -> Function:
    return lambda *values: narrowed(function(*map(to_double, values)), values[0].dtype)


def _saturated(function: Function) -> Function:
    """Clamp a function's results between 0 and 1; a NaN becomes 0."""
    zero, one = np.float32(0), np.float32(1)
    return lambda *values: narrowed(
        np.fmin(np.fmax(widened(function(*values)), zero), one) + zero, values[0].dtype
    )


def _extreme(larger: bool, spreads: bool) -> Function:
    """Return maximum or minimum, with +0 above -0. spreads: a NaN makes the result one; otherwise it is ignored."""

    def chosen(a: PerThread, b: PerThread) -> PerThread:
        x, y = widened(a), widened(b)
        first = np.where(x == y, np.signbit(y) == larger, x > y if larger else x < y)
        ignored = np.isnan(x) if spreads else np.isnan(y)
        return np.where(
            np.isnan(x) | np.isnan(y), np.where(ignored, a, b), np.where(first, a, b)
        ).astype(a.dtype)[()]

    return chosen


def fused(a: PerThread, b: PerThread, c: PerThread) -> PerThread:
    """Return a * b + c, rounded once: the product is exact."""
    total = arithmetic.sum_rounded_to_odd(to_double(a) * to_double(b), to_double(c))
    return narrowed(np.asarray(total)[()], a.dtype)


def _rectified(a: PerThread, b: PerThread, c: PerThread) -> PerThread:
    result = fused(a, b, c)
    return np.where(widened(result) < 0, result.dtype.type(0), result)[()]


def negative(x: PerThread) -> PerThread:
    if x.__class__ is tuple:
        return tuple(map(negative, x))
    return (np.asarray(x).view(_BITS) ^ np.uint16(0x8000)).view(x.dtype)[()]


def _absolute(x: PerThread) -> PerThread:
    return (np.asarray(x).view(_BITS) & np.uint16(0x7FFF)).view(x.dtype)[()]


def _compared(compare: Function, unordered: bool) -> Function:
    def holds(a: PerThread, b: PerThread) -> PerThread:
        x, y = widened(a), widened(b)
        either = np.isnan(x) | np.isnan(y)
        return compare(x, y) | either if unordered else compare(x, y) & ~either

    return holds


def by_pairs(function: Function) -> Function:
    """Return the function of two numbers at once."""
    return lambda *pairs: tuple(function(*values) for values in zip(*pairs, strict=True))


def _as_numbers(function: Function) -> Function:
    """Make a predicate return 1 or 0 in the type of the arguments."""

    def number(*values: PerThread) -> PerThread:
        dtype = values[0].dtype
        return np.where(function(*values), ONE[dtype], dtype.type(0))[()]

    return number


def _for_both(function: Function) -> Function:
    return lambda a, b: function(a[0], b[0]) & function(a[1], b[1])


def _as_mask(function: Function) -> Function:
    def mask(a: PerThread, b: PerThread) -> PerThread:
        holds = (function(x, y) for x, y in zip(a, b, strict=True))
        low, high = (np.where(each, np.uint32(0xFFFF), np.uint32(0)) for each in holds)
        return (low | high << np.uint32(16))[()]

    return mask


def either(one: Function, two: Function) -> Function:
    """Make an operator of one function for numbers and one for pairs of them."""
    return lambda a, b: two(a, b) if a.__class__ is tuple else one(a, b)


add, subtract, multiply, divide = map(_narrow, (np.add, np.subtract, np.multiply, np.divide))
_SIGNS = {"==": "eq", "!=": "ne", "<": "lt", "<=": "le", ">": "gt", ">=": "ge"}
FUNCTIONS: dict[str, Function] = {
    "__hadd": add,
    "__hsub": subtract,
    "__hmul": multiply,
    "__hdiv": divide,
    "__hfma": fused,
    "__hadd_rn": add,
    "__hsub_rn": subtract,
    "__hmul_rn": multiply,
    "__hfma_relu": _rectified,
    "__hadd_sat": _saturated(add),
    "__hsub_sat": _saturated(subtract),
    "__hmul_sat": _saturated(multiply),
    "__hfma_sat": _saturated(fused),
    "__hmax": _extreme(True, False),
    "__hmin": _extreme(False, False),
    "__hmax_nan": _extreme(True, True),
    "__hmin_nan": _extreme(False, True),
    "__hneg": negative,
    "__habs": _absolute,
    **{f"h{name}": _narrow(getattr(np, name)) for name in ("ceil", "floor", "trunc", "rint")},
    **{
        f"h{name}": _through_double(getattr(np, name))
        for name in ("sqrt", "exp", "exp2", "log", "log2", "log10", "sin", "cos", "tanh")
    },
    "hrsqrt": _through_double(lambda x: 1 / np.sqrt(x)),
    "hrcp": _through_double(lambda x: 1 / x),
    "hexp10": _through_double(lambda x: np.power(10.0, x)),
}
_TESTS = {
    f"__h{name}{'u' * unordered}": _compared(getattr(operator, name), unordered)
    for name in _SIGNS.values()
    for unordered in (False, True)
}
OPERATORS = {
    op: either(one, by_pairs(one))
    for op, one in (("+", add), ("-", subtract), ("*", multiply), ("/", divide))
}
for _op, _name in _SIGNS.items():
    _one = _TESTS[f"__h{_name}{'u' * (_name == 'ne')}"]  # a NaN is unequal to all
    OPERATORS[_op] = either(_one, _for_both(_one))


def packed(pair: PerThread) -> PerThread:
    """Pack two numbers into one word, the first one low."""
    low, high = (np.asarray(x).view(_BITS).astype(np.uint32) for x in pair)
    return (low | high << np.uint32(16))[()]


def unpacked(word: PerThread, dtype: np.dtype) -> PerThread:
    low, high = word & np.uint32(0xFFFF), word >> np.uint32(16)
    return tuple(np.asarray(part).astype(_BITS).view(dtype)[()] for part in (low, high))


def atomic_add(kind: Type) -> Function:
    """Return a function for what memory holds after an addition: a number, or a pair as one word."""
    if not isinstance(kind, Vector):
        return add
    dtype = kind.base.dtype
    both = by_pairs(add)
    return lambda old, value: packed(both(unpacked(old, dtype), unpacked(value, dtype)))


# --- under CUDA's names ----------------------------------------------------------------------------


def pair(name: str) -> str:
    """Return what the function is called for two numbers at once: __hadd2, __hadd2_sat, h2exp, __hequ2; __h2div."""
    if name == "__hdiv":
        return "__h2div"
    if name[0] == "h":
        return "h2" + name[1:]
    first, _, rest = name[2:].partition("_")
    return f"__{first}2{'_' * bool(rest)}{rest}"


_halving_add = MATH["__hadd"]
for _name, _function in FUNCTIONS.items():
    MATH[_name], MATH[pair(_name)] = _function, by_pairs(_function)
for _name, _test in _TESTS.items():
    MATH[_name], MATH[pair(_name)] = _test, by_pairs(_as_numbers(_test))
    MATH[f"{_name.replace('__h', '__hb')}2"], MATH[f"{pair(_name)}_mask"] = (
        _for_both(_test),
        _as_mask(_test),
    )
MATH["__hadd"] = lambda a, b: _halving_add(a, b) if a.dtype.kind == "i" else add(a, b)


def _is_nan(x: PerThread) -> PerThread:
    return np.isnan(widened(x))


def _is_infinite(x: PerThread) -> PerThread:
    wide = widened(x)
    return (np.isinf(wide) * np.sign(wide)).astype(np.int32)[()]


MATH |= {
    "__hisnan": _is_nan,
    "__hisnan2": by_pairs(_as_numbers(_is_nan)),
    "__hisinf": _is_infinite,
    "__low2float": lambda x: widened(x[0]),
    "__high2float": lambda x: widened(x[1]),
    "__lowhigh2highlow": lambda x: (x[1], x[0]),
}
_SMALL = {"char": "i1", "uchar": "u1", "short": "i2", "ushort": "u2"}
_INTEGERS = INTEGERS | {name: np.dtype(code) for name, code in _SMALL.items()}


def _name_conversions(one: str, two: str, encode: Function, dtype: np.dtype) -> None:
    MATH.update(
        {
            f"__{one}2float": widened,
            f"__float2{one}": encode,
            f"__double2{one}": encode,
            f"__float2{two}_rn": lambda x: (encode(x),) * 2,
            f"__floats2{two}_rn": lambda x, y: (encode(x), encode(y)),
            f"__{two}2float2": by_pairs(widened),
            f"__float22{two}_rn": by_pairs(encode),
            f"__low2{one}": lambda x: x[0],
            f"__high2{one}": lambda x: x[1],
            f"__{one}2{two}": lambda x: (x, x),
            f"__halves2{two}": lambda x, y: (x, y),
            f"__low2{two}": lambda x: (x[0], x[0]),
            f"__high2{two}": lambda x: (x[1], x[1]),
            f"__lows2{two}": lambda x, y: (x[0], y[0]),
            f"__highs2{two}": lambda x, y: (x[1], y[1]),
            f"__{one}_as_short": lambda x: x.view(np.int16),
            f"__{one}_as_ushort": lambda x: x.view(np.uint16),
            f"__short_as_{one}": lambda x: x.view(dtype),
            f"__ushort_as_{one}": lambda x: x.view(dtype),
        }
    )
    for mode in ROUNDINGS:
        rounded = encode if mode == "rn" else partial(_directed, dtype=dtype, mode=mode)
        MATH[f"__float2{one}_{mode}"] = rounded
        for short, kind in _INTEGERS.items():
            MATH[f"__{short}2{one}_{mode}"] = rounded
            MATH[f"__{one}2{short}_{mode}"] = partial(to_integer, dtype=kind, mode=mode)


_name_conversions("half", "half2", to_half, np.dtype(np.float16))
_name_conversions("bfloat16", "bfloat162", to_bfloat16, _BITS)

# Additions and so on, by name: how many each of its numbers takes.
FLOPS = {name: 2 if "fma" in name else 1 for name in FUNCTIONS} | {
    pair(name): 4 if "fma" in name else 2 for name in FUNCTIONS
}
