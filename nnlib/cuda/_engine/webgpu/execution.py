"""Launches on a device: NumPy's arrays there and back, or kept there between launches."""

from __future__ import annotations

import ctypes
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..language.refusal import Refusal
from ..language.types import Pointer
from .printer import print_kernel
from .shader import (
    MOST_GROUPS,
    ROW,
    ArrayArgument,
    KernelSource,
    Shader,
    ShaderLaunch,
    Uniform,
    words_of,
)
from .target import Target

FAULT = 4  # bytes of the word that is 1 after a fault
PADDING = 16  # bytes behind an allocation, for what an empty array reads


@dataclass(frozen=True)
class SharedBytes:
    """Memory that arrays share. start: its address; memory: its bytes, of NumPy."""

    start: int
    memory: np.ndarray


@dataclass
class CompiledShader:
    """A module that is ready for launches of one shape."""

    shader: Shader
    pipeline: Any


def grouped(arrays: Sequence[np.ndarray]) -> list[SharedBytes]:
    """Return the memory of arrays; those that overlap share it."""
    found: list[SharedBytes] = []
    spans = sorted((address(array), address(array) + array.nbytes) for array in arrays)
    merged: list[list[int]] = []
    for start, end in spans:
        if merged and start < merged[-1][1]:
            merged[-1][1] = max(merged[-1][1], end)
        else:
            merged.append([start, end])
    for start, end in merged:
        found.append(SharedBytes(start, _bytes_at(start, end - start)))
    return found


def whole_memory(array: np.ndarray) -> SharedBytes:
    """Return all bytes of an array that allocated its memory itself."""
    if not array.flags.forc:
        raise Refusal("a part of an array that has gaps")
    return SharedBytes(address(array), _bytes_at(address(array), array.nbytes))


def address(array: np.ndarray) -> int:
    """Return where an array begins."""
    return int(array.__array_interface__["data"][0])


def _bytes_at(start: int, size: int) -> np.ndarray:
    return np.ctypeslib.as_array((ctypes.c_uint8 * size).from_address(start))


