"""A training step as a list of launches: operations note what they would launch, and compute nothing.

While recording, the arrays between two launches are stand-ins: they have a shape and a dtype, but their memory is never
touched. nnlib.training.replay decides which launches remain, and gives memory to the stand-ins that these still use.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

import numpy as np

from nnlib.cuda import RawKernel


class NotCapturable(Exception):
    """The training step cannot become a fixed list of launches; the message says why."""


@dataclass(frozen=True)
class KernelNode:
    """One launch. aside: independent of the node before it, and nothing needs its result before a node that joins.

    joins: waits for all nodes that run aside.
    """

    kernel: RawKernel
    grid: tuple[int, ...]
    block: tuple[int, ...]
    args: tuple[Any, ...]
    shared: int = 0
    aside: bool = False
    joins: bool = False

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
        """Record operations inside the `with` block."""
        before = _recording.set(self)
        try:
            yield
        finally:
            _recording.reset(before)

    def empty(self, shape: Any, dtype: Any = np.float32) -> np.ndarray:
        """Return a stand-in for an array."""
        array = np.empty(shape, dtype)
        self._stand_ins[id(array)] = array
        return array

    def stands_in(self, array: Any) -> bool:
        """Return whether the array is a stand-in, or a view of one."""
        return id(owner(array)) in self._stand_ins

    def align(self, array: np.ndarray) -> None:
        """Note that a launch needs this array to begin where memory may be allocated."""
        self._aligned.add(id(owner(array)))

    def is_aligned(self, array: np.ndarray) -> bool:
        """Return whether that was noted of the array, or of a view of it."""
        return id(owner(array)) in self._aligned

    def launched(self, function: Callable[..., Any], *args: Any) -> list[KernelNode]:
        """Return what this function would launch."""
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
    recording.operations.append(
        RecordedOperation(function.__name__, given.arguments, result, launches)
    )
    return result


def launch(
    kernel: RawKernel,
    grid: tuple[int, ...],
    block: tuple[int, ...],
    args: tuple[Any, ...],
    shared: int = 0,
) -> None:
    """Launch a kernel, or only note it while recording."""
    recording = current()
    if recording is None:
        kernel(grid, block, args, shared)
    else:
        recording.launches.append(KernelNode(kernel, grid, block, args, shared))


def owner(array: Any) -> Any:
    """Return the array that allocated the memory of this one, NumPy's or CuPy's."""
    while getattr(array, "base", None) is not None:
        array = array.base
    return array


def address(array: np.ndarray) -> int:
    """Return the address of the array's first element."""
    return int(array.__array_interface__["data"][0])
