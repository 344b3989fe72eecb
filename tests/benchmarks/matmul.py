"""Every rung of the matmul ladder beside cuBLAS, float32 without TF32, on the GPU.

    python -m tests.benchmarks.matmul [size …]

Checks each product against float64, prints a table and stores it in results/matmul.json. About a minute.

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

import sys
from typing import Any

from nnlib import device
from nnlib.course.ladder import RUNGS
from nnlib.course.timing import Timing

from .timing import interleaved, store

SIZES = (512, 1024, 1536, 2048, 4096, 8192)
SLOW = 20e12  # FLOP/s: what is below needs fewer rounds


def compare(size: int) -> list[dict[str, Any]]:
    """One row per rung and one for cuBLAS: seconds, TFLOP/s, share of cuBLAS, relative error."""
    xp = device.xp
    random = xp.random.default_rng(size)
    a, b = (random.standard_normal((size, size), dtype=xp.float32) for _ in range(2))
    reference = a.astype(xp.float64) @ b.astype(xp.float64)
    outs = {
        name: xp.full((size, size), xp.nan, xp.float32)
        for name in [rung.name for rung in RUNGS] + ["cuBLAS"]
    }
    calls = {rung.name: lambda rung=rung: rung(a, b, outs[rung.name]) for rung in RUNGS}
    calls["cuBLAS"] = lambda: xp.matmul(a, b, out=outs["cuBLAS"])
    first = interleaved(calls, rounds=3, warmup=1)
    fast = {
        name: calls[name]
        for name, timing in first.items()
        if 2 * size**3 / timing.median > SLOW or size < 2048
    }
    timings = first | interleaved(fast, rounds=21)
    return [
        _row(name, size, timings[name], timings["cuBLAS"], _error(outs[name], reference))
        for name in calls
    ]


def _error(out: Any, reference: Any) -> float:
    norm = device.xp.linalg.norm
    return float(norm(out - reference) / norm(reference))


def _row(name: str, size: int, timing: Timing, yardstick: Timing, error: float) -> dict[str, Any]:
    if not error < 1e-5:
        raise SystemExit(f"{name}, {size}: relative error {error:.1e}; float32 gives below 1e-6")
    return {
        "rung": name,
        "size": size,
        "seconds": timing.median,
        "spread": timing.spread,
        "rounds": timing.repeats,
        "tflops": round(2e-12 * size**3 / timing.median, 2),
        "share": round(yardstick.median / timing.median, 3),
        "error": float(f"{error:.1e}"),
    }


def main(sizes: list[int]) -> None:
    if not device.has_gpu():
        raise SystemExit(f"this benchmark needs an NVIDIA GPU: {device.find().reason}")
    rows = [row for size in sizes for row in compare(size)]
    table(rows, sizes)
    registers = {rung.name: int(rung.function.attributes["num_regs"]) for rung in RUNGS}
    store("matmul", {"rows": rows, "registers": registers})


def table(rows: list[dict[str, Any]], sizes: list[int]) -> None:
    print(f"{'TFLOP/s (share of cuBLAS)':28s}" + "".join(f"{size:>17d}" for size in sizes))
    for name in dict.fromkeys(row["rung"] for row in rows):
        mine = [row for row in rows if row["rung"] == name]
        print(
            f"{name:28s}" + "".join(f"{row['tflops']:8.2f} ({row['share']:6.1%})" for row in mine)
        )


if __name__ == "__main__":
    main([int(size) for size in sys.argv[1:]] or list(SIZES))