class BufferPool:
    """Buffers of allocations, each as long as it is needed."""

    def __init__(self, target: Target) -> None:
        self._target = target
        self._free: dict[int, list[Any]] = {}

    def take(self, allocation: SharedBytes) -> Any:
        """Return a buffer with the bytes of the allocation."""
        size = -(-(allocation.memory.size + PADDING) // 256) * 256
        free = self._free.get(size)
        buffer = free.pop() if free else self._target.buffer(size)
        data = allocation.memory
        if data.size % 4:
            data = np.concatenate([data, np.zeros(-data.size % 4, np.uint8)])
        if data.size:
            self._target.write(buffer, data)
        return buffer

    def give_back(self, buffer: Any) -> None:
        """Let another launch have it."""
        self._free.setdefault(buffer.size, []).append(buffer)


class WebGpuDevice:
    """A target with what was compiled for it."""

    def __init__(self, target: Target) -> None:
        self.target, self.memory = target, BufferPool(target)
        self.fault = target.buffer(FAULT)
        self._compiled: dict[tuple[int, ShaderLaunch], tuple[KernelSource, CompiledShader]] = {}
        self._pipelines: dict[str, Any] = {}

    def compiled(self, source: KernelSource, shape: ShaderLaunch, written: Any) -> CompiledShader:
        """Return the module for launches of this shape. Raises Refusal."""
        key = id(source), shape
        if key not in self._compiled:
            limits = self.target.limits
            if math.prod(shape.block) > limits.threads or any(
                side > most for side, most in zip(shape.block, limits.sides, strict=True)
            ):
                raise Refusal("a block of more threads than this device takes")
            shader = print_kernel(source, shape, written)
            if shader.workgroup_bytes > limits.workgroup_bytes:
                raise Refusal("more shared memory than this device has")
            if len(shader.bindings) + 1 > limits.arrays:
                raise Refusal("more arrays than this device takes")
            if shader.text not in self._pipelines:
                self._pipelines[shader.text] = self.target.pipeline(shader)
            self._compiled[key] = source, CompiledShader(shader, self._pipelines[shader.text])
        return self._compiled[key][1]

    def met_fault(self, words: memoryview) -> bool:
        """Return whether a launch since the last answer noted a fault."""
        if not np.frombuffer(words, np.uint32)[0]:
            return False
        self.target.write(self.fault, bytes(FAULT))
        return True


@dataclass
class LaunchRequest:
    """A launch that is ready: its arguments as arrays and numbers. variables: of the module, by name."""

    source: KernelSource
    grid: tuple[int, int, int]
    block: tuple[int, int, int]
    shared: int
    values: Sequence[Any]
    written: Any
    variables: Mapping[str, np.ndarray]
    dispatches: int = 1

    def arrays(self) -> list[np.ndarray]:
        """Return what has to be on the device."""
        return [
            v
            for v in (*self.values, *self.variables.values())
            if isinstance(v, np.ndarray) and v.nbytes
        ]

    def shape(self, target: Target, allocations: Sequence[SharedBytes]) -> ShaderLaunch:
        """Return what its text depends on. allocations: in which its arrays lie."""
        if any(
            allocation.memory.size + PADDING > target.limits.array_bytes
            for allocation in allocations
        ):
            raise Refusal("an array that is larger than this device takes")
        arguments: list[Any] = []
        for parameter, value in zip(self.source.function.parameters, self.values, strict=True):
            if isinstance(parameter.type, Pointer):
                arguments.append(
                    _argument(value, allocations) if isinstance(value, np.ndarray) else None
                )
            else:
                whole = isinstance(value, np.generic) and value.dtype.kind in "iu"
                arguments.append(int(value) if whole else None)
        large = max(self.grid) > MOST_GROUPS or self.dispatches > 1
        return ShaderLaunch(
            self.grid, self.block, tuple(arguments), self.shared, large, target.abilities
        )

    def uniforms(
        self, fields: Sequence[Uniform], allocations: Sequence[SharedBytes], blocks: tuple[int, int]
    ) -> bytes:
        """Return the words that are passed."""
        words = [self._word(field, allocations, blocks) for field in fields]
        return np.array(words, np.uint32).tobytes()

    def _word(
        self, field: Uniform, allocations: Sequence[SharedBytes], blocks: tuple[int, int]
    ) -> int:
        if field.what == "grid":
            return self.grid[field.of]
        if field.what == "zero":
            return 0
        if field.what in ("first", "last"):
            return blocks[field.what == "last"]
        value = self.values[field.of]
        if field.what == "value":
            return words_of(value)[field.at // 4]
        if field.what == "length":
            return int(value.nbytes) // field.at
        start = address(value)
        offset, left = divmod(start - allocations[_holder(start, allocations)].start, field.at)
        if left:
            raise Refusal("an array that is not aligned for how it is read")
        return offset


def _holder(start: int, allocations: Sequence[SharedBytes]) -> int:
    """Return the number of the allocation that an address lies in."""
    return max(k for k, allocation in enumerate(allocations) if allocation.start <= start)


def _argument(array: np.ndarray, allocations: Sequence[SharedBytes]) -> ArrayArgument | None:
    if not array.nbytes:
        return None
    start = address(array)
    number = _holder(start, allocations)
    return ArrayArgument(number, array.nbytes, start != allocations[number].start)


@dataclass
class PreparedDispatch:
    """A launch with everything that the device needs. changes: numbers of the allocations that it may change."""

    pipeline: Any
    buffers: Sequence[Any]
    parts: Sequence[tuple[bytes, tuple[int, int, int]]]
    changes: Sequence[int]

    def start(self, target: Target) -> None:
        """Let it run behind the launches before it."""
        for uniforms, groups in self.parts:
            target.dispatch(self.pipeline, uniforms, self.buffers, groups)


def prepare(
    device: WebGpuDevice,
    request: LaunchRequest,
    allocations: Sequence[SharedBytes],
    buffers: Sequence[Any],
) -> PreparedDispatch:
    """Compile a launch, and work out what it is passed. buffers: of the allocations. Raises Refusal."""
    shape = request.shape(device.target, allocations)
    compiled = device.compiled(request.source, shape, request.written)
    shader = compiled.shader
    numbers = [
        source
        if isinstance(source := binding.source, int)
        else _holder(address(request.variables[source]), allocations)
        for binding in shader.bindings
    ]
    bound = [*(buffers[number] for number in numbers), device.fault]
    blocks, parts = math.prod(request.grid), []
    each = blocks
    if shape.numbered:
        each = -(-blocks // max(request.dispatches, -(-blocks // (ROW * MOST_GROUPS))))
    for first in range(0, blocks, each):
        count = min(each, blocks - first)
        groups = (count, 1, 1) if count <= ROW else (ROW, -(-count // ROW), 1)
        uniforms = request.uniforms(shader.uniforms, allocations, (first, first + count))
        parts.append((uniforms, groups if shape.numbered else request.grid))
    changes = {n for n, b in zip(numbers, shader.bindings, strict=True) if b.written}
    return PreparedDispatch(compiled.pipeline, bound, parts, sorted(changes))


def run(device: WebGpuDevice, request: LaunchRequest) -> bool:
    """Launch on copies; say whether no fault was met. After a fault the arrays are as before. Raises Refusal."""
    allocations = grouped(request.arrays())
    buffers = [device.memory.take(allocation) for allocation in allocations]
    try:
        prepared = prepare(device, request, allocations, buffers)
        prepared.start(device.target)
        changed = prepared.changes
        wanted = [(buffers[k], allocations[k].memory.size) for k in changed]
        fault, *results = device.target.read([(device.fault, FAULT), *wanted])
        if device.met_fault(fault):
            return False
        for k, data in zip(changed, results, strict=True):
            allocations[k].memory[:] = np.frombuffer(data, np.uint8)
        return True
    finally:
        for buffer in buffers:
            device.memory.give_back(buffer)
