"""The roofs of a GPU: how fast its arithmetic is, and each level of its memory. Lessons 03 and 08."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Any

import numpy as np

from nnlib.course.timing import MULTIPLY_ADDS, limits
from nnlib.cuda import RawKernel, measure
from nnlib.cuda.limits import SECTOR
from nnlib.device import has_gpu, xp


@dataclass(frozen=True)
class Roofs:
    """name of the machine, float32 FLOP/s, bytes/s of each level of memory, the quickest first.

    >>> round(H200.limit({"L1": 0.4, "DRAM": 100.0}) / 1e12, 1)  # FLOP per byte -> TFLOP/s
    13.4
    """

    name: str
    flops: float
    bandwidth: dict[str, float]

    def limit(self, intensity: dict[str, float]) -> float:
        """Return the most FLOP/s of a kernel that does this many operations per byte of each level."""
        return min(
            self.flops,
            *(
                self.bandwidth[level] * x
                for level, x in intensity.items()
                if level in self.bandwidth
            ),
        )


# L1: 128 bytes per clock in each of 132 multiprocessors at 1.98 GHz (CUDA C++ Programming Guide; NVIDIA, H100 white
# paper). L2: 5,120 bytes per clock (NVIDIA, A100 white paper; nothing newer is published). DRAM and FLOP/s: NVIDIA,
# H200 data sheet. All are what nothing can exceed, not what a good kernel reaches.
H200 = Roofs("H200", 66.9e12, {"L1": 132 * 128 * 1.98e9, "L2": 5120 * 1.98e9, "DRAM": 4.8e12})


def roofs() -> Roofs:
    """Return the roofs of this machine's GPU, DRAM and arithmetic measured, or those of an H200."""
    if not has_gpu():
        return H200
    found = limits()
    attributes = xp.cuda.Device().attributes
    clock = 1e3 * attributes["ClockRate"]  # of kHz
    levels = {"L1": attributes["MultiProcessorCount"] * 128 * clock, "DRAM": found.bandwidth}
    return Roofs(found.name, found.flops, levels)


@functools.cache
def roofs_here() -> Roofs:
    """Return the roofs of the fastest device here, measured by two kernels where it is no NVIDIA GPU."""
    if has_gpu():
        return roofs()
    size, count, rounds = 1 << 22, 1 << 14, 512
    source, target, out = np.ones(size, np.float32), np.zeros(size, np.float32), np.zeros(1, "f")
    copied = measure(
        RawKernel(_COPY, "copy"), size // 256, 256, (source, target, size), repeats=5, warmup=1
    )
    multiplied = measure(
        RawKernel(MULTIPLY_ADDS, "multiply_adds"),
        count // 256,
        256,
        (out, np.float32(1.0001), np.float32(0.5), rounds),
        repeats=5,
        warmup=1,
    )
    flops, moved = 2 * 8 * rounds * count / multiplied.median, 8 * size / copied.median
    return Roofs(copied.device or "this computer", flops, {"DRAM": moved})


_COPY = """
extern "C" __global__ void copy(const float* source, float* target, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) target[i] = source[i];
}
"""


def intensity(profile: Any) -> dict[str, float]:
    """Return FLOP per byte of a profiled launch: through L1, as counted; from DRAM, if each sector moves only once.

    What the caches keep, the simulator does not know: for DRAM the truth lies between the two.
    """
    atomics = SECTOR * profile.global_atomic.sectors
    return {
        "L1": profile.flops / (profile.bytes_moved + atomics),
        "DRAM": profile.flops / profile.bytes_once,
    }
