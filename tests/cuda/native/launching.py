"""Runs one launch natively, on a target of choice with so many lanes, and compares arrays by their bits."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from nnlib.cuda import RawKernel
from nnlib.cuda._engine.native import policy
from nnlib.cuda._engine.native.execution import Arguments, Slices, execute
from nnlib.cuda._engine.native.llvm import runtime as llvm
from nnlib.cuda._engine.native.wasm import runtime as wasm

# Target and lanes; 0: as many as it has for the kernel.
WAYS = (("wasm", 1), ("wasm", 0), ("llvm", 1), ("llvm", 0))


@functools.cache
def target(name: str) -> Any:
    """The runtime of that name; skips the test where it is not installed."""
    found = {"wasm": wasm, "llvm": llvm}[name].find()
    return found or pytest.skip(f"{name} is not installed")


def natively(
    kernel: RawKernel,
    grid: Any,
    block: Any,
    args: Sequence[Any],
    shared: int = 0,
    way: tuple[str, int] = ("wasm", 0),
    tracked: bool = False,
) -> str:
    """ "" where the launch came to its end, else what it met. Raises Refusal."""
    grid, block, values, shared = kernel._prepare(grid, block, args, shared)
    compiled = kernel._simulated
    name = kernel._compilation.kernel(kernel.name).name
    known = policy.kernel(compiled.program, name)
    if known.refused:
        raise policy.Refusal(known.refused)
    launch = policy._launch(known, grid, block, values, shared)
    assert launch is not None
    runtime = target(way[0])
    module = policy.compile_kernel(known, replace(launch, tracked=tracked), runtime, way[1] or None)
    variables = [compiled.variable(variable.name) for variable in known.globals]
    given = Arguments(known.function, values, variables, compiled.written(name))
    faults: list[int] = []

    def run(*numbers: int) -> int:
        faults.append(module.run(*numbers))
        return faults[-1]

    if execute(
        runtime, run, given, Slices(int(np.prod(grid)), 3, module.lowered.scratch, known.parallel)
    ):
        return ""
    return module.lowered.sites[faults[-1] - 1].what


def same_bits(a: np.ndarray, b: np.ndarray) -> bool:
    """NaN is NaN, whatever its sign."""
    if a.dtype.kind != "f":
        return a.tobytes() == b.tobytes()
    whole = f"i{a.dtype.itemsize}"
    return bool(np.all((a.view(whole) == b.view(whole)) | (np.isnan(a) & np.isnan(b))))
