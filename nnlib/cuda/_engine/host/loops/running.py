"""Runs loops as native code: memory that they touch, numbers of rand() in advance, and when it is worth it."""

from __future__ import annotations

import atexit
import functools
import struct
from collections.abc import Sequence
from typing import Any

import numpy as np

from ... import switches
from ...language import tree
from ...language.refusal import Refusal
from ...language.types import BOOL, Scalar, Type
from ...language.walking import nodes_of
from ...native import policy
from ..lowering.values import code_of
from ..runtime.address_space import SHIFT
from ..runtime.heap import Heap
from ..runtime.random_numbers import Random
from ..runtime.schedule import Operation
from .code import LOGGED, ROWS, LoopSlot, Status, write_loop
from .flat import FlatLoop

HOT = 2_000  # iterations in the interpreter before a loop is compiled
PATIENCE = 4_096  # iterations at most between two attempts
BUDGET = 1 << 26  # iterations until Python may interrupt
FEW, NUMBERS = 64, 4_096  # of rand() in advance, at first and at most
LOOK = 1 << 10  # iterations in the interpreter that are counted together
# In the interpreter, that the loops of a program may make: ten minutes of a fast computer
MOST_ITERATIONS = 1 << 28
NATIVE = 1 << 10  # iterations of native code that count as one of the interpreter's
OPERATION = 64  # iterations in the interpreter as which each operation of the GPU counts


class LoopSource:
    """A loop of the program, compiled when it is first needed. The text that is compiled is the same in each run."""

    def __init__(self, loop: FlatLoop) -> None:
        self.loop = loop
        kinds = [variable.type for variable in loop.free.values()]
        self.given = struct.Struct("<" + "".join(map(_given, kinds)))
        self.told = struct.Struct("<" + "".join(map(_told, kinds[: loop.changes])))
        self.draws = any(node.name == "rand" for node in nodes_of(tree.IntrinsicCall, loop.whole))
        self._compiled: dict[int, Any] = {}

    def compiled(self, target: Any) -> Any:
        """Return what the target's memory can load. Raises Refusal."""
        key = id(target)
        if key not in self._compiled:
            code = target.printer()
            try:
                write_loop(code, self.loop)
                self._compiled[key] = _code(target, code.finish())
            except Refusal as refusal:
                self._compiled[key] = refusal
        if isinstance(self._compiled[key], Refusal):
            raise self._compiled[key]
        return self._compiled[key]


@functools.lru_cache(maxsize=256)
def _code(target: Any, text: str | bytes) -> Any:
    """Compile code once for all loops that do the same: in a program that is changed and run again, most are as they were."""
    return target.compile(text)


atexit.register(_code.cache_clear)  # later wasmtime's own module is half gone, and says so


class NativeLoops:
    """State shared by all native loops of one run."""

    def __init__(
        self, heap: Heap, random: Random, is_gpu: bool, operations: Sequence[Operation]
    ) -> None:
        self.heap, self.random, self._is_gpu, self._operations = heap, random, is_gpu, operations
        self.target: Any = None
        self._begun, self._iterations = False, 0

    def count(self, iterations: int) -> None:
        """Add these iterations, and stop a program whose loops have made too many: the same number on every computer."""
        self._iterations += iterations
        if self._iterations + OPERATION * len(self._operations) > MOST_ITERATIONS:
            self.heap.mistakes.report(
                "the loops of the program have made more iterations than a program gets here, "
                "and this loop goes on",
                "does its condition ever become false?",
            )

    def begin(self) -> bool:
        """Find an engine, and make what loops share, as soon as one loop is hot; return whether there is an engine."""
        if self._begun:
            return self.target is not None
        self._begun, self.target = True, policy.engine()
        if self.target is None:
            return False
        self.space = self.target.space()
        self.table = self.space.reachable(np.full((ROWS, 4), -1, np.int64))
        self.log = self.space.reachable(np.empty((LOGGED, 3), np.int64))
        self.numbers = self.space.reachable(np.empty(NUMBERS, np.int32))
        return True

    def draw(self, count: int) -> int:
        """Put the next numbers of rand() where native code takes them, the first one last."""
        if count:
            self.numbers[:count] = self.random.several(count)[::-1]
        return count

    def adopt(self, number: int) -> bool:
        """Let native code reach an allocation, if it is one for plain loads and stores."""
        heap, view = self.heap, self.heap.readable.get(number)
        if not view or number in heap.resident:
            return False
        one, old = heap.allocations[number], np.frombuffer(view, np.uint8)
        if self.space.moves and self._is_gpu and one.on_device:
            return False
        data = self.space.reachable(old)
        if data is not old:
            one.data = data
            heap.open(one)
        if data.ctypes.data % 8:
            return False
        row = self.table[number % ROWS]
        heap.resident.pop(int(row[0]), None)
        row[:] = (
            number,
            self.space.address(data),
            len(data),
            len(data) if number in heap.writable else 0,
        )
        heap.resident[number] = row
        return True


