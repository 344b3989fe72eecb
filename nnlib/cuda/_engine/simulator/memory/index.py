"""Indices that stay: one per thread, computed before a loop, with what was found out about them.

In a loop most indices are such a vector plus a number that all threads share: s[threadIdx.y][k]. The vector's range,
its places in a memory, the sectors and banks it touches need to be looked at once, not in every iteration.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..masks import PerThread, ndarray


class Lanes:
    """An index per thread. found: what others have worked out about it, under keys of their own."""

    __slots__ = ("found", "high", "low", "vector")

    def __init__(self, vector: np.ndarray) -> None:
        self.vector = vector
        self.low, self.high = int(vector.min()), int(vector.max())
        self.found: dict[Any, Any] = {}


class InvariantIndex:
    """lanes + offset, computed when asked for."""

    __slots__ = ("_value", "dtype", "lanes", "offset")

    def __init__(self, lanes: Lanes, offset: int, dtype: np.dtype) -> None:
        self.lanes, self.offset, self.dtype = lanes, offset, dtype
        self._value: Any = None if offset or dtype != lanes.vector.dtype else lanes.vector

    @property
    def value(self) -> PerThread:
        """Return one index per thread, wrapped around as the C type does."""
        if self._value is None:
            self._value = self.lanes.vector.astype(self.dtype) + np.array(self.offset).astype(
                self.dtype
            )
        return self._value

    def within(self, first: int, limit: int) -> bool:
        """Return whether every thread's index is in [first, limit), active or not."""
        return first <= self.lanes.low + self.offset and self.lanes.high + self.offset < limit

    def plus(self, number: Any) -> InvariantIndex:
        """Return index + number, which is the same for all threads; a large unsigned number is a small negative one."""
        value, kind = int(number), number.dtype
        if kind.kind == "u" and value >> (8 * kind.itemsize - 1):
            value -= 1 << 8 * kind.itemsize
        dtype = kind if kind == self.dtype else np.result_type(self.dtype, kind)
        return InvariantIndex(self.lanes, self.offset + value, dtype)


def invariant(index: Any, mask: Any) -> Any:
    """Return an index that stays the same in a loop, which only threads of the mask enter.

    The other threads get the index of one of them.
    """
    if index.__class__ is not ndarray:  # the same for all threads, or invariant in the loop around
        return index
    if mask is not None:
        index = np.where(mask, index, index[mask.argmax()])
    return InvariantIndex(Lanes(index), 0, index.dtype)


def plus(index: Any, other: Any) -> Any:
    """Return index + other, where the first may be an invariant one."""
    if index.__class__ is not InvariantIndex:
        return index + other
    return index.value + other if other.__class__ is ndarray else index.plus(other)


def plain(index: Any) -> Any:
    """Return the index as an array or a number."""
    return index.value if index.__class__ is InvariantIndex else index
