"""Runs loaded code over the blocks of a launch, in slices, between which it can be interrupted.

The code gets one row of 8-byte slots: the addresses of arrays, and numbers. First used in lesson 07.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

import numpy as np

from nnlib.cuda.language import tree
from nnlib.cuda.language.layout import dtype_of, leaves
from nnlib.cuda.language.types import Pointer, Struct, Vector

ALIGNMENT = 64


class Arguments:
    """slots: what the code reads; arrays: with the slot of the address of each, and whether it may be written."""

    def __init__(self, kernel: tree.Function, values: Sequence[Any], variables: Sequence[np.ndarray],
                 written: Collection[str]) -> None:
        numbers: list[bytes] = []
        self.arrays: list[tuple[int, np.ndarray, bool]] = []
        for parameter, value in zip(kernel.parameters, values, strict=True):
            if isinstance(parameter.type, Pointer):
                if isinstance(value, np.ndarray):
                    self.arrays.append((len(numbers), value, parameter.name in written))
                numbers.append(bytes(8))
            else:
                numbers += _numbers(parameter.type, value)
        for variable in variables:
            self.arrays.append((len(numbers), variable, True))
            numbers.append(bytes(8))
        self.slots = np.frombuffer(b"".join(numbers) + bytes(8), np.int64).copy()


def _numbers(kind: Any, value: Any) -> list[bytes]:
    """Eight bytes for each leaf."""
    if not isinstance(kind, Struct | Vector):
        return [_number(np.asarray(value, kind.dtype))]
    data = np.frombuffer(value.tobytes(), np.uint8)
    return [_number(data[leaf.offset:leaf.offset + leaf.type.size].view(dtype_of(leaf.type))[0])
            for leaf in leaves(kind)]


def _number(value: Any) -> bytes:
    """Whole ones as 64 bits."""
    if value.dtype.kind == "f":
        return value.tobytes().ljust(8, b"\0")
    return (int(value) & 2**64 - 1).to_bytes(8, "little")


def execute(target: Any, run: Any, given: Arguments, blocks: int, slices: int, scratch: int) -> bool:
    """Whether it came to its end; if not, the arrays are as before."""
    return (_in_place if target.in_place else _on_copies)(target, run, given, blocks, slices, scratch)


def _slices(run: Any, slots: int, blocks: int, slices: int, scratch: int) -> bool:
    """A page's compiler makes code faster from one call to the next."""
    count = min(blocks, slices)
    return not any(run(slots, blocks * k // count, blocks * (k + 1) // count, scratch) for k in range(count))


def _in_place(target: Any, run: Any, given: Arguments, blocks: int, slices: int, scratch: int) -> bool:
    for slot, array, _ in given.arrays:
        given.slots[slot] = array.ctypes.data
    before = [(array, array.copy()) for _, array, written in given.arrays if written]
    room = np.empty(scratch + ALIGNMENT, np.uint8)
    done = False
    try:
        done = _slices(run, given.slots.ctypes.data, blocks, slices, -(-room.ctypes.data // ALIGNMENT) * ALIGNMENT)
    finally:
        if not done:
            for array, copy in before:
                array[...] = copy
    return done


def _on_copies(target: Any, run: Any, given: Arguments, blocks: int, slices: int, scratch: int) -> bool:
    places, views, free = target.place([given.slots, *(array for _, array, _ in given.arrays)], scratch)
    for (slot, _, _), place in zip(given.arrays, places[1:], strict=True):
        given.slots[slot] = place
    views[0][:] = given.slots.view(np.uint8)
    done = _slices(run, places[0], blocks, slices, free)
    if done:
        for (_, array, written), view in zip(given.arrays, views[1:], strict=True):
            if written:
                array.reshape(-1).view(np.uint8)[:] = view
    return done
