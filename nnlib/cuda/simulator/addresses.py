"""Pointers as numbers, for where they are kept in memory: a struct with a pointer in it, an array of pointers.

Global memory has the addresses that its arrays have in this process. Memory of a block or a thread has addresses of
its own, far from those: what they point to is known by the memory, not by who reads the number.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from nnlib.cuda.simulator.masks import ndarray, spread
from nnlib.cuda.simulator.memory import LostMemory, Memory, NullMemory, Pointer, PointerChoice, advance

_FAR = 1 << 62  # where addresses of shared and local memory begin
_STEP = 1 << 36  # from one of those memories to the next


class AddressBook:
    """The memories of a launch by address. null: the null pointer. begin_of: where an array begins. find: the memory at
    an address that no memory here has, seen as elements of so many bytes."""

    def __init__(self, null: Pointer, begin_of: Callable[[Memory], int], find: Callable[[int, int], Memory]) -> None:
        self.null, self.begin_of, self.find = null, begin_of, find
        self._begins: dict[int, int] = {}  # id of a memory -> where it begins
        self._known: list[tuple[int, int, Memory]] = []  # begin, end, memory
        self._far = 0

    def add(self, memory: Any) -> int:
        """Where the memory begins."""
        begin = self._begins.get(id(memory))
        if begin is None:
            if memory.space in ("shared", "local"):
                self._far += 1
                begin, extent = _FAR + self._far * _STEP, memory.nbytes
            elif isinstance(memory, LostMemory):
                begin, extent = memory.address, 0
            else:
                begin, extent = self.begin_of(memory), len(memory.bytes)
            self._begins[id(memory)] = begin
            self._known.append((begin, begin + extent, memory))
        return begin

    def number(self, pointer: Any, unit: int) -> Any:
        """Addresses of what a pointer points to, which counts in steps of `unit` bytes; 0 of a null pointer."""
        if pointer.__class__ is Pointer:
            if isinstance(pointer.memory, NullMemory):
                return np.uint64(0)
            where: Any = np.asarray(advance(0, pointer.offset), np.int64) * unit
            return where.astype(np.uint64)[()] + np.uint64(self.add(pointer.memory))
        result: Any = np.uint64(0)
        for where, part in pointer.options:
            result = np.where(where, self.number(part, unit), result)
        return result

    def pointer(self, numbers: Any, mask: Any, unit: int) -> Any:
        """The pointer with these addresses, which counts in steps of `unit` bytes. Those of no memory may be kept."""
        if numbers.__class__ is not ndarray:
            return self._pointer(int(numbers), unit)
        rest = np.ones(len(numbers), bool) if mask is None else spread(mask, len(numbers)).copy()
        options: list[tuple[Any, Pointer]] = []
        while rest.any():
            first = int(numbers[np.flatnonzero(rest)[0]])
            begin, end, memory = self._at(first, unit)
            inside = rest & ((numbers >= np.uint64(begin)) & (numbers < np.uint64(end)) | (numbers == first))
            steps = (numbers - np.uint64(begin)).astype(np.int64) // max(unit, 1)
            options.append((inside, Pointer(memory, np.where(inside, steps, 0))))
            rest &= ~inside
        if len(options) == 1:
            return options[0][1]
        return PointerChoice(options) if options else self.null

    def _pointer(self, number: int, unit: int) -> Pointer:
        begin, _, memory = self._at(number, unit)
        return Pointer(memory, (number - begin) // max(unit, 1))

    def _at(self, number: int, unit: int) -> tuple[int, int, Memory]:
        """Begin, end and memory of what an address belongs to; the end itself does if nothing else begins there."""
        if number == 0:
            return 0, 0, self.null.memory
        behind = None
        for known in self._known:
            begin, end, _ = known
            if begin <= number < end:
                return known
            if number == end:
                behind = known
        if behind is None:
            self.add(self.find(number, unit))
            return self._at(number, unit)
        return behind
