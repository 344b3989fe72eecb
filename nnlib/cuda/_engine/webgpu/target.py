"""The interface to a device that runs WGSL: wgpu has it in Python, and navigator.gpu in a page."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from ..language.refusal import Refusal
from .shader import Abilities, Shader

Groups = tuple[int, int, int]


@dataclass(frozen=True)
class TargetLimits:
    """The largest launch that a target accepts.

    threads: of a block; sides: its extents along x, y and z. workgroup_bytes: shared memory of a block. array_bytes: the
    largest array. arrays: storage buffers of a kernel, the one that records faults included.
    """

    threads: int
    sides: tuple[int, int, int]
    workgroup_bytes: int
    array_bytes: int
    arrays: int

    @classmethod
    def of(cls, threads: int, x: int, y: int, z: int, *more: int) -> TargetLimits:
        """Take the numbers in the order of LIMITS in wgpu_target.py and in page_gpu.js."""
        workgroup, binding, buffer, arrays = more
        return cls(threads, (x, y, z), workgroup, min(binding, buffer, 2**31 - 4), arrays)


class DeviceLostError(Exception):
    """The device is gone, or its driver fails: nothing runs there any more in this process."""


class Target(Protocol):
    """A device. name: as its driver has it; software: it is a program on the CPU, which serves tests alone.

    Every method raises DeviceLostError, `buffer` also MemoryError.
    """

    name: str
    software: bool
    abilities: Abilities
    limits: TargetLimits

    def buffer(self, size: int) -> Any:
        """Return memory of so many bytes, a multiple of 4."""

    def write(self, buffer: Any, data: Any) -> None:
        """Copy bytes to the beginning of a buffer, a multiple of 4 of them."""

    def read(self, buffers: Sequence[tuple[Any, int]]) -> list[memoryview]:
        """Wait for what was dispatched; return so many bytes of each buffer."""

    def pipeline(self, shader: Shader) -> Any:
        """Return a compiled module. Raises Refusal for a text that the driver does not accept."""

    def dispatch(
        self, pipeline: Any, uniforms: bytes, buffers: Sequence[Any], groups: Groups
    ) -> None:
        """Add a launch to those that are to run, in order, with its bindings from 0 on."""

    def submit(self) -> None:
        """Start what was dispatched."""

    def timed(self, dispatch: Callable[[], None]) -> float:
        """Return the seconds that the device itself takes for what this dispatches."""


def padded(sizes: Iterable[int]) -> list[int]:
    """Return the offset of each part, packed with 4-byte alignment, and the total size."""
    return [0, *itertools.accumulate(-(-size // 4) * 4 for size in sizes)]


def guarded(method: Callable[..., Any]) -> Callable[..., Any]:
    """Turn what a driver or a browser raises into DeviceLostError."""

    @functools.wraps(method)
    def call(self: Target, *args: Any) -> Any:
        try:
            return method(self, *args)
        except (MemoryError, DeviceLostError, Refusal):
            raise
        except Exception as error:
            if "memory" in f"{type(error).__name__} {error}".lower():
                raise MemoryError(str(error)) from None
            raise DeviceLostError(str(error).strip().partition("\n")[0]) from error

    return call
