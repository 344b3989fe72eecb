"""Pointers as numbers, for where they are kept in memory: a struct with a pointer in it, an array of pointers.

Global memory has the addresses that its arrays have in this process. Memory of a block or a thread has addresses of
its own, far from those: what they point to is known by the memory, not by who reads the number. A null pointer and one
that leads to no array point to memories without elements.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..masks import Mask, PerThread, ndarray, spread
from .pointers import AnyPointer, PointerChoice, PointerValue, advance
from .spaces import NOBODY, Memory, Watch

FAR = 1 << 62  # where addresses of shared and local memory begin
_STEP = 1 << 36  # from one of those memories to the next

# First byte of its own, end, memory, where its pointers count from
Span = tuple[int, int, Memory, int]


class NullMemory(Memory):
    """The memory that a null pointer points to: no elements at all."""

    def __init__(self, watch: Watch = NOBODY):
        super().__init__("null", np.zeros(0, np.uint8), watch)


class LostMemory(Memory):
    """The memory of a pointer that belongs to no array: a kernel may hold such a pointer, but not use it.

    what: such a pointer, in words. hint: what to do instead.
    """

    def __init__(self, address: int, what: str, hint: str, watch: Watch = NOBODY):
        super().__init__("lost", np.zeros(0, np.uint8), watch)
        self.address, self.what, self.hint = address, what, hint


class AddressBook:
    """The memories of a launch by address. null: the null pointer. memories: the arrays.

    begins_of: where one begins in this process, and where for a kernel that computes with addresses. find: the memory
    at an address that is in none of them, seen as elements of so many bytes, or that ends one.
    """

    def __init__(
        self,
        null: PointerValue,
        memories: list[Memory],
        begins_of: Callable[[Memory], tuple[int, int]],
        find: Callable[[int, int, Memory | None], Memory],
    ) -> None:
        self.null, self.memories, self.begins_of, self.find = null, memories, begins_of, find
        self._begins = {id(null.memory): (0, 0)}  # by id of a memory
        self._known: list[Span] = []
        self._far = 0

    def add(self, memory: Memory) -> tuple[int, int]:
        """Return where the memory begins, in both ways: from there its pointers count."""
        begins = self._begins.get(id(memory))
        if begins is None:
            lead = 0
            if memory.space in ("shared", "local"):
                self._far += 1
                begins = (FAR + self._far * _STEP,) * 2
            elif isinstance(memory, LostMemory):
                begins = (memory.address,) * 2
            else:
                begins, lead = self.begins_of(memory), memory.lead
            self._begins[id(memory)] = begins
            for begin in begins:
                self._known.append((begin + lead, begin + lead + memory.nbytes, memory, begin))
        return begins

    def number(self, pointer: AnyPointer, unit: int, for_kernel: bool = False) -> PerThread:
        """Return the addresses of what a pointer, which counts in steps of `unit` bytes, points to; 0 for a null pointer."""

        def number(one: PointerValue) -> PerThread:
            if isinstance(one.memory, NullMemory):
                return np.uint64(0)
            where: PerThread = np.asarray(advance(0, one.offset), np.int64) * unit
            return where.astype(np.uint64)[()] + np.uint64(self.add(one.memory)[for_kernel])

        return _of_each(pointer, number)

    def pointer(self, numbers: PerThread, mask: Mask, unit: int) -> AnyPointer:
        """Return the pointer with these addresses, which counts in steps of `unit` bytes. Those of no memory may be kept."""
        if numbers.__class__ is not ndarray:
            _, _, memory, begin = self._at(int(numbers), unit)
            return PointerValue(memory, (int(numbers) - begin) // max(unit, 1))
        rest = np.ones(len(numbers), bool) if mask is None else spread(mask, len(numbers)).copy()
        options: list[tuple[Mask, PointerValue]] = []
        while rest.any():
            number = int(numbers[np.flatnonzero(rest)[0]])
            first, end, memory, begin = self._at(number, unit)
            inside = rest & (
                (numbers >= np.uint64(first)) & (numbers < np.uint64(end)) | (numbers == number)
            )
            steps = (numbers - np.uint64(begin)).astype(np.int64) // max(unit, 1)
            options.append((inside, PointerValue(memory, np.where(inside, steps, 0))))
            rest &= ~inside
        if len(options) == 1:
            return options[0][1]
        return PointerChoice(options) if options else self.null

    def _at(self, number: int, unit: int) -> Span:
        """Return what an address belongs to. An end belongs to its memory if nothing else begins there."""
        if number == 0:
            return 0, 0, self.null.memory, 0
        if self._around(number) is None:
            for memory in self.memories:
                self.add(memory)
        around = self._around(number)
        if around is not None:
            return around
        ends = next((span for span in self._known if number == span[1]), None)
        found = self.find(number, unit, ends[2] if ends else None)
        if ends and found is ends[2]:
            return ends
        self.add(found)
        return next(span for span in self._known if span[2] is found)

    def _around(self, number: int) -> Span | None:
        return next((span for span in self._known if span[0] <= number < span[1]), None)


def is_null(pointer: AnyPointer) -> PerThread:
    return _of_each(pointer, lambda one: np.bool_(isinstance(one.memory, NullMemory)))


def address(pointer: AnyPointer, size: int) -> PerThread:
    """Return a number that orders pointers: memories lie far apart, bytes inside them next to each other."""

    def number(one: PointerValue) -> PerThread:
        memory = one.memory
        start = 0 if isinstance(memory, NullMemory) else id(memory.home)
        bytes_ = advance(0, one.offset) * np.int64(size) + np.int64(memory.at)
        return bytes_ + (np.int64(start) << np.int64(20))

    return _of_each(pointer, number)


def _of_each(pointer: AnyPointer, value: Callable[[PointerValue], PerThread]) -> PerThread:
    """Return what each thread's own pointer gives; 0 of threads that have none."""
    if isinstance(pointer, PointerValue):
        return value(pointer)
    result: PerThread = np.bool_(False)
    for where, part in pointer.options:
        result = np.where(where, value(part), result)
    return result
