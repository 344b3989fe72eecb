"""A training step as a list of launches: operations note what they would launch, and compute nothing.

While recording, the arrays between two launches are stand-ins: they have a shape and a dtype, but their memory is never
touched. Fusion decides which launches remain; `Placement` then gives memory to the stand-ins that these still use.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from nnlib.cuda import RawKernel
from nnlib.device import is_device_array

Allocate = Callable[[int, Any], Any]  # (elements, dtype) -> flat array


class NotCapturable(Exception):
    """The training step cannot become a fixed list of launches; the message says why."""


@dataclass(frozen=True)
class KernelNode:
    """One launch. aside: independent of the node before it, and nothing before the update needs its result."""

    kernel: RawKernel
    grid: tuple[int, ...]
    block: tuple[int, ...]
    args: tuple[Any, ...]
    shared: int = 0
    aside: bool = False

    def __call__(self) -> None:
        self.kernel(self.grid, self.block, self.args, self.shared)


@dataclass(frozen=True)
class RecordedOperation:
    """A call of nnlib.ops: its arguments by name, its result, and what it would have launched."""

    name: str
    args: dict[str, Any]
    result: Any
    launches: list[KernelNode]


class Recording:
    """The operations, and all launches, since recording began."""

    def __init__(self) -> None:
        self.operations: list[RecordedOperation] = []
        self.launches: list[KernelNode] = []
        self._stand_ins: dict[int, np.ndarray] = {}
        self._aligned: set[int] = set()

    @contextmanager
    def on(self) -> Iterator[None]:
        """Inside the `with` block, operations are recorded."""
        before = _recording.set(self)
        try:
            yield
        finally:
            _recording.reset(before)

    def empty(self, shape: Any, dtype: Any = np.float32) -> np.ndarray:
        """A stand-in for an array."""
        array = np.empty(shape, dtype)
        self._stand_ins[id(array)] = array
        return array

    def stands_in(self, array: Any) -> bool:
        """Is it a stand-in, or a view of one?"""
        return id(owner(array)) in self._stand_ins

    def align(self, array: np.ndarray) -> None:
        """Note that a launch needs this array to begin where memory may be allocated."""
        self._aligned.add(id(owner(array)))

    def is_aligned(self, array: np.ndarray) -> bool:
        """Was that noted of it, or of a view of it?"""
        return id(owner(array)) in self._aligned

    def launched(self, function: Callable[..., Any], *args: Any) -> list[KernelNode]:
        """What this function would launch."""
        first = len(self.launches)
        with self.on():
            function(*args)
        return self.launches[first:]


_recording: ContextVar[Recording | None] = ContextVar("recording", default=None)
current = _recording.get


def operate(function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Call an operation, and note it while recording."""
    recording = current()
    if recording is None:
        return function(*args, **kwargs)
    given = inspect.signature(function).bind(*args, **kwargs)
    given.apply_defaults()
    first = len(recording.launches)
    result = function(*args, **kwargs)
    launches = recording.launches[first:]
    recording.operations.append(RecordedOperation(function.__name__, given.arguments, result, launches))
    return result


def launch(kernel: RawKernel, grid: tuple[int, ...], block: tuple[int, ...], args: tuple[Any, ...],
           shared: int = 0) -> None:
    """Launch a kernel, or only note it while recording."""
    recording = current()
    if recording is None:
        kernel(grid, block, args, shared)
    else:
        recording.launches.append(KernelNode(kernel, grid, block, args, shared))


class Placement:
    """Memory for the stand-ins of a recording, taken when they are first asked for.

    allocate: makes a flat array; a counting one tells how much it would take. known: arrays of model and optimizer.
    """

    def __init__(self, recording: Recording, allocate: Allocate, known: Iterable[Any]) -> None:
        self._recording, self._allocate = recording, allocate
        self._known = {id(owner(array)) for array in known}
        self._memory: dict[int, Any] = {}

    def __call__(self, array: np.ndarray) -> Any:
        """The memory of a stand-in, or of a view of one: a flat array."""
        whole = owner(array)
        if id(whole) not in self._memory:
            self._memory[id(whole)] = self._allocate(whole.size, whole.dtype)
        first = (address(array) - address(whole)) // whole.itemsize
        return self._memory[id(whole)][first:first + array.size]

    def renew(self, *arrays: np.ndarray) -> None:
        """From now on these stand-ins have other memory."""
        for array in arrays:
            self._memory.pop(id(owner(array)), None)

    def nodes(self, nodes: Iterable[KernelNode]) -> list[KernelNode]:
        """The same launches on memory; NotCapturable for one on an array that no launch of the step has written."""
        return [replace(node, args=tuple(self._argument(value, node) for value in node.args)) for node in nodes]

    def _argument(self, value: Any, node: KernelNode) -> Any:
        if not isinstance(value, np.ndarray) and not is_device_array(value) or id(owner(value)) in self._known:
            return value
        if not self._recording.stands_in(value):
            raise NotCapturable(f"{node.kernel.name} works on an array that was computed without a kernel of ours")
        return self(value)


def owner(array: Any) -> Any:
    """The array that allocated the memory of this one, NumPy's or CuPy's."""
    while getattr(array, "base", None) is not None:
        array = array.base
    return array


def address(array: np.ndarray) -> int:
    """Where its first element lies."""
    return array.__array_interface__["data"][0]
