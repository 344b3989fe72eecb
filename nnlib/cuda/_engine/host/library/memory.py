"""cudaMalloc and its kin, malloc and free. Lesson 01."""

from __future__ import annotations

import functools
from dataclasses import replace

import numpy as np

from ..card import TOTAL_MEMORY
from ..lowering.writer import CallSite
from ..runtime.address_space import SHIFT, Allocation
from ..runtime.devices import Device
from ..runtime.heap import Heap
from ..runtime.unwritten import fresh
from .graphs import Graphs
from .registry import provides
from .streams import Streams

MEMORY_ALLOCATION, PITCH = 2, 512


class DeviceMemory:
    """What the CUDA runtime allocates, and the variables of the GPU."""

    def __init__(self, heap: Heap, device: Device, streams: Streams, graphs: Graphs) -> None:
        self._heap, self._device, self._streams, self._graphs = heap, device, streams, graphs
        self._mistakes, self._report = heap.mistakes, heap.mistakes.report
        self._symbols: dict[str, Allocation] = {}

    def symbol(self, name: str) -> int:
        """The address of a variable of the GPU."""
        return self.variable(name).address

    def variable(self, name: str) -> Allocation:
        """The memory of a variable of the GPU."""
        if name not in self._symbols:
            variable, data = self._device.program.globals[name][0], self._device.variable(name)
            side = "managed symbol" if variable.managed else "symbol"
            self._symbols[name] = self._heap.claim(name, data.nbytes, side, variable.at.line, data)
        return self._symbols[name]

    def _made(self, site: CallSite, pointer: int, size: int, side: str) -> int:
        """Allocate, and store the address through the pointer."""
        call = site.called
        if size >> 62:
            self._report(
                f"{call} of {size:,} bytes",
                "the size is negative, or no number of bytes",
                at=site.at,
            )
        one = self._heap.allocate(
            site.names[0],
            size,
            side,
            self._mistakes.line(site),
            lambda: self._device.allocate(side, size),
        )
        if one is None:
            self._mistakes.last_error = MEMORY_ALLOCATION
            return MEMORY_ALLOCATION
        if side == "pinned":
            one.data[:] = fresh(size)
        one.asked_in_elements, one.internal = not site.in_bytes[1], not site.at.column
        self._heap.store_value(pointer, "q", one.address)
        self._heap.remember(site, one, "made")
        return 0

    @provides("cudaMalloc")
    def cuda_malloc(self, site: CallSite, pointer: int, size: int) -> int:
        return self._made(site, pointer, size, "device")

    @provides("cudaMallocAsync")
    def cuda_malloc_async(self, site: CallSite, pointer: int, size: int, stream: int) -> int:
        """In a captured stream the address is known at once, and every launch of the graph allocates there."""
        status = self._made(site, pointer, size, "device")
        if not status:
            one, _ = self._heap.find(self._heap.load_value(pointer, "q"))
            assert one is not None
            self._graphs.take(site, stream, functools.partial(self._again, one))
        return status

    def _again(self, one: Allocation, _stream: int) -> None:
        if one.freed:
            self._heap.revive(one, self._device.allocate(one.side, one.size))

    @provides("cudaMallocHost", "cudaHostAlloc")
    def cuda_malloc_host(self, site: CallSite, pointer: int, size: int, flags: int) -> int:
        return self._made(site, pointer, size, "pinned")

    @provides("cudaMallocManaged")
    def cuda_malloc_managed(self, site: CallSite, pointer: int, size: int, flags: int) -> int:
        return self._made(site, pointer, size, "managed")

    @provides("cudaMallocPitch")
    def cuda_malloc_pitch(
        self, site: CallSite, pointer: int, pitch: int, width: int, height: int
    ) -> int:
        row = -(-width // PITCH) * PITCH
        self._heap.store_value(pitch, "Q", row % 2**64)
        return self._made(site, pointer, row * height, "device")

    @provides("cudaFree")
    def cuda_free(self, site: CallSite, pointer: int) -> int:
        return self._freed(site, pointer, "cudaFree", ("device", "managed"))

    @provides("cudaFreeAsync")
    def cuda_free_async(self, site: CallSite, pointer: int, stream: int) -> int:
        taken = self._graphs.take(site, stream, lambda _: self.cuda_free(site, pointer))
        return 0 if taken else self.cuda_free(site, pointer)

    @provides("cudaFreeHost")
    def cuda_free_host(self, site: CallSite, pointer: int) -> int:
        return self._freed(site, pointer, "cudaFreeHost", ("pinned",))

    def _freed(self, site: CallSite, pointer: int, verb: str, sides: tuple[str, ...]) -> int:
        if pointer:
            one = self._heap.freed(site, pointer, verb, sides)
            self._streams.wait_for_all(site, verb)
            self._heap.free(site, one)
        return 0

    @provides("cudaHostGetDevicePointer")
    def cuda_host_get_device_pointer(
        self, site: CallSite, device: int, host: int, flags: int
    ) -> int:
        one, _ = self._heap.find(host)
        if one is None or one.side != "pinned":
            self._report(
                "only pinned memory has an address on the GPU",
                "allocate it with cudaHostAlloc",
                at=site.at,
            )
        self._heap.store_value(device, "q", host)
        return 0

    @provides("cudaHostRegister")
    def cuda_host_register(self, site: CallSite, pointer: int, size: int, flags: int) -> int:
        one, _ = self._heap.find(pointer)
        if one is None or one.freed or one.side not in ("malloc", "new"):
            self._report(
                "cudaHostRegister needs memory of malloc or new",
                "pass the pointer that it returned",
                at=site.at,
            )
        one.registered, one.side = one.side, "pinned"
        return 0

    @provides("cudaHostUnregister")
    def cuda_host_unregister(self, site: CallSite, pointer: int) -> int:
        one, _ = self._heap.find(pointer)
        if one is None or not one.registered:
            self._report(
                "cudaHostUnregister of memory that was never registered",
                "register it first",
                at=site.at,
            )
        one.side, one.registered = one.registered, ""
        return 0

    @provides("cudaGetSymbolAddress")
    def cuda_get_symbol_address(self, site: CallSite, pointer: int, symbol: int) -> int:
        self._heap.store_value(pointer, "q", symbol)
        return 0

    @provides("cudaMemGetInfo")
    def cuda_mem_get_info(self, site: CallSite, free: int, total: int) -> int:
        used = sum(
            one.size
            for one in self._heap.allocations.values()
            if one.side == "device" and not one.freed
        )
        self._heap.store_value(free, "Q", TOTAL_MEMORY - used)
        self._heap.store_value(total, "Q", TOTAL_MEMORY)
        return 0


class HostMemory:
    """What the C library allocates."""

    def __init__(self, heap: Heap) -> None:
        self._heap, self._mistakes, self._report = heap, heap.mistakes, heap.mistakes.report

    @provides("malloc")
    def malloc(self, site: CallSite, size: int) -> int:
        if size >> 62:
            self._report(
                f"{site.called} of {size:,} bytes",
                "the size is negative, or no number of bytes",
                at=site.at,
            )
        one = self._heap.allocate(
            site.result, size, "malloc", self._mistakes.line(site), lambda: fresh(size)
        )
        if one is None and not site.at.column:
            self._report(
                f"{size:,} bytes for a vector or string are more than a program gets here",
                "use smaller ones",
            )
        if one is None:
            return 0
        one.asked_in_elements, one.internal = not site.in_bytes[0], not site.at.column
        self._heap.remember(site, one, "made")
        return one.address

    @provides("calloc")
    def calloc(self, site: CallSite, count: int, size: int) -> int:
        address = self.malloc(site, count * size)
        if address:
            self._heap.allocations[address >> SHIFT].asked_in_elements = False
            self._heap.clear(address, count * size)
        return address

    @provides("aligned_alloc")
    def aligned_alloc(self, site: CallSite, alignment: int, size: int) -> int:
        return self.malloc(site, size)

    @provides("__sort")
    def sort(self, site: CallSite, first: int, count: int) -> None:
        """std::sort of plain numbers."""
        pointer = site.call.arguments[0].operand.type
        size = count * pointer.target.size
        numbers = np.frombuffer(self._heap.load_bytes(first, size), pointer.target.dtype)
        self._heap.store_bytes(first, np.sort(numbers).tobytes())

    @provides("posix_memalign")
    def posix_memalign(self, site: CallSite, pointer: int, alignment: int, size: int) -> int:
        self._heap.store_value(
            pointer, "q", self.malloc(replace(site, in_bytes=site.in_bytes[2:]), size)
        )
        return 0

    @provides("realloc")
    def realloc(self, site: CallSite, pointer: int, size: int) -> int:
        old = self._heap.freed(site, pointer, "realloc", ("malloc",)) if pointer else None
        address = self.malloc(site, size)
        if old is not None and address:
            self._heap.store_bytes(address, self._heap.load_bytes(pointer, min(size, old.size)))
            self._heap.free(site, old)
        return address

    @provides("free")
    def free(self, site: CallSite, pointer: int) -> None:
        if pointer:
            one = self._heap.freed(site, pointer, "free", ("malloc",))
            self._heap.free(site, one)
