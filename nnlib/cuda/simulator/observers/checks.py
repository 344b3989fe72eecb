"""Observers of memory accesses that stop a launch: bounds, and reads of shared memory nobody wrote."""

from __future__ import annotations

import math

import numpy as np

from nnlib.cuda.errors import OutOfBoundsError, UninitializedReadError
from nnlib.cuda.simulator.masks import ndarray, spread
from nnlib.cuda.simulator.memory import ATOMIC, READ, WRITE, Access

_UNSIGNED: dict[int, np.dtype] = {4: np.dtype(np.uint32), 8: np.dtype(np.uint64)}


class Bounds:
    """Every active thread's element must lie inside the memory."""

    def __init__(self, launch):
        self.launch = launch

    def __call__(self, access: Access) -> None:
        memory, index = access.memory, access.index
        limit = memory.nbytes // access.site.size
        if index.__class__ is not ndarray:
            if 0 <= index < limit:
                return
            outside = np.ones(self.launch.runtime.width, bool)
        else:
            place = index.view(_UNSIGNED[index.dtype.itemsize])  # negative ones become huge
            if place.max() < limit:
                return
            outside = place >= limit
        if access.mask is not None:
            outside = outside & access.mask
            if not outside.any():
                return
        self._fail(access, outside, limit)

    def _fail(self, access: Access, outside, limit: int) -> None:
        rt, memory, site = self.launch.runtime, access.memory, access.site
        lane = int(np.flatnonzero(outside)[0])
        index = int(spread(access.index, rt.width)[lane])
        subscripts = access.subscripts
        if subscripts is not None:
            subscripts = tuple(int(spread(k, rt.width)[lane]) for k in subscripts)
        element = rt.launch.report.element(memory, index, site, subscripts)
        verb = {READ: "read of", ATOMIC: "atomic on"}.get(access.kind, "write to")
        if memory.name == "null":
            rt.fail(OutOfBoundsError, site, outside, f"{verb[:-3]} through a null pointer")
        if memory.dims and len(memory.dims) > 1:
            shape = "".join(f"[{n}]" for n in memory.dims)
            allowed = f"{memory.space} array {memory.name} is declared {memory.name}{shape}"
        else:
            size = memory.nbytes // memory.dtype.itemsize
            allowed = f"{memory.name} has {size} element{'s' * (size != 1)}"
            if size:
                allowed += f", {memory.name}[0] to {memory.name}[{size - 1}]"
        rt.fail(OutOfBoundsError, site, outside, f"out-of-bounds {verb} {element}", allowed,
                _hint(memory, index, rt.launch))


def _hint(memory, index: int, launch) -> str:
    if index < 0:
        return "the index is negative: guard the border, e.g. with if (i > 0)"
    if index >= 2**31:
        return "below 0 an unsigned number starts again at the largest: guard the border, e.g. with if (i > 0)"
    if memory.space == "shared" and memory.is_dynamic:
        return f"the launch gives an extern array its size, here shared_mem={memory.nbytes} bytes: pass what it needs"
    if memory.space == "global":
        if math.prod(launch.grid) * launch.threads > memory.nbytes // memory.dtype.itemsize:
            return "guard it with if (i < n): the grid has more threads than there are elements"
        return "work out by hand which element this thread should take, if any: guard threads that have none"
    return "compare the index with the declared size, or enlarge the array"


class RowOverrun:
    """Notes subscripts beyond their row of a multi-dimensional array; in C they reach the next row."""

    def __init__(self, launch):
        self.launch = launch

    def __call__(self, access: Access) -> None:
        if access.subscripts is None:
            return
        dims = access.site.dims
        for k, length in list(zip(access.subscripts, dims, strict=False))[1:]:
            beyond = (k < 0) | (k >= length)
            if np.any(beyond if access.mask is None else beyond & access.mask):
                lane = int(np.flatnonzero(spread(beyond, self.launch.runtime.width))[0])
                index = int(spread(k, self.launch.runtime.width)[lane])
                shape = "".join(f"[{n}]" for n in dims)
                self.launch.warnings.append((access.site.line, f"line {access.site.line}: subscript {index} of "
                                             f"{access.memory.name}{shape} reaches into another row"))


class Uninitialized:
    """Shared memory holds garbage until some thread of the block writes it.

    Kept per declared element in `SharedMemory.written`; once all of it is written nothing is looked up any more.
    """

    def __init__(self, launch):
        self.launch = launch

    def __call__(self, access: Access) -> None:
        if access.memory.fully_written:
            return
        if access.kind != WRITE:
            self._read(access)
        if access.kind != READ:
            for unit in self._units(access):
                self._set(access.memory, unit, access.mask, True)

    def _units(self, access: Access):
        """Declared elements touched by each thread; several for vector accesses."""
        unit, size = access.memory.dtype.itemsize, access.site.size
        if size == unit:
            return (access.flat,)
        if size < unit:
            return (access.flat * size // unit,)
        return tuple(access.flat * (size // unit) + k for k in range(size // unit))

    def _set(self, memory, unit, mask, value: bool) -> None:
        if unit.__class__ is not ndarray:
            memory.written[unit] = value
        elif mask is None:
            memory.written[unit.astype(np.int64)] = value
        else:
            memory.written[unit.take(np.flatnonzero(mask)).astype(np.int64)] = value
        memory.written_since_look = True

    def _read(self, access: Access) -> None:
        memory = access.memory
        if memory.written_since_look:
            memory.written_since_look = False
            memory.fully_written = bool(memory.written.all())
            if memory.fully_written:
                return
        for unit in self._units(access):
            found = memory.written.take(unit, mode="clip")
            if found.all():
                continue
            missing = spread(~found, self.launch.runtime.width)
            if access.mask is not None:
                missing = missing & access.mask
            if missing.any():
                self._fail(access, missing)

    def _fail(self, access: Access, missing) -> None:
        rt, memory, site = self.launch.runtime, access.memory, access.site
        lane = int(np.flatnonzero(missing)[0])
        index = int(spread(access.index, rt.width)[lane])
        rt.fail(UninitializedReadError, site, missing,
                f"{rt.launch.report.element(memory, index, site)} is read, but nobody has written it",
                f"__shared__ {memory.name} holds garbage until a thread of the block writes it",
                "fill it first, with __syncthreads() between the writes and the reads")

    # Asynchronous copies arrive when they are waited for.

    def async_started(self, memory, places, size: int) -> None:
        self._arrived(memory, places, size, False)

    def async_finished(self, memory, places, size: int) -> None:
        self._arrived(memory, places, size, True)

    def _arrived(self, memory, places, size: int, value: bool) -> None:
        if memory.space == "shared":
            each = max(1, size // memory.dtype.itemsize)
            for k in range(each):
                memory.written[places * each + k] = value
            memory.fully_written, memory.written_since_look = False, True
