"""Bounds: every access lies inside its memory."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...errors import OutOfBoundsError
from ..guards import GuardFinding
from ..masks import at, first_of, ndarray
from ..memory.addresses import LostMemory, NullMemory
from ..memory.spaces import ATOMIC, READ, Access, Memory
from .observer import ALL_SPACES, Check, Observer

_UNSIGNED: dict[int, np.dtype] = {4: np.dtype(np.uint32), 8: np.dtype(np.uint64)}


class Bounds(Check):
    """Every active thread's element must lie inside the memory."""

    name, error = "bounds", OutOfBoundsError
    hint = (
        "work out by hand which element this thread should take: guard threads that have none, "
        "and rows and columns that are too large"
    )
    spaces = ALL_SPACES

    def load(self, access: Access) -> None:
        if access.invariant is not None:  # inside, or it would not be one
            return
        memory, index = access.memory, access.index
        first, limit = memory.reach(access.site.size)
        if index.__class__ is not ndarray:
            if first <= index < limit:
                return
            outside = np.ones(self.machine.width, bool)
        else:
            place = index.view(_UNSIGNED[index.dtype.itemsize])  # negative ones become huge
            if place.max() < limit and (not first or place.min() >= first):
                return
            outside = (place >= limit) | (place < first)
        if access.mask is not None:
            outside = outside & access.mask
            if not outside.any():
                return
        self._fail(access, outside)

    store = atomic = load

    def _fail(self, access: Access, outside: np.ndarray) -> None:
        memory, site = access.memory, access.site
        verb = {READ: "read of", ATOMIC: "atomic on"}.get(access.kind, "write to")
        if isinstance(memory, NullMemory):
            self.fail(site, outside, f"{verb[:-3]} through a null pointer", hint="")
        if isinstance(memory, LostMemory):
            self.fail(site, outside, f"{verb[:-3]} through {memory.what}", hint=memory.hint)
        lane = first_of(outside)
        report = self.launch.fault_report
        touched = report.touched(access, lane)
        size = touched["limit"]
        way = GuardFinding("")
        if touched["shape"]:
            shape = "".join(f"[{n}]" for n in memory.dims)
            allowed = f"{memory.space} array {memory.name} is declared {memory.name}{shape}"
        else:
            allowed = f"{memory.name} has {size} element{'s' * (size != 1)}"
            if size:
                allowed += f", {memory.name}[0] to {memory.name}[{size - 1}]"
            if site.size > memory.element_size:
                first = access.byte_at(lane) // memory.element_size
                allowed += f"; this access takes {site.size // memory.element_size} at once, from {memory.name}[{first}] on"
            way = report.guards(
                self.machine, lane, site, access.element_at(lane), memory.nbytes // site.size
            )
        self.fail(
            site,
            outside,
            f"out-of-bounds {verb} {touched['element']}",
            allowed,
            self._hint(access, touched, way, lane),
            **touched,
            **way.fields,
        )

    def _hint(self, access: Access, touched: dict[str, Any], way: GuardFinding, lane: int) -> str:
        memory, site, index = access.memory, access.site, touched["index"]
        units = "" if site.size == memory.element_size else f" of {site.size} bytes"
        if way.guard == "wrapped":
            return _WRAPPED[way.value is not None and way.value < 0].format(**way._asdict())
        if memory.is_dynamic:
            return (
                f"the launch gives an extern array its size, here shared_mem={memory.nbytes} bytes: "
                "does the kernel need more, or is the index too large?"
            )
        if way.guard in _SAID:
            limit = f"{memory.nbytes // site.size} elements{units}"
            return _SAID[way.guard].format(array=memory.name, limit=limit, **way._asdict())
        if index < 0:
            return _below_zero(way)
        if index >= 2**31:
            return "below 0 an unsigned number starts again at the largest: test it before you subtract"
        if memory.space != "global":
            return f"compare {_too_large(memory, touched['subscripts'])} with the declared size, or enlarge the array"
        if way.guard == "passed":
            lead = (
                f"the condition {way.condition} lets this thread through, and "
                if way.condition
                else ""
            )
            if found := index - access.byte_at(lane) // memory.element_size:
                return f"{lead}only {found} of these elements exist: take the last ones of {memory.name} one at a time"
            what = f"the index {way.where}" if way.is_shown and not units else "the index"
            return f"{lead}{what} is {index} here: which element should this thread take? Work it out by hand"
        said = self._guard(memory, index, lane)
        return (
            f"no condition limits {way.subject}: {said}"
            if way.subject and said is self.hint
            else said
        )

    def _guard(self, memory: Memory, index: int, lane: int) -> str:
        """Return the guard that is missing: of the thread's own number, of an index along x or y, or of something else."""
        grid, block = self.launch.grid, self.launch.fault_report.block
        if math.prod(grid) * math.prod(block) > memory.nbytes // memory.element_size:
            thread, place = self.launch.fault_report.whose(self.machine, lane)
            x, y, z = (i * width + t for i, width, t in zip(place, block, thread, strict=True))
            if math.prod(grid[1:]) * math.prod(block[1:]) > 1:
                hint = "guard each index with its own limit, as in if (x < columns && y < rows)"
                return hint if x or z else f"{hint}: here x is 0, and y is {y}"
            if index == x:
                return f"guard it, as in if (i < n): the grid has more threads than {memory.name} has elements"
        return self.hint


