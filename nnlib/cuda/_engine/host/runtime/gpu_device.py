"""A program's GPU, if there is a real one: CuPy holds its memory, NVRTC compiles its kernels, the driver launches.

Copies and kernels run one after the other, each to its end, so that every machine shows the same; how long a kernel
took is measured, and the schedule says when it would have run.
"""

from __future__ import annotations

import ctypes
import os
import struct
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from ....limits import MAX_THREADS
from ... import PACKAGE
from ...arguments.structs import record
from ...errors import KernelError, LaunchError
from ...gpu import cupy_module
from ...language import tree
from ...language.kernel_side import device_text
from ...language.layout import holds_pointers, leaves
from ...language.types import Pointer, Struct
from ...simulator import LaunchOptions
from ..headers import of_kernels
from .address_space import Allocation
from .devices import Device


class GpuDevice(Device):
    """The same as Device, with CuPy. options: for NVRTC."""

    is_gpu = True

    def __init__(self, program: tree.TranslationUnit, options: Sequence[str]) -> None:
        super().__init__(program, False)
        self._options = tuple(options)
        self._module: Any = None
        self._kept: list[Any] = []  # memory of CuPy's that must live as long as the run

    @property
    def module(self) -> Any:
        """The kernels, compiled."""
        if self._module is None:
            names = (
                self.name(f)
                for f in self.program.functions.values()
                if f.kind == "kernel" and not f.extern_c
            )
            build = cupy_module.BuildOptions(
                self._options,
                name_expressions=tuple(names),
                enable_cooperative_groups="cudaLaunchCooperativeKernel" in self.program.text,
            )
            try:
                self._module = cupy_module.compile_module(
                    device_text(self.program.text, of_kernels), build
                )
            except cupy_module.CompileError as error:
                raise KernelError(f"NVRTC refuses the program's kernels: {error.message}") from None
        return self._module

    def name(self, kernel: tree.Function) -> str:
        """Return the expression that tells NVRTC which kernel is meant: one of several of a name by its parameters."""
        name, _, _ = kernel.name.partition("#")
        if (
            kernel.extern_c
            or sum(_plain(other) == _plain(name) for other in self.program.functions) == 1
        ):
            return name
        return (
            f"(void (*)({', '.join(str(parameter.type) for parameter in kernel.parameters)})){name}"
        )

    def allocate(self, side: str, size: int) -> Any:
        import cupy

        if side == "device":
            return cupy.zeros(size, cupy.uint8)
        memory = (
            cupy.cuda.malloc_managed(max(size, 1))
            if side == "managed"
            else (cupy.cuda.alloc_pinned_memory(max(size, 1)))
        )
        data = _of_host(memory.ptr, size)
        self._kept.append(memory)
        data[:] = 0
        return data

    def variable(self, name: str) -> Any:
        variable = self.program.globals[name][0]
        size = getattr(variable.type, "size", 1)
        data = cupy_module.get_global(self.module, name, (size,), np.dtype(np.uint8))
        return _of_host(data.data.ptr, size) if variable.managed else data

    def copy(self, target: Any, to: int, source: Any, start: int, size: int) -> None:
        part, room = source[start : start + size], target[to : to + size]
        if isinstance(target, np.ndarray):
            room[...] = part.copy() if isinstance(part, np.ndarray) else part.get()
        elif isinstance(source, np.ndarray):
            room.set(np.ascontiguousarray(part))
        else:
            room[...] = part.copy()

    def as_strided(self, *array: Any) -> Any:
        from cupy.lib.stride_tricks import as_strided

        return as_strided(*array)

    def bytes_of(self, one: Allocation) -> Any:
        return _on_gpu(one)

    def random_sequence(self, kind: int, seed: int, offset: int, words: np.ndarray) -> Any:
        return _RandomSequence(kind, seed, offset)

    def timed(self, work: Callable[[], None]) -> float:
        import cupy

        begin, end = cupy.cuda.Event(), cupy.cuda.Event()
        begin.record()
        work()
        end.record()
        end.synchronize()
        return float(cupy.cuda.get_elapsed_time(begin, end)) * 1e-3

    def launch(
        self, kernel: tree.Function, options: LaunchOptions, args: Sequence[Any]
    ) -> float | None:
        function = self.module.get_function(self.name(kernel))
        values = [
            self._value(parameter, argument)
            for parameter, argument in zip(kernel.parameters, args, strict=True)
        ]
        seconds = 0.0

        def run() -> None:
            nonlocal seconds
            with cupy_module.translated(kernel.name):
                seconds = self.timed(
                    lambda: cupy_module.launch(
                        kernel.name,
                        function,
                        options.grid,
                        options.block,
                        values,
                        options.shared_mem,
                    )
                )

        if "printf" in self.compiled.calls(kernel.name):
            self.output.unseen.append(_printed(run))
        else:
            run()
        for parameter, argument in zip(kernel.parameters, args, strict=True):
            # What the kernel has written nobody knows
            for one in self._reached(parameter.type, argument):
                one.mark(0, one.size)
        return seconds

    def _value(self, parameter: tree.Variable, argument: Any) -> Any:
        """Return an argument as the GPU takes it: pointers as addresses, also in a struct; numbers as they are."""
        kind = parameter.type
        if isinstance(kind, Pointer):
            if holds_pointers(kind.target):
                raise KernelError(
                    f"{parameter.name} leads to pointers that are kept in memory of the GPU; only the "
                    "simulator can follow those",
                    hint=f"run it in `with {PACKAGE}.force_simulator():`",
                )
            return np.uint64(0) if argument is None else _address(*argument)
        if isinstance(kind, Struct) and holds_pointers(kind):
            content = bytearray(argument.tobytes())
            for at, one, offset in self._pointers(kind, argument):
                struct.pack_into("<Q", content, at, int(_address(one, offset)))
            return record(kind, content)
        return argument

    def _reached(self, kind: Any, argument: Any) -> Iterator[Allocation]:
        """Yield the memory that a kernel receives by this argument."""
        if isinstance(argument, tuple):
            yield argument[0]
        elif isinstance(kind, Struct) and holds_pointers(kind):
            for _, one, _ in self._pointers(kind, argument):
                yield one

    def _pointers(self, kind: Struct, argument: Any) -> Iterator[tuple[int, Allocation, int]]:
        """Yield for each pointer in a struct its byte, the allocation of the GPU that it leads to, and the offset in it."""
        content = argument.tobytes()
        for leaf in leaves(kind):
            if isinstance(leaf.type, Pointer):
                one, offset = self.heap.find(struct.unpack_from("<q", content, leaf.offset)[0])
                if one is not None and one.on_device and not one.freed:
                    yield leaf.offset, one, offset

    def properties(self) -> Mapping[str, Any]:
        import cupy

        properties = cupy.cuda.runtime.getDeviceProperties(0)
        # uuid, too, is bytes, but no text
        return {**properties, "name": properties["name"].decode()}

    def attributes(self, kernel: tree.Function) -> Mapping[str, Any]:
        known = self.module.get_function(self.name(kernel)).attributes
        return {
            "sharedSizeBytes": known["shared_size_bytes"],
            "constSizeBytes": known["const_size_bytes"],
            "localSizeBytes": known["local_size_bytes"],
            "maxThreadsPerBlock": known["max_threads_per_block"],
            "numRegs": known["num_regs"],
            "ptxVersion": known["ptx_version"],
            "binaryVersion": known["binary_version"],
        }

    def resident(self, kernel: tree.Function, threads: int, shared: int) -> int:
        import cupy

        function = self.module.get_function(self.name(kernel))
        try:
            cupy_module.allow_shared(kernel.name, function, shared)
        except LaunchError:
            return 0
        if not 0 < threads <= MAX_THREADS:
            return 0
        held = cupy.cuda.driver.occupancyMaxActiveBlocksPerMultiprocessor
        return int(held(function.kernel.ptr, threads, shared))

    def synchronize(self) -> None:
        import cupy

        cupy.cuda.Device().synchronize()


