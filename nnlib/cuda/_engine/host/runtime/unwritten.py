"""Host memory that nobody has written: it holds a pattern that no program computes, which is noticed where it is used.

The pattern goes with the bytes that are copied, so a struct may be copied with members that have no value yet.
"""

from __future__ import annotations

import struct
from typing import Any

import numpy as np

# Of each word: a negative number as int, -7e29 as float, no text
PATTERN = bytes.fromhex("5ba713f1")
MOST = 256 << 20  # bytes: larger memory is left as the system gives it


def fresh(size: int) -> np.ndarray:
    """Return the bytes of memory that begins without values."""
    if size > MOST:
        return np.zeros(size, np.uint8)
    return np.full(size // 4 + 1, np.frombuffer(PATTERN, np.uint32)).view(np.uint8)[:size]


def suspects(letter: str) -> frozenset[Any]:
    """Return what a load of one of struct's types finds in unwritten memory."""
    form = struct.Struct(f"<{letter}")
    return frozenset(form.unpack_from(2 * PATTERN, k)[0] for k in range(0, 4, form.size))


def unwritten(data: Any, start: int, size: int) -> bool:
    """Return whether all words in which these bytes lie are unwritten. A word that extends past the end counts as written."""
    begin, end = start // 4 * 4, -(-(start + size) // 4) * 4
    return size > 0 and end <= len(data) and bytes(data[begin:end]) == (end - begin) // 4 * PATTERN


def unwritten_bytes(data: np.ndarray, start: int, size: int) -> np.ndarray:
    """Return which of these bytes have no value."""
    begin, end = start // 4 * 4, min(-(-(start + size) // 4), len(data) // 4) * 4
    words = data[begin:end].view(np.uint32) == np.frombuffer(PATTERN, np.uint32)
    found = np.zeros(start - begin + size, bool)
    found[: end - begin] = np.repeat(words, 4)[: len(found)]
    return found[start - begin :]
