"""What the benchmarks share: a network, GPU times that nothing on the host disturbs, and results with their origin."""

from __future__ import annotations

import datetime
import functools
import json
import os
import platform
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from nnlib import device
from nnlib.course.timing import RESULTS, Timing
from nnlib.cuda import RawKernel
from nnlib.layers import Linear
from nnlib.model import Sequential
from nnlib.train import NETWORKS

_HOST_SECONDS = 100e-6  # more than Python needs to launch one kernel
_SPIN = r"""
extern "C" __global__ void spin(long long cycles) {
    long long start = clock64();
    while (clock64() - start < cycles) { }
}
"""


def reference_network(seed: int = 0) -> Sequential:
    """Return Conv 1→16, Conv 16→32, pool, linear, as in CUDA-CNN-from-scratch: 50,890 parameters."""
    return Sequential(*NETWORKS["reference"](), Linear(4608, 10), seed=seed)


def need_gpu() -> None:
    """End the program with the reason if no NVIDIA GPU can be used."""
    if not device.has_gpu():
        raise SystemExit(f"this benchmark needs an NVIDIA GPU: {device.find().reason}")


def interleaved(
    calls: dict[str, Callable[[], Any]], rounds: int = 15, warmup: int = 2
) -> dict[str, Timing]:
    """Seconds of each call on the GPU: median and half the interquartile range over the rounds.

    Every round times every call, so that a changing clock meets all of them alike. Short calls are repeated within
    a measurement; a kernel that only waits keeps the GPU busy until the host has queued them all.
    """
    repeats = {}
    for name, call in calls.items():
        for _ in range(warmup):
            call()
        repeats[name] = max(1, min(50, round(1e-3 / _queued(call, 3))))
    times: dict[str, list[float]] = {name: [] for name in calls}
    for _ in range(rounds):
        for name, call in calls.items():
            times[name].append(_queued(call, repeats[name]))
    return {name: _summary(values) for name, values in times.items()}


def _queued(call: Callable[[], Any], repeats: int) -> float:
    cuda = device.xp.cuda
    begin, end = cuda.Event(), cuda.Event()
    # ClockRate: in kHz
    cycles = int(repeats * _HOST_SECONDS * 1e3 * cuda.Device().attributes["ClockRate"])
    _spin()((1,), (1,), (cycles,))
    begin.record()
    for _ in range(repeats):
        call()
    end.record()
    end.synchronize()
    return float(cuda.get_elapsed_time(begin, end)) / 1e3 / repeats


def _summary(seconds: list[float]) -> Timing:
    low, median, high = np.percentile(seconds, [25, 50, 75])
    return Timing(float(median), float(high - low) / 2, len(seconds))


@functools.cache
def _spin() -> RawKernel:
    return RawKernel(_SPIN, "spin")


def environment() -> dict[str, str]:
    """Return where and with what the numbers were measured."""
    stamp = {
        "date": datetime.date.today().isoformat(),
        "python": platform.python_version(),
        "numpy": np.__version__,
    }
    if not device.has_gpu():
        return stamp | {"cpu": _cpu(), "cores": str(os.cpu_count())}
    import cupy

    runtime, driver = cupy.cuda.runtime.runtimeGetVersion(), cupy.cuda.runtime.driverGetVersion()
    return stamp | {
        "gpu": str(device.find().name),
        "driver": device.find().driver or "unknown",
        "driver_cuda": _version(driver),
        "cuda": _version(runtime),
        "cupy": cupy.__version__,
    }


def _cpu() -> str:
    listing = Path("/proc/cpuinfo")
    lines = listing.read_text().splitlines() if listing.exists() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()


def _version(number: int) -> str:
    return f"{number // 1000}.{number % 1000 // 10}"


def stored_at(name: str) -> Path:
    """The file of results of that name: part of nnlib where a lesson shows them, else beside the page of results."""
    shown = RESULTS / f"{name}.json"
    return shown if shown.exists() else Path(__file__).with_name("results") / f"{name}.json"


def store(name: str, results: dict[str, Any]) -> None:
    """Write results/<name>.json with the environment beside the results, and print its tables."""
    from .render import SOURCES, TABLES, section  # which reads what stored_at finds

    text = json.dumps({"environment": environment(), **results}, indent=2, ensure_ascii=False)
    stored_at(name).write_text(text + "\n", encoding="utf-8")
    tables = [table for table, source in SOURCES.items() if source == name]
    tables += [name] if name in TABLES or "table" in results else []
    print(*map(section, tables), sep="\n")
