"""How fast the simulator is, beside Numba's CUDA simulator (NUMBA_ENABLE_CUDASIM=1), on the same kernels in one run.

    python -m tests.benchmarks.simulator [--numba PYTHON]

PYTHON: an interpreter that has numba, e.g. of a throw-away environment; without it Numba's column stays empty.
Stores results/simulator.json. About two minutes with Numba, a quarter of one without.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from nnlib.cuda import RawModule, force_simulator

from .timing import store

MATMUL = Path(__file__).parents[1] / "cuda" / "corpus" / "matmul.cu"
CONVOLUTION = r"""
extern "C" __global__ void conv3x3(const float* x, const float* w, float* y, int H, int W, int F)
{
    int OW = W - 2, OH = H - 2;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int n = blockIdx.y;
    if (i >= F * OH * OW) return;
    int ox = i % OW, oy = i / OW % OH, f = i / (OW * OH);
    float sum = 0.0f;
    for (int ky = 0; ky < 3; ky++)
        for (int kx = 0; kx < 3; kx++)
            sum += x[(n * H + oy + ky) * W + ox + kx] * w[(f * 3 + ky) * 3 + kx];
    y[((n * F + f) * OH + oy) * OW + ox] = sum;
}
"""
NUMBA = r"""
import json, sys, time
import numba, numpy as np
from numba import cuda, float32

@cuda.jit
def matmul(A, B, C, n):
    a = cuda.shared.array((16, 16), float32)
    b = cuda.shared.array((16, 16), float32)
    x, y = cuda.threadIdx.x, cuda.threadIdx.y
    row, col = cuda.blockIdx.y * 16 + y, cuda.blockIdx.x * 16 + x
    total = float32(0)
    for tile in range(n // 16):
        a[y, x] = A[row, tile * 16 + x]
        b[y, x] = B[tile * 16 + y, col]
        cuda.syncthreads()
        for k in range(16):
            total += a[y, k] * b[k, x]
        cuda.syncthreads()
    C[row, col] = total

@cuda.jit
def conv3x3(x, w, y, H, W, F):
    i, n = cuda.grid(1), cuda.blockIdx.y
    OW, OH = W - 2, H - 2
    if i >= F * OH * OW:
        return
    ox, oy, f = i % OW, i // OW % OH, i // (OW * OH)
    total = float32(0)
    for ky in range(3):
        for kx in range(3):
            total += x[n, oy + ky, ox + kx] * w[f, ky, kx]
    y[n, f, oy, ox] = total

def timed(kernel, *args):
    start = time.perf_counter()
    kernel(*args)
    return time.perf_counter() - start

rng = np.random.default_rng(0)
n = int(sys.argv[1])
A, B, C = (rng.standard_normal((n, n)).astype(np.float32) for _ in range(3))
seconds = timed(matmul[(n // 16, n // 16), (16, 16)], A, B, C, n)
assert np.allclose(C, A @ B, atol=1e-3)
x, w = rng.standard_normal((1, 28, 28)).astype(np.float32), rng.standard_normal((16, 3, 3)).astype(np.float32)
y = np.empty((1, 16, 26, 26), np.float32)
one_image = timed(conv3x3[(85, 1), 128], x, w, y, 28, 28, 16)
print(json.dumps({"numba": numba.__version__, "matmul": seconds, "conv_one_image": one_image}))
"""


def best(run: Callable[[], object], repeats: int = 12) -> float:
    """Seconds of the fastest run, after one to compile."""
    run()
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        run()
        times.append(time.perf_counter() - start)
    return min(times)


def three_ways(kernel: Callable, grid: object, block: object, args: list) -> dict[str, float]:
    """Seconds without checks, with all of them, and with checks and counters."""
    with force_simulator():
        return {
            "unchecked": best(lambda: kernel(grid, block, args, checks=False)),
            "checked": best(lambda: kernel(grid, block, args)),
            "counted": best(lambda: kernel.profile(grid, block, args)),
        }


def matmul(n: int) -> dict[str, float]:
    rng = np.random.default_rng(0)
    a, b = (rng.standard_normal((n, n)).astype(np.float32) for _ in range(2))
    c = np.empty((n, n), np.float32)
    kernel = RawModule(path=MATMUL).get_function("matmul_tiled_unrolled")
    seconds = three_ways(kernel, (n // 16, n // 16), (16, 16), [a, b, c, n])
    np.testing.assert_allclose(c, a @ b, atol=1e-3)
    return seconds


def convolution(images: int) -> dict[str, float]:
    rng = np.random.default_rng(0)
    x, w = (
        rng.standard_normal((images, 28, 28)).astype(np.float32),
        rng.standard_normal((16, 3, 3)).astype(np.float32),
    )
    y = np.empty((images, 16, 26, 26), np.float32)
    kernel = RawModule(CONVOLUTION).get_function("conv3x3")
    seconds = three_ways(kernel, (85, images), 128, [x, w, y, 28, 28, 16])
    windows = np.lib.stride_tricks.sliding_window_view(x, (3, 3), (1, 2))
    np.testing.assert_allclose(y, np.einsum("nyxij,fij->nfyx", windows, w), atol=1e-4)
    return seconds


def numba_simulator(python: str | None) -> dict[str, float | str]:
    """Return what Numba's simulator takes; the convolution for one image, because 64 take minutes. Empty without numba."""
    if python is None:
        return {}
    run = subprocess.run(
        [python, "-c", NUMBA, "128"],
        env=os.environ | {"NUMBA_ENABLE_CUDASIM": "1"},
        capture_output=True,
        text=True,
    )
    if run.returncode:
        print("numba's column stays empty:", run.stderr.strip().splitlines()[-1])
        return {}
    return json.loads(run.stdout)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--numba", metavar="PYTHON", help="an interpreter that has numba")
    numba = numba_simulator(parser.parse_args().numba or _python_with_numba())
    tiled, conv = matmul(128), convolution(64)
    peers = {
        "tiled matmul 128": (tiled, numba.get("matmul")),
        "conv 3x3 1->16, 64 images": (conv, 64 * numba["conv_one_image"] if numba else None),
    }
    rows = {}
    for name, (ours, theirs) in peers.items():
        faster = {way: theirs / seconds for way, seconds in ours.items()} if theirs else {}
        rows[name] = {"numba": theirs, **ours, "times_faster": faster}
    store("simulator", {"numba": numba.get("numba"), "seconds": rows})


def _python_with_numba() -> str | None:
    found = subprocess.run([sys.executable, "-c", "import numba"], capture_output=True)
    return sys.executable if found.returncode == 0 else None


if __name__ == "__main__":
    main()
