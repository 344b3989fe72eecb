"""The GPU of a program: the simulator, or a real one through CuPy. Both hold memory, copy, and run kernels."""

from __future__ import annotations

import functools
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import as_strided

from ...errors import KernelArithmeticError, KernelError
from ...gpu.occupancy import occupancy
from ...language.layout import dtype_of, innermost
from ...language.tree import Function, TranslationUnit, Variable
from ...native import touches_fixed_places
from ...simulator import Compiled, LaunchOptions, Profile, launch
from ...simulator.running.binding import Placed
from ..card import PROPERTIES
from .address_space import Allocation
from .heap import Heap
from .native_launches import NativeLaunches
from .output import Output
from .reads import Reads
from .repeats import Repeats
from .surroundings import Surroundings
from .xorwow import Xorwow

Touched = dict[Allocation, np.ndarray]


class Device:
    """The simulator as a program's device.

    program: the checked one, of which it takes the side of the GPU. profiles: of each launch, if asked for: kernel and what
    it counted. check_all: no launch runs natively.
    """

    is_gpu = False

    def __init__(self, program: TranslationUnit, profiling: bool, check_all: bool = False) -> None:
        kernels = {
            name: f
            for name, f in program.functions.items()
            if f.kind in ("kernel", "device", "both")
        }
        variables = {
            name: entry
            for name, entry in program.globals.items()
            if entry[0].space in ("global", "constant")
        }
        self.program = replace(program, functions=kernels, globals=variables)
        self.profiling, self.profiles = profiling, list[tuple[str, Profile]]()
        self._check_all = check_all
        self._compiled: Compiled | None = None
        self.garbage: KernelError | None = None  # the last launch has read what nobody had written
        self.touched: Touched = {}  # by the last launch: see Reads
        self._repeats = Repeats()
        self._touches: dict[
            Hashable, dict[str, np.ndarray]
        ] = {}  # by parameter, of launches that touch the same again

    def connect(self, heap: Heap, output: Output, has_streams: bool) -> None:
        """Connect the device to the memory and the output of a run. has_streams: what each kernel touches matters."""
        self.heap, self.output, self._has_streams = heap, output, has_streams
        self._world = Surroundings(heap, output)

    @property
    def compiled(self) -> Compiled:
        if self._compiled is None:
            self._compiled = Compiled(self.program)
        return self._compiled

    def allocate(self, side: str, size: int) -> Any:
        """Return the bytes of new memory."""
        return np.zeros(size, np.uint8)

    def variable(self, name: str) -> Any:
        """Return the bytes of a __device__ or __constant__ variable."""
        return self.compiled.variable(name).reshape(-1).view(np.uint8)

    def copy(self, target: Any, to: int, source: Any, start: int, size: int) -> None:
        """Copy bytes from one memory to another, or within one, where they may overlap."""
        target[to : to + size] = source[start : start + size]

    def fill(self, one: Allocation, start: int, size: int, value: int) -> None:
        """Set all bytes of a part to `value`."""

        def fill() -> None:
            one.data[start : start + size] = value
            one.mark(start, size)

        if one.side == "device" and not self.is_gpu:
            self._repeats.run((one, start, size, value), [one], [one], fill)
        else:
            fill()

    def strided(
        self,
        one: Allocation,
        start: int,
        dtype: np.dtype,
        shape: Sequence[int],
        strides: Sequence[int],
    ) -> Any:
        """Return elements of an allocation as an array: the first begins at byte `start`, the others lie strides bytes apart."""
        first = self.bytes_of(one)[start : start + dtype.itemsize]
        return self.as_strided(first.view(dtype), shape, strides)

    def as_strided(self, *array: Any) -> Any:
        return as_strided(*array)

    def bytes_of(self, one: Allocation) -> Any:
        """Return an allocation as an array of the device's."""
        return one.data

    def random_sequence(self, kind: int, seed: int, offset: int, words: np.ndarray) -> Any:
        """Return a generator of cuRAND's. kind: its type's number. offset: numbers to leave out. words: see Xorwow."""
        return Xorwow(words, offset)

    def timed(self, work: Callable[[], None]) -> float | None:
        """Let a library work; seconds, if they were measured."""
        work()
        return None

    def written(self, kernel: Function) -> set[str]:
        """Return the parameters through which a kernel may store."""
        return self.compiled.written(kernel.name)

    def managed(self, kernel: Function) -> dict[str, bool]:
        """Return the __managed__ variables that a kernel uses, and whether it may store to each."""
        return self.compiled.managed(kernel.name)

    def launch(self, kernel: Function, options: LaunchOptions, args: Sequence[Any]) -> float | None:
        """Run it; seconds, if they were measured."""
        options = replace(options, world=self._world)
        values = [
            self._view(parameter, argument)
            for parameter, argument in zip(kernel.parameters, args, strict=True)
        ]
        owners = {
            parameter.name: argument[0]
            for parameter, argument in zip(kernel.parameters, args, strict=True)
            if isinstance(argument, tuple)
        }

        def run() -> tuple[KernelError | None, Touched]:
            self.garbage, self.touched = None, {}
            if not self._may_be_native(kernel, options):
                simulate()
            elif self._has_streams:
                self._run_known(kernel, options, values, owners, simulate)
            else:
                self._native.run(kernel, options, values, owners, simulate)
            return self.garbage, self.touched

        def simulate() -> float:
            return self._simulate(kernel, values, options)

        if self._may_be_left_out(kernel, owners):
            written = self.written(kernel)
            key = (
                kernel,
                options,
                tuple(
                    value if isinstance(value, tuple) else np.asarray(value).tobytes()
                    for value in args
                ),
            )
            self.garbage, self.touched = self._repeats.run(
                key,
                list(owners.values()),
                [one for name, one in owners.items() if name in written],
                run,
            )
        else:
            for one in self.heap.of_device.values():
                one.changes += 1
            run()
        return None

    def _simulate(self, kernel: Function, values: Sequence[Any], options: LaunchOptions) -> float:
        """Check the launch; its work."""

        def watch() -> Reads:
            self.reads = Reads(self._world, self._has_streams)
            return self.reads

        try:
            profile = launch(
                self.compiled, kernel.name, values, options, profile=self.profiling, watch=watch
            )
        except KernelArithmeticError as error:  # what nobody has written is 0 here
            raise self.reads.fault or error from None
        self.garbage, self.touched = self.reads.garbage(), self.reads.touched
        if profile is not None:
            self.profiles.append((kernel.name, profile))
        return self.reads.work

    def _run_known(
        self,
        kernel: Function,
        options: LaunchOptions,
        values: Sequence[Any],
        owners: Mapping[str, Allocation],
        simulate: Callable[[], float],
    ) -> None:
        """Run a launch natively if an equal one has been simulated, since with streams it matters what a launch touches."""
        numbers = [
            [value.offset, value.array.nbytes]
            if isinstance(value, Placed)
            else np.asarray(value).tobytes()
            for value in values
        ]
        known = (kernel, options, str([numbers, _alike(owners)]))
        if known not in self._touches:
            simulate()
            if set(self.touched) <= set(owners.values()) and self.reads.stores_once():
                self._touches[known] = {
                    name: self.touched[one] for name, one in owners.items() if one in self.touched
                }
        elif self._native.run(kernel, options, values, owners, simulate, known):
            self.touched = {owners[name]: uses for name, uses in self._touches[known].items()}

    def _may_be_native(self, kernel: Function, options: LaunchOptions) -> bool:
        """Return whether a launch may run natively: not where it matters what each thread touches and that may vary."""
        return not (
            self.profiling
            or options.cooperative
            or self._check_all
            or self.managed(kernel)
            or (self._has_streams and not touches_fixed_places(self.compiled.program, kernel.name))
        )

    def _may_be_left_out(self, kernel: Function, owners: Mapping[str, Allocation]) -> bool:
        """Return whether a launch that changes nothing new may be left out."""
        return (
            not (self.profiling or self._check_all)
            and self.compiled.is_closed(kernel.name)
            and all(one.side == "device" for one in owners.values())
        )

    @functools.cached_property
    def _native(self) -> NativeLaunches:
        return NativeLaunches(self.compiled)

    def _view(self, parameter: Variable, argument: Any) -> Any:
        if not isinstance(argument, tuple):
            return argument
        one, offset = argument
        dtype = dtype_of(innermost(parameter.type.target))  # type: ignore[union-attr]
        # What does not begin at a multiple of its size is a view of its own
        start = offset % dtype.itemsize
        array = one.data[
            start : start + (one.size - start) // dtype.itemsize * dtype.itemsize
        ].view(dtype)
        return Placed(array, offset - start)

    def properties(self) -> Mapping[str, Any]:
        """Return what cudaGetDeviceProperties reports, by the names of its fields."""
        return PROPERTIES

    def attributes(self, kernel: Function) -> Mapping[str, Any]:
        """Return what cudaFuncGetAttributes reports, by the names of its fields."""
        shared = [variable.type for variable in kernel.shared if not variable.dynamic]
        return {
            "sharedSizeBytes": sum(getattr(kind, "size", 0) for kind in shared),
            "maxThreadsPerBlock": 1024,
            "numRegs": 32,
            "ptxVersion": 75,
            "binaryVersion": 75,
        }

    def resident(self, kernel: Function, threads: int, shared: int) -> int:
        """Return how many such blocks a multiprocessor holds; 0 for blocks that no GPU takes."""
        try:
            return occupancy(threads, shared_mem=shared).blocks
        except ValueError:
            return 0

    def synchronize(self) -> None:
        """Wait until everything has run: here it has."""


def _alike(owners: Mapping[str, Allocation]) -> list[int]:
    """Return for each parameter the number of the first one that leads to the same memory."""
    ones = list(owners.values())
    return [ones.index(one) for one in ones]