_SAID = {  # what is wrong with the conditions on the way -> what to do
    "other": "the condition {condition} does not limit {subject}, on which this index depends: test {subject}, too",
    "late": "the guard comes too late: {condition} is asked in line {line}, after this access. Ask it before you read "
    "or write",
    "either": "the condition {condition} is true as soon as one of its parts is: a thread may work where all of them "
    "are, &&",
    "both": "the condition {condition} stops a thread only where all of its parts are true: it must stop where one of "
    "them is, ||",
    "inverted": "the condition {condition} lets just those threads through that should stop here: turn it around",
    "chained": "{condition} compares twice in Python only. In C the first comparison gives 0 or 1, and that is "
    "compared next: write a <= b && b < c",
    "equal": "the condition {condition} lets {subject} = {value} through, and that is one too many: indices begin at "
    "0, so stop {value} itself, too, by < or >=",
    "limit": "the condition {condition} lets every index below {value} through, and {array} has {limit}: "
    "which of the two numbers is wrong?",
}


_WRAPPED = (  # above what its type holds, or below 0
    (
        "{subject} is {value:,} in this thread, more than an int holds, so it has wrapped around: compute it in a wider "
        "type, with one operand a long long, and guard the result"
    ),
    (
        "{subject} is {value:,} in this thread, and below 0 an unsigned number starts again at the largest: test it before "
        "you subtract"
    ),
)


def _below_zero(way: GuardFinding) -> str:
    what = way.where if way.is_shown else "the index"
    if way.guard == "passed":  # by a condition on the other side
        return (
            f"{what} is negative here although {way.condition}: work it out by hand for this thread"
        )
    if way.subject:
        return f"{what} is negative here: guard it from below, as in if ({way.subject})"
    return f"{what} is negative here: what does it subtract? Guard each direction from below before you use it"


def _too_large(memory: Memory, subscripts: tuple[int, ...] | None) -> str:
    """Return the index beyond its size, by its place in the brackets where there are several."""
    if subscripts is not None and len(memory.dims) == len(subscripts) > 1:
        for place, k, size in zip(
            ("first", "second", "third", "last"), subscripts, memory.dims, strict=False
        ):
            if k >= size:
                return f"the {place} index, {k},"
    return "the index"


class RowOverrun(Observer):
    """Notes subscripts beyond their row of a multi-dimensional array; in C they reach the next row."""

    spaces = ("shared", "local")

    def __init__(self) -> None:
        self.ranges: dict[
            int, tuple[Any, int, int]
        ] = {}  # of arrays seen lately; most come again, as threadIdx does

    def _range(self, subscript: Any) -> tuple[int, int]:
        if subscript.__class__ is not ndarray:
            return int(subscript), int(subscript)
        known = self.ranges.get(id(subscript))
        if known is None or known[0] is not subscript:
            if len(self.ranges) > 64:
                self.ranges.clear()
            known = self.ranges[id(subscript)] = (
                subscript,
                int(subscript.min()),
                int(subscript.max()),
            )
        return known[1:]

    def load(self, access: Access) -> None:
        if access.subscripts is None:
            return
        dims = access.site.dims
        for k, length in list(zip(access.subscripts, dims, strict=False))[1:]:
            low, high = self._range(k)
            if low >= 0 and high < length:
                continue
            beyond = (k < 0) | (k >= length)
            if np.any(beyond if access.mask is None else beyond & access.mask):
                lane = first_of(self.machine.spread(beyond))
                shape = "".join(f"[{n}]" for n in dims)
                self.launch.warnings.append(
                    (
                        access.site.line,
                        (
                            f"line {access.site.line}: subscript {int(at(k, lane))} of "
                            f"{access.memory.name}{shape} reaches into another row"
                        ),
                    )
                )

    store = atomic = load
