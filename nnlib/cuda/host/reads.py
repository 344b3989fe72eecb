"""Reads of memory of the GPU that nobody has written: cudaMalloc leaves there whatever was there before."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from nnlib.cuda.errors import UninitializedReadError
from nnlib.cuda.host.memory import Allocation
from nnlib.cuda.simulator.masks import lanes_of, spread
from nnlib.cuda.simulator.memory import Access, Memory
from nnlib.cuda.simulator.observers.observer import Observer

if TYPE_CHECKING:
    from nnlib.cuda.host.process import Process


class Reads(Observer):
    """Keeps `Allocation.written` up to date during a launch, and complains about reads of other bytes.

    places: the pointers that the kernel is given.
    """

    spaces = ("read-only", "written")

    def __init__(self, process: Process, places: Sequence[tuple[Allocation, int]]) -> None:
        self.process = process
        self._allocations = {one.data.ctypes.data + offset: (one, offset) for one, offset in places
                             if one.written is not None}
        self._known: dict[Memory, tuple[Allocation, int] | None] = {}
        self._before: list[tuple[Allocation, np.ndarray]] = []

    def kernel_begin(self) -> None:
        self._before = [(one, one.written.copy()) for one in {one for one, _ in self._allocations.values()}
                        if one.written is not None and not one.complete]

    def kernel_end(self) -> None:
        for one, _ in self._before:
            one.complete = bool(one.written is not None and one.written.all())

    def before_failure(self) -> None:
        """A failed launch changes nothing."""
        for one, written in self._before:
            one.written = written

    def _of(self, memory: Memory) -> tuple[Allocation, int] | None:
        if memory not in self._known:
            self._known[memory] = self._allocations.get(memory.array.ctypes.data)
        found = self._known[memory]
        return None if found is None or found[0].complete else found

    def _bytes(self, access: Access, offset: int) -> np.ndarray:
        """First byte of each active thread's element, in the allocation."""
        lanes = lanes_of(access.mask, self.machine.width)
        places = spread(access.flat, self.machine.width)[lanes].astype(np.int64)
        return places * access.site.size - access.memory.lead + offset

    def store(self, access: Access) -> None:
        found = self._of(access.memory)
        if found is not None:
            one, offset = found
            starts = self._bytes(access, offset)
            for k in range(access.site.size):
                one.written[starts + k] = True  # type: ignore[index]

    def load(self, access: Access) -> None:
        found = self._of(access.memory)
        if found is None:
            return
        one, offset = found
        starts = self._bytes(access, offset)
        has = one.written[starts] & one.written[starts + access.site.size - 1]  # type: ignore[index]
        if not has.all():
            self._fail(access, one, has)

    def atomic(self, access: Access) -> None:
        self.load(access)
        self.store(access)

    def _fail(self, access: Access, one: Allocation, has: Any) -> None:
        machine = self.machine
        lanes = lanes_of(access.mask, machine.width)
        missing = np.zeros(machine.width, bool)
        missing[lanes[~has]] = True
        index = int(spread(access.index, machine.width)[np.flatnonzero(missing)[0]])
        name = self.launch.fault_report.element(access.memory, index, access.site)
        line = f"in line {one.made}"
        written = one.size - one.lacks(0, one.size)
        if written and not one.complete and written * access.site.size == one.size:
            hint = f"only {written:,} of its {one.size:,} bytes were ever written: a copy counts bytes, not elements"
        else:
            hint = f"copy something to {one.name or 'it'} first, or cudaMemset it to 0"
        machine.fail(UninitializedReadError, access.site, missing,
                     f"{name} is read, but nobody has written it",
                     f"{self.process.maker(one)} {line} leaves {one.name or 'memory'} with whatever was there before",
                     hint)
