"""Add as a tensor core adds: products and C are aligned to the largest exponent; bits below the adder are cut off.

No manual says so. Fasi and others (2021) asked a V100, a T4 and an A100. On an H100 all products of an instruction are
added at once, and the adder reaches 25 bits below the largest exponent, 23 of which a float32 keeps. Computed so, sums
of half, bfloat16 and TF32, of all magnitudes, equal the H100's bit for bit (tests/cuda/golden/tensor_sums.json). Older
GPUs add fewer products at once and keep fewer bits. Lesson 09.
"""

from __future__ import annotations

import numpy as np

from ..masks import PerThread

BELOW = 25  # bits that the adder keeps below the largest exponent
# Exponent of the smallest normal number
_LEAST = {np.dtype(np.float32): -126, np.dtype(np.float16): -14}
_NONE = -10_000  # the exponent of zero


def aligned_sum(a: np.ndarray, b: np.ndarray, c: np.ndarray) -> PerThread:
    """Compute a (…, M, K) times b (…, K, N), float64, plus c (…, M, N), in c's type, float32 or half. K: of one instruction."""
    start = c.astype(np.float64)
    of_a, of_b = _exponents(a), _exponents(b)
    least = _LEAST[c.dtype]
    largest = np.where(
        start == 0, _LEAST[np.dtype(np.float32)], np.maximum(_exponents(start), least)
    )
    depth = range(a.shape[-1])
    for k in depth:
        np.maximum(largest, of_a[..., :, k, None] + of_b[..., k, None, :], out=largest)
    scale = np.ldexp(1.0, BELOW - largest)
    with np.errstate(invalid="ignore", over="ignore"):
        total = np.trunc(start * scale)
        for k in depth:
            total += np.trunc(a[..., :, k, None] * b[..., k, None, :] * scale)
        total /= scale
        if not np.isfinite(total).all():  # an infinity or NaN went in
            exact = np.matmul(a, b) + start
            total = np.where(np.isfinite(exact), total, exact)
        result = _cut(total) if c.dtype == np.float32 else total.astype(c.dtype)
        return result + c.dtype.type(0)  # no sum is a negative zero


def _exponents(x: np.ndarray) -> np.ndarray:
    return np.where(x == 0, _NONE, np.frexp(x)[1] - 1)


def _cut(x: np.ndarray) -> np.ndarray:
    """Round to float32, towards zero; to infinity where the value is too large for any rounding."""
    nearest = x.astype(np.float32)
    beyond = (np.abs(nearest) > np.abs(x)) & (np.abs(x) < 2.0**128)
    return np.where(beyond, np.nextafter(nearest, np.float32(0)), nearest)
