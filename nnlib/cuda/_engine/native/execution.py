"""Runs loaded code over the blocks of a launch, in slices, between which it can be interrupted.

The code gets one row of 8-byte slots: the addresses of arrays, and numbers. First used in lesson 07.
"""

from __future__ import annotations

import threading
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..language import tree
from ..language.layout import dtype_of, leaves
from ..language.types import Pointer, Struct, Vector

ALIGNMENT = 64


class Arguments:
    """The arguments of a launch in the form that native code reads.

    slots: the parameters, the module variables, the grid, the bytes of dynamic shared memory, and the bytes of each
    parameter. arrays: each array with the slot of its address, and whether it may be written.
    """

    def __init__(
        self,
        kernel: tree.Function,
        values: Sequence[Any],
        variables: Sequence[np.ndarray],
        written: Collection[str],
        grid: Sequence[int] = (1, 1, 1),
        shared: int = 0,
    ) -> None:
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
        sizes = (*grid, shared, *(np.asarray(value).nbytes for value in values))
        numbers += [_number(np.int64(size)) for size in sizes]
        self.slots = np.frombuffer(b"".join(numbers) + bytes(8), np.int64).copy()


def _numbers(kind: Any, value: Any) -> list[bytes]:
    """Return eight bytes for each leaf of a value."""
    if not isinstance(kind, Struct | Vector):
        return [_number(np.asarray(value, kind.dtype))]
    data = np.frombuffer(value.tobytes(), np.uint8)
    return [
        _number(data[leaf.offset : leaf.offset + leaf.type.size].view(dtype_of(leaf.type))[0])
        for leaf in leaves(kind)
    ]


def _number(value: np.generic | np.ndarray) -> bytes:
    """Return a number as 8 bytes; integers are extended to 64 bits."""
    if value.dtype.kind == "f":
        return value.tobytes().ljust(8, b"\0")
    return (int(value) & 2**64 - 1).to_bytes(8, "little")


@dataclass
class Slices:
    """The blocks of a launch, divided into `count` slices.

    scratch: bytes for each host thread; parallel: whether several threads may run at once.
    once: the launch is not repeated after a fault, so no copies of its arrays are kept; failed: the block that met the fault.
    """

    blocks: int
    count: int
    scratch: int
    parallel: bool = False
    stopped: bool = False
    once: bool = False
    failed: int | None = None

    def run(self, run: Any, slots: int, rooms: Sequence[int]) -> bool:
        """Run the slices on a host thread for each address of scratch memory; return whether all finished.

        There are many slices because the compiler of a browser's page makes code faster from call to call.
        """
        numbers = iter(range(count := min(self.blocks, self.count)))

        def work(room: int) -> None:
            for k in numbers:
                if self.stopped:
                    break
                first, last = self.blocks * k // count, self.blocks * (k + 1) // count
                if run(slots, first, last, room):
                    self.stopped = True
                    if self.once:
                        self.failed = next(
                            (at for at in range(first, last) if run(slots, at, at + 1, room)), None
                        )

        others = [threading.Thread(target=work, args=(room,)) for room in rooms[1:count]]
        for thread in others:
            thread.start()
        try:
            work(rooms[0])
        except BaseException:
            self.stopped = True
            raise
        finally:
            for thread in others:
                thread.join()
        return not self.stopped


def execute(target: Any, run: Any, given: Arguments, slices: Slices) -> bool:
    """Run a launch and return whether it finished; if not, the arrays are as before, unless it is launched once."""
    return (_in_place if target.in_place else _on_copies)(target, run, given, slices)


def _in_place(target: Any, run: Any, given: Arguments, slices: Slices) -> bool:
    for slot, array, _ in given.arrays:
        given.slots[slot] = array.ctypes.data
    written = [array for _, array, written in given.arrays if written and not slices.once]
    before = [(array, array.copy()) for array in written]
    room = -(-slices.scratch // ALIGNMENT) * ALIGNMENT + ALIGNMENT
    threads = target.threads if slices.parallel else 1
    scratch = np.empty(threads * room, np.uint8)
    first = -(-scratch.ctypes.data // ALIGNMENT) * ALIGNMENT
    done = False
    try:
        done = slices.run(run, given.slots.ctypes.data, [first + k * room for k in range(threads)])
    finally:
        if not done:
            for array, copy in before:
                array[...] = copy
    return done


def _on_copies(target: Any, run: Any, given: Arguments, slices: Slices) -> bool:
    places, views, free = target.place(
        [given.slots, *(array for _, array, _ in given.arrays)], slices.scratch
    )
    for (slot, _, _), place in zip(given.arrays, places[1:], strict=True):
        given.slots[slot] = place
    views[0][:] = given.slots.view(np.uint8)
    done = slices.run(run, places[0], [free])
    if done:
        for (_, array, written), view in zip(given.arrays, views[1:], strict=True):
            if written:
                array.reshape(-1).view(np.uint8)[:] = view
    return done
