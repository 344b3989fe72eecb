"""Every rung of the matmul ladder beside cuBLAS, float32 without TF32, on the GPU.

    python -m tests.benchmarks.matmul

Checks each product against float64, prints a table and stores it in results/matmul.json. About two minutes.

What limits the last rungs on an H200 (4096 x 4096 x 4096):
- Floor: 132 multiprocessors x 128 multiply-adds per cycle at 1.98 GHz, 66.9 TFLOP/s. 512 tiles of 128 x 256 on 132
  multiprocessors take four rounds, the last of them not full: 97 % of that.
- Issue: a warp scheduler starts one instruction per cycle; 1141 instructions per tile and warp hold 1024 multiply-adds,
  another 30 wait for a register bank: 87 %.
- The rest, about a tenth, is waiting at the one barrier per tile and for operands, with two warps per scheduler to
  hide it. cuBLAS, with the same tiles, loses the same.
- Which registers the compiler assigns decides between 86 and 99 % of cuBLAS: equivalent sources differ by that much.
At 512 and 1024 there are 8 and 32 tiles of 128 x 256 for 132 multiprocessors. With K split, 128 blocks share them. At
1536 there are 72, which leave half of the multiprocessors idle: 360 blocks take three rounds of a fifth of K each.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from nnlib import device
from nnlib.course.ladder import RUNGS

from .timing import interleaved, need_gpu, store

SIZES = (512, 1024, 1536, 2048, 4096, 8192)


def compared(
    calls: dict[str, Callable[[Any], Any]],
    exact: Any,
    tolerance: float,
    unchecked: dict[str, Callable[[Any], Any]] | None = None,
    **told: Any,
) -> list[dict[str, Any]]:
    """Check and time each call, which writes the product of two square matrices into its argument.

    exact: the product in float64. tolerance: of the relative error. unchecked: calls that write elsewhere. Returns a row
    for each, beside the one of "cuBLAS".
    """
    out, norm, errors = device.xp.empty(exact.shape, "float32"), device.xp.linalg.norm, {}
    for name, call in calls.items():
        out.fill(device.xp.nan)
        call(out)
        errors[name] = float(norm(out - exact) / norm(exact))
        if not errors[name] < tolerance:
            raise SystemExit(f"{name}, {told}: relative error {errors[name]:.1e}")
    timed = calls | (unchecked or {})
    timings = interleaved({name: functools.partial(timed[name], out) for name in timed}, rounds=9)
    return [
        {
            "rung": name,
            **told,
            "size": len(exact),
            "seconds": timing.median,
            "spread": timing.spread,
            "tflops": round(2e-12 * len(exact) ** 3 / timing.median, 2),
            "share": round(timings["cuBLAS"].median / timing.median, 3),
            "error": float(f"{errors[name]:.1e}") if name in errors else None,
        }
        for name, timing in timings.items()
    ]


def compare(size: int) -> list[dict[str, Any]]:
    """Return a row for each rung and one for cuBLAS."""
    xp = device.xp
    random = xp.random.default_rng(size)
    a, b = (random.standard_normal((size, size), dtype=xp.float32) for _ in range(2))
    calls = {rung.name: functools.partial(rung, a, b) for rung in RUNGS}
    calls["cuBLAS"] = lambda out: xp.matmul(a, b, out=out)
    return compared(calls, a.astype(xp.float64) @ b.astype(xp.float64), 1e-5)


if __name__ == "__main__":
    need_gpu()
    store("matmul", {"rows": [row for size in SIZES for row in compare(size)]})
