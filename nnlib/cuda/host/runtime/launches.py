"""kernel<<<grid, block, shared, stream>>>(arguments): what is checked before, and what the launch leaves behind."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from nnlib.cuda.arguments.structs import record
from nnlib.cuda.errors import HostError, LaunchError, OutOfBoundsError
from nnlib.cuda.host.library.registry import provides
from nnlib.cuda.host.lowering.values import code_of
from nnlib.cuda.host.lowering.writer import Site, size_of
from nnlib.cuda.host.runtime.devices import COPY_IT
from nnlib.cuda.host.runtime.memory import Allocation
from nnlib.cuda.host.runtime.schedule import kernel_seconds
from nnlib.cuda.language import tree
from nnlib.cuda.language.tree import KernelLaunch
from nnlib.cuda.language.types import VOID, Half, Pointer, Scalar, Struct, Vector
from nnlib.cuda.limits import MAX_BLOCK, MAX_GRID, MAX_THREADS
from nnlib.cuda.simulator.codegen.analysis import nodes
from nnlib.cuda.simulator.running.launching import check_limits

if TYPE_CHECKING:
    from nnlib.cuda.host.runtime.process import Process

INVALID_CONFIGURATION = 9  # cudaErrorInvalidConfiguration


def launch(process: Process, site: Site, grid: bytes, block: bytes, shared: int, stream: int,
           arguments: Sequence[Any], cooperative: bool = False) -> None:
    """A launch in the program. site.call: has the kernel as its function. cooperative: all blocks run together."""
    kernel: tree.Function = site.call.function
    blocks, threads = struct.unpack("<3I", grid), struct.unpack("<3I", block)
    line = process.line(site)
    where = process.stream(site, stream)
    problem = _configuration(process, kernel, blocks, threads, shared)
    if problem is not None:
        process.last_error = INVALID_CONFIGURATION
        if process.unasked is None:
            process.unasked = _unasked(process, site, kernel, *problem)
        return
    _shared_forgotten(process, site, kernel, shared)
    args = [_argument(process, site, k, parameter, value)
            for k, (parameter, value) in enumerate(zip(kernel.parameters, arguments, strict=True))]
    places = [(parameter, argument) for parameter, argument in zip(kernel.parameters, args, strict=True)
              if isinstance(argument, tuple)]
    try:
        seconds = process.device.launch(kernel, blocks, threads, args, shared, cooperative)
    except OutOfBoundsError as error:
        raise _confused(process, site, kernel, error, places, shared) from None
    size = sum(one.size - offset for _, (one, offset) in places)
    operation = process.schedule.submit("kernel", kernel.name, line, where, "compute",
                                        kernel_seconds(size) if seconds is None else seconds, size)
    written = process.device.written(kernel)
    for parameter, (one, _) in places:
        if parameter.name in written:
            one.garbage = process.device.garbage
    for parameter, (one, offset) in places:
        if one.on_host:
            process.in_use(one, offset, one.size - offset, operation, parameter.name in written)


@provides("cudaLaunchKernel", "cudaLaunchCooperativeKernel")
def launch_kernel(process: Process, site: Site, address: int, grid: bytes, block: bytes, pointers: int, shared: int,
                  stream: int) -> int:
    """The kernel, and an array of pointers to its arguments."""
    kernel = process.kernel(site, address)
    arguments: list[Any] = []
    for k, parameter in enumerate(kernel.parameters):
        place, = struct.unpack("<q", process.load_bytes(pointers + 8 * k, 8))
        content = process.load_bytes(place, size_of(parameter.type))
        plain = isinstance(parameter.type, Scalar | Pointer)
        arguments.append(struct.unpack(f"<{code_of(parameter.type)}", content)[0] if plain else content)
    launch_pointer(process, replace(site, names=("",) * len(arguments)), address, grid, block, shared, stream,
                   arguments, site.call.function.name == "cudaLaunchCooperativeKernel")
    return process.last_error


def launch_pointer(process: Process, site: Site, address: int, grid: bytes, block: bytes, shared: int, stream: int,
                   arguments: Sequence[Any], cooperative: bool = False) -> None:
    """pointer<<<...>>>(arguments)"""
    kernel = process.kernel(site, address)
    call = KernelLaunch(site.at, VOID, site.call, site.call, site.call, site.call, [], kernel)
    launch(process, replace(site, call=call), grid, block, shared, stream, arguments, cooperative)


def _configuration(process: Process, kernel: tree.Function, grid: tuple, block: tuple,
                   shared: int) -> tuple[str, str] | None:
    """What a GPU would not launch: what is wrong, and what to write."""
    for what, sizes, limits in (("grid", grid, MAX_GRID), ("block", block, MAX_BLOCK)):
        shown = " x ".join(map(str, sizes))
        for axis, size, limit in zip("xyz", sizes, limits, strict=True):
            if size == 0:
                return (f"a {what} of {shown} has nothing in it: its {axis} is 0",
                        "n / block is rounded down; write (n + block - 1) / block" if what == "grid" else
                        "a block has at least one thread")
            if size > limit:
                return f"a {what} of {shown} is too large: its {axis} may be up to {limit:,}", "use a smaller one"
    threads = int(np.prod(block))
    if threads > MAX_THREADS:
        return (f"a block of {' x '.join(map(str, block))} has {threads:,} threads; at most {MAX_THREADS:,} are "
                "possible", "use smaller blocks and more of them")
    try:
        check_limits(process.device.compiled, kernel.name, block, shared)
    except LaunchError as error:
        return str(error).removeprefix(f"kernel {kernel.name}: "), ""
    return None


def _unasked(process: Process, site: Site, kernel: tree.Function, what: str, hint: str) -> HostError:
    return process.error(f"kernel {kernel.name} was not launched, and nobody asked: {what}",
                         hint or "write cudaGetLastError() after the launch",
                         "a launch that fails says so only to cudaGetLastError(); what follows works on old results",
                         site.at)


def _shared_forgotten(process: Process, site: Site, kernel: tree.Function, shared: int) -> None:
    used = {node.variable for node in nodes(kernel.body) if isinstance(node, tree.Name)}
    dynamic = [variable for variable in kernel.shared if variable.dynamic and variable in used]
    if dynamic and not shared:
        name = dynamic[0].name
        process.mistake(f"kernel {kernel.name} uses extern __shared__ {name}, but the launch gives it no memory",
                        f"write the bytes as the third number: {kernel.name}<<<grid, block, bytes>>>(...)",
                        at=site.at)


def _argument(process: Process, site: Site, number: int, parameter: tree.Variable, value: Any) -> Any:
    """As the device takes it: (allocation, offset) for a pointer, None for a null pointer, typed numbers."""
    kind = parameter.type
    if isinstance(kind, Pointer):
        return _pointer(process, site, number, parameter, value)
    if isinstance(kind, Half):
        return np.uint16(value).view(kind.dtype)
    if isinstance(kind, Scalar):
        return kind.dtype.type(value)
    assert isinstance(kind, Struct | Vector)
    return record(kind, value)


def _pointer(process: Process, site: Site, number: int, parameter: tree.Variable,
             address: int) -> tuple[Allocation, int] | None:
    name = site.names[number] or f"argument {number + 1}"
    kernel = site.call.function.name
    if not address:
        return None
    one, offset = process.memory.find(address)
    if one is None:
        process.mistake(f"kernel {kernel} is given {name}, which points nowhere",
                        f"did cudaMalloc(&{name}, bytes) come before?", at=site.at)
    if one.freed:
        process.gone(one, "given to a kernel", site.at)
    if not one.on_device:
        process.mistake(f"kernel {kernel} is given {name}, memory of the host: a GPU cannot reach it",
                        COPY_IT,
                        f"{one.name or name} is made by {process.maker(one)}" + f" in line {one.made}" * bool(one.made),
                        site.at)
    return one, offset


def _confused(process: Process, site: Site, kernel: tree.Function, error: OutOfBoundsError,
              places: list[tuple[tree.Variable, tuple[Allocation, int]]], shared: int) -> Exception:
    """An access out of bounds because the host counted elements where bytes were asked for."""
    for parameter, (one, _) in places:
        size = getattr(parameter.type.target, "size", 1)  # type: ignore[union-attr]
        if f" {parameter.name}[" in str(error.what) and one.asked_in_elements and size > 1:
            return process.error(f"{one.name} has {one.size:,} bytes, which are {one.size // size:,} elements of "
                                 f"{kernel.name}'s {parameter.name}: bytes and elements are confused",
                                 f"write {process.maker(one)}(&{one.name}, n * sizeof({parameter.type.target}))",  # type: ignore[union-attr]
                                 str(error).partition("\n")[0], tree.Position(one.made, 1))
    for variable in kernel.shared:
        if variable.dynamic and f" {variable.name}[" in str(error.what):
            return process.error(f"{kernel.name}'s {variable.name} gets {shared:,} bytes from the launch, which are "
                                 f"not enough for {str(error.what).removeprefix('out-of-bounds ')}",
                                 "the third number of <<<...>>> counts bytes: write n * sizeof(...)",
                                 str(error).partition("\n")[0], site.at)
    return error