class Loop:
    """One loop in one run."""

    def __init__(self, shared: NativeLoops) -> None:
        self._shared, self._wait = shared, LOOK  # iterations until something is to be done

    def ready(self) -> bool:
        """Return whether native code has something to do before the next iteration."""
        self._wait -= 1
        return self._wait < 0

    def look(self) -> None:
        """Count the iterations since the last look."""
        self._shared.count(LOOK)
        self._wait = LOOK


class NativeLoop(Loop):
    """A loop some of whose iterations native code can run."""

    def __init__(self, source: LoopSource, shared: NativeLoops) -> None:
        super().__init__(shared)
        self._source, self._interpreted = source, not switches.native_allowed()
        self._wait, self._pause = LOOK if self._interpreted else HOT, 1
        self._ahead = FEW if source.draws else 0
        self._run: Any = None

    def rest(self) -> None:
        """Wait longer before the next try, as nothing was done."""
        self._shared.count(self._pause)
        self._wait = self._pause
        self._pause = min(2 * self._pause, PATIENCE)

    def __call__(self, *values: Any) -> tuple[Any, ...]:
        """Run as many iterations as possible; return the values of what changes."""
        source = self._source
        if self._interpreted or not self._shared.begin():
            self._interpreted = True
            self.look()
            return values[: source.loop.changes]
        if self._run is None:
            self._load()
        try:
            source.given.pack_into(self._bytes, 8 * LoopSlot.COUNT, *values)
        except (struct.error, OverflowError):  # a number that is none of its type
            self.rest()
            return values[: source.loop.changes]
        iterations, status = self._iterations()
        if status in (Status.LONG, Status.NUMBERS):
            self._interpreted = True
            self.look()
        elif iterations:
            self._wait, self._pause = 0, 1
        else:
            self.rest()
        return source.told.unpack_from(self._bytes, 8 * LoopSlot.COUNT)

    def _load(self) -> None:
        shared = self._shared
        self._slots = shared.space.reachable(
            np.zeros(LoopSlot.COUNT + len(self._source.loop.free), np.int64)
        )
        self._bytes = memoryview(self._slots).cast("B")
        self._address = shared.space.address(self._slots)
        self._slots[:3] = [
            shared.space.address(array) for array in (shared.table, shared.log, shared.numbers)
        ]
        try:
            self._run = shared.space.load(self._source.compiled(shared.target))
        except Refusal:
            self._run = _refused

    def _iterations(self) -> tuple[int, int]:
        """Return how many iterations were completed, and why no more."""
        shared, slots, missed, iterations = self._shared, self._slots, 0, 0
        while True:
            slots[LoopSlot.BUDGET], slots[LoopSlot.DRAWN] = BUDGET, shared.draw(self._ahead)
            slots[LoopSlot.STATUS] = Status.LONG
            self._run(self._address, 0, 0, 0)
            shared.random.put_back(int(slots[LoopSlot.DRAWN]))
            status, done = (
                int(slots[LoopSlot.STATUS]) & 7,
                int(slots[LoopSlot.ITERATIONS]) & 0xFFFFFFFF,
            )
            iterations += done
            if (
                status == Status.MEMORY
                and missed < ROWS
                and shared.adopt(int(slots[LoopSlot.WHERE]) >> SHIFT)
            ):
                missed += 1
            elif status == Status.NUMBERS and (done or self._ahead < NUMBERS):
                self._ahead = min(4 * self._ahead, NUMBERS)
            elif status != Status.PAUSE:
                shared.count(1 + done // NATIVE)
                return iterations, status
            else:
                shared.count(BUDGET // NATIVE)


def _refused(*numbers: int) -> None:
    """Stand in for a loop that cannot be compiled: its first iteration counts as too long."""


def _given(kind: Type) -> str:
    """Return the letters in which a value comes to its slot: integers as 64 bits."""
    assert isinstance(kind, Scalar)
    if kind.is_float or kind == BOOL:
        return _told(kind)
    return "Q" if kind.is_unsigned else "q"


def _told(kind: Type) -> str:
    """Return the letters in which a value comes back from its slot."""
    assert isinstance(kind, Scalar)
    return f"{code_of(kind)}{8 - kind.size}x"
