"""cudaMalloc and its kin, malloc and free. Lesson 01."""

from __future__ import annotations

import functools

import numpy as np

from ..card import TOTAL_MEMORY
from ..runtime.address_space import Allocation
from ..runtime.unwritten import fresh
from .registry import LibraryPart, provided, provides

MEMORY_ALLOCATION, PITCH = 2, 512
# Of the functions whose memory is not the GPU's alone
SIDES = {"cudaMallocHost": "pinned", "cudaHostAlloc": "pinned", "cudaMallocManaged": "managed"}


class DeviceMemory(LibraryPart):
    """cudaMalloc and the other functions that allocate memory through the CUDA runtime."""

    @provides("cudaMalloc", *SIDES)
    def cuda_malloc(self, pointer: int, size: int, *flags: int) -> int:
        """Allocate, and store the address through the pointer."""
        side = SIDES.get(self._site.called, "device")
        self._heap.check_size(size)
        one = self._heap.allocate(
            self._site.names[0],
            size,
            side,
            self._mistakes.line(),
            lambda: self._device.allocate(side, size),
        )
        if one is None:
            self._mistakes.last_error = MEMORY_ALLOCATION
            return MEMORY_ALLOCATION
        if side == "pinned":
            one.data[:] = fresh(size)
        self._heap.made(one, self._site.in_bytes[1])
        self._answer(pointer, "q", one.address)
        return 0

    @provides("cudaMallocAsync")
    def cuda_malloc_async(self, pointer: int, size: int, stream: int) -> int:
        """Allocate memory. In a captured stream the address is known at once, and every launch of the graph allocates there."""
        status = self.cuda_malloc(pointer, size)
        if not status:
            one, _ = self._heap.find(self._heap.load_value(pointer, "q"))
            assert one is not None
            self._streams.take(stream, functools.partial(self._again, one))
        return status

    def _again(self, one: Allocation, _stream: int) -> None:
        if one.freed:
            self._heap.revive(one, self._device.allocate(one.side, one.size))

    @provides("cudaMallocPitch")
    def cuda_malloc_pitch(self, pointer: int, pitch: int, width: int, height: int) -> int:
        row = -(-width // PITCH) * PITCH
        self._heap.store_value(pitch, "Q", row % 2**64)
        return self.cuda_malloc(pointer, row * height)

    @provides("cudaFree", "cudaFreeHost")
    def cuda_free(self, pointer: int, verb: str = "") -> None:
        if pointer:
            verb = verb or self._site.called
            sides = ("pinned",) if verb == "cudaFreeHost" else ("device", "managed")
            one = self._heap.freed(pointer, verb, sides)
            self._streams.wait_for_all(verb)
            self._heap.free(one)

    @provides("cudaFreeAsync")
    def cuda_free_async(self, pointer: int, stream: int) -> None:
        def free(_: int) -> None:
            self.cuda_free(pointer, "cudaFree")

        if not self._streams.take(stream, free):
            free(stream)

    @provides("cudaHostGetDevicePointer")
    def cuda_host_get_device_pointer(self, device: int, host: int, flags: int) -> None:
        one, _ = self._heap.find(host)
        if one is None or one.side != "pinned":
            self._reject(
                "only pinned memory has an address on the GPU",
                "allocate it with cudaHostAlloc",
            )
        self._answer(device, "q", host)

    @provides("cudaHostRegister")
    def cuda_host_register(self, pointer: int, size: int, flags: int) -> None:
        one, _ = self._heap.find(pointer)
        if one is None or one.freed or one.side not in ("malloc", "new"):
            self._reject(
                "cudaHostRegister needs memory of malloc or new",
                "pass the pointer that it returned",
            )
        one.registered, one.side = one.side, "pinned"

    @provides("cudaHostUnregister")
    def cuda_host_unregister(self, pointer: int) -> None:
        one, _ = self._heap.find(pointer)
        if one is None or not one.registered:
            self._reject(
                "cudaHostUnregister of memory that was never registered", "register it first"
            )
        one.side, one.registered = one.registered, ""

    @provides("cudaGetSymbolAddress")
    def cuda_get_symbol_address(self, pointer: int, symbol: int) -> None:
        self._answer(pointer, "q", symbol)

    @provides("cudaMemGetInfo")
    def cuda_mem_get_info(self, free: int, total: int) -> None:
        used = sum(
            one.size
            for one in self._heap.allocations.values()
            if one.side == "device" and not one.freed
        )
        self._heap.store_value(free, "Q", TOTAL_MEMORY - used)
        self._answer(total, "Q", TOTAL_MEMORY)


class HostMemory(LibraryPart):
    """malloc and the other functions that allocate memory through the C library."""

    @provided
    def malloc(self, size: int, in_bytes: bool | None = None) -> int:
        """Allocate memory. in_bytes: whether the size may be a number of bytes; by default the call's first argument tells."""
        self._heap.check_size(size)
        one = self._heap.allocate(
            self._site.result, size, "malloc", self._mistakes.line(), lambda: fresh(size)
        )
        if one is None and not self._site.at.column:
            self._report(
                f"{size:,} bytes for a vector or string are more than a program gets here",
                "use smaller ones",
            )
        if one is None:
            return 0
        self._heap.made(one, self._site.in_bytes[0] if in_bytes is None else in_bytes)
        return one.address

    @provided
    def calloc(self, count: int, size: int) -> int:
        address = self.malloc(count * size, in_bytes=True)
        if address:
            self._heap.clear(address, count * size)
        return address

    @provided
    def aligned_alloc(self, alignment: int, size: int) -> int:
        return self.malloc(size)

    @provides("__sort")
    def sort(self, first: int, count: int) -> None:
        """Sort plain numbers, as std::sort does."""
        pointer = self._site.call.arguments[0].operand.type
        size = count * pointer.target.size
        numbers = np.frombuffer(self._heap.load_bytes(first, size), pointer.target.dtype)
        self._heap.store_bytes(first, np.sort(numbers).tobytes())

    @provided
    def posix_memalign(self, pointer: int, alignment: int, size: int) -> None:
        self._answer(pointer, "q", self.malloc(size, self._site.in_bytes[2]))

    @provided
    def realloc(self, pointer: int, size: int) -> int:
        old = self._heap.freed(pointer, "realloc", ("malloc",)) if pointer else None
        address = self.malloc(size)
        if old is not None and address:
            self._heap.store_bytes(address, self._heap.load_bytes(pointer, min(size, old.size)))
            self._heap.free(old)
        return address

    @provided
    def free(self, pointer: int) -> None:
        if pointer:
            self._heap.free(self._heap.freed(pointer, "free", ("malloc",)))
