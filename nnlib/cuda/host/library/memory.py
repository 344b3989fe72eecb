"""cudaMalloc and its kin, malloc and free."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

from nnlib.cuda.host.card import TOTAL_MEMORY
from nnlib.cuda.host.library.registry import provides
from nnlib.cuda.host.lowering.writer import Site
from nnlib.cuda.host.runtime.memory import SHIFT

if TYPE_CHECKING:
    from nnlib.cuda.host.runtime.process import Process

MEMORY_ALLOCATION, PITCH = 2, 512


def _made(process: Process, site: Site, pointer: int, size: int, side: str) -> int:
    """Allocate, and store the address through the pointer."""
    call = site.call.function.name
    if size >> 62:
        process.mistake(f"{call} of {size:,} bytes", "the size is negative, or no number of bytes", at=site.at)
    one = process.memory.allocate(site.names[0], size, side, process.line(site),
                                  lambda: process.device.allocate(side, size))
    if one is None:
        process.last_error = MEMORY_ALLOCATION
        return MEMORY_ALLOCATION
    one.asked_in_elements, one.internal = not site.in_bytes[1], not site.at.column
    process.store_bytes(pointer, struct.pack("<q", one.address))
    process.remember(site, one, "made")
    return 0


@provides("cudaMalloc", "cudaMallocAsync")
def cuda_malloc(process: Process, site: Site, pointer: int, size: int, stream: int = 0) -> int:
    return _made(process, site, pointer, size, "device")


@provides("cudaMallocHost", "cudaHostAlloc")
def cuda_malloc_host(process: Process, site: Site, pointer: int, size: int, flags: int) -> int:
    return _made(process, site, pointer, size, "pinned")


@provides("cudaMallocManaged")
def cuda_malloc_managed(process: Process, site: Site, pointer: int, size: int, flags: int) -> int:
    return _made(process, site, pointer, size, "managed")


@provides("cudaMallocPitch")
def cuda_malloc_pitch(process: Process, site: Site, pointer: int, pitch: int, width: int, height: int) -> int:
    row = -(-width // PITCH) * PITCH
    process.store_bytes(pitch, struct.pack("<Q", row % 2**64))
    return _made(process, site, pointer, row * height, "device")


@provides("cudaFree", "cudaFreeAsync")
def cuda_free(process: Process, site: Site, pointer: int, stream: int = 0) -> int:
    return _freed(process, site, pointer, "cudaFree", ("device", "managed"))


@provides("cudaFreeHost")
def cuda_free_host(process: Process, site: Site, pointer: int) -> int:
    return _freed(process, site, pointer, "cudaFreeHost", ("pinned",))


def _freed(process: Process, site: Site, pointer: int, verb: str, sides: tuple[str, ...]) -> int:
    if pointer:
        one = process.freed(site, pointer, verb, sides)
        process.wait([stream.last for stream in process.schedule.streams], site, verb)
        process.remember(site, one, "freed")
        process.memory.release(one, process.line(site))
    return 0


@provides("cudaHostGetDevicePointer")
def cuda_host_get_device_pointer(process: Process, site: Site, device: int, host: int, flags: int) -> int:
    one, _ = process.memory.find(host)
    if one is None or one.side != "pinned":
        process.mistake("only pinned memory has an address on the GPU", "allocate it with cudaHostAlloc", at=site.at)
    process.store_bytes(device, struct.pack("<q", host))
    return 0


@provides("cudaHostRegister")
def cuda_host_register(process: Process, site: Site, pointer: int, size: int, flags: int) -> int:
    one, _ = process.memory.find(pointer)
    if one is None or one.freed or one.side not in ("malloc", "new"):
        process.mistake("cudaHostRegister needs memory of malloc or new", "pass the pointer that it returned",
                        at=site.at)
    one.registered, one.side = one.side, "pinned"
    return 0


@provides("cudaHostUnregister")
def cuda_host_unregister(process: Process, site: Site, pointer: int) -> int:
    one, _ = process.memory.find(pointer)
    if one is None or not one.registered:
        process.mistake("cudaHostUnregister of memory that was never registered", "register it first", at=site.at)
    one.side, one.registered = one.registered, ""
    return 0


@provides("cudaGetSymbolAddress")
def cuda_get_symbol_address(process: Process, site: Site, pointer: int, symbol: int) -> int:
    process.store_bytes(pointer, struct.pack("<q", symbol))
    return 0


@provides("cudaMemGetInfo")
def cuda_mem_get_info(process: Process, site: Site, free: int, total: int) -> int:
    used = sum(one.size for one in process.memory.allocations.values() if one.side == "device" and not one.freed)
    process.store_bytes(free, struct.pack("<Q", TOTAL_MEMORY - used))
    process.store_bytes(total, struct.pack("<Q", TOTAL_MEMORY))
    return 0


@provides("cudaMemPrefetchAsync", "cudaMemAdvise")
def nothing_to_do(process: Process, site: Site, *arguments: int) -> int:
    """What only makes a program faster."""
    return 0


# --- the C library ------------------------------------------------------------------------


@provides("malloc")
def malloc(process: Process, site: Site, size: int) -> int:
    if size >> 62:
        process.mistake(f"{site.call.function.name} of {size:,} bytes", "the size is negative, or no number of bytes",
                        at=site.at)
    one = process.memory.allocate(site.result, size, "malloc", process.line(site))
    if one is None and not site.at.column:
        process.mistake(f"{size:,} bytes for a vector or string are more than a program gets here", "use smaller ones")
    if one is None:
        return 0
    one.asked_in_elements, one.internal = not site.in_bytes[0], not site.at.column
    process.remember(site, one, "made")
    return one.address


@provides("calloc")
def calloc(process: Process, site: Site, count: int, size: int) -> int:
    address = malloc(process, site, count * size)
    if address:
        process.memory.allocations[address >> SHIFT].asked_in_elements = False
    return address


@provides("aligned_alloc")
def aligned_alloc(process: Process, site: Site, alignment: int, size: int) -> int:
    return malloc(process, site, size)


@provides("realloc")
def realloc(process: Process, site: Site, pointer: int, size: int) -> int:
    old = process.freed(site, pointer, "realloc", ("malloc",)) if pointer else None
    address = malloc(process, site, size)
    if old is not None and address:
        process.store_bytes(address, process.load_bytes(pointer, min(size, old.size)))
        process.remember(site, old, "freed")
        process.memory.release(old, process.line(site))
    return address


@provides("free")
def free(process: Process, site: Site, pointer: int) -> None:
    if pointer:
        one = process.freed(site, pointer, "free", ("malloc",))
        process.remember(site, one, "freed")
        process.memory.release(one, process.line(site))
