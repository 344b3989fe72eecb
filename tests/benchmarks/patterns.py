"""What lessons 01, 02 and 04 say about time, on the GPU: strides, blocks, branches, latency, copies, sums, softmax.

    python -m tests.benchmarks.patterns

Prints what it finds and stores it in results/patterns.json; on a laptop a student sees it beside what the simulator
counts. About a minute. The kernels are those of the lessons (nnlib/kernels), but for those that measure latency.
The additions themselves are timed by tests/benchmarks/kernels.py.
A name instead of all: python -m tests.benchmarks.patterns sums softmax  measures these again and keeps the others.

Latency is what one thread waits when every address it reads depends on the number it read before: a chain through
lines of 128 bytes in random order. A chain that fits the L1 cache is answered there, a longer one by L2 or by DRAM.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from nnlib import device
from nnlib.course.timing import measure, recorded, stopwatch
from nnlib.cuda import RawKernel, RawModule
from nnlib.ops import kernels as ops

from .pieces import solutions
from .timing import interleaved, need_gpu, store

N = 1 << 24  # elements that are read: 64 MiB
LONG = 1 << 27  # elements for `add`: 512 MiB an array, ten times the L2 cache of an H200
STRIDES = (1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 24, 32)
OFFSETS = (*range(9), 12, 16, 24, 32, 40, 48, 64)
BLOCKS = (32, 33, 64, 96, 128, 192, 256, 384, 512, 768, 1024)
THREADS, ROUNDS = 1 << 22, 4096  # of the kernels with a branch
CHAINS = tuple(1 << k for k in range(13, 30, 2))  # bytes: 8 KiB to 512 MiB
LINE, STEPS = 128, 1 << 16
COLUMNS = (1000, 10)
SIZES = tuple(10**k for k in range(2, 9))
LATENCY = r"""
extern "C" __global__ void chain(const int* next, int steps, long long* cycles, int* end)
{
    int at = end[0];  // goes on where the last launch stopped: a long chain finds nothing of its own in a cache
    for (int k = 0; k < steps; k++) at = next[at];  // brings what fits into the caches
    long long start = clock64();
    for (int k = 0; k < steps; k++) at = next[at];
    cycles[0] = clock64() - start;
    end[0] = at;
}
extern "C" __global__ void shared_chain(int steps, long long* cycles, int* end)
{
    __shared__ int next[1024];
    for (int k = 0; k < 1024; k++) next[k] = (k + 33) % 1024;
    int at = 0;
    long long start = clock64();
    for (int k = 0; k < steps; k++) at = next[at];
    cycles[0] = clock64() - start;
    end[0] = at;
}
extern "C" __global__ void register_chain(int steps, float factor, long long* cycles, float* end)
{
    float v = factor;
    long long start = clock64();
    for (int k = 0; k < steps; k++) v = v * factor + 1.0f;
    cycles[0] = clock64() - start;
    end[0] = v;
}
"""


def reads() -> dict[str, Any]:
    """Seconds of `read_pattern` for N elements by stride and by offset."""
    xp, kernel = device.xp, ops.kernel("vector", "read_pattern")
    x, out = xp.ones(N * max(STRIDES) + 32, xp.float32), xp.zeros(N, xp.float32)

    def call(stride: int, offset: int) -> Callable[[], None]:
        return lambda: kernel((N // 256,), (256,), (x, out, N, stride, offset))

    strides = _seconds({stride: call(stride, 0) for stride in STRIDES})
    offsets = _seconds({offset: call(1, offset) for offset in OFFSETS})
    return {"elements": N, "strides": strides, "offsets": offsets}


def additions() -> dict[str, Any]:
    """Seconds of `add` for LONG elements by block size."""
    xp, add = device.xp, ops.kernel("vector", "add")
    x, y, out = (xp.ones(LONG, xp.float32) for _ in range(3))
    calls = {
        block: lambda block=block: add((-(-LONG // block),), (block,), (x, y, out, LONG))
        for block in BLOCKS
    }
    return {"elements": LONG, "blocks": _seconds(calls)}


def branches() -> dict[str, Any]:
    """Seconds of the kernels with a branch."""
    x = device.xp.zeros(THREADS, device.xp.float32)
    kernels = {name: ops.kernel("warps", name) for name in ("by_lane", "by_warp")}
    return {
        "threads": THREADS,
        "rounds": ROUNDS,
        "kinds": _seconds(
            {
                name: lambda kernel=kernel: kernel((THREADS // 256,), (256,), (x, ROUNDS))
                for name, kernel in kernels.items()
            }
        ),
    }


def sums() -> dict[str, Any]:
    """Seconds of the ways to add N numbers up: atomics on one sum, trees of a block, shuffles of a warp."""
    xp = device.xp
    x, out = xp.ones(N, xp.float32), xp.zeros(N // 32, xp.float32)
    kernels = {
        kind: ops.kernel("reductions", f"sum_{kind}") for kind in ("atomic", "tree", "warps")
    }
    return {
        "elements": N,
        "kinds": _seconds(
            {
                "atomics": lambda: kernels["atomic"]((N // 256,), (256,), (x, out, N)),
                "tree": lambda: kernels["tree"]((N // 256,), (256,), (x, out)),
                "shuffles": lambda: kernels["warps"]((N // 256,), (256,), (x, out)),
            }
        ),
    }


def columns() -> dict[str, Any]:
    """Seconds of the sums of a few long columns: a thread per column, and a block per column as lesson 04 writes it."""
    xp = device.xp
    block_each = RawKernel(solutions()["sum_columns"][0], "sum_columns")
    rows, columns = COLUMNS
    x, out = xp.ones(COLUMNS, xp.float32), xp.zeros(columns, xp.float32)
    first = ops.kernel("reductions", "sum_first")
    return {
        "rows": rows,
        "columns": columns,
        "kinds": _seconds(
            {
                "a thread a column": lambda: first(
                    (-(-columns // 64),), (64,), (x, out, rows, columns)
                ),
                "a block a column": lambda: block_each((columns,), (256,), (x, out, rows, columns)),
            }
        ),
    }


def softmax() -> dict[str, Any]:
    """Seconds of softmax over rows of 32 logits: a thread per row, and a warp per row."""
    xp, rows = device.xp, N // 32
    x, y = xp.ones((rows, 32), xp.float32), xp.zeros((rows, 32), xp.float32)
    naive, warp = ops.kernel("loss", "softmax_naive"), ops.kernel("reductions", "softmax_warp")
    return {
        "rows": rows,
        "classes": 32,
        "kinds": _seconds(
            {
                "row per thread": lambda: naive((rows // 256,), (256,), (x, y, rows, 32)),
                "row per warp": lambda: warp((rows // 8,), (256,), (x, y, rows, 32)),
            }
        ),
    }


def latencies() -> dict[str, Any]:
    """Cycles per step of a chain: of multiply-adds, through shared memory, and through global memory by its bytes."""
    xp, module = device.xp, RawModule(code=LATENCY)
    cycles, end = xp.zeros(1, xp.int64), xp.zeros(1, xp.int32)

    def per_step(name: str, *args: Any) -> float:
        end.fill(0)
        found = []
        for _ in range(3):
            module.get_function(name)((1,), (1,), args)
            found.append(int(cycles[0]) / STEPS)
        return round(float(np.median(found)), 1)

    rows = {
        "register": per_step("register_chain", STEPS, 0.5, cycles, xp.zeros(1, xp.float32)),
        "shared": per_step("shared_chain", STEPS, cycles, end),
    }
    chains = {
        size: per_step("chain", xp.asarray(chain(size)), STEPS, cycles, end) for size in CHAINS
    }
    return {
        "clock_hz": 1000 * xp.cuda.Device().attributes["ClockRate"],
        "kinds": rows,
        "chains": chains,
    }


def chain(size: int) -> np.ndarray:
    """int32 of that many bytes in which `at = next[at]` visits one number of every line, in random order, in a ring."""
    lines = size // LINE
    order = np.random.default_rng(1).permutation(lines)
    following = np.empty(lines, np.int32)
    following[order] = np.roll(order, -1)
    links = np.zeros((lines, LINE // 4), np.int32)
    links[:, 0] = following * (LINE // 4)
    return links.ravel()


def copies() -> dict[str, Any]:
    """Bytes per second of copies of 64 MiB between host and device, and within the device (read and written)."""
    import cupyx

    xp = device.xp
    there, plain, pinned = (
        xp.ones(N, xp.float32),
        np.ones(N, np.float32),
        cupyx.zeros_pinned(N, np.float32),
    )
    back = xp.empty_like(there)
    calls = {
        "to device": lambda: there.set(plain),
        "to device, pinned": lambda: there.set(pinned),
        "to host": lambda: there.get(out=plain),
        "to host, pinned": lambda: there.get(out=pinned),
    }
    rates = {kind: 4 * N / _clock(call) for kind, call in calls.items()}
    rates["within"] = 8 * N / measure(lambda: xp.copyto(back, there)).median
    return {kind: round(rate) for kind, rate in rates.items()}


def sizes() -> list[dict[str, Any]]:
    """Seconds of one addition by size: NumPy, our kernel launched from Python, and with the copies there and back."""
    xp, add = device.xp, ops.kernel("vector", "add")
    rows = []
    for n in SIZES:
        x, y, out = (np.ones(n, np.float32) for _ in range(3))
        there = [xp.asarray(array) for array in (x, y, out)]
        launch = lambda n=n, there=there: add((-(-n // 256),), (256,), (*there, n))  # noqa: E731

        def with_copies(x=x, y=y, out=out, there=there, launch=launch) -> None:
            there[0].set(x)
            there[1].set(y)
            launch()
            there[2].get(out=out)

        rows.append(
            {
                "n": n,
                "numpy": _clock(lambda x=x, y=y, out=out: np.add(x, y, out=out)),
                "kernel": measure(launch).median,
                "with_copies": _clock(with_copies),
            }
        )
        xp.get_default_memory_pool().free_all_blocks()
    return rows


def _seconds(calls: dict[Any, Callable[[], Any]]) -> dict[str, float]:
    timings = interleaved(calls, rounds=11)
    return {str(name): timing.median for name, timing in timings.items()}


def _clock(call: Callable[[], Any]) -> float:
    """Seconds of a call on the host's clock, until the GPU is done: the median of 15."""
    return float(np.median([stopwatch(call) for _ in range(18)][3:]))


def main(names: list[str]) -> None:
    need_gpu()
    parts = {
        part.__name__: part
        for part in (reads, additions, branches, sums, columns, softmax, latencies, copies, sizes)
    }
    results = (
        {name: part for name, part in recorded("patterns").items() if name in parts}
        if names
        else {}
    )
    for name in names or parts:
        results[name] = parts[name]()
        print(name, results[name])
        device.xp.get_default_memory_pool().free_all_blocks()
    store("patterns", results)


if __name__ == "__main__":
    main(sys.argv[1:])
