"""The GPU that a program finds without one: a Tesla T4."""

from __future__ import annotations

from typing import Any

from ...limits import MAX_BLOCK, MAX_GRID, MAX_THREADS, WARP
from ..gpu.occupancy import GPUS

T4 = GPUS["T4"]
NAME, MAJOR, MINOR = "Tesla T4 (simulated)", 7, 5
TOTAL_MEMORY = 15 << 30  # bytes
CLOCK, MEMORY_CLOCK, BUS_WIDTH, L2 = 1_590_000, 5_001_000, 256, 4 << 20  # kHz, kHz, bits, bytes

PROPERTIES: dict[str, Any] = {
    "name": NAME,
    "totalGlobalMem": TOTAL_MEMORY,
    "sharedMemPerBlock": 48 << 10,
    "memPitch": 2**31 - 1,
    "totalConstMem": 64 << 10,
    "textureAlignment": 512,
    "sharedMemPerMultiprocessor": T4.shared,
    "regsPerBlock": T4.registers,
    "regsPerMultiprocessor": T4.registers,
    "warpSize": WARP,
    "maxThreadsPerBlock": MAX_THREADS,
    "maxThreadsDim": MAX_BLOCK,
    "maxGridSize": MAX_GRID,
    "clockRate": CLOCK,
    "major": MAJOR,
    "minor": MINOR,
    "deviceOverlap": 1,
    "multiProcessorCount": T4.multiprocessors,
    "canMapHostMemory": 1,
    "concurrentKernels": 1,
    "asyncEngineCount": 3,
    "unifiedAddressing": 1,
    "memoryClockRate": MEMORY_CLOCK,
    "memoryBusWidth": BUS_WIDTH,
    "l2CacheSize": L2,
    "maxThreadsPerMultiProcessor": T4.warps * WARP,
    "streamPrioritiesSupported": 1,
    "globalL1CacheSupported": 1,
    "localL1CacheSupported": 1,
    "managedMemory": 1,
    "concurrentManagedAccess": 1,
    "cooperativeLaunch": 1,
    "maxBlocksPerMultiProcessor": T4.blocks,
    "maxTexture1D": 131072,
    "maxTexture2D": (131072, 65536),
    "maxTexture3D": (16384, 16384, 16384),
    "maxTexture1DLayered": (32768, 2048),
    "maxTexture2DLayered": (32768, 32768, 2048),
    "sharedMemPerBlockOptin": 64 << 10,
}
