"""Uninitialised reads: of shared memory that no thread of the block has written. Lesson 03."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...errors import UninitializedReadError
from ...language.layout import flat_element, members
from ..masks import PerThread, as_places, first_of, ndarray
from ..memory.spaces import Access, Memory, SharedMemory
from .observer import Check


class Written:
    """Which parts of a shared variable have been written, in all blocks of the chunk.

    unit: bytes of a part, those of the declared element, or of the narrowest access so far.
    """

    def __init__(self, memory: SharedMemory) -> None:
        self.unit, self._memory = memory.unit, memory
        self._owners: np.ndarray | None = None if memory.kind is None else self._members()
        parts = np.zeros((memory.blocks, memory.pitch // self.unit), bool)
        parts[:, memory.nbytes // self.unit :] = True  # the gap up to the next block's copy
        self.parts: np.ndarray = parts.reshape(-1)
        self.complete = False  # then nothing is looked up any more
        self.changed = False  # since the last look whether it is complete

    def places(self, access: Access) -> tuple[Any, ...]:
        """Return the parts that each thread touches; several for vectors."""
        size = access.site.size
        if size < self.unit:
            self.parts, self.unit = np.repeat(self.parts, self.unit // size), size
            self._owners = None if self._owners is None else self._members()
        count = size // self.unit
        return (
            (access.flat,) if count == 1 else tuple(access.flat * count + k for k in range(count))
        )

    def _members(self) -> PerThread:
        """Return for each part the one that says whether it is written: padding belongs to a member."""
        memory, own = self._memory, members(flat_element(self._memory.kind))
        block, count = np.arange(memory.pitch), memory.nbytes // len(own)
        block[: count * len(own)] = (np.arange(count)[:, None] * len(own) + own).reshape(-1)
        whole = block[:: self.unit] // self.unit
        return (np.arange(memory.blocks)[:, None] * len(whole) + whole).reshape(-1)

    def has(self, places: PerThread) -> PerThread:
        """Return which of the parts have been written."""
        places = as_places(places)
        if self._owners is not None:
            places = self._owners.take(places, mode="clip")
        return self.parts.take(places, mode="clip")

    def is_complete(self) -> bool:
        if self.changed:
            self.changed, self.complete = False, bool(self.parts.all())
        return self.complete


class Uninitialized(Check):
    """Shared memory holds garbage until some thread of the block writes it."""

    name, error = "uninitialized", UninitializedReadError
    hint = "fill it first, with __syncthreads() between the writes and the reads"
    spaces = ("shared",)

    def kernel_begin(self) -> None:
        self.written: dict[SharedMemory, Written] = {}

    def chunk_end(self) -> None:
        for memory in self.machine.shared_memories.values():
            self.written.pop(memory, None)

    def _written(self, memory: Memory) -> Written:
        assert isinstance(memory, SharedMemory)
        found = self.written.get(memory)
        if found is None:
            found = self.written[memory] = Written(memory)
        return found

    def store(self, access: Access) -> None:
        written = self._written(access.memory)
        if written.complete:
            return
        for places in written.places(access):
            if places.__class__ is ndarray:
                places = places if access.mask is None else places.take(np.flatnonzero(access.mask))
                places = places.astype(np.intp)
            written.parts[places] = True
        written.changed = True

    def load(self, access: Access) -> None:
        written = self._written(access.memory)
        if written.complete or written.is_complete():
            return
        if access.site.copied is not None:
            self._load_struct(access, written, access.site.copied)
            return
        for places in written.places(access):
            found = written.has(places)
            if not found.all():
                self._require(access, found)

    def _load_struct(self, access: Access, written: Written, size: int) -> None:
        """Check a copy of a whole struct, seen once, at its first member: any of its members must have been written."""
        if not size:
            return
        first = written.places(access)[0]
        found = np.zeros(np.shape(first), bool)
        for k in range(size // written.unit):
            found = found | written.parts.take(first + k, mode="clip")
        self._require(access, found)

    def _require(self, access: Access, found: np.ndarray) -> None:
        """Check that every lane that reads finds something written."""
        missing = self.machine.spread(~found)
        if access.mask is not None:
            missing = missing & access.mask
        if missing.any():
            self._fail(access, missing)

    def atomic(self, access: Access) -> None:
        self.load(access)
        self.store(access)

    def _fail(self, access: Access, missing: np.ndarray) -> None:
        touched = self.launch.fault_report.touched(access, first_of(missing))
        self.fail(
            access.site,
            missing,
            f"{touched['element']} is read, but nobody has written it",
            f"__shared__ {access.memory.name} holds garbage until a thread of the block writes it",
            **touched,
        )
