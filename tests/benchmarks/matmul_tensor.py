"""The ladder on tensor cores beside cuBLAS, bfloat16 and TF32, on the GPU; and how fast mma.sync can be at all.

    python -m tests.benchmarks.matmul_tensor

cuBLAS gets the same job, sums and result in float32 (for bfloat16 a result of 16 bits is timed, too). Checks each
product against float64, prints a table and stores it in results/matmul_tensor.json. About 20 seconds.

What limits mma.sync on a Hopper GPU: "registers" multiplies the same fragments again and again, without memory. cuBLAS
passes this limit, for it uses wgmma, which reads its factors from shared memory.

Tried on an H200 for TF32 at 4096, where 128 x 256 reaches 229 TFLOP/s, the instruction alone 319, and cuBLAS, which
rounds its factors, too, 412. Rounding by an addition to the bits: 230; by cvt.rna: 221; not at all: 247. Tiles twice as
deep, not rounded: 242, with GROUP 4 or 16 the same. Two blocks of 128 x 128 per multiprocessor: 207, not rounded 233.
"""

from __future__ import annotations

import functools
import itertools
import json
from pathlib import Path
from typing import Any

import numpy as np

from nnlib import device
from nnlib.cuda import RawKernel
from tests.benchmarks.tensor_ladder import rungs

from .matmul import compared
from .timing import interleaved, need_gpu, store

SIZES = (1024, 2048, 4096, 8192)
LESSON = Path(__file__).parents[2] / "notebooks" / "09_tensor_cores.ipynb"
_REGISTERS = r"""
extern "C" __global__ void __launch_bounds__(256, 2) registers(float* c, int times) {
    float sum[8][4] = {};
    unsigned a[4] = {threadIdx.x, 1, 2, 3}, b[2] = {threadIdx.x, 5};
    for (int n = 0; n < times; n++)
#pragma unroll
        for (int i = 0; i < 8; i++)
            asm volatile("mma.sync.aligned.%s {%%0, %%1, %%2, %%3}, {%%4, %%5, %%6, %%7}, {%%8, %%9}, "
                "{%%0, %%1, %%2, %%3};"
                : "+f"(sum[i][0]), "+f"(sum[i][1]), "+f"(sum[i][2]), "+f"(sum[i][3])
                : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
    for (int i = 0; i < 8; i++) c[threadIdx.x] += sum[i][0];
}
"""
_INSTRUCTIONS = {
    "bf16": ("m16n8k16.row.col.f32.bf16.bf16.f32", 16),
    "tf32": ("m16n8k8.row.col.f32.tf32.tf32.f32", 8),
}
_R_16BF, _R_32F, _COMPUTE_32F, _COMPUTE_TF32 = 14, 0, 68, 77  # of cuBLAS


def compare(kind: str, size: int) -> list[dict[str, Any]]:
    """Return a row for each rung and one for cuBLAS."""
    xp = device.xp
    random = xp.random.default_rng(size)
    a, b = (_given(random.standard_normal((size, size), dtype=xp.float32), kind) for _ in range(2))
    calls: dict[str, Any] = {rung.name: functools.partial(rung, a, b) for rung in rungs(kind)}
    calls["cuBLAS"] = lambda out: _cublas(a, b, out, kind)
    short = xp.empty((size, size), xp.uint16)
    others = {"cuBLAS, 16-bit result": lambda out: _cublas(a, b, short, kind)}
    # A sum that is cut off again and again drifts with its length.
    return compared(calls, _exact(a) @ _exact(b), 1e-4, others if kind == "bf16" else {}, kind=kind)


def _given(x: Any, kind: str) -> Any:
    """Numbers that the unit takes without rounding, as memory holds them."""
    bits = x.view("uint32")
    return (
        (bits >> 16).astype("uint16")
        if kind == "bf16"
        else (bits & 0xFFFFE000).astype("uint32").view("float32")
    )


def _exact(x: Any) -> Any:
    return (x if x.dtype == np.float32 else (x.astype("uint32") << 16).view("float32")).astype(
        "float64"
    )


def _cublas(a: Any, b: Any, c: Any, kind: str) -> None:
    """c = a b row by row, which is cᵀ = bᵀ aᵀ column by column."""
    from cupy.cuda import cublas

    (m, k), n = a.shape, b.shape[1]
    one, zero = np.ones(1, np.float32), np.zeros(1, np.float32)
    of_factors, compute = (_R_16BF, _COMPUTE_32F) if kind == "bf16" else (_R_32F, _COMPUTE_TF32)
    cublas.gemmEx(
        device.xp.cuda.device.get_cublas_handle(),
        0,
        0,
        n,
        m,
        k,
        one.ctypes.data,
        b.data.ptr,
        of_factors,
        n,
        a.data.ptr,
        of_factors,
        k,
        zero.ctypes.data,
        c.data.ptr,
        _R_32F if c.dtype == np.float32 else _R_16BF,
        n,
        compute,
        -1,
    )


def lesson(size: int = 4096) -> dict[str, float]:
    """Seconds of the solutions of lesson 09's workshop, factors of size x size in half: a tile per warp, four tiles."""
    xp = device.xp
    cells = ["".join(cell["source"]) for cell in json.loads(LESSON.read_text())["cells"]]
    x, w, y = (xp.ones((size, size), kind) for kind in ("float16", "float16", "float32"))

    def call(name: str, tile: int) -> Any:
        code = next(cell for cell in cells if cell.startswith("%%cuda") and f"{name}(" in cell)
        kernel, grid = RawKernel(code.partition("\n")[2], name), (size // tile, size // tile)
        return lambda: kernel(grid, (32,), (x, w, y, size, size, size))

    calls = {
        "a tile per warp": call("linear_forward_tc_solved", 16),
        "four tiles per warp": call("linear_four_tc_solved", 32),
    }
    return {name: timing.median for name, timing in interleaved(calls).items()}


def limit(kind: str) -> float:
    """TFLOP/s of mma.sync alone."""
    instruction, depth = _INSTRUCTIONS[kind]
    kernel, c, times = (
        RawKernel(_REGISTERS % instruction, "registers"),
        device.xp.zeros(256, "float32"),
        20_000,
    )
    blocks = 2 * device.xp.cuda.Device().attributes["MultiProcessorCount"]
    timing = interleaved({"registers": lambda: kernel((blocks,), (256,), (c, times))}, rounds=5)[
        "registers"
    ]
    return round(1e-12 * blocks * 8 * times * 8 * 2 * 16 * 8 * depth / timing.median, 1)


if __name__ == "__main__":
    need_gpu()
    pairs = itertools.product(_INSTRUCTIONS, SIZES)
    rows = [row for kind, size in pairs for row in compare(kind, size)]
    limits = {kind: limit(kind) for kind in _INSTRUCTIONS}
    store("matmul_tensor", {"rows": rows, "limits": limits, "lesson": lesson()})
