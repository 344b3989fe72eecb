"""Errors, the properties of the GPU, and what kernels can be told."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ....limits import MAX_THREADS
from .registry import LibraryPart, provides
from .streams import HIGHEST


def _rows(text: str, columns: int) -> list[list[str]]:
    """Read lines of words; the last takes what is left."""
    return [line.split(maxsplit=columns - 1) for line in text.strip().splitlines()]


ERRORS = {
    int(number): (name, text)
    for number, name, text in _rows(
        """
        0 cudaSuccess no error
        1 cudaErrorInvalidValue invalid argument
        2 cudaErrorMemoryAllocation out of memory
        3 cudaErrorInitializationError initialization error
        9 cudaErrorInvalidConfiguration invalid configuration argument
        13 cudaErrorInvalidSymbol invalid device symbol
        17 cudaErrorInvalidDevicePointer invalid device pointer
        21 cudaErrorInvalidMemcpyDirection invalid copy direction for memcpy
        100 cudaErrorNoDevice no CUDA-capable device is detected
        101 cudaErrorInvalidDevice invalid device ordinal
        400 cudaErrorInvalidResourceHandle invalid resource handle
        600 cudaErrorNotReady device not ready
        700 cudaErrorIllegalAddress an illegal memory access was encountered
        702 cudaErrorLaunchTimeout the launch timed out and was terminated
        710 cudaErrorAssert device-side assert triggered
        719 cudaErrorLaunchFailure unspecified launch failure
        701 cudaErrorLaunchOutOfResources too many resources requested for launch
        720 cudaErrorCooperativeLaunchTooLarge too many blocks in cooperative launch
        801 cudaErrorNotSupported operation not supported
        999 cudaErrorUnknown unknown error
        """,
        3,
    )
}
INVALID_DEVICE = 101
# Of a device, by number: as the properties have them, and the axis.
ATTRIBUTES = {
    int(number): name
    for number, name in _rows(
        """
        1 maxThreadsPerBlock
        2 maxThreadsDim 0
        3 maxThreadsDim 1
        4 maxThreadsDim 2
        5 maxGridSize 0
        6 maxGridSize 1
        7 maxGridSize 2
        12 regsPerBlock
        8 sharedMemPerBlock
        9 totalConstMem
        10 warpSize
        13 clockRate
        16 multiProcessorCount
        18 integrated
        19 canMapHostMemory
        31 concurrentKernels
        36 memoryClockRate
        37 memoryBusWidth
        38 l2CacheSize
        39 maxThreadsPerMultiProcessor
        40 asyncEngineCount
        41 unifiedAddressing
        75 major
        76 minor
        81 sharedMemPerMultiprocessor
        82 regsPerMultiprocessor
        83 managedMemory
        88 pageableMemoryAccess
        89 concurrentManagedAccess
        95 cooperativeLaunch
        97 sharedMemPerBlockOptin
        115 managedMemory
        """,
        2,
    )
}

# Of functions that give every program the same
CONSTANTS: dict[str, tuple[int, ...]] = {
    "cudaGetDeviceCount": (1,),
    "cudaGetDevice": (0,),
    "cudaChooseDevice": (0,),
    "cudaDeviceCanAccessPeer": (0,),
    "cudaDriverGetVersion": (12000,),
    "cudaRuntimeGetVersion": (12000,),
    "cudaDeviceGetStreamPriorityRange": (0, HIGHEST),
}


class DeviceQueries(LibraryPart):
    """Functions that report the GPU's properties and the errors of earlier calls."""

    @provides(*CONSTANTS)
    def constant(self, *results: int) -> None:
        for result, value in zip(results, CONSTANTS[self._site.called], strict=False):
            self._heap.store_value(result, "i", value)

    @provides("cudaGetLastError")
    def cuda_get_last_error(self) -> int:
        error, self._mistakes.last_error, self._mistakes.unasked = (
            self._mistakes.last_error,
            0,
            None,
        )
        return error

    @provides("cudaPeekAtLastError")
    def cuda_peek_at_last_error(self) -> int:
        self._mistakes.unasked = None
        return self._mistakes.last_error

    @provides("cudaGetErrorName", "cudaGetErrorString")
    def cuda_get_error_text(self, error: int) -> int:
        texts = ERRORS.get(error, 2 * ("unrecognized error code",))
        return self._heap.constant_text(texts[self._site.called == "cudaGetErrorString"])

    def _fields(self, address: int, values: Mapping[str, Any]) -> None:
        """Fill the struct that the first parameter points to; what is not named is 0."""
        struct_type = self._site.call.function.parameters[0].type.target
        content = bytearray(struct_type.size)
        for field in struct_type.fields:
            value = values.get(field.name, ())
            if isinstance(value, str):
                part = value.encode()
            else:
                part = np.array(value, getattr(field.type, "dtype", np.int32)).tobytes()
            content[field.offset : field.offset + len(part)] = part
        self._heap.store_bytes(address, bytes(content))

    @provides("cudaGetDeviceProperties")
    def cuda_get_device_properties(self, properties: int, device: int) -> int:
        if not device:
            self._fields(properties, self._device.properties())
        return self.cuda_set_device(device)

    @provides("cudaFuncGetAttributes")
    def cuda_func_get_attributes(self, attributes: int, kernel: int) -> None:
        function = self._run.functions.kernel(kernel)
        self._fields(attributes, self._device.attributes(function))

    @provides("cudaSetDevice")
    def cuda_set_device(self, device: int) -> int:
        if device:
            self._mistakes.last_error = INVALID_DEVICE
        return INVALID_DEVICE if device else 0

    @provides("cudaDeviceGetAttribute")
    def cuda_device_get_attribute(self, value: int, attribute: int, device: int) -> None:
        name, _, axis = ATTRIBUTES.get(attribute, "").partition(" ")
        known = self._device.properties().get(name, 0)
        self._answer(value, "i", known[int(axis)] if axis else known)

    @provides("cudaOccupancyMaxActiveBlocksPerMultiprocessor")
    def cuda_occupancy(self, blocks: int, kernel: int, threads: int, shared: int) -> None:
        function = self._run.functions.kernel(kernel)
        self._answer(blocks, "i", self._device.resident(function, threads, shared))

    @provides("cudaOccupancyMaxPotentialBlockSize")
    def cuda_occupancy_block_size(
        self, grid: int, block: int, kernel: int, shared: int, limit: int
    ) -> None:
        """Store the block size with the most resident threads, the largest of several; 0 where none fits."""
        most = limit if 0 < limit < MAX_THREADS else MAX_THREADS
        function = self._run.functions.kernel(kernel)
        resident = {
            size: self._device.resident(function, size, shared)
            for size in {min(size, most) for size in range(32, MAX_THREADS + 1, 32)}
        }
        best = max(resident, key=lambda size: (resident[size] * size, size))
        self._heap.store_value(block, "i", best if resident[best] else 0)
        several = self._device.properties()["multiProcessorCount"]
        self._answer(grid, "i", resident[best] * several)

    @provides(
        "cudaSetDeviceFlags",
        "cudaDeviceSetCacheConfig",
        "cudaDeviceSetSharedMemConfig",
        "cudaDeviceSetLimit",
        "cudaFuncSetCacheConfig",
        "cudaFuncSetSharedMemConfig",
        "cudaFuncSetAttribute",
        "cudaProfilerStart",
        "cudaProfilerStop",
        "cudaMemPrefetchAsync",
        "cudaMemAdvise",
        "fflush",
        "isatty",
        "getenv",
    )
    def nothing_to_do(self, *arguments: int) -> None:
        """Accept a call that only makes a program faster."""
