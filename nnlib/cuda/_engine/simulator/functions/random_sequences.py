"""XORWOW's leaps: from one state to that many numbers later, without drawing them.

Its step is linear over bits: 160 of them in five words, a matrix. The matrix of 2^k steps is the square of that of
2^(k-1); a leap multiplies those of the bits of its length. (Marsaglia, Xorshift RNGs, 2003.)
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

BITS, WORDS = 160, 5
SEQUENCE = 67  # one subsequence is 2^67 numbers


@functools.cache
def _steps(power: int) -> np.ndarray:
    """Return what 2^power steps make of a state, as tables: the words at [k, b] belong to byte k with value b."""
    units = np.zeros((BITS, WORDS), np.uint32)
    units[np.arange(BITS), np.arange(BITS) // 32] = np.uint32(1) << np.arange(
        BITS, dtype=np.uint32
    ) % np.uint32(32)
    columns = (
        stepped(units)
        if power == 0
        else _applied(_steps(power - 1), _applied(_steps(power - 1), units))
    )
    tables = np.zeros((BITS // 8, 256, WORDS), np.uint32)
    for bit in range(8):
        tables[:, 1 << bit : 2 << bit] = tables[:, : 1 << bit] ^ columns[bit::8, None]
    return tables


def stepped(v: np.ndarray) -> np.ndarray:
    """Advance states by one step."""
    first, last = v[:, 0] ^ v[:, 0] >> np.uint32(2), v[:, 4]
    new = last ^ last << np.uint32(4) ^ first ^ first << np.uint32(1)
    return np.concatenate([v[:, 1:], new[:, None]], 1)


def _applied(tables: np.ndarray, v: np.ndarray) -> np.ndarray:
    """Return the states after the steps of the tables."""
    by_byte = np.ascontiguousarray(v, "<u4").view(np.uint8).reshape(len(v), BITS // 8)
    result = np.zeros_like(v)
    for k in range(BITS // 8):
        result ^= tables[k, by_byte[:, k]]
    return result


def xorwow_skip(*values: Any) -> tuple[Any, ...]:
    """Return the words of a state after so many subsequences and numbers."""
    *words, sequences, numbers = np.broadcast_arrays(*map(np.atleast_1d, values))
    v = np.stack(words, 1)
    for counts, start in ((sequences, SEQUENCE), (numbers, 0)):
        left = np.array(counts)
        for power in range(64):
            if not left.any():
                break
            lanes = np.flatnonzero(left & np.uint64(1))
            if lanes.size:
                v[lanes] = _applied(_steps(start + power), v[lanes])
            left >>= np.uint64(1)
    if all(np.ndim(value) == 0 for value in values):
        return tuple(v[0])
    return tuple(np.ascontiguousarray(word) for word in v.T)
