"""Races between streams: two operations use the same bytes, and nothing orders them. Lesson 08."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nnlib.cuda.host.runtime.address_space import Allocation
from nnlib.cuda.host.runtime.mistakes import Mistakes
from nnlib.cuda.host.runtime.schedule import Operation

READ, WRITE, ATOMIC = 1, 2, 4  # uses of a byte; atomics are in order among themselves


def _clash(a: int, b: int) -> bool:
    """May two uses of a byte not happen in either order?"""
    return bool(a & WRITE and b or b & WRITE and a or a & ATOMIC and b & READ or a & READ and b & ATOMIC)


_CLASHES = np.array([[_clash(a, b) for b in range(8)] for a in range(8)])


class Footprint(NamedTuple):
    """What one operation does to an allocation from byte `start` on: the uses of each byte."""

    operation: Operation
    start: int
    uses: np.ndarray

    @property
    def stop(self) -> int:
        return self.start + len(self.uses)

    def meets(self, other: Footprint) -> bool:
        """Do both use a byte that one of them changes?"""
        begin, end = max(self.start, other.start), min(self.stop, other.stop)
        if begin >= end:
            return False
        mine, theirs = self.uses[begin - self.start:end - self.start], other.uses[begin - other.start:end - other.start]
        return bool(np.any(_CLASHES[mine, theirs]))

    def covers(self, other: Footprint) -> bool:
        """Is a race with the other one, which is over when this begins, also one with this?"""
        within = self.start <= other.start and other.stop <= self.stop
        return within and not np.any(other.uses & ~self.uses[other.start - self.start:other.stop - self.start])


class StreamRaces:
    """The accesses of a run that the host has not waited for. has_streams: there are others than the default one."""

    def __init__(self, mistakes: Mistakes, has_streams: bool) -> None:
        self._mistakes, self.has_streams = mistakes, has_streams
        self._accesses: dict[Allocation, list[Footprint]] = {}

    def see(self, one: Allocation, start: int, count: int, operation: Operation, writes: bool) -> None:
        """An operation reads or writes these bytes."""
        if self.has_streams:
            use = np.uint8(WRITE if writes else READ)
            self._see(one, Footprint(operation, start, np.broadcast_to(use, count)))

    def see_uses(self, one: Allocation, uses: np.ndarray, operation: Operation) -> None:
        """An operation uses an allocation as this says for each of its bytes."""
        used = np.flatnonzero(uses)
        if len(used):
            self._see(one, Footprint(operation, int(used[0]), uses[used[0]:used[-1] + 1]))

    def _see(self, one: Allocation, new: Footprint) -> None:
        before = self._accesses.get(one, [])
        for old in before:
            if not new.operation.follows(old.operation) and new.meets(old):
                self._report(one, old, new)
        self._accesses[one] = [old for old in before if not old.operation.done and not (
            new.operation.follows(old.operation) and new.covers(old))] + [new]

    def _report(self, one: Allocation, old: Footprint, new: Footprint) -> None:
        first, second, name = old.operation, new.operation, one.name or "memory"
        second.races_with = first
        changes = "changes" if np.any(old.uses & (WRITE | ATOMIC)) else "reads"
        self._mistakes.report(
            f"{_words(second)} in {second.stream.name} uses {name} before {_words(first)} of line {first.line} in "
            f"{first.stream.name} is done",
            f"record an event after line {first.line}, and let {second.stream.name} wait for it before line "
            f"{second.line}: cudaStreamWaitEvent(stream, event)",
            f"line {first.line} {changes} {name}, line {second.line} "
            f"{'changes' if np.any(new.uses & (WRITE | ATOMIC)) else 'reads'} it, and nothing orders the two")


def _words(operation: Operation) -> str:
    return f"kernel {operation.name}" if operation.kind == "kernel" else f"the {operation.kind}"
