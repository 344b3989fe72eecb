"""Pointers: a memory and an offset in it, counted in elements of the type that it points to. Lesson 01.

Where threads of one chunk point into different memories the pointer is a choice among several.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..masks import Mask, PerThread, ndarray
from .index import InvariantIndex, plain
from .spaces import Hook, Memory, Site, Subscripts


class PointerValue:
    """A pointer: a memory and an offset in elements, uniform or one per thread.

    Loads and stores go to the memory, with the offset added to their index.
    """

    __slots__ = ("memory", "offset")

    def __init__(self, memory: Memory, offset: PerThread = 0) -> None:
        self.memory, self.offset = memory, offset

    def load(self, index: PerThread, *access: Any) -> PerThread:
        return self.memory.load(advance(self.offset, index), *access)

    def store(self, index: PerThread, *access: Any) -> None:
        self.memory.store(advance(self.offset, index), *access)

    def moved(self, index: PerThread) -> PointerValue:
        return PointerValue(self.memory, advance(self.offset, plain(index)))

    def scaled(self, old: int, new: int, misaligned: Hook) -> PointerValue:
        """Return the same place, counted in elements of `new` instead of `old` bytes."""
        if old % new == 0:
            return PointerValue(self.memory, advance(0, self.offset) * (old // new))
        where = advance(0, self.offset) * old
        off = where % new
        if np.any(off):
            misaligned(self, off != 0, where)
        return PointerValue(self.memory, where // new)

    def parts(self, mask: Mask) -> list[tuple[Mask, PointerValue]]:
        """Return (mask, pointer with one memory) pairs."""
        return [(mask, self)]


class PointerChoice:
    """A pointer variable that points into different memories in different threads.

    options: bool arrays that have no thread in common, and where the pointer of those threads points.
    """

    __slots__ = ("options",)

    def __init__(self, options: list[tuple[Mask, PointerValue]]) -> None:
        self.options = options

    def parts(self, mask: Mask) -> list[tuple[Mask, PointerValue]]:
        inside = (
            (where if mask is None else where & mask, pointer) for where, pointer in self.options
        )
        return [(where, pointer) for where, pointer in inside if where.any()]

    def load(
        self, index: PerThread, mask: Mask, site: Site, subscripts: Subscripts = None
    ) -> PerThread:
        result = None
        for where, pointer in self.parts(mask):
            value = pointer.load(index, where, site)
            result = value if result is None else select(where, value, result)
        return result

    def store(
        self,
        index: PerThread,
        value: PerThread,
        mask: Mask,
        site: Site,
        subscripts: Subscripts = None,
    ) -> None:
        for where, pointer in self.parts(mask):
            pointer.store(index, value, where, site)

    def moved(self, index: PerThread) -> PointerChoice:
        return PointerChoice([(where, pointer.moved(index)) for where, pointer in self.options])

    def scaled(self, old: int, new: int, misaligned: Hook) -> PointerChoice:
        return PointerChoice(
            [(where, pointer.scaled(old, new, misaligned)) for where, pointer in self.options]
        )


AnyPointer = PointerValue | PointerChoice


def moved(place: Any, index: PerThread) -> AnyPointer:
    """Return the pointer that leads `index` elements behind a place: behind where a pointer leads, or a memory begins."""
    if isinstance(place, AnyPointer):
        return place.moved(index)
    return PointerValue(place, plain(index))


def advance(offset: PerThread, index: PerThread) -> PerThread:
    """Return offset + index in 64 bits."""
    if offset.__class__ is int and offset == 0:
        return index
    if index.__class__ is InvariantIndex:
        if offset.__class__ is not ndarray and index.within(0, 2**31):  # no sum that wraps around
            return InvariantIndex(index.lanes, index.offset + int(offset), np.dtype(np.int64))
        index = index.value
    if index.__class__ is int and index == 0:
        return offset
    if offset.__class__ is ndarray or index.__class__ is ndarray:
        return np.add(offset, index, dtype=np.int64, casting="unsafe")
    return int(offset) + int(index)


def select(mask: Mask, new: PerThread, old: PerThread) -> PerThread:
    """Return new where the mask is set, old elsewhere: an assignment by some of the threads."""
    if mask is None:
        return new
    kind = new.__class__
    if kind is tuple:
        return tuple(select(mask, a, b) for a, b in zip(new, old, strict=True))
    if kind is PointerValue or kind is PointerChoice:
        return _select_pointer(mask, new, old)
    return np.where(mask, new, old)


def _select_pointer(mask: Mask, new: AnyPointer, old: AnyPointer) -> AnyPointer:
    if isinstance(new, PointerValue) and isinstance(old, PointerValue) and new.memory is old.memory:
        if new.offset is old.offset:
            return new
        return PointerValue(new.memory, np.where(mask, new.offset, old.offset))
    return PointerChoice(new.parts(mask) + old.parts(~mask))
