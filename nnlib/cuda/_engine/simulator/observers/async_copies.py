"""Asynchronous copies: until the thread has waited, nobody may touch what its copy writes, or write what it reads.

For the other threads of the block it has arrived after a barrier behind that wait; that is for the race check.

Lesson 08.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...errors import RaceError
from ..memory.spaces import READ, WRITE, Access, Memory
from .observer import Check

WORD = 4  # the smallest copy, bytes


class UnderWay:
    """Counts the copies in flight to or from each word of a memory."""

    def __init__(self, home: Any) -> None:
        self.count = np.zeros(-(-home.extent // WORD), np.int16)
        self.total = 0

    def add(self, words: np.ndarray, change: int) -> None:
        np.add.at(self.count, words, np.int16(change))  # of another type it takes 70 times as long
        self.total += change * len(words)


class AsyncCopies(Check):
    """A copy is the thread's own until it has waited for it."""

    name, error = "async copies", RaceError
    hint = "wait before touching it: __pipeline_commit(), __pipeline_wait_prior(0)"
    spaces = ("written", "shared")

    def kernel_begin(self) -> None:
        self.ends: dict[tuple[str, Any], UnderWay] = {}  # by what the copy does there, and home
        self.copies: list[tuple[Any, Access]] = []  # machine, one end: to say whose it is

    def copy_started(self, access: Access) -> None:
        if not (access.kind == WRITE or access.memory.is_written):
            return
        end = self.ends.setdefault((access.kind, access.memory.home), UnderWay(access.memory.home))
        end.add(_words(self.machine, access).reshape(-1), 1)
        self.copies.append((self.machine, access))

    def copy_arrived(self, access: Access) -> None:
        end = self.ends.get((access.kind, access.memory.home))
        if end is not None:
            end.add(_words(self.machine, access).reshape(-1), -1)
            if not end.total:
                del self.ends[access.kind, access.memory.home]
        if not self.ends:
            self.copies = []

    def load(self, access: Access) -> None:
        if self.ends:
            self._check(access, WRITE)

    def store(self, access: Access) -> None:
        if self.ends:
            self._check(access, WRITE)
            self._check(access, READ)

    atomic = store

    def _check(self, access: Access, kind: str) -> None:
        end = self.ends.get((kind, access.memory.home))
        if end is None:
            return
        words = _words(self.machine, access)
        touched = end.count.take(words, mode="clip").any(0)
        if touched.any():
            k = int(np.argmax(touched))
            self._fail(access, int(self.machine.lanes_of(access.mask)[k]), words[:, k], kind)

    def _fail(self, access: Access, lane: int, words: np.ndarray, kind: str) -> None:
        rt, site, memory = self.machine, access.site, access.memory
        mask = np.zeros(rt.width, bool)
        mask[lane] = True
        touched = self.launch.fault_report.touched(access, lane)
        machine, owner, line = self._owner(memory, words, kind)
        own = machine is rt and owner == lane
        whose = (
            "its own"
            if own
            else "thread ({},{},{})'s".format(*self.launch.fault_report.whose(machine, owner)[0])
        )
        does = "reads" if access.kind == READ else "writes"
        way = "into" if kind == WRITE else "from"
        self.fail(
            site,
            mask,
            f"race: {does} {touched['element']} while {whose} asynchronous copy {way} it is under way, of line "
            f"{line}",
            "a copy has arrived for the thread that started it when it has waited",
            self.hint + ("" if own else ", and then __syncthreads() for the other threads"),
            other_line=line,
            other_access=kind,
            **touched,
        )

    def _owner(self, memory: Memory, words: np.ndarray, kind: str) -> tuple[Any, int, int]:
        """Return machine and lane of a thread whose copy touches the words, and its line."""
        for machine, copy in reversed(self.copies):
            if copy.kind == kind and copy.memory.home is memory.home:
                touched = np.isin(_words(machine, copy), words).any(0)
                if touched.any():
                    lane = int(machine.lanes_of(copy.mask)[np.argmax(touched)])
                    return machine, lane, copy.site.line
        raise LookupError("a copy under way that nobody started")


def _words(machine: Any, access: Access) -> np.ndarray:
    """Return the words of the home that the threads of an access touch, (words, threads)."""
    places = machine.spread(access.flat)[machine.lanes_of(access.mask)].astype(np.intp)
    first = places * access.site.size + access.memory.at
    return np.stack([first // WORD + k for k in range(-(-access.site.size // WORD))])
