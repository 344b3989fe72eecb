"""Launches on tensor cores whose counters and bits an H100 recorded: the cases, and the ladder."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from nnlib.cuda import RawKernel, RawModule
from tests.benchmarks.tensor_ladder import TensorRung, rungs

from .tensor_cases import NAMED

# M, N, K; the others: one tile, three steps
SIZES = {"wmma": (32, 48, 64), "wmma, shared": (64, 128, 48)}


@dataclass(frozen=True)
class TensorLaunch:
    """A launch that leaves its result in arguments[2]."""

    kernel: RawKernel
    grid: Any
    threads: int
    arguments: tuple[Any, ...]
    shared: int = 0

    def result(self) -> np.ndarray:
        """Return what this machine computes: the GPU where there is one."""
        self.kernel(self.grid, self.threads, self.arguments, self.shared)
        return self.arguments[2]

    def profile(self) -> Any:
        """Return what the simulator counts."""
        return self.kernel.profile(self.grid, self.threads, self.arguments, self.shared)


def operands(kind: str, m: int, n: int, k: int) -> tuple[np.ndarray, np.ndarray]:
    """A (m, k) and B (k, n) as memory holds them."""
    rng = np.random.default_rng([m, n, k])
    values = [rng.standard_normal(shape, dtype=np.float32) for shape in ((m, k), (k, n))]
    if kind == "half":
        values = [x.astype(np.float16) for x in values]
    elif kind == "bf16":
        values = [(x.view(np.uint32) >> 16).astype(np.uint16) for x in values]
    return values[0], values[1]


def of_ladder(rung: TensorRung) -> TensorLaunch:
    m, n, k = SIZES.get(rung.name, (*rung.tile, 3 * rung.depth))
    out = np.zeros((m, n), np.float32)
    _, grid, arguments = rung.launch(*operands(rung.kind, m, n, k), out)
    return TensorLaunch(rung.function, grid, rung.threads, arguments, rung.shared)


LAUNCHES = {
    name: TensorLaunch(
        RawModule(code=case.text).get_function("k"), 1, case.threads, case.arguments()
    )
    for name, case in NAMED.items()
}
LAUNCHES |= {
    f"{kind} {rung.name}": of_ladder(rung)
    for kind in ("half", "bf16", "tf32")
    for rung in rungs(kind)
}
