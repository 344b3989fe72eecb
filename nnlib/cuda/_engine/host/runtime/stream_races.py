"""Races between streams: two operations use the same bytes, and nothing orders them. Lesson 08."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

import numpy as np

from .address_space import Allocation
from .mistakes import Mistakes
from .schedule import Operation, Stream

READ, WRITE, ATOMIC = 1, 2, 4  # uses of a byte; atomics are in order among themselves


def _clash(a: int, b: int) -> bool:
    """Return whether two uses of a byte must not happen in either order."""
    return bool(
        (a & WRITE and b)
        or (b & WRITE and a)
        or (a & ATOMIC and b & READ)
        or (a & READ and b & ATOMIC)
    )


_CLASHES = np.array([[_clash(a, b) for b in range(8)] for a in range(8)])


@dataclass(eq=False)
class Footprint:
    """The accesses of one operation to bytes start to stop of an allocation. uses: of each byte, or one of all."""

    operation: Operation
    start: int
    stop: int
    uses: np.ndarray

    @classmethod
    def of(cls, operation: Operation, uses: np.ndarray) -> Footprint | None:
        """Make the footprint of an operation that uses each byte of an allocation in this way; None where it uses none."""
        if uses.min() == uses.max():
            return cls(operation, 0, len(uses), uses[:1]) if uses[0] else None
        used = np.flatnonzero(uses)
        start, stop = int(used[0]), int(used[-1]) + 1
        return cls(operation, start, stop, uses[start:stop])

    @property
    def does(self) -> str:
        return "changes" if np.any(self.uses & (WRITE | ATOMIC)) else "reads"

    def part(self, begin: int, end: int) -> np.ndarray:
        return (
            self.uses if len(self.uses) == 1 else self.uses[begin - self.start : end - self.start]
        )

    def meets(self, other: Footprint) -> bool:
        """Return whether both use a byte that one of them changes."""
        begin, end = max(self.start, other.start), min(self.stop, other.stop)
        return begin < end and bool(np.any(_CLASHES[self.part(begin, end), other.part(begin, end)]))

    def covers(self, other: Footprint) -> bool:
        """Return whether any race with the other footprint, which ended before this began, is also a race with this one."""
        within = self.start <= other.start and other.stop <= self.stop
        return within and not np.any(other.uses & ~self.part(other.start, other.stop))


class Trail:
    """The accesses of one stream to one allocation, in order. start, stop: between them lies all of it."""

    def __init__(self) -> None:
        self.footprints: deque[Footprint] = deque()
        self.start, self.stop = 0, 0

    def near(self, new: Footprint) -> list[Footprint]:
        """Return footprints that the host has not waited for and that may share a byte with a new one."""
        while self.footprints and self.footprints[0].operation.done:
            self.footprints.popleft()
        return list(self.footprints) if self.start < new.stop and new.start < self.stop else []

    def add(self, new: Footprint) -> None:
        apart = not self.footprints
        self.start = new.start if apart else min(self.start, new.start)
        self.stop = new.stop if apart else max(self.stop, new.stop)
        self.footprints.append(new)


class StreamRaces:
    """The accesses of a run that the host has not waited for. has_streams: there are others than the default one."""

    def __init__(self, mistakes: Mistakes, has_streams: bool) -> None:
        self._mistakes, self.has_streams = mistakes, has_streams
        self._accesses: dict[Allocation, dict[Stream, Trail]] = {}

    def see(
        self, one: Allocation, start: int, count: int, operation: Operation, writes: bool
    ) -> None:
        """Note that an operation reads or writes these bytes."""
        if self.has_streams:
            use = WRITE if writes else READ
            self._see(one, Footprint(operation, start, start + count, np.array([use], np.uint8)))

    def see_uses(self, one: Allocation, uses: np.ndarray, operation: Operation) -> None:
        """Note that an operation uses each byte of an allocation in this way."""
        found = Footprint.of(operation, uses)
        if found is not None:
            self._see(one, found)

    def _see(self, one: Allocation, new: Footprint) -> None:
        trails = self._accesses.setdefault(one, {})
        for trail in trails.values():
            for old in trail.near(new):
                if not new.operation.follows(old.operation):
                    if new.meets(old):
                        self._report(one, old, new)
                elif new.covers(old):
                    trail.footprints.remove(old)
        trails.setdefault(new.operation.stream, Trail()).add(new)

    def _report(self, one: Allocation, old: Footprint, new: Footprint) -> None:
        first, second, name = old.operation, new.operation, one.name or "memory"
        second.races_with = first
        self._mistakes.report(
            f"{second.words} in {second.stream.name} uses {name} before {first.words} of line {first.line} in "
            f"{first.stream.name} is done",
            f"record an event after line {first.line}, and let {second.stream.name} wait for it before line "
            f"{second.line}: cudaStreamWaitEvent(stream, event)",
            f"line {first.line} {old.does} {name}, line {second.line} {new.does} it, and nothing orders the two",
        )
