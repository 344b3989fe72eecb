"""Errors, the properties of the GPU, and what kernels can be told."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ....limits import MAX_THREADS
from ..lowering.writer import CallSite
from ..runtime.devices import Device
from ..runtime.function_pointers import FunctionPointers
from ..runtime.heap import Heap
from .registry import provides

ERRORS = {
    0: ("cudaSuccess", "no error"),
    1: ("cudaErrorInvalidValue", "invalid argument"),
    2: ("cudaErrorMemoryAllocation", "out of memory"),
    3: ("cudaErrorInitializationError", "initialization error"),
    9: ("cudaErrorInvalidConfiguration", "invalid configuration argument"),
    13: ("cudaErrorInvalidSymbol", "invalid device symbol"),
    17: ("cudaErrorInvalidDevicePointer", "invalid device pointer"),
    21: ("cudaErrorInvalidMemcpyDirection", "invalid copy direction for memcpy"),
    100: ("cudaErrorNoDevice", "no CUDA-capable device is detected"),
    101: ("cudaErrorInvalidDevice", "invalid device ordinal"),
    400: ("cudaErrorInvalidResourceHandle", "invalid resource handle"),
    600: ("cudaErrorNotReady", "device not ready"),
    700: ("cudaErrorIllegalAddress", "an illegal memory access was encountered"),
    702: ("cudaErrorLaunchTimeout", "the launch timed out and was terminated"),
    710: ("cudaErrorAssert", "device-side assert triggered"),
    719: ("cudaErrorLaunchFailure", "unspecified launch failure"),
    701: ("cudaErrorLaunchOutOfResources", "too many resources requested for launch"),
    720: ("cudaErrorCooperativeLaunchTooLarge", "too many blocks in cooperative launch"),
    801: ("cudaErrorNotSupported", "operation not supported"),
    999: ("cudaErrorUnknown", "unknown error"),
}
INVALID_DEVICE = 101
ATTRIBUTES: dict[
    int, str | tuple[str, int]
] = {  # of a device, by number: as the properties have them
    1: "maxThreadsPerBlock",
    **{2 + axis: ("maxThreadsDim", axis) for axis in range(3)},
    **{5 + axis: ("maxGridSize", axis) for axis in range(3)},
    12: "regsPerBlock",
    8: "sharedMemPerBlock",
    9: "totalConstMem",
    10: "warpSize",
    13: "clockRate",
    16: "multiProcessorCount",
    18: "integrated",
    19: "canMapHostMemory",
    31: "concurrentKernels",
    36: "memoryClockRate",
    37: "memoryBusWidth",
    38: "l2CacheSize",
    39: "maxThreadsPerMultiProcessor",
    40: "asyncEngineCount",
    41: "unifiedAddressing",
    75: "major",
    76: "minor",
    81: "sharedMemPerMultiprocessor",
    82: "regsPerMultiprocessor",
    83: "managedMemory",
    88: "pageableMemoryAccess",
    89: "concurrentManagedAccess",
    95: "cooperativeLaunch",
    97: "sharedMemPerBlockOptin",
    115: "managedMemory",
}


class DeviceQueries:
    """What a program asks of the GPU, and of calls that failed."""

    def __init__(self, heap: Heap, device: Device, functions: FunctionPointers) -> None:
        self._heap, self._device, self._functions = heap, device, functions
        self._mistakes = heap.mistakes

    @provides("cudaGetLastError")
    def cuda_get_last_error(self, site: CallSite) -> int:
        error, self._mistakes.last_error, self._mistakes.unasked = (
            self._mistakes.last_error,
            0,
            None,
        )
        return error

    @provides("cudaPeekAtLastError")
    def cuda_peek_at_last_error(self, site: CallSite) -> int:
        self._mistakes.unasked = None
        return self._mistakes.last_error

    @provides("cudaGetErrorString")
    def cuda_get_error_string(self, site: CallSite, error: int) -> int:
        return self._heap.constant_text(ERRORS.get(error, ("", "unrecognized error code"))[1])

    @provides("cudaGetErrorName")
    def cuda_get_error_name(self, site: CallSite, error: int) -> int:
        return self._heap.constant_text(ERRORS.get(error, ("unrecognized error code", ""))[0])

    @provides("cudaGetDeviceCount")
    def cuda_get_device_count(self, site: CallSite, count: int) -> int:
        self._heap.store_value(count, "i", 1)
        return 0

    @provides("cudaGetDevice", "cudaDeviceCanAccessPeer")
    def cuda_get_device(self, site: CallSite, result: int, device: int = 0, other: int = 0) -> int:
        """Device 0, which has no other beside it."""
        self._heap.store_value(result, "i", 0)
        return 0

    def _fields(self, site: CallSite, address: int, values: Mapping[str, Any]) -> None:
        """Fill the struct that the first parameter points to; what is not named is 0."""
        struct_type = site.call.function.parameters[0].type.target
        content = bytearray(struct_type.size)
        for field in struct_type.fields:
            value = values.get(field.name)
            if isinstance(value, str):
                content[field.offset : field.offset + len(value)] = value.encode()
            elif value is not None:
                numbers = value if isinstance(value, tuple) else (value,)
                dtype = getattr(field.type, "dtype", np.dtype(np.int32))
                content[field.offset : field.offset + dtype.itemsize * len(numbers)] = np.array(
                    numbers, dtype
                ).tobytes()
        self._heap.store_bytes(address, bytes(content))

    @provides("cudaGetDeviceProperties")
    def cuda_get_device_properties(self, site: CallSite, properties: int, device: int) -> int:
        if device:
            self._mistakes.last_error = INVALID_DEVICE
            return INVALID_DEVICE
        self._fields(site, properties, self._device.properties())
        return 0

    @provides("cudaChooseDevice")
    def cuda_choose_device(self, site: CallSite, device: int, properties: int) -> int:
        return self.cuda_get_device(site, device)

    @provides("cudaFuncGetAttributes")
    def cuda_func_get_attributes(self, site: CallSite, attributes: int, kernel: int) -> int:
        self._fields(
            site, attributes, self._device.attributes(self._functions.kernel(site, kernel))
        )
        return 0

    @provides("cudaSetDevice")
    def cuda_set_device(self, site: CallSite, device: int) -> int:
        if device:
            self._mistakes.last_error = INVALID_DEVICE
        return INVALID_DEVICE if device else 0

    @provides("cudaDeviceGetAttribute")
    def cuda_device_get_attribute(
        self, site: CallSite, value: int, attribute: int, device: int
    ) -> int:
        known, name = self._device.properties(), ATTRIBUTES.get(attribute, "")
        self._heap.store_value(
            value, "i", known.get(name, 0) if isinstance(name, str) else known[name[0]][name[1]]
        )
        return 0

    @provides("cudaDriverGetVersion", "cudaRuntimeGetVersion")
    def cuda_version(self, site: CallSite, version: int) -> int:
        self._heap.store_value(version, "i", 12000)
        return 0

    @provides("cudaOccupancyMaxActiveBlocksPerMultiprocessor")
    def cuda_occupancy(
        self, site: CallSite, blocks: int, kernel: int, threads: int, shared: int
    ) -> int:
        function = self._functions.kernel(site, kernel)
        self._heap.store_value(blocks, "i", self._device.resident(function, threads, shared))
        return 0

    @provides("cudaOccupancyMaxPotentialBlockSize")
    def cuda_occupancy_block_size(
        self, site: CallSite, grid: int, block: int, kernel: int, shared: int, limit: int
    ) -> int:
        """The block with the most resident threads; of equals the largest. 0 where none fits."""
        most = limit if 0 < limit < MAX_THREADS else MAX_THREADS
        function = self._functions.kernel(site, kernel)
        resident = {
            size: self._device.resident(function, size, shared)
            for size in {min(size, most) for size in range(32, MAX_THREADS + 1, 32)}
        }
        best = max(resident, key=lambda size: (resident[size] * size, size))
        self._heap.store_value(block, "i", best if resident[best] else 0)
        self._heap.store_value(
            grid, "i", resident[best] * self._device.properties()["multiProcessorCount"]
        )
        return 0

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
    )
    def nothing_to_do(self, site: CallSite, *arguments: int) -> int:
        """What only makes a program faster."""
        return 0
