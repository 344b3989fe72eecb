"""Launches on a device: what a kernel is compiled for, and what it is passed."""

from __future__ import annotations

import ctypes
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..language.refusal import Refusal
from .printer import print_kernel
from .shader import (
    MOST_GROUPS,
    ROW,
    Argument,
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


def grouped(arrays: Iterable[np.ndarray]) -> list[SharedBytes]:
    """Return the memory of arrays, in the order of its addresses; those that overlap share it."""
    merged: list[tuple[int, int]] = []
    for start, end in sorted((address(array), address(array) + array.nbytes) for array in arrays):
        if merged and start < merged[-1][1]:
            start, before = merged.pop()
            end = max(end, before)
        merged.append((start, end))
    return [
        SharedBytes(
            start, np.ctypeslib.as_array((ctypes.c_uint8 * (end - start)).from_address(start))
        )
        for start, end in merged
    ]


def address(array: np.ndarray) -> int:
    """Return where an array begins."""
    return int(array.__array_interface__["data"][0])


class WebGpuDevice:
    """A target with what was compiled for it, and with buffers that are free again."""

    def __init__(self, target: Target) -> None:
        self.target, self.fault = target, target.buffer(FAULT)
        self._free: dict[int, list[Any]] = {}
        self._compiled: dict[tuple[int, ShaderLaunch], tuple[KernelSource, Shader]] = {}
        self._pipelines: dict[str, Any] = {}

    def take(self, allocation: SharedBytes) -> Any:
        """Return a buffer with the bytes of an allocation."""
        data = allocation.memory
        size = -(-(data.size + PADDING) // 256) * 256
        free = self._free.get(size)
        buffer = free.pop() if free else self.target.buffer(size)
        if data.size:
            self.target.write(buffer, np.pad(data, (0, -data.size % 4)) if data.size % 4 else data)
        return buffer

    def give_back(self, buffer: Any) -> None:
        """Let another launch have a buffer."""
        self._free.setdefault(buffer.size, []).append(buffer)

    def compiled(
        self, source: KernelSource, shape: ShaderLaunch, written: Any
    ) -> tuple[Shader, Any]:
        """Return the module for launches of this shape, and its pipeline. Raises Refusal."""
        key = id(source), shape
        if key not in self._compiled:
            limits = self.target.limits
            sides = zip(shape.block, limits.sides, strict=True)
            if math.prod(shape.block) > limits.threads or any(side > most for side, most in sides):
                raise Refusal("a block of more threads than this device takes")
            shader = print_kernel(source, shape, written)
            if shader.workgroup_bytes > limits.workgroup_bytes:
                raise Refusal("more shared memory than this device has")
            if len(shader.bindings) + 1 > limits.arrays:
                raise Refusal("more arrays than this device takes")
            if shader.text not in self._pipelines:
                self._pipelines[shader.text] = self.target.pipeline(shader)
            self._compiled[key] = source, shader
        shader = self._compiled[key][1]
        return shader, self._pipelines[shader.text]

    def read(self, buffers: Sequence[tuple[Any, int]]) -> tuple[bool, list[memoryview]]:
        """Wait, and return so many bytes of each buffer, and whether a launch has noted a fault since the last time."""
        fault, *data = self.target.read([(self.fault, FAULT), *buffers])
        if wrong := any(bytes(fault)):
            self.target.write(self.fault, bytes(FAULT))
        return wrong, data


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
        given = (*self.values, *self.variables.values())
        return [value for value in given if isinstance(value, np.ndarray) and value.nbytes]

    def shape(self, target: Target, allocations: Sequence[SharedBytes]) -> ShaderLaunch:
        """Return what its text depends on. allocations: in which its arrays lie. Raises Refusal."""
        most = max((allocation.memory.size for allocation in allocations), default=0)
        if most + PADDING > target.limits.array_bytes:
            raise Refusal("an array that is larger than this device takes")
        arguments = tuple(_argument(value, allocations) for value in self.values)
        large = max(self.grid) > MOST_GROUPS or self.dispatches > 1
        return ShaderLaunch(self.grid, self.block, arguments, self.shared, large, target.abilities)

    def uniforms(
        self, fields: Sequence[Uniform], allocations: Sequence[SharedBytes], first: int, last: int
    ) -> bytes:
        """Return the words that are passed to the blocks from the first to the last."""
        known = {"grid": self.grid, "zero": (0,), "first": (first,), "last": (last,)}
        words = [
            known[field.what][field.of] if field.what in known else self._word(field, allocations)
            for field in fields
        ]
        return np.array(words, np.uint32).tobytes()

    def _word(self, field: Uniform, allocations: Sequence[SharedBytes]) -> int:
        value = self.values[field.of]
        if field.what == "value":
            return words_of(value)[field.at // 4]
        if field.what == "length":
            return int(value.nbytes) // field.at
        offset, left = divmod(_placed(value, allocations)[1], field.at)
        if left:
            raise Refusal("an array that is not aligned for how it is read")
        return offset


def _placed(array: np.ndarray, allocations: Sequence[SharedBytes]) -> tuple[int, int]:
    """Return the number of the allocation that an array lies in, and how many bytes behind its beginning."""
    start = address(array)
    number = max(k for k, allocation in enumerate(allocations) if allocation.start <= start)
    return number, start - allocations[number].start


def _argument(value: Any, allocations: Sequence[SharedBytes]) -> Argument:
    if isinstance(value, np.ndarray):
        if not value.nbytes:
            return None
        number, offset = _placed(value, allocations)
        return ArrayArgument(number, value.nbytes, offset > 0)
    return int(value) if isinstance(value, np.integer) else None


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
    shader, pipeline = device.compiled(request.source, shape, request.written)
    numbers = [
        source
        if isinstance(source := binding.source, int)
        else _placed(request.variables[source], allocations)[0]
        for binding in shader.bindings
    ]
    blocks = each = math.prod(request.grid)
    if shape.numbered:
        each = -(-blocks // max(request.dispatches, -(-blocks // (ROW * MOST_GROUPS))))
    parts = []
    for first in range(0, blocks, each):
        count = min(each, blocks - first)
        groups = (count, 1, 1) if count <= ROW else (ROW, -(-count // ROW), 1)
        uniforms = request.uniforms(shader.uniforms, allocations, first, first + count)
        parts.append((uniforms, groups if shape.numbered else request.grid))
    changes = {n for n, b in zip(numbers, shader.bindings, strict=True) if b.written}
    bound = [*(buffers[number] for number in numbers), device.fault]
    return PreparedDispatch(pipeline, bound, parts, sorted(changes))
