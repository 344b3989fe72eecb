"""Many turns of a loop of the host at once: what the functions of lowering/loops.py are given."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import TracebackType
from typing import Any, NamedTuple

import numpy as np

from nnlib.cuda.host.runtime.address_space import OFFSET, SHIFT, AddressSpace
from nnlib.cuda.host.runtime.random_numbers import Random
from nnlib.cuda.host.runtime.unwritten import any_suspect

MOST = 1 << 20  # turns in one piece


class Stop(Exception):
    """This piece is left to the plain loop."""


class Part(NamedTuple):
    """What one access touches. number: of the allocation; begin: the first byte of the element in each turn."""

    number: int
    begin: Any
    size: int

    def same(self, other: Part) -> bool:
        """Does each turn touch the same element here and there?"""
        return self.number == other.number and self.size == other.size and np.array_equal(self.begin, other.begin)

    def apart(self, other: Part) -> bool:
        """Has no turn to do with an element that any turn touches there?"""
        return bool(self.number != other.number or np.max(other.begin) + other.size <= np.min(self.begin)
                    or np.min(other.begin) >= np.max(self.begin) + self.size or _interleaved(self, other))


class LoopPiece:
    """One piece. numbers: the counter in each turn; next: where the plain loop goes on; sums: by variable.

    Stores wait until all values are known. It is left by an exception, which ends all pieces, where a turn cannot be
    done this way; nothing has happened then.
    """

    def __init__(self, memory: AddressSpace, random: Random, begin: int, end: int, dtype: str) -> None:
        self.memory, self.random_numbers = memory, random
        self.numbers = np.arange(begin, end, dtype=dtype)
        self.begin = self.next = begin
        self.sums: dict[str, Any] = {}
        self.left = False  # the rest is for the plain loop
        self._count = end - begin
        self._reads: list[Part] = []
        self._stores: list[tuple[Part, np.ndarray, np.ndarray]] = []  # where, the array there, the values
        self._added: list[tuple[str, Any, Any]] = []
        self._drawn = np.empty((0, 0), np.int32)

    def __enter__(self) -> LoopPiece:
        self._errors = np.errstate(all="ignore")
        self._errors.__enter__()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> bool:
        self._errors.__exit__(kind, error, trace)
        if kind is None:
            self._finish()
        if kind is None or not issubclass(kind, Stop | OverflowError):
            return False
        self.random_numbers.put_back(self._drawn.size)
        self.left = True
        return True

    # --- values ---------------------------------------------------------------------------

    @staticmethod
    def all(value: Any, dtype: str) -> Any:
        """A number that is the same in each turn."""
        return np.dtype(dtype).type(value)

    @staticmethod
    def wide(value: Any) -> Any:
        """An index, for what is counted in bytes."""
        return value.astype(np.int64)

    @staticmethod
    def cast(value: Any, dtype: str) -> Any:
        return value.astype(dtype)

    @staticmethod
    def quotient(a: Any, b: Any) -> Any:
        """C's division of integers, towards zero."""
        if not np.all(b):
            raise Stop
        result = a // b
        return result + ((result * b != a) & ((a < 0) != (b < 0))).astype(result.dtype)

    def remainder(self, a: Any, b: Any) -> Any:
        """What it leaves over."""
        return a - self.quotient(a, b) * b

    def until(self, condition: Any) -> None:
        """Only the turns before the first in which this holds."""
        met = np.broadcast_to(condition, (self._count_all,))
        if met.any():
            self._count = min(self._count, int(np.argmax(met)))
            self.left = True

    @property
    def _count_all(self) -> int:
        return len(self.numbers)

    def add(self, name: str, start: Any, values: Any, dtype: str) -> None:
        """variable += value in each turn."""
        self._added.append((name, np.dtype(dtype).type(start), values))

    def draw(self, calls: int) -> np.ndarray:
        """The numbers of rand(), which each turn calls so often."""
        self._drawn = self.random_numbers.several(self._count_all * calls).reshape(-1, calls).astype(np.int32)
        return self._drawn

    # --- memory ---------------------------------------------------------------------------

    def _part(self, base: int, offset: Any, dtype: str, known: dict[int, memoryview]) -> tuple[Part, np.ndarray]:
        """Where it is in each turn, and the array there."""
        size = np.dtype(dtype).itemsize
        view = known.get(base >> SHIFT)
        begin = (base & OFFSET) + offset
        if view is None or np.min(begin) < 0 or np.max(begin) > len(view) - size or np.any(begin % size):
            raise Stop
        array = np.frombuffer(view, np.uint8)[:len(view) // size * size].view(dtype)
        return Part(base >> SHIFT, begin, size), array

    def load(self, base: int, offset: Any, dtype: str) -> Any:
        part, array = self._part(base, offset, dtype, self.memory.readable)
        for stored, there, values in self._stores:
            if part.same(stored) and array.dtype == there.dtype:
                return values
            if not part.apart(stored):
                raise Stop
        self._reads.append(part)
        values = array[part.begin // part.size]
        if any_suspect(values):
            raise Stop
        return values

    def store(self, base: int, offset: Any, value: Any, dtype: str) -> None:
        part, array = self._part(base, offset, dtype, self.memory.writable)
        if np.ndim(part.begin) == 0 or not np.all(np.diff(part.begin) > 0) or not all(
                part.apart(stored) for stored, _, _ in self._stores) or not all(
                part.same(read) or part.apart(read) for read in self._reads):
            raise Stop
        if part.size < 4 and any_suspect(np.asarray(value, dtype)):
            raise Stop
        self._stores.append((part, array, np.broadcast_to(value, part.begin.shape)))

    def _finish(self) -> None:
        """Nothing depends on another turn: do it."""
        self.random_numbers.put_back(self._drawn.size - self._drawn[:self._count].size)
        for part, array, values in self._stores:
            array[part.begin[:self._count] // part.size] = values[:self._count]
        for name, start, values in self._added:
            values = np.broadcast_to(values, (self._count_all,))[:self._count]
            self.sums[name] = np.add.accumulate(np.append(start, values), dtype=start.dtype)[-1].item()
        self.next = self.begin + self._count


def _interleaved(a: Part, b: Part) -> bool:
    """Do two rows of places go on in equal steps without touching each other, as the members of structs in an array?"""
    if np.ndim(a.begin) == 0 or np.ndim(b.begin) == 0 or len(a.begin) < 2:
        return False
    step = a.begin[1] - a.begin[0]
    ahead = (b.begin[0] - a.begin[0]) % step if step else 0
    return bool(np.all(np.diff(a.begin) == step) and np.all(np.diff(b.begin) == step)
                and a.size <= ahead <= step - b.size)


def pieces(memory: AddressSpace, random: Random) -> Callable[[int, int, str], Iterator[LoopPiece]]:
    """turns(begin, end, dtype): the pieces of a loop, as far as they can be done."""
    def turns(begin: int, end: int, dtype: str) -> Iterator[LoopPiece]:
        end = min(end, np.iinfo(dtype).max)  # where the counter itself overflows, the plain loop knows what happens
        while begin < end:
            turn = LoopPiece(memory, random, begin, int(min(end, begin + MOST)), dtype)
            yield turn
            begin = turn.next
            if turn.left:
                return
    return turns
