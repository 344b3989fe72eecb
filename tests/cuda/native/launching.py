"""Runs one launch natively, on a target of choice with so many lanes, and compares arrays by their bits."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Container, Iterable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import pytest

from nnlib.cuda import RawKernel, force_simulator, native_code
from nnlib.cuda._engine.language.refusal import Refusal
from nnlib.cuda._engine.native import policy
from nnlib.cuda._engine.native.execution import Arguments, Slices, execute
from nnlib.cuda._engine.native.llvm import runtime as llvm
from nnlib.cuda._engine.native.wasm import runtime as wasm

# Target and lanes; 0: as many as it has for the kernel.
WAYS = (("wasm", 1), ("wasm", 0), ("llvm", 1), ("llvm", 0))

every_way = pytest.mark.parametrize("way", WAYS, ids=str)


def three_ways(names: Iterable[str], whole: Container[str]) -> pytest.MarkDecorator:
    """Run each name every way; of whole kernels, only one of the engines has the way with one lane."""
    ways = itertools.cycle((WAYS[1:], WAYS[:2] + WAYS[3:]))
    return pytest.mark.parametrize(
        "name, way",
        [(name, way) for name in names for way in (next(ways) if name in whole else WAYS)],
        ids=str,
    )


@functools.cache
def target(name: str) -> Any:
    """The runtime of that name; skips the test where it is not installed."""
    found = {"wasm": wasm, "llvm": llvm}[name].find()
    return found or pytest.skip(f"{name} is not installed")


def known(kernel: RawKernel) -> tuple[str, Any]:
    """The full name of a kernel, and what native code knows of it."""
    compilation = kernel._compilation
    name = compilation.kernel(kernel.name).name
    return name, policy.kernel(compilation.program, name)


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
    compiled, (name, native) = kernel._simulated, known(kernel)
    if native.refused:
        raise Refusal(native.refused)
    launch = policy._launch(native, grid, block, values, shared)
    assert launch is not None
    runtime = target(way[0])
    module = policy.compile_kernel(
        native, replace(launch, tracked=tracked), runtime, way[1] or None
    )
    variables = [compiled.variable(variable.name) for variable in native.globals]
    given = Arguments(native.function, values, variables, compiled.written(name))
    faults: list[int] = []

    def run(*numbers: int) -> int:
        faults.append(module.run(*numbers))
        return faults[-1]

    if execute(
        runtime, run, given, Slices(int(np.prod(grid)), 3, module.lowered.scratch, native.parallel)
    ):
        return ""
    return module.lowered.sites[faults[-1] - 1]


def same_bits(a: Any, b: Any) -> bool:
    """NaN is NaN, whatever its sign; what is no array is not changed."""
    if not isinstance(a, np.ndarray) or a.dtype.kind != "f":
        return not isinstance(a, np.ndarray) or a.tobytes() == b.tobytes()
    whole = f"i{a.dtype.itemsize}"
    return bool(np.all((a.view(whole) == b.view(whole)) | (np.isnan(a) & np.isnan(b))))


class Launch(NamedTuple):
    """A launch that can be repeated: its kernel and its arguments are made anew."""

    kernel: Callable[[], RawKernel]
    grid: Any
    block: Any
    arguments: Callable[[], list[Any]]
    shared: int = 0

    def natively(self, way: tuple[str, int] = ("wasm", 1)) -> str:
        """As `natively`."""
        with force_simulator():
            return natively(
                self.kernel(), self.grid, self.block, self.arguments(), self.shared, way
            )

    def compare(self, way: tuple[str, int] | None) -> None:
        """Assert that it has the simulator's bits. way: None for the code that serves every size."""
        native, simulated = self.arguments(), self.arguments()
        kernel = self.kernel()
        with force_simulator(), native_code(False):
            kernel(self.grid, self.block, simulated, self.shared, checks=False)
            try:
                if way is not None:
                    assert natively(kernel, self.grid, self.block, native, self.shared, way) == ""
            except Refusal as refusal:
                if way != ("wasm", 0) or str(refusal) != "lanes of 64 bits":
                    raise
                pytest.skip("WebAssembly has no such lanes")
        if way is None:
            with force_simulator(), native_code("required"):
                kernel(self.grid, self.block, native, self.shared, checks=False)
        assert all(map(same_bits, native, simulated))
