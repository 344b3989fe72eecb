"""Arrays on the other side of the bus: copied over before a launch, and back after it. Lesson 01."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..device import is_device_array, owner
from .signature import Parameter

_ALIGNMENT = 16  # bytes, what the widest access of one thread needs; copies keep the remainder


class Transfer:
    """Arguments as one side needs them, in `values`. Arrays that share memory share it in the copies, too.

    private: copy every array, so that the caller's stay as they are.
    """

    def __init__(self, values: Sequence[Any], *, to_device: bool, private: bool = False) -> None:
        self._originals = values
        moving = (
            [value for value in values if isinstance(value, np.ndarray)]
            if to_device or private
            else []
        )
        if not to_device:
            moving += [
                value
                for value in values
                if not isinstance(value, np.ndarray) and is_device_array(value)
            ]
        copies = _copy(moving, to_device) if moving else {}
        self.values = (
            [copies.get(id(value), value) for value in values] if moving else self._originals
        )

    def copy_back(self, parameters: Sequence[Parameter] | None) -> None:
        """Bring home what the kernel may have written: all but the const pointers."""
        if self.values is self._originals:
            return
        for place, (original, copy) in enumerate(zip(self._originals, self.values, strict=True)):
            if copy is original or (parameters and not parameters[place].written):
                continue
            if is_device_array(original):
                original.set(copy)
            else:
                home = copy.get() if is_device_array(copy) else copy
                original[...] = home.view(original.dtype).reshape(original.shape)


def _copy(arrays: Sequence[Any], to_device: bool) -> dict[int, Any]:
    """Copy arrays, one block of bytes per group of overlapping ones; return each array's copy by its id."""
    copies: dict[int, Any] = {}
    group: list[Any] = []
    for array in sorted(arrays, key=_start):
        if group and _start(array) >= max(_start(member) + member.nbytes for member in group):
            copies |= _copy_group(group, to_device)
            group = []
        group.append(array)
    return copies | _copy_group(group, to_device) if group else copies


def _copy_group(group: Sequence[Any], to_device: bool) -> dict[int, Any]:
    first = _start(group[0])
    length = max(_start(array) + array.nbytes for array in group) - first
    room = (first - _begin(group[0])) % _ALIGNMENT
    source = _bytes_at(group[0], first, length)
    if to_device:
        import cupy

        target = cupy.empty(room + length, np.uint8)
        target[room:].set(source)
    else:
        target = np.empty(room + length, np.uint8)
        target[room:] = source.get() if is_device_array(source) else source
    copies = {}
    for array in group:
        begin = _start(array) - first + room
        part = target[begin : begin + array.nbytes]
        # CuPy has no arrays of structs: they travel as bytes
        if not (to_device and array.dtype.fields):
            part = part.view(array.dtype).reshape(array.shape)
        copies[id(array)] = part
    return copies


def _start(array: Any) -> int:
    return int(array.data.ptr if is_device_array(array) else array.ctypes.data)


def _begin(array: Any) -> int:
    """Return an address that counts as aligned: the beginning of NumPy's memory, which on a GPU would be aligned."""
    return 0 if is_device_array(array) else owner(array).ctypes.data


def _bytes_at(array: Any, start: int, length: int) -> Any:
    if not is_device_array(array):
        return np.ctypeslib.as_array((ctypes.c_uint8 * length).from_address(start))
    import cupy

    memory = cupy.cuda.UnownedMemory(start, length, array)
    return cupy.ndarray((length,), np.uint8, cupy.cuda.MemoryPointer(memory, 0))
