"""Pointers as numbers, for where they are kept in memory: a struct with a pointer in it, an array of pointers.

Global memory has the addresses that its arrays have in this process. Memory of a block or a thread has addresses of
its own, far from those: what they point to is known by the memory, not by who reads the number.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from nnlib.cuda.errors import OutOfBoundsError
from nnlib.cuda.simulator.masks import ndarray, spread
from nnlib.cuda.simulator.memory import Memory, NullMemory, Pointer, PointerChoice, advance

_FAR = 1 << 62  # where addresses of shared and local memory begin
_STEP = 1 << 36  # from one of those memories to the next


class AddressBook:
    """The memories of a launch by address. null: the null pointer. fail: reports a fault at an access. world: see
    binding.World; reached: makes a memory of what was found there."""

    def __init__(self, null: Pointer, fail: Any, world: Any, reached: Any) -> None:
        self.null, self.fail, self.world, self.reached = null, fail, world, reached
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
            else:
                own = self.world.address(memory.array)
                begin, extent = memory.bytes.ctypes.data if own is None else own, len(memory.bytes)
            self._begins[id(memory)] = begin
            self._known.append((begin, begin + extent, memory))
        return begin

    def number(self, pointer: Any, unit: int) -> Any:
        """Addresses of what a pointer points to, which counts in steps of `unit` bytes; 0 of a null pointer."""
        if pointer.__class__ is Pointer:
            if isinstance(pointer.memory, NullMemory):
                return np.uint64(0)
            where: Any = np.asarray(advance(0, pointer.offset), np.int64) * unit + self.add(pointer.memory)
            return where.astype(np.uint64)[()]
        result: Any = np.uint64(0)
        for where, part in pointer.options:
            result = np.where(where, self.number(part, unit), result)
        return result

    def pointer(self, numbers: Any, mask: Any, site: Any) -> Any:
        """The pointer with these addresses. Fails for active threads whose address belongs to no memory."""
        if numbers.__class__ is not ndarray:
            return self._one(int(numbers), mask, site)
        rest = np.ones(len(numbers), bool) if mask is None else spread(mask, len(numbers)).copy()
        options: list[tuple[Any, Pointer]] = []
        while rest.any():
            first = int(numbers[np.flatnonzero(rest)[0]])
            found = self._one(first, rest & (numbers == first), site)
            if found is self.null:
                inside = rest & (numbers == 0)
                options.append((inside, self.null))
            else:
                begin, end = next((b, e) for b, e, memory in self._known if memory is found.memory)
                behind = end if any(start == end for start, _, _ in self._known) else end + 1  # another may begin there
                inside = rest & (numbers >= np.uint64(begin)) & (numbers < np.uint64(behind))
                steps = (numbers.astype(np.int64) - begin) // max(site.unit, 1)
                options.append((inside, Pointer(found.memory, np.where(inside, steps, 0))))
            rest &= ~inside
        if len(options) == 1:
            return options[0][1]
        return PointerChoice(options) if options else self.null

    def _one(self, number: int, mask: Any, site: Any) -> Pointer:
        if number == 0:
            return self.null
        near = None
        for begin, end, memory in self._known:
            if begin <= number < end:
                return Pointer(memory, (number - begin) // max(site.unit, 1))
            if number == end:
                near = Pointer(memory, (number - begin) // max(site.unit, 1))
        found = None if near else self.world.find(number)
        if found is not None:
            self.add(self.reached(*found, site.unit))
            return self._one(number, mask, site)
        if near is None:
            self.fail(OutOfBoundsError, site, None if mask is None else mask,
                      f"the pointer {number:#x} that is read here points to no array of this launch",
                      "the simulator knows the arrays that the kernel gets as arguments",
                      "pass the array as an argument, too, or in a tuple with the members of the struct")
            raise AssertionError("fail returns")
        return near
