"""The GPU of a program: the simulator, or a real one through CuPy. Both hold memory, copy, and run kernels."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from nnlib.cuda.errors import KernelError
from nnlib.cuda.host.card import PROPERTIES
from nnlib.cuda.host.runtime.reads import Reads
from nnlib.cuda.language import tree
from nnlib.cuda.language.layout import dtype_of, flat_element
from nnlib.cuda.language.types import Vector
from nnlib.cuda.simulator import Compiled, LaunchOptions, Profile, compile_program, launch
from nnlib.cuda.simulator.running.binding import Placed, World

if TYPE_CHECKING:
    from nnlib.cuda.host.runtime.memory import Allocation
    from nnlib.cuda.host.runtime.process import Process

COPY_IT = "copy it to memory of cudaMalloc first, and pass that; or use cudaMallocManaged"
Sizes = tuple[int, int, int]
Place = tuple["Allocation", int]  # an allocation, and an offset in bytes


class Device:
    """The simulator. program: the checked one, of which it takes the side of the GPU. profiles: of each launch, if
    asked for: kernel and what it counted."""

    is_gpu = False

    def __init__(self, program: tree.Program, profiling: bool) -> None:
        kernels = {name: f for name, f in program.functions.items() if f.kind in ("kernel", "device", "both")}
        variables = {name: entry for name, entry in program.globals.items() if entry[0].space in ("global", "constant")}
        self.program = tree.Program(program.text, program.file, kernels, variables, program.warnings, program.names)
        self.profiling, self.profiles = profiling, list[tuple[str, Profile]]()
        self._compiled: Compiled | None = None
        self.garbage: KernelError | None = None  # the last launch has read what nobody had written

    def connect(self, process: Process) -> None:
        self.process = process

    @property
    def compiled(self) -> Compiled:
        if self._compiled is None:
            self._compiled = compile_program(self.program)
        return self._compiled

    def allocate(self, side: str, size: int) -> Any:
        """The bytes of new memory."""
        return np.zeros(size, np.uint8)

    def variable(self, name: str) -> Any:
        """The bytes of a __device__ or __constant__ variable."""
        return self.compiled.variable(name).reshape(-1).view(np.uint8)

    def copy(self, target: Any, to: int, source: Any, start: int, size: int) -> None:
        """Bytes from one memory to another, or within one: NumPy minds what overlaps."""
        target[to:to + size] = source[start:start + size]

    def fill(self, target: Any, start: int, size: int, value: int) -> None:
        target[start:start + size] = value

    def written(self, kernel: tree.Function) -> set[str]:
        """The parameters through which it may store."""
        return self.compiled.written(kernel.name)

    def launch(self, kernel: tree.Function, grid: Sizes, block: Sizes, args: Sequence[Any], shared: int,
               cooperative: bool) -> float | None:
        """Run it; seconds, if they were measured."""
        values = [self._view(parameter, argument) for parameter, argument in
                  zip(kernel.parameters, args, strict=True)]
        printed = io.StringIO()
        world = Surroundings(self.process)

        def watch() -> Reads:
            self.reads = Reads(self.process, world)
            return self.reads
        try:
            with contextlib.redirect_stdout(printed):
                options = LaunchOptions(grid, block, shared, cooperative=cooperative, world=world)
                profile = launch(self.compiled, kernel.name, values, options, profile=self.profiling, watch=watch)
        finally:
            self.process.unseen.append(printed.getvalue())
        self.garbage = self.reads.garbage()
        if profile is not None:
            self.profiles.append((kernel.name, profile))
        return None

    def _view(self, parameter: tree.Variable, argument: Any) -> Any:
        if not isinstance(argument, tuple):
            return argument
        one, offset = argument
        dtype = element_dtype(parameter)
        start = offset % dtype.itemsize  # what does not begin at a multiple of its size is a view of its own
        array = one.data[start:start + (one.size - start) // dtype.itemsize * dtype.itemsize].view(dtype)
        return Placed(array, offset - start)

    def properties(self) -> Mapping[str, Any]:
        """What cudaGetDeviceProperties tells, by the names of its fields."""
        return PROPERTIES

    def synchronize(self) -> None:
        """Wait until everything has run: here it has."""


class Surroundings(World):
    """The program's memory, as kernels find it by pointers in memory."""

    def __init__(self, process: Process) -> None:
        self.process = process

    def allocation(self, array: np.ndarray) -> tuple[Allocation, int] | None:
        """Whose bytes an array has, and from which on."""
        begin = array.ctypes.data
        for one in self.process.memory.allocations.values():
            if one.on_device and not one.freed and one.size:
                start = one.data.ctypes.data
                if start <= begin < start + one.size:
                    return one, begin - start
        return None

    def address(self, array: np.ndarray) -> int | None:
        found = self.allocation(array)
        return None if found is None else found[0].address + found[1]

    def find(self, address: int) -> tuple[str, np.ndarray] | None:
        one, offset = self.process.memory.find(address)
        if one is None or one.freed or not one.on_device or not one.size or not 0 <= offset <= one.size:
            return None
        return one.name or "memory", one.data

    def lost(self, address: int) -> tuple[str, str]:
        one, offset = self.process.memory.find(address)
        if one is None:
            return "a pointer that points nowhere", "did cudaMalloc come before, and the copy of its pointer?"
        name = one.name or "memory"
        if one.freed > 0:
            return f"a pointer to {name}, which was freed in line {one.freed}", "free it after its last use"
        if not one.on_device:
            return f"a pointer to {name}, memory of the host: a GPU cannot reach it", COPY_IT
        return (f"a pointer {offset:,} bytes behind the beginning of {name}, which has {one.size:,} bytes",
                "pointer + n counts elements, cudaMalloc counts bytes")


def element_dtype(parameter: tree.Variable) -> np.dtype:
    """Of the array behind a pointer, as the simulator wants it."""
    target = flat_element(parameter.type.target)  # type: ignore[union-attr]
    return dtype_of(target.base if isinstance(target, Vector) else target)