class _RandomSequence:
    """A generator of cuRAND itself."""

    def __init__(self, kind: int, seed: int, offset: int) -> None:
        from cupy.cuda import curand

        self._generator = curand.createGenerator(kind)
        curand.setPseudoRandomGeneratorSeed(self._generator, seed)
        if offset:
            curand.setGeneratorOffset(self._generator, offset)

    def numbers(self, kind: str, count: int, *parameters: float) -> Any:
        """Return the next numbers. kind: what stands behind curandGenerate in the name of the function."""
        import cupy
        from cupy.cuda import curand

        dtype = cupy.float64 if kind.endswith("Double") else cupy.float32 if kind else cupy.uint32
        result = cupy.empty(count, dtype)
        getattr(curand, f"generate{kind}")(self._generator, result.data.ptr, count, *parameters)
        return result


def _plain(name: str) -> str:
    """Return a function's name as the program writes it."""
    return name.partition("#")[0].partition("<")[0]


def _of_host(address: int, size: int) -> np.ndarray:
    """Return memory that both sides have, as the host's array."""
    return np.ctypeslib.as_array((ctypes.c_uint8 * size).from_address(address))


def _on_gpu(one: Allocation) -> Any:
    """Return an allocation's bytes as CuPy's array; managed and pinned memory is NumPy's for the host."""
    if not isinstance(one.data, np.ndarray):
        return one.data
    import cupy

    memory = cupy.cuda.UnownedMemory(one.data.ctypes.data, one.size, one.data)
    return cupy.ndarray((one.size,), cupy.uint8, cupy.cuda.MemoryPointer(memory, 0))


def _address(one: Allocation, offset: int) -> np.uint64:
    """Return the GPU's address of an offset in an allocation."""
    start = one.data.ctypes.data if isinstance(one.data, np.ndarray) else one.data.data.ptr
    return np.uint64(start + offset)


def _printed(run: Callable[[], None]) -> str:
    """Return what printf in kernels writes meanwhile: it goes to the process's own output, past Python's."""
    sys.stdout.flush()
    saved = os.dup(1)
    with tempfile.TemporaryFile() as file:
        os.dup2(file.fileno(), 1)
        try:
            run()
            ctypes.CDLL(None).fflush(None)
        finally:
            os.dup2(saved, 1)
            os.close(saved)
        file.seek(0)
        return file.read().decode("utf-8", "replace")
