"""Times of a kernel on the fastest device that this computer has."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from . import native, switches, webgpu
from .device import find_gpu
from .errors import UnsupportedError
from .gpu import cupy_module
from .kernel import CheckedLaunch, RawKernel
from .language.refusal import Refusal

ONE_MEASUREMENT = 1e-3  # seconds that it lasts at least, where a launch is shorter than that
MOST_LAUNCHES = 1000  # in one measurement


@dataclass(frozen=True)
class Timing:
    """Seconds of one call: the median of several, and half of the range that holds the middle half of them.

    device: where it ran.

    >>> print(Timing(median=1.23e-5, spread=1e-7, repeats=15))
    12.3 µs ± 1 %
    >>> print(Timing(1.23e-5, 1e-7, 15, "Apple M2 (WebGPU)"))
    12.3 µs ± 1 % on Apple M2 (WebGPU)
    """

    median: float
    spread: float
    repeats: int
    device: str = ""

    @property
    def shown(self) -> str:
        """The median with its unit, "12.3 µs"."""
        scale, unit = next(
            (s, u)
            for s, u in ((1, "s"), (1e3, "ms"), (1e6, "µs"), (1e9, "ns"))
            if self.median * s >= 1 or u == "ns"
        )
        return f"{self.median * scale:.3g} {unit}"

    def __str__(self) -> str:
        where = f" on {self.device}" if self.device else ""
        return f"{self.shown} ± {100 * self.spread / self.median:.0f} %{where}"


def repeated(
    elapsed: Callable[[int], float], repeats: int = 15, warmup: int = 3, device: str = ""
) -> Timing:
    """Return what one call takes. elapsed: the seconds of so many calls, which are made for it.

    Short calls are repeated inside each measurement until it lasts about a millisecond.
    """
    for _ in range(warmup):
        elapsed(1)
    once = elapsed(1)
    inner = max(1, min(MOST_LAUNCHES, round(ONE_MEASUREMENT / max(once, 1e-9))))
    times = [elapsed(inner) / inner for _ in range(repeats)]
    low, median, high = np.percentile(times, [25, 50, 75])
    return Timing(float(median), float(high - low) / 2, repeats, device)


def measure(
    kernel: RawKernel,
    grid: Any,
    block: Any,
    args: Sequence[Any],
    shared_mem: int = 0,
    *,
    repeats: int = 15,
    warmup: int = 3,
) -> Timing:
    """Time a launch on the fastest device here, which the result names.

    An NVIDIA GPU is timed by CUDA's events, another GPU through WebGPU by its own clock, native code by the computer's clock.
    Arguments as for a launch. NumPy's arrays stay as they were, CuPy's change. A kernel with an error is simulated for
    its report. Raises UnsupportedError where only the simulator can run it, whose seconds say nothing of a GPU.
    """
    if switches.on_gpu() and not switches.webgpu_required():
        return repeated(
            _on_gpu(kernel, kernel._call(grid, block, args, shared_mem)),
            repeats,
            warmup,
            str(find_gpu().name),
        )
    copies = kernel._call(grid, block, args, shared_mem).copies().values
    call = kernel._call(grid, block, copies, shared_mem)
    if call.is_for_webgpu():
        try:
            return _through_webgpu(call, repeats, warmup)
        except (Refusal, webgpu.DeviceLostError) as error:
            if switches.webgpu_required():
                raise UnsupportedError(
                    f"kernel {kernel.name} does not run through WebGPU: {error}", kernel=kernel.name
                ) from None
        except webgpu.FaultError:
            kernel._simulate(call, True)
    where = f"this CPU ({native.native_engine()})"
    return repeated(_natively(kernel, call), repeats, warmup, where)


def _on_gpu(kernel: RawKernel, call: CheckedLaunch) -> Callable[[int], float]:
    import cupy

    values, function = call.on_device().values, kernel._gpu_function

    def elapsed(times: int) -> float:
        begin, end = cupy.cuda.Event(), cupy.cuda.Event()
        begin.record()
        for _ in range(times):
            cupy_module.launch(
                kernel.name, function, call.grid, call.block, values, call.shared_mem
            )
        end.record()
        end.synchronize()
        return float(cupy.cuda.get_elapsed_time(begin, end)) / 1e3

    return elapsed


def _through_webgpu(call: CheckedLaunch, repeats: int, warmup: int) -> Timing:
    with webgpu.staying() as session:
        prepared = session.prepare(call.through_webgpu().request())
        return repeated(
            lambda times: session.seconds([prepared], times),
            repeats,
            warmup,
            str(webgpu.device_name()),
        )


def _natively(kernel: RawKernel, call: CheckedLaunch) -> Callable[[int], float]:
    prospect = call.prospect

    def elapsed(times: int) -> float:
        begin = time.perf_counter()
        for _ in range(times):
            outcome = prospect.run()
            if outcome is native.Outcome.REFUSED:
                raise UnsupportedError(
                    f"kernel {kernel.name} runs in the simulator alone here, whose time says nothing of a GPU",
                    kernel=kernel.name,
                )
            if outcome is native.Outcome.FAULT:
                kernel._simulate(call, True)
        return time.perf_counter() - begin

    return elapsed
