"""The input and output of printing a kernel: what it is printed for, its WGSL module, and how its arguments are passed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from ..language import tree
from ..language.types import Pointer

MOST_GROUPS = 65_535  # in one direction of a dispatch
ROW = 32_768  # blocks in a row of a dispatch whose blocks are numbered


@dataclass(frozen=True)
class Abilities:
    """Features that a device offers beyond WebGPU's minimum.

    lanes_are_warps: a subgroup is 32 consecutive threads.
    iterations: of a thread's loops that may not end, after which they count as endless.
    ends_loops: the device silently leaves every loop after that many iterations, as lavapipe does.
    """

    int64: bool = False
    float64: bool = False
    lanes_are_warps: bool = False
    iterations: int = 2**20
    ends_loops: bool = False


@dataclass(frozen=True)
class ArrayArgument:
    """An array. allocation: which one it lies in; moved: it does not begin where that begins."""

    allocation: int
    nbytes: int
    moved: bool = False


# A whole number is known; another number, and the null pointer, is None
Argument = ArrayArgument | int | None


@dataclass(frozen=True)
class ShaderLaunch:
    """The properties of a launch that its WGSL depends on. numbered: blocks are numbered, from one that the launch names on."""

    grid: tuple[int, int, int]
    block: tuple[int, int, int]
    arguments: tuple[Argument, ...]
    shared: int = 0
    numbered: bool = False
    abilities: Abilities = Abilities()


@dataclass(frozen=True)
class Uniform:
    """A word that is passed to a shader.

    what: "value" of a parameter, from byte `at` on; "offset" of its array in its allocation and "length" of it, in units of
    `at` bytes; "grid" along axis number `of`; the "first" block of a dispatch, and the one behind its "last"; "zero", a 0
    that no compiler knows.
    """

    what: str
    of: int = 0
    at: int = 0


@dataclass(frozen=True)
class Binding:
    """A buffer of the module: the allocation of this number, or a module variable. written: kernels may change it."""

    source: int | str
    written: bool


@dataclass(frozen=True)
class Shader:
    """Binding 0 has the uniforms, then come the bindings, and last the words that note a fault."""

    text: str
    uniforms: tuple[Uniform, ...]
    bindings: tuple[Binding, ...]
    workgroup_bytes: int
    subgroups: bool

    @property
    def binding_types(self) -> list[str]:
        """Return the types of its bindings, in order, as WebGPU names them."""
        types = ["storage" if binding.written else "read-only-storage" for binding in self.bindings]
        return ["uniform", *types, "storage"]


@dataclass
class KernelSource:
    """A kernel in its normal form. globals: module variables that it names."""

    function: tree.Function
    body: tree.Block
    globals: Mapping[tree.Variable, str] = field(default_factory=dict)


def small_launch(source: KernelSource, abilities: Abilities) -> ShaderLaunch:
    """Return a launch that no size keeps a kernel from: one warp, whole numbers are 1."""
    arguments = tuple(
        ArrayArgument(number, 1 << 20) if isinstance(parameter.type, Pointer) else 1
        for number, parameter in enumerate(source.function.parameters)
    )
    return ShaderLaunch((1, 1, 1), (32, 1, 1), arguments, 1024, abilities=abilities)


def words_of(value: np.generic | np.ndarray) -> list[int]:
    """Return a number or struct as 32-bit words; one of fewer bytes fills a word."""
    array = np.asarray(value)
    if array.dtype.kind in "iub" and array.dtype.itemsize < 4:
        return [int(array) & 0xFFFFFFFF]
    data = array.tobytes()
    return list(map(int, np.frombuffer(data + bytes(-len(data) % 4), np.uint32)))
