"""Many turns of a loop of the host at once: what the functions of lowering/loops.py are given."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import TracebackType
from typing import Any

import numpy as np

from nnlib.cuda.host.runtime.address_space import OFFSET, SHIFT, AddressSpace
from nnlib.cuda.host.runtime.random_numbers import Random

MOST = 1 << 20  # turns in one piece


class Stop(Exception):
    """This piece is left to the plain loop."""


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
        self._reads: list[tuple[int, str, Any, int]] = []
        self._stores: list[tuple[int, str, np.ndarray, np.ndarray]] = []
        self._values: dict[str, np.ndarray] = {}  # what this piece has stored, by its place
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
            try:
                self._finish()
            except Stop:
                kind = Stop
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

    def _array(self, base: int, offset: Any, dtype: str, known: dict[int, memoryview]) -> tuple[int, Any, np.ndarray]:
        """Number of the allocation, index in each turn, the array."""
        size = np.dtype(dtype).itemsize
        view = known.get(base >> SHIFT)
        places = (base & OFFSET) + offset
        if view is None or np.min(places) < 0 or np.max(places) > len(view) - size or np.any(places % size):
            raise Stop
        return base >> SHIFT, places // size, np.frombuffer(view, np.uint8)[:len(view) // size * size].view(dtype)

    def load(self, base: int, offset: Any, dtype: str, place: str) -> Any:
        if place in self._values:
            return self._values[place]
        number, index, array = self._array(base, offset, dtype, self.memory.readable)
        self._reads.append((number, place, index, array.itemsize))
        return array[index]

    def store(self, base: int, offset: Any, value: Any, dtype: str, place: str) -> None:
        number, index, array = self._array(base, offset, dtype, self.memory.writable)
        if np.ndim(index) == 0 or place in self._values or not np.all(np.diff(index) > 0):
            raise Stop
        self._values[place] = np.broadcast_to(value, index.shape)
        self._stores.append((number, place, index, array))

    def _finish(self) -> None:
        """Nothing depends on another turn: do it."""
        for number, place, index, array in self._stores:
            begin, end = index[0] * array.itemsize, (index[-1] + 1) * array.itemsize
            others = self._reads + [(n, p, i, a.itemsize) for n, p, i, a in self._stores]
            for other, where, at, size in others:
                apart = np.max(at) * size + size <= begin or np.min(at) * size >= end
                if other == number and where != place and not (apart or _interleaved(index, array.itemsize, at, size)):
                    raise Stop
        self.random_numbers.put_back(self._drawn.size - self._drawn[:self._count].size)
        for _, place, index, array in self._stores:
            array[index[:self._count]] = self._values[place][:self._count]
        for name, start, values in self._added:
            values = np.broadcast_to(values, (self._count_all,))[:self._count]
            self.sums[name] = np.add.accumulate(np.append(start, values), dtype=start.dtype)[-1].item()
        self.next = self.begin + self._count


def _interleaved(a: np.ndarray, size_a: int, b: Any, size_b: int) -> bool:
    """Do two rows of places go on in equal steps without touching each other, as the members of structs in an array?"""
    if np.ndim(b) == 0 or len(a) < 2:
        return False
    steps_a, steps_b = np.diff(a) * size_a, np.diff(b) * size_b
    step = steps_a[0]
    ahead = (b[0] * size_b - a[0] * size_a) % step
    return bool(np.all(steps_a == step) and np.all(steps_b == step) and size_a <= ahead <= step - size_b)


def pieces(memory: AddressSpace, random: Random) -> Callable[[int, int, str], Iterator[LoopPiece]]:
    """turns(begin, end, dtype): the pieces of a loop, as far as they can be done."""
    def turns(begin: int, end: int, dtype: str) -> Iterator[LoopPiece]:
        while begin < end:
            turn = LoopPiece(memory, random, begin, int(min(end, begin + MOST)), dtype)
            yield turn
            begin = turn.next
            if turn.left:
                return
    return turns
