"""Memory spaces, loads and stores. Lesson 01; shared memory is lesson 03.

A memory is a run of bytes with a name. The type that is touched there is static and comes with each access in its
`Site`. Whatever wants to see accesses (bounds, races, counters, the trace) is in the memory's `Watch` and is called
before each access happens.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from ...language.layout import dtype_of, flat_element, smallest, unit_of
from ...language.tree import Position
from ...language.types import Array, Pointer, Scalar, Type, Vector, size_of
from ..masks import Mask, PerThread, as_places, at, lanes_of, ndarray, spread
from .index import InvariantIndex, plain

Subscripts = tuple[PerThread, ...] | None  # of an access to an array with several dimensions
Found = tuple[np.ndarray, np.ndarray, np.ndarray]  # an array, where in it, and what is there
READ, WRITE, ATOMIC = "read", "write", "atomic"
PEEK = "peek"  # a read that may meet an atomic


class Kept(NamedTuple):
    """What a compiler makes of an access whose value it keeps in a register.

    why: "register": there is none; "loop", "branch": one for all of the group each time that the region, a loop or a
    branch, is entered.
    """

    why: str
    region: int = 0
    group: int = 0


class Site:
    """One place in the source that touches memory, or can fail: position and the type touched there.

    dims: of a multi-dimensional array indexed here. is_guess: a plain read whose value an atomicCAS verifies. is_copy: a
    store of what was loaded. unit: bytes in which a pointer here counts; 0 where there is none. kept: what a compiler
    makes of the access; None: it is made as it is written. copied: the access is part of a copy of a struct of so many
    bytes; 0: not its first part.
    """

    def __init__(
        self,
        number: int,
        at: Position,
        type: Type | None = None,
        dims: tuple[int, ...] = (),
        name: str = "",
    ) -> None:
        base = type.base if isinstance(type, Vector) else type
        self.number, self.line, self.column = number, at.line, at.column
        self.dtype = dtype_of(base) if isinstance(base, Scalar | Pointer) else np.dtype(np.uint8)
        self.lanes = type.lanes if isinstance(type, Vector) else 1
        self.size = self.dtype.itemsize * self.lanes
        self.dims, self.name = dims, name
        self.is_guess = self.is_volatile = self.is_copy = False
        self.unit = unit_of(base.target) if isinstance(base, Pointer) else 0
        self.kept: Kept | None = None
        self.copied: int | None = None


class Access:
    """One access of a memory by all active threads, as observers see it.

    value: what is stored; of an atomic, its name and operands. invariant: the index, if it stays the same in a loop and all
    threads' elements are inside.
    """

    __slots__ = (
        "_flat",
        "_index",
        "invariant",
        "kind",
        "mask",
        "memory",
        "site",
        "subscripts",
        "value",
    )

    def __init__(
        self,
        memory: Memory,
        kind: str,
        index: PerThread,
        mask: Mask,
        site: Site,
        value: PerThread = None,
        subscripts: Subscripts = None,
    ) -> None:
        self.memory, self.kind, self.mask, self.site = memory, kind, mask, site
        self.value, self.subscripts, self._index = value, subscripts, index
        self._flat: PerThread = None
        self.invariant: InvariantIndex | None = index if index.__class__ is InvariantIndex else None

    @property
    def index(self) -> PerThread:
        """Element number in the memory as the thread sees it, uniform or one per thread."""
        return self._index if self.invariant is None else self.invariant.value

    def unchanged(self) -> PerThread:
        """Return for which threads a store leaves memory as it is."""
        data, lanes = self.memory.view(self.site.dtype), self.site.lanes
        same: PerThread = True
        for k, value in enumerate(self.value if lanes > 1 else (self.value,)):
            old = data.take(
                as_places(self.flat * lanes + k if lanes > 1 else self.flat), mode="clip"
            )
            same = same & equal(old, value)
        return same

    def value_at(self, lane: int) -> Any:
        """Return what one thread stores, or finds there; of a vector the first part."""
        if self.kind == WRITE:
            return at(self.value[0] if isinstance(self.value, tuple) else self.value, lane)
        return self.memory.view(self.site.dtype)[int(at(self.flat, lane)) * self.site.lanes]

    def element_at(self, lane: int) -> int:
        """Return the number of the element that one thread touches, counted from where the array begins."""
        return self.byte_at(lane) // self.site.size

    def byte_at(self, lane: int) -> int:
        """Return where the bytes that one thread touches begin, counted from where the array begins."""
        return int(at(self.index, lane)) * self.site.size - self.memory.lead

    def found(self, width: int) -> Found:
        """Return the data, where in it the active threads of a machine so wide touch it, and what they find there."""
        data, parts = self.memory.view(self.site.dtype), self.site.lanes
        first = spread(self.flat, width)[lanes_of(self.mask, width)].astype(np.intp) * parts
        places = np.unique(np.clip(np.add.outer(first, np.arange(parts)), 0, len(data) - 1))
        return data, places, data[places]

    def by(self, mask: Mask) -> Access:
        """Return the same by some of its threads."""
        return Access(
            self.memory, self.kind, self.index, mask, self.site, self.value, self.subscripts
        )

    @property
    def flat(self) -> PerThread:
        """Element number in the whole memory (shared: of all blocks), uniform or one per thread."""
        if self._flat is None:
            self._flat = self.memory.flat(self.index, self.site.size)
        return self._flat

    def is_same_place(self, other: Access) -> bool:
        """Return whether every thread touches the element that it touches in the other access to this memory."""
        mine, its = self.invariant, other.invariant
        if mine is not None and its is not None and mine.lanes is its.lanes:
            return mine.offset == its.offset
        return self.flat is other.flat or np.array_equal(self.flat, other.flat)


def equal(a: PerThread, b: PerThread) -> PerThread:
    """Return where values are equal; NaN is equal to itself."""
    return (a == b) | ((a != a) & (b != b))


Hook = Callable[..., None]


class Watch(NamedTuple):
    """Who sees loads, stores and atomics on a memory, before they happen."""

    load: Sequence[Hook] = ()
    store: Sequence[Hook] = ()
    atomic: Sequence[Hook] = ()


NOBODY = Watch()


class Memory:
    """A global or constant buffer: the bytes of one array.

    lead: bytes of its allocation in front of the array, back to where a sector begins; offsets count from there.
    home, at: what it shares its bytes with, and where there it begins; itself unless arguments overlap.
    kind: its type, where it holds structs. book: the addresses of memories, for pointers that are kept here.
    """

    space = "global"
    kind: Any = None
    book: Any = None
    is_dynamic = False  # extern __shared__, as large as the launch says

    def __init__(
        self,
        name: str,
        data: np.ndarray,
        watch: Watch = NOBODY,
        dims: tuple[int, ...] = (),
        lead: int = 0,
    ) -> None:
        self.name, self.watch, self.dims, self.lead = name, watch, dims, lead
        self.nbytes = data.nbytes
        self.is_written = False  # may the kernel store here
        self.array = data
        self.dtype = data.dtype
        self.bytes = _bytes(data, lead) if data.nbytes else np.zeros(16, np.uint8)
        self.views = {data.dtype: self.bytes.view(data.dtype)}
        self.home: Any = self
        self.at = 0

    @property
    def extent(self) -> int:
        """Bytes from the beginning of the home to its end."""
        return len(self.bytes)

    @property
    def unit(self) -> int:
        """Bytes of the smallest part that has a value of its own."""
        return self.dtype.itemsize if self.kind is None else smallest(self.kind)

    @property
    def element_size(self) -> int:
        """Bytes of an element, as it is declared."""
        return self.dtype.itemsize if self.kind is None else size_of(flat_element(self.kind))

    def reach(self, size: int) -> tuple[int, int]:
        """Return the first element of `size` bytes that a thread may touch, and the one after the last."""
        return -(-self.lead // size), (self.lead + self.nbytes) // size

    def view(self, dtype: np.dtype) -> np.ndarray:
        found = self.views.get(dtype)
        if found is None:
            whole = len(self.bytes) // dtype.itemsize * dtype.itemsize
            found = self.views[dtype] = self.bytes[:whole].view(dtype)
        return found

    def flat(self, index: PerThread, size: int) -> PerThread:
        return index

    def scaled(self, old: int, new: int, misaligned: Hook | None) -> Memory:
        return self

    def seen(self, watch: Sequence[Hook], kind: str, *given: Any) -> Access:
        """Show an access to those who watch. given: what else an Access is made of."""
        access = Access(self, kind, *given)
        for see in watch:
            see(access)
        return access

    def _load_invariant(
        self, index: InvariantIndex, mask: Mask, site: Site, subscripts: Subscripts
    ) -> PerThread:
        if self.watch.load:
            self.seen(self.watch.load, READ, index, mask, site, None, subscripts)
        data, start, lanes = self.view(site.dtype), index.offset * site.lanes, index.lanes
        key = self, site.size, site.lanes
        places = lanes.found.get(key)
        if places is None:  # where in the view the elements of the vector are; per lane of a float4
            flat = self.flat(lanes.vector, site.size).astype(np.intp) * site.lanes
            places = lanes.found[key] = tuple(flat + k for k in range(site.lanes))
        if start >= 0 and lanes.low >= 0:  # all places are in what begins there
            data = data[start:]
        else:
            places = tuple(place + start for place in places)
        return (
            data.take(places[0]) if site.lanes == 1 else tuple(data.take(place) for place in places)
        )

    def load(
        self, index: PerThread, mask: Mask, site: Site, subscripts: Subscripts = None
    ) -> PerThread:
        value: PerThread
        if index.__class__ is InvariantIndex and index.within(*self.reach(site.size)):
            value = self._load_invariant(index, mask, site, subscripts)
        else:
            if index.__class__ is InvariantIndex:
                index = index.value
            if self.watch.load:
                index = self.seen(self.watch.load, READ, index, mask, site, None, subscripts).flat
            else:
                index = self.flat(index, site.size)
            data = self.views.get(site.dtype)
            if data is None:
                data = self.view(site.dtype)
            if site.lanes > 1:
                places = (as_places(index * site.lanes + k) for k in range(site.lanes))
                value = tuple(data.take(place, mode="clip") for place in places)
            elif index.__class__ is ndarray:
                value = data.take(as_places(index), mode="clip")
            else:
                value = data[index]
        return self.book.pointer(value, mask, site.unit) if site.unit else value

    def store(
        self,
        index: PerThread,
        value: PerThread,
        mask: Mask,
        site: Site,
        subscripts: Subscripts = None,
    ) -> None:
        if site.unit:
            value = self.book.number(value, site.unit)
        if index.__class__ is InvariantIndex and not index.within(*self.reach(site.size)):
            index = index.value
        if self.watch.store:
            index = self.seen(self.watch.store, WRITE, index, mask, site, value, subscripts).flat
        else:
            index = self.flat(plain(index), site.size)
        data = self.view(site.dtype)
        if site.lanes > 1:
            for k in range(site.lanes):
                put(data, index * site.lanes + k, value[k], mask)
        else:
            put(data, index, value, mask)


def _bytes(data: np.ndarray, lead: int) -> np.ndarray:
    """Return the bytes of an array, and `lead` more in front of it."""
    if not lead:
        return data.reshape(-1).view(np.uint8)
    whole: Any = (ctypes.c_uint8 * (lead + data.nbytes)).from_address(data.ctypes.data - lead)
    return np.frombuffer(whole, np.uint8)


def put(data: np.ndarray, index: PerThread, value: PerThread, mask: Mask) -> None:
    """Store data[index] = value by the active threads; of several at one element the last one wins."""
    if index.__class__ is not ndarray:
        if value.__class__ is ndarray:
            value = value[-1] if mask is None else value[np.flatnonzero(mask)[-1]]
        data[index] = value
    elif mask is None:
        data[index.astype(np.intp)] = value
    else:
        lanes = np.flatnonzero(mask)
        data[index.take(lanes).astype(np.intp)] = (
            value.take(lanes) if value.__class__ is ndarray else value
        )


class SharedMemory(Memory):
    """One __shared__ variable, in every block of the chunk."""

    space = "shared"

    def __init__(
        self,
        name: str,
        nbytes: int,
        dtype: np.dtype,
        blocks: int,
        threads: int,
        watch: Watch = NOBODY,
        dims: tuple[int, ...] = (),
    ) -> None:
        self.pitch = max(-(-nbytes // 16) * 16, 16)  # bytes from one block's copy to the next
        super().__init__(name, np.zeros(self.pitch * blocks, np.uint8), watch, dims)
        self.dtype, self.nbytes = dtype, nbytes
        self.blocks, self.threads = blocks, threads
        self.bases: dict[tuple[int, Any], np.ndarray] = {}

    def flat(self, index: PerThread, size: int) -> PerThread:
        if self.blocks == 1:
            return index
        kind = index.dtype if index.__class__ is ndarray and len(self.bytes) < 2**31 else np.int64
        base = self.bases.get((size, kind))
        if base is None:
            starts = np.arange(self.blocks) * (self.pitch // size)
            base = self.bases[size, kind] = np.repeat(starts.astype(kind), self.threads)
        return base + index


def array_dims(type: Type) -> tuple[int, ...]:
    """Return the lengths of a (multi-dimensional) array type; () for a scalar."""
    dims = []
    while isinstance(type, Array):
        dims.append(type.length or 0)
        type = type.element
    return tuple(dims)
