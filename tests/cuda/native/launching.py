"""Runs one launch natively, with so many lanes, and compares arrays by their bits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from nnlib.cuda import RawKernel
from nnlib.cuda.native import policy
from nnlib.cuda.native.execution import Arguments, execute


def natively(kernel: RawKernel, grid: Any, block: Any, args: Sequence[Any], shared: int = 0, lanes: int | None = None,
             tracked: bool = False) -> bool:
    """Whether the launch came to its end. Raises Refusal."""
    grid, block, values, shared = kernel._prepare(grid, block, args, shared)
    compiled = kernel._simulated
    name = kernel._compilation.kernel(kernel.name).name
    known = policy.kernel(compiled.program, name)
    if known.refused:
        raise policy.Refusal(known.refused)
    launch = policy._launch(known, grid, block, values, shared)
    assert launch is not None
    module = policy.compile(known, replace(launch, tracked=tracked), lanes)
    variables = [compiled.variable(variable.name) for variable in known.globals]
    given = Arguments(known.function, values, variables, compiled.written(name))
    return execute(policy.engine(), module.run, given, int(np.prod(grid)), 3, module.lowered.scratch)


def same_bits(a: np.ndarray, b: np.ndarray) -> bool:
    """NaN is NaN, whatever its sign."""
    if a.dtype.kind != "f":
        return a.tobytes() == b.tobytes()
    whole = f"i{a.dtype.itemsize}"
    return bool(np.all((a.view(whole) == b.view(whole)) | (np.isnan(a) & np.isnan(b))))
