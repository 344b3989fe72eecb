"""Operations that are prepared once per shape: the next call only starts their kernels, on a GPU.

What Python does around a launch takes longer than a small kernel runs. So the launches of an operation are recorded for
the shapes of its arguments; a later call with such arguments hands them over as they are.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from nnlib import device
from nnlib.cuda import PreparedLaunch, on_gpu
from nnlib.ops import recording
from nnlib.ops.mixed_precision import current_precision
from nnlib.ops.recording import KernelNode, Recording, address, owner

_MOST = 512  # plans of an operation: a program has few shapes; one that has many forgets them
_ALIGNMENT = 16  # bytes, as float4 needs


def prepared(operation: Callable[..., Any]) -> Callable[..., Any]:
    """Prepare an operation of kernels alone, whose launches follow from its arguments' shapes and its integers."""
    plans: dict[tuple[Any, ...], _Plan | None] = {}

    @functools.wraps(operation)
    def call(*args: Any, **kwargs: Any) -> Any:
        if recording.current() is not None or not on_gpu():
            return operation(*args, **kwargs)
        values = (*args, *kwargs.values())
        key = _key(values, tuple(kwargs))
        plan = plans.get(key) if key else None
        if plan:
            return plan.start(values)
        result = operation(*args, **kwargs)
        if key and key not in plans:
            if len(plans) >= _MOST:
                plans.clear()
            plans[key] = _plan(operation, args, kwargs)
        return result

    return call


def _key(values: Sequence[Any], names: tuple[str, ...]) -> tuple[Any, ...] | None:
    """Return what the launches depend on, or None if an array would be copied first or an argument is of another kind."""
    cupy = _cupy()
    key, ndarray = [names, cupy.cuda.runtime.getDevice(), current_precision()], cupy.ndarray
    for value in values:
        kind = type(value)
        if kind is ndarray:
            if not value.flags.c_contiguous:
                return None
            key.append((value.dtype, value.shape, value.data.ptr % _ALIGNMENT == 0))
        elif (
            value is None
            or kind is int
            or kind is bool
            or (kind is tuple and all(type(v) is int for v in value))
        ):
            key.append((kind, value))
        else:
            return None
    return tuple(key)


@functools.cache
def _cupy() -> Any:
    return device.xp


def _plan(
    operation: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> _Plan | None:
    """Return what the operation launches, or None if an array would be copied or is not recorded."""
    noted, ndarray = Recording(), _cupy().ndarray
    crooked = []

    def stand_in(value: Any) -> Any:
        if type(value) is not ndarray:
            return value
        array = noted.empty(value.shape, value.dtype)
        if value.data.ptr % _ALIGNMENT:
            crooked.append(array)
        return array

    args, kwargs = (
        tuple(map(stand_in, args)),
        {name: stand_in(value) for name, value in kwargs.items()},
    )
    with noted.on():
        result = operation(*args, **kwargs)
    given = [value for value in (*args, *kwargs.values()) if isinstance(value, np.ndarray)]
    if any(map(noted.is_aligned, crooked)):
        return None
    known = [
        argument
        for node in noted.launches
        for argument in node.args
        if isinstance(argument, np.ndarray)
    ]
    return _Plan(given, noted.launches, result) if all(map(noted.stands_in, known)) else None


class _Plan:
    """Launches on numbered memory: first the arrays that are given, then those that each call allocates."""

    def __init__(
        self, given: Sequence[np.ndarray], launches: Sequence[KernelNode], result: Any
    ) -> None:
        self._owners = list(given)
        self._new: list[tuple[tuple[int, ...], np.dtype]] = []
        self._several = isinstance(result, tuple)
        wanted = result if self._several else (result,)
        whole = {
            id(owner(array)): array.shape
            for array in wanted
            if array is not None and array.size == owner(array).size
        }
        self._results = [
            None if array is None else (*self._place(array, whole), array.shape, array.dtype)
            for array in wanted
        ]
        self._launches = [self._launch(node) for node in launches]
        self._owners.clear()

    def _place(
        self, array: np.ndarray, shapes: dict[int, tuple[int, ...]] | None = None
    ) -> tuple[int, int]:
        """Return the number of the array's memory, and how many bytes into it the array begins."""
        memory = owner(array)
        number = next(
            (k for k, known in enumerate(self._owners) if known is memory), len(self._owners)
        )
        if number == len(self._owners):
            self._owners.append(memory)
            self._new.append(((shapes or {}).get(id(memory), (memory.size,)), memory.dtype))
        return number, address(array) - address(memory)

    def _launch(self, node: KernelNode) -> PreparedLaunch:
        places = [
            (k, *self._place(value))
            for k, value in enumerate(node.args)
            if isinstance(value, np.ndarray)
        ]
        return node.kernel.prepare(node.grid, node.block, node.args, node.shared, places)

    def start(self, values: Sequence[Any]) -> Any:
        """Run the operation on other arguments of these shapes."""
        cupy = _cupy()
        ndarray = cupy.ndarray
        memory = [value for value in values if type(value) is ndarray]
        for shape, dtype in self._new:
            memory.append(ndarray(shape, dtype))
        begins = [array.data.ptr for array in memory]
        stream = cupy.cuda.get_current_stream().ptr
        for launch in self._launches:
            launch.start(begins, stream)
        results = [
            _view(memory[place[0]], *place[1:]) if place else None for place in self._results
        ]
        return tuple(results) if self._several else results[0]


def _view(memory: Any, offset: int, shape: tuple[int, ...], dtype: np.dtype) -> Any:
    """Return the array of that shape at that byte of this one's memory: the array itself if it is all of it."""
    if memory.shape == shape:
        return memory
    # Slices and reshapes would take longer than a launch
    return type(memory)(shape, dtype, memory.data + offset)
