"""Textbook kernels with launch configurations and seeded inputs.

Each topic is a .cu file and a .py file beside it. A case is a function of a random generator that returns the
arguments. What an H200 made of them stands in tests/cuda/golden, and test_corpus.py holds the simulator against it.
Outputs start as NaN or -1, so that an element nobody writes is noticed.
"""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from nnlib.cuda import RawKernel, RawModule, force_simulator

FOLDER = Path(__file__).parent
# Topics whose results and counters of a GPU are not in tests/cuda/golden yet. A case that is written without a GPU goes
# into a topic of its own, which is named here until somebody runs tests/cuda/golden/record.py on one.
UNRECORDED: tuple[str, ...] = ()
OPTIONS = ("--fmad=false",)  # a*b+c in two roundings, as NumPy computes it


@dataclass(frozen=True)
class Case:
    """kernel: its name, or a name expression. cooperative: launched with enable_cooperative_groups.
    rtol: of other engines against the simulator. ulps: between GPU and simulator; 0 is bit for bit."""

    name: str
    file: str
    kernel: str
    grid: Any
    block: Any
    build: Callable[[np.random.Generator], list[Any]]
    shared_mem: int = 0
    options: tuple[str, ...] = OPTIONS
    rtol: float = 1e-5
    ulps: int = 0
    cooperative: bool = False

    @property
    def text(self) -> str:
        return (FOLDER / self.file).read_text()

    @property
    def recorded(self) -> bool:
        """Is it known what a GPU made of it?"""
        return self.file.removesuffix(".cu") not in UNRECORDED

    def compiled(self) -> RawKernel:
        """The kernel, for where kernels run now."""
        names = (self.kernel,) if "<" in self.kernel else None
        return RawModule(
            self.text,
            options=self.options,
            name_expressions=names,
            enable_cooperative_groups=self.cooperative,
        ).get_function(self.kernel)

    def arguments(self) -> list[Any]:
        """Fresh arguments, the same at every call."""
        return self.build(np.random.default_rng(sum(self.name.encode())))

    @functools.cached_property
    def wanted(self) -> dict[int, np.ndarray]:
        """Return the simulator's results: argument number -> array."""
        arguments = self.arguments()
        with force_simulator():
            self.compiled()(self.grid, self.block, arguments, shared_mem=self.shared_mem)
        return {at: made for at, made in enumerate(arguments) if isinstance(made, np.ndarray)}

    def differing(self, arguments: list[Any]) -> list[int]:
        """Return the numbers of the arguments that differ from the simulator's results."""

        def agree(got: np.ndarray, wanted: np.ndarray) -> bool:
            got = got.reshape(wanted.shape)
            if wanted.dtype.kind != "f":
                return np.array_equal(got, wanted)
            return np.allclose(got, wanted, rtol=self.rtol, atol=1e-6, equal_nan=True)

        return [at for at, wanted in self.wanted.items() if not agree(arguments[at], wanted)]


CASES: dict[str, Case] = {}


def case(
    kernel: str,
    grid: Any,
    block: Any,
    build: Callable[[np.random.Generator], list[Any]],
    *,
    name: str = "",
    options: tuple[str, ...] = (),
    **more: Any,
) -> None:
    """Note a case, whose file is the .cu beside its module. more: other fields of it."""
    file, chosen = build.__module__.rpartition(".")[2] + ".cu", name or kernel
    assert chosen not in CASES, chosen
    CASES[chosen] = Case(
        chosen, file, kernel, grid, block, build, options=OPTIONS + options, **more
    )


def floats(rng: np.random.Generator, *shape: int) -> np.ndarray:
    """Return random float32 numbers, normally distributed."""
    return rng.standard_normal(shape).astype(np.float32)


def ints(
    rng: np.random.Generator, low: int, high: int, *shape: int, dtype: type = np.int32
) -> np.ndarray:
    """Return random integers from low up to, but not including, high."""
    return rng.integers(low, high, shape).astype(dtype)


def blank(*shape: int, dtype: type = np.float32) -> np.ndarray:
    """Return an array for an output, filled with NaN, or with -1 (all bits set) for integers."""
    kind = np.dtype(dtype)
    return np.full(shape, np.nan if kind.kind == "f" else np.array(-1).astype(kind), dtype)


for _topic in sorted(FOLDER.glob("*.cu")):
    importlib.import_module(f"{__name__}.{_topic.stem}")
