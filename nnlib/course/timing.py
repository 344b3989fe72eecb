"""Measure times with warm-up and repetitions (median and spread), and the peak rates of this machine to compare with."""

from __future__ import annotations

import functools
import json
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from nnlib import device
from nnlib.cuda import Timing, repeated

RESULTS = Path(__file__).with_name("results")


@dataclass(frozen=True)
class Peaks:
    """Peak rates of a machine: bandwidth of a copy in bytes/s (read and written), float32 FLOP/s of multiply-adds.

    >>> Peaks("a GPU", bandwidth=2e12, flops=40e12).ridge
    20.0
    """

    name: str
    bandwidth: float
    flops: float

    @property
    def ridge(self) -> float:
        """FLOP per byte above which arithmetic, not memory, is the limit."""
        return self.flops / self.bandwidth


def measure(call: Callable[[], Any], repeats: int = 15, warmup: int = 3) -> Timing:
    """Time a call without arguments.

    With a GPU, CUDA events around the calls measure the work that they queue; without one, the host's clock does. Short calls are
    repeated inside each measurement until it lasts about a millisecond. Kernels in the simulator
    take seconds that say nothing about a GPU: time NumPy and GPU work only.
    """
    return repeated(lambda times: _elapsed(call, times), repeats, warmup)


def stopwatch(call: Callable[[], Any], wait: bool = True) -> float:
    """Return the seconds of one call by the host's clock. wait: until the GPU is done; else a launch is just queued."""
    start = time.perf_counter()
    call()
    if wait:
        device.synchronize()
    return time.perf_counter() - start


def _elapsed(call: Callable[[], Any], times: int) -> float:
    """Return the seconds that `times` calls take together."""
    if not device.has_gpu():
        start = time.perf_counter()
        for _ in range(times):
            call()
        return time.perf_counter() - start
    cupy = device.xp
    begin, end = cupy.cuda.Event(), cupy.cuda.Event()
    begin.record()
    for _ in range(times):
        call()
    end.record()
    end.synchronize()
    return float(cupy.cuda.get_elapsed_time(begin, end)) / 1e3


@functools.cache
def limits() -> Peaks:
    """Measure, once per session, what this machine can do at most: its GPU, or NumPy without one."""
    xp = device.xp
    source = xp.ones((64 if device.has_gpu() else 16) << 20, np.float32)
    target = xp.empty_like(source)
    copy = measure(lambda: xp.copyto(target, source))
    bandwidth = 2 * source.nbytes / copy.median
    if device.has_gpu():
        return Peaks(str(device.find().name), bandwidth, _gpu_flops())
    small = _numpy_flops(256)
    # A larger product is closer to the peak, but a slow machine would need seconds for it
    return Peaks("NumPy on this CPU", bandwidth, _numpy_flops(768) if small > 1e10 else small)


def _numpy_flops(n: int) -> float:
    a = np.ones((n, n), np.float32)
    out = np.empty_like(a)
    return 2 * n**3 / measure(lambda: np.matmul(a, a, out=out), repeats=7).median


def recorded(name: str) -> dict[str, Any]:
    """Return the stored results of a benchmark, usually from an H200; their "environment" says where and when. Lesson 03.

    name: "matmul", "kernels", "timeline", "train_gpu", …  Raises FileNotFoundError that says how to measure it.
    """
    path = RESULTS / f"{name}.json"
    if not path.exists():
        raise FileNotFoundError(
            f"{path} is missing; on a machine with a GPU: python -m tests.benchmarks.{name}"
        )
    return dict(json.loads(path.read_text(encoding="utf-8")))


def run_ranks(count: int, command: str) -> str:
    """Run `nnlib …` in `count` MPI processes and return what it prints; without MPI, return the recorded output.

    >>> "2 ranks through MPI" in run_ranks(2, "train --data digits --network small --epochs 1")
    True
    """
    if (
        not find_spec("mpi4py")
        or not (mpiexec := Path(sys.executable).with_name("mpiexec")).exists()
    ):
        output = recorded("mpi").get(str(count), "")
        return f"No MPI here (pip install mpi4py mpich). Recorded with {count} of them:\n{output}"
    done = subprocess.run(
        [mpiexec, "-n", str(count), sys.executable, "-m", "nnlib", *command.split()],
        capture_output=True,
        text=True,
    )
    return done.stdout + done.stderr


MULTIPLY_ADDS = r"""
extern "C" __global__ void multiply_adds(float* out, float a, float b, int rounds)
{
    float x[8];  // eight independent chains hide the latency of each
    #pragma unroll
    for (int k = 0; k < 8; k++) x[k] = threadIdx.x + k;
    for (int r = 0; r < rounds; r++) {
        #pragma unroll
        for (int k = 0; k < 8; k++) x[k] = x[k] * a + b;
    }
    float sum = 0.0f;
    for (int k = 0; k < 8; k++) sum += x[k];
    if (sum == 12345.0f) out[0] = sum;  // never, but the compiler cannot know
}
"""


def _gpu_flops() -> float:
    from nnlib.cuda import RawKernel

    cupy = device.xp
    processors = int(cupy.cuda.Device().attributes["MultiProcessorCount"])
    grid, block, rounds = 8 * processors, 256, 4096
    kernel, out = RawKernel(MULTIPLY_ADDS, "multiply_adds"), cupy.zeros(1, np.float32)
    timing = measure(lambda: kernel((grid,), (block,), (out, 1.0001, 0.5, rounds)))
    return 2 * 8 * rounds * grid * block / timing.median
