"""kernel<<<grid, block, shared, stream>>>(arguments): what is checked before, what is left behind. Lesson 01."""

from __future__ import annotations

import functools
import math
import struct
from collections.abc import Callable, Sequence
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np

from ....limits import MAX_BLOCK, MAX_GRID, MAX_THREADS
from ...arguments.structs import record
from ...errors import HostError, LaunchError, OutOfBoundsError
from ...language.tree import Function, Position, Variable
from ...language.types import Half, Pointer, Scalar, Struct, Vector
from ...language.walking import variables_in
from ...simulator import LaunchOptions
from ...simulator.running.launch import check_limits, check_resident
from ..lowering.values import code_of
from ..lowering.writer import size_of
from ..runtime.address_space import Allocation
from ..runtime.schedule import Operation, kernel_seconds
from ..runtime.surroundings import COPY_IT
from .registry import LibraryPart, provides

INVALID_CONFIGURATION = 9  # cudaErrorInvalidConfiguration
TOO_LARGE = 720  # cudaErrorCooperativeLaunchTooLarge
# <<<grid, block, shared, stream>>> as the program has them
Chevrons = tuple[bytes, bytes, int, int]
Places = list[tuple[Variable, tuple[Allocation, int]]]  # pointer parameters, and where each leads


class Launches(LibraryPart):
    """Launches of kernels."""

    def launch(
        self,
        chevrons: Chevrons,
        arguments: Sequence[Any],
        cooperative: bool = False,
    ) -> None:
        """Launch a kernel of the program. site.call has it as its function. cooperative: all blocks run together."""
        kernel: Function = self._site.call.function
        grid, block, shared, handle = chevrons
        if self._streams.take(
            handle,
            lambda other: self.launch((grid, block, shared, other), arguments, cooperative),
        ):
            return
        options = LaunchOptions(
            struct.unpack("<3I", grid), struct.unpack("<3I", block), shared, cooperative=cooperative
        )
        stream = self._streams.stream(handle)
        problem, status = self._problem(kernel, options), INVALID_CONFIGURATION
        if problem is None and cooperative:
            problem, status = (
                _refused(check_resident, kernel.name, options.grid, options.block),
                TOO_LARGE,
            )
        if problem is not None:
            self._mistakes.last_error = status
            self._mistakes.unasked = self._mistakes.unasked or self._unasked(*problem)
            return
        self._shared_forgotten(shared)
        args = [
            self._argument(k, parameter, value)
            for k, (parameter, value) in enumerate(zip(kernel.parameters, arguments, strict=True))
        ]
        places = [
            (parameter, argument)
            for parameter, argument in zip(kernel.parameters, args, strict=True)
            if isinstance(argument, tuple)
        ]
        try:
            seconds = self._device.launch(kernel, options, args)
        except OutOfBoundsError as error:
            raise self._confused(error, options, args) from None
        size = sum(one.size - offset for _, (one, offset) in places)
        seconds = kernel_seconds(size) if seconds is None else seconds
        operation = self._submit(("kernel", kernel.name), stream, size, seconds)
        self._leave_behind(kernel, places, operation)

    def _leave_behind(self, kernel: Function, places: Places, operation: Operation) -> None:
        """Note what the launch has done to the memory that it was given."""
        for one, uses in self._device.touched.items():
            self._run.races.see_uses(one, uses, operation)
        written = self._device.written(kernel)
        for parameter, (one, _) in places:
            if parameter.name in written:
                one.garbage = self._device.garbage
        for parameter, (one, offset) in places:
            self._heap.in_use(one, offset, one.size - offset, operation, parameter.name in written)
        for name, stored in self._device.managed(kernel).items():
            one = self._run.variable(name)
            self._heap.in_use(one, 0, one.size, operation, stored)

    @provides("cudaLaunchKernel", "cudaLaunchCooperativeKernel")
    def launch_kernel(
        self,
        address: int,
        grid: bytes,
        block: bytes,
        pointers: int,
        shared: int,
        stream: int,
    ) -> int:
        """Launch a kernel by cudaLaunchKernel, with an array of pointers to its arguments."""
        kernel = self._run.functions.kernel(address)
        cooperative = self._site.called == "cudaLaunchCooperativeKernel"
        arguments: list[Any] = []
        for k, parameter in enumerate(kernel.parameters):
            place = self._heap.load_value(pointers + 8 * k, "q")
            plain = isinstance(parameter.type, Scalar | Pointer)
            arguments.append(
                self._heap.load_value(place, code_of(parameter.type))
                if plain
                else self._heap.load_bytes(place, size_of(parameter.type))
            )
        self._mistakes.site = replace(self._site, names=("",) * len(arguments))
        self.launch_pointer(address, (grid, block, shared, stream), arguments, cooperative)
        return self._mistakes.last_error

    def launch_pointer(
        self,
        address: int,
        chevrons: Chevrons,
        arguments: Sequence[Any],
        cooperative: bool = False,
    ) -> None:
        """Launch pointer<<<...>>>(arguments)."""
        call = SimpleNamespace(function=self._run.functions.kernel(address))
        self._mistakes.site = replace(self._site, call=call)
        self.launch(chevrons, arguments, cooperative)

    # --- mistakes -------------------------------------------------------------------------

    def _problem(self, kernel: Function, options: LaunchOptions) -> tuple[str, str] | None:
        """Return why a GPU would not launch this, and what to write; None where it would."""
        for what, sizes, limits in (
            ("grid", options.grid, MAX_GRID),
            ("block", options.block, MAX_BLOCK),
        ):
            shown = " x ".join(map(str, sizes))
            for axis, size, limit in zip("xyz", sizes, limits, strict=True):
                if size == 0:
                    return (
                        f"a {what} of {shown} has nothing in it: its {axis} is 0",
                        "n / block is rounded down; write (n + block - 1) / block"
                        if what == "grid"
                        else "a block has at least one thread",
                    )
                if size > limit:
                    return (
                        f"a {what} of {shown} is too large: its {axis} may be up to {limit:,}",
                        "use a smaller one",
                    )
        threads = math.prod(options.block)
        if threads > MAX_THREADS:
            return (
                (
                    f"a block of {' x '.join(map(str, options.block))} has {threads:,} threads; at most {MAX_THREADS:,} "
                    "are possible"
                ),
                "use smaller blocks and more of them",
            )
        return _refused(
            check_limits, self._device.compiled, kernel.name, options.block, options.shared_mem
        )

    def _unasked(self, what: str, hint: str) -> HostError:
        return self._mistakes.error(
            f"kernel {self._site.called} was not launched, and nobody asked: {what}",
            hint or "write cudaGetLastError() after the launch",
            "a launch that fails says so only to cudaGetLastError(); what follows works on old results",
            self._site.at,
        )

    def _shared_forgotten(self, shared: int) -> None:
        kernel = self._site.call.function
        dynamic = () if shared else _dynamic(kernel)
        if dynamic:
            name = dynamic[0].name
            self._reject(
                f"kernel {kernel.name} uses extern __shared__ {name}, but the launch gives it no memory",
                f"write the bytes as the third number: {kernel.name}<<<grid, block, bytes>>>(...)",
            )

    def _argument(self, number: int, parameter: Variable, value: Any) -> Any:
        """Return an argument as the device takes it: (allocation, offset) for a pointer, None for null, typed numbers."""
        kind = parameter.type
        if isinstance(kind, Pointer):
            return self._pointer(number, value)
        if isinstance(kind, Half):
            return np.uint16(value).view(kind.dtype)
        if isinstance(kind, Scalar):
            return kind.dtype.type(value)
        assert isinstance(kind, Struct | Vector)
        return record(kind, value)

    def _pointer(self, number: int, address: int) -> tuple[Allocation, int] | None:
        name, kernel = self._site.names[number] or f"argument {number + 1}", self._site.called
        if not address:
            return None
        one, offset = self._heap.find(address)
        if one is None:
            self._reject(
                f"kernel {kernel} is given {name}, which points nowhere",
                f"did cudaMalloc(&{name}, bytes) come before?",
            )
        if one.freed:
            self._heap.gone(one, "given to a kernel", self._site.at)
        if not one.on_device:
            self._reject(
                f"kernel {kernel} is given {name}, memory of the host: a GPU cannot reach it",
                COPY_IT,
                f"{one.name or name} is made by {one.maker}"
                + f" in line {one.made}" * bool(one.made),
            )
        return one, offset

    def _confused(
        self, error: OutOfBoundsError, options: LaunchOptions, args: Sequence[Any]
    ) -> Exception:
        """Return the error of an access out of bounds, explained where the host counted elements in place of bytes."""
        kernel, told = self._site.call.function, str(error).partition("\n")[0]
        for parameter, argument in zip(kernel.parameters, args, strict=True):
            if not isinstance(argument, tuple) or f" {parameter.name}[" not in str(error.what):
                continue
            one, target = argument[0], parameter.type.target
            size = getattr(target, "size", 1)
            if one.asked_in_elements and size > 1 and _counts_elements(one.size, options, args):
                return self._mistakes.error(
                    f"{one.name} has {one.size:,} bytes, which are {one.size // size:,} elements of {kernel.name}'s "
                    f"{parameter.name}: bytes and elements are confused",
                    f"write {one.maker}(&{one.name}, n * sizeof({target}))",
                    told,
                    Position(one.made, 1),
                )
        for variable in kernel.shared:
            if variable.dynamic and f" {variable.name}[" in str(error.what):
                return self._mistakes.error(
                    f"{kernel.name}'s {variable.name} gets {options.shared_mem:,} bytes from the launch, which are not "
                    f"enough for {str(error.what).removeprefix('out-of-bounds ')}",
                    "the third number of <<<...>>> counts bytes: write n * sizeof(...)",
                    told,
                    self._site.at,
                )
        return error


@functools.lru_cache(maxsize=256)
def _dynamic(kernel: Function) -> list[Variable]:
    """Return the arrays of dynamic shared memory that the kernel uses."""
    used = variables_in(kernel.body)
    return [variable for variable in kernel.shared if variable.dynamic and variable in used]


def _counts_elements(size: int, options: LaunchOptions, args: Sequence[Any]) -> bool:
    """Return whether a launch takes an allocation's bytes for its elements.

    It does so by an argument, or by its number of threads, rounded up to whole blocks.
    """
    block, threads = math.prod(options.block), math.prod(options.block) * math.prod(options.grid)
    return threads - block < size <= threads or any(
        isinstance(a, np.integer) and a == size for a in args
    )


def _refused(check: Callable[..., None], *what: Any) -> tuple[str, str] | None:
    """Return what the check of a launch says against it; its message includes the hint."""
    try:
        check(*what)
    except LaunchError as error:
        return str(error).removeprefix(f"kernel {error.kernel}: "), ""
    return None
