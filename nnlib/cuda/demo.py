"""A kernel that is wrong on purpose, and the report that names its mistake."""

from __future__ import annotations

import numpy as np

from . import KernelError, RawKernel, UnsupportedError, measure, webgpu_device

WRONG = """\
extern "C" __global__ void add(const float* x, const float* y, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = x[i] + y[i];
}"""
MENDED = WRONG.replace("    out[i]", "    if (i < n) out[i]")
GRID, BLOCK, N = 4, 32, 100
MANY = 2**22  # floats, for a time


def attempt(source: str) -> tuple[bool, str]:
    """Launch a kernel `add` like WRONG with GRID blocks of BLOCK threads on N floats, in the simulator with all checks.

    Returns whether it is right, and what to tell its author: the simulator's report, or what came out.
    """
    x, out = np.ones(N, np.float32), np.full(N, np.nan, np.float32)
    try:
        profile = RawKernel(source, "add").profile(GRID, BLOCK, (x, x, out, N))
    except KernelError as error:
        return False, f"{type(error).__name__}: {error}"
    wrong = np.flatnonzero(out != 2)
    if wrong.size:
        return (
            False,
            f"No access was wrong, but out[{wrong[0]}] is {out[wrong[0]]:g} and should be 1 + 1 = 2.",
        )
    return True, (
        f"Right: {N} sums, and no access out of bounds.\nThe threads asked for {profile.bytes_requested:,} "
        f"bytes; {profile.bytes_moved:,} moved, because memory moves in sectors of 32 bytes."
        + _timed(source)
    )


def _timed(source: str) -> str:
    """Return a line with the time of many sums on the GPU that WebGPU reaches; "" without one."""
    if webgpu_device() is None:
        return ""
    x = np.ones(MANY, np.float32)
    try:
        timing = measure(
            RawKernel(source, "add"), MANY // 256, 256, (x, x, np.empty_like(x), MANY), repeats=3
        )
    except (KernelError, UnsupportedError):
        return ""
    return f"\n{MANY:,} sums take {timing}."


def report() -> str:
    """Return the wrong kernel and its report, then the kernel with a guard and what it computes."""
    launch = f"on {N} numbers, in {GRID} blocks of {BLOCK} threads"
    return "\n".join(
        f"{title}\n\n{source}\n\n{attempt(source)[1]}\n"
        for title, source in ((f"This kernel runs {launch}:", WRONG), ("With a guard:", MENDED))
    )
