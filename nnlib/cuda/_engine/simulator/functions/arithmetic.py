"""C arithmetic on NumPy values, where NumPy's own differs.

A value is a typed NumPy scalar (the same for all threads) or an array with one entry per thread;
a vector type is a tuple of those. Plain + - * & | ^ < and shifts already agree with CUDA: integers
wrap, a shift by the width or more gives 0 or the sign. Denormal float32 results are kept; CuPy
compiles with -ftz=true, which flushes them to zero.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..masks import PerThread, ndarray


def quotient(a: PerThread, b: PerThread) -> PerThread:
    """Return integer a / b, truncated towards zero; zeros of b do not matter."""
    if a.dtype.kind == "u":
        return a // b
    if a.__class__ is not ndarray and b.__class__ is not ndarray:
        return _scalar_quotient(a, b)
    floored = a // b
    if b.__class__ is not ndarray and b > 0 and (a.min() >= 0 if a.size else True):
        return floored
    inexact = (floored * b != a) & ((a < 0) != (b < 0))
    return floored + inexact.astype(floored.dtype)


def _scalar_quotient(a: PerThread, b: PerThread) -> PerThread:
    if b == 0:
        return a.dtype.type(0)
    if b == -1:
        return np.array(-int(a)).astype(a.dtype)[()]  # INT_MIN / -1 wraps
    exact = abs(int(a)) // abs(int(b))
    return a.dtype.type(exact if (a < 0) == (b < 0) else -exact)


def remainder(a: PerThread, b: PerThread) -> PerThread:
    """Return integer a % b with the sign of a."""
    return a - quotient(a, b) * b


def float_to_integer(value: PerThread, dtype: np.dtype) -> PerThread:
    """Convert as CUDA does: towards zero, clamped to the range, NaN gives 0."""
    wide = dtype
    if wide.itemsize < 4:  # through 32 bits, then the low ones
        wide = np.dtype(np.uint32 if wide.kind == "u" else np.int32)
    return clamped(np.trunc(value.astype(np.float64)), wide, 0).astype(dtype)


def clamped(real: PerThread, dtype: np.dtype, of_nan: Any) -> PerThread:
    """Return whole float64 numbers as integers, within the range of the type."""
    limits = np.iinfo(dtype)
    inside = (real >= float(limits.min)) & (real < float(limits.max) + 1)
    if np.all(inside):
        return real.astype(dtype)
    beyond = np.where(real > 0, dtype.type(limits.max), dtype.type(limits.min))
    beyond = np.where(np.isnan(real), dtype.type(of_nan), beyond)
    return np.where(inside, np.where(inside, real, 0.0).astype(dtype), beyond)[()]


def choose(condition: PerThread, a: PerThread, b: PerThread) -> PerThread:
    """Return condition ? a : b, both already computed. Also for vectors."""
    if condition.__class__ is not ndarray:
        return a if condition else b
    if a.__class__ is tuple:
        return tuple(np.where(condition, x, y) for x, y in zip(a, b, strict=True))
    return np.where(condition, a, b)


def sum_rounded_to_odd(a: PerThread, b: PerThread) -> PerThread:
    """Return a + b in float64, rounded to odd.

    Where the sum is not exact, its neighbour whose last bit is 1 rounds further as the exact sum does.
    """
    total = a + b
    part = total - a
    error = (a - (total - part)) + (b - part)
    bits = np.asarray(total).view(np.int64)
    even = (bits & 1 == 0) & (error != 0) & np.isfinite(total)
    if np.any(even):
        towards = np.where((error > 0) == (total > 0), 1, -1)
        total = np.where(even, (bits + towards).view(np.float64), total)
    return total
