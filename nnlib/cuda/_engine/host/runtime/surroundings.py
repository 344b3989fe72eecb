"""The program's memory around a launch. Lesson 04."""

from __future__ import annotations

import numpy as np

from ...simulator.running.binding import World
from .address_space import Allocation
from .heap import Heap
from .output import Output

COPY_IT = "copy it to memory of cudaMalloc first, and pass that; or use cudaMallocManaged"


class Surroundings(World):
    """The program's memory, as kernels find it by pointers in memory."""

    def __init__(self, heap: Heap, output: Output) -> None:
        self._heap, self._output = heap, output

    def show(self, text: str) -> None:
        """Keep what a kernel prints until the host waits for it."""
        self._output.unseen.append(text)

    def allocation(self, array: np.ndarray) -> tuple[Allocation, int] | None:
        """Return the allocation whose bytes an array has, and the offset in it."""
        begin = array.ctypes.data
        for one in self._heap.of_device.values():
            if one.size:
                start = one.data.ctypes.data
                if start <= begin < start + one.size:
                    return one, begin - start
        return None

    def address(self, array: np.ndarray) -> int | None:
        found = self.allocation(array)
        return None if found is None else found[0].address + found[1]

    def find(self, address: int) -> tuple[str, np.ndarray] | None:
        one, offset = self._heap.find(address)
        if (
            one is None
            or one.freed
            or not one.on_device
            or not one.size
            or not 0 <= offset <= one.size
        ):
            return None
        return one.name or "memory", one.data

    def lost(self, address: int) -> tuple[str, str]:
        one, offset = self._heap.find(address)
        if one is None:
            return (
                "a pointer that points nowhere",
                "did cudaMalloc come before, and the copy of its pointer?",
            )
        name = one.name or "memory"
        if one.freed > 0:
            return (
                f"a pointer to {name}, which was freed in line {one.freed}",
                "free it after its last use",
            )
        if not one.on_device:
            return f"a pointer to {name}, memory of the host: a GPU cannot reach it", COPY_IT
        return (
            f"a pointer {offset:,} bytes behind the beginning of {name}, which has {one.size:,} bytes",
            "pointer + n counts elements, cudaMalloc counts bytes",
        )
