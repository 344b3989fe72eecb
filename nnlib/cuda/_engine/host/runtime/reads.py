"""Reads of memory of the GPU that nobody has written: cudaMalloc leaves there whatever was there before."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...errors import UninitializedReadError
from ...language.layout import flat_element, members
from ...language.types import Type
from ...simulator.masks import first_of, lanes_of, spread
from ...simulator.memory.spaces import Access, Memory
from ...simulator.observers.observer import Observer
from .address_space import Allocation
from .stream_races import ATOMIC, READ, WRITE
from .surroundings import Surroundings


class Reads(Observer):
    """Keeps `Allocation.written` up to date during a launch, and notes what the launch touches.

    fault: the first read of unwritten bytes, which is a mistake only once its results are used: programs warm up on whatever
    is there. touched: for StreamRaces. work: accesses of global memory and iterations of loops, each once for up to 1,024
    threads, twice for up to 2,048, and so on; at least 1.
    """

    spaces = ("read-only", "written")

    def __init__(self, world: Surroundings, has_streams: bool) -> None:
        self.world, self._has_streams = world, has_streams
        self.touched: dict[
            Allocation, np.ndarray
        ] = {}  # the uses of each byte, where there are streams
        self._stored = 0  # bytes there
        self.fault: UninitializedReadError | None = None
        self.loaded: set[Memory] = set()
        self.work = 1.0
        self._known: dict[Memory, tuple[Allocation, int] | None] = {}

    def garbage(self) -> UninitializedReadError | None:
        """Return why the results mean nothing: this launch, or one before it, has read unwritten bytes. Else None."""
        owners = [self.world.allocation(memory.array) for memory in self.loaded if memory.nbytes]
        return self.fault or next(
            (found[0].garbage for found in owners if found and found[0].garbage), None
        )

    def stores_once(self) -> bool:
        """Return whether each byte is stored at most once, in programs with streams."""
        return self._stored == sum(
            int(np.count_nonzero(uses & WRITE)) for uses in self.touched.values()
        )

    def kernel_end(self) -> None:
        self.work += self.launch.steps
        for found in self._known.values():
            if found is not None:
                found[0].settle()

    def _of(self, memory: Memory) -> tuple[Allocation, int] | None:
        if memory not in self._known:
            found = self.world.allocation(memory.array)
            self._known[memory] = found if found and found[0].written is not None else None
        return self._known[memory]

    def _bytes(self, access: Access, offset: int) -> Any:
        """Return the first byte of each active thread's element, in the allocation."""
        lanes = lanes_of(access.mask, self.machine.width)
        places = spread(access.flat, self.machine.width)[lanes].astype(np.int64)
        return places * access.site.size + offset

    def _touch(self, access: Access, use: int) -> None:
        """Note what the threads do there, for the sake of other streams."""
        self.work += self.machine.step
        found = self.world.allocation(access.memory.array) if self._has_streams else None
        if found is not None:
            one, offset = found
            uses = self.touched.setdefault(one, np.zeros(one.size, np.uint8))
            starts = self._bytes(access, offset)
            self._stored += len(starts) * access.site.size * (use == WRITE)
            for k in range(access.site.size):
                uses[starts + k] |= use

    def store(self, access: Access) -> None:
        self._touch(access, WRITE)
        self._write(access)

    def load(self, access: Access) -> None:
        self._touch(access, READ)
        self._read(access)

    def atomic(self, access: Access) -> None:
        self._touch(access, ATOMIC)
        self._read(access)
        self._write(access)

    def _write(self, access: Access) -> None:
        found = self._of(access.memory)
        if found is not None:
            one, offset = found
            starts = self._bytes(access, offset)
            for k in range(access.site.size):
                one.written[starts + k] = True  # type: ignore[index]

    def _read(self, access: Access) -> None:
        self.loaded.add(access.memory)
        found = None if self.fault else self._of(access.memory)
        if found is None:
            return
        one, offset = found
        starts = self._bytes(access, offset)
        ends = starts + access.site.size - 1
        if access.memory.kind is not None:
            starts, ends = (
                _member(access.memory.kind, places - offset) + offset for places in (starts, ends)
            )
        has = one.written[starts] & one.written[ends]  # type: ignore[index]
        if not has.all():
            self._fail(access, one, has)

    def _fail(self, access: Access, one: Allocation, has: Any) -> None:
        machine = self.machine
        lanes = lanes_of(access.mask, machine.width)
        missing = np.zeros(machine.width, bool)
        missing[lanes[~has]] = True
        touched = self.launch.fault_report.touched(access, first_of(missing))
        line = f"in line {one.made}"
        before = f"{one.maker} {line} leaves {one.name or 'memory'} with whatever was there before"
        written = one.size - one.lacks(0, one.size)
        if one.copied_unwritten:
            copied, source = one.copied_unwritten
            before, hint = (
                f"line {copied} copies it from {source}, which nobody has written everywhere",
                f"give each element of {source} a value before it is copied",
            )
        elif written and written * access.site.size == one.size:
            hint = f"only {written:,} of its {one.size:,} bytes were ever written: a copy counts bytes, not elements"
        else:
            hint = f"copy something to {one.name or 'it'} first, or cudaMemset it to 0"
        try:
            self.launch.fault_report.fail(
                machine,
                UninitializedReadError,
                access.site,
                missing,
                (f"{touched['element']} is read, but nobody has written it", before, hint),
                **touched,
            )
        except UninitializedReadError as fault:
            self.fault = fault


def _member(kind: Type, places: np.ndarray) -> Any:
    """Return bytes that show whether these have a value: padding belongs to a member."""
    own = members(flat_element(kind))
    return places // len(own) * len(own) + own[places % len(own)]
