"""What the race check keeps: accesses in the order they were made, and with each what was ordered before it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ...masks import lanes_of
from ...memory.spaces import ATOMIC, PEEK, READ, WRITE, Access, Memory, Site
from .order import VectorClocks

BIT = {READ: 1, WRITE: 2, ATOMIC: 4, PEEK: 8}
SAME = np.uint8(1)  # a store changes nothing
OWN = np.uint8(2)  # nor what others read there: the thread stores back what it has read
CONFLICTS = {READ: 2 | 4, WRITE: 1 | 2 | 4 | 8, ATOMIC: 1 | 2, PEEK: 2}


@dataclass(eq=False)
class Entry:
    """One logged access of a machine's threads: its number in the launch, its epoch, and what was before it.

    ends: all its threads touch one element alike, and the first and the last of them stand for all.
    """

    number: int
    kind: str
    access: Access
    clock: int
    vector: VectorClocks
    same: Any = None  # of each thread: SAME, OWN or 0
    ends: bool = False

    @property
    def memory(self) -> Memory:
        return self.access.memory

    @property
    def mask(self) -> Any:
        return self.access.mask

    @property
    def site(self) -> Site:
        return self.access.site

    @property
    def lanes(self) -> np.ndarray:
        lanes = lanes_of(self.access.mask, self.vector.machine.width)
        return lanes[[0, -1]] if self.ends else lanes

    def units(self, unit: int) -> tuple[Any, ...]:
        """Return places in the home of the memory, counted in units; several for each thread if an element spans several."""
        return units(self.memory, self.access.flat, self.site.size, unit)


@dataclass(eq=False)
class Record:
    """What is known of one home of memory. old: what has been judged, see judge.py."""

    home: Any
    space: str
    unit: int
    log: list[Entry] = field(default_factory=list)
    logged: int = 0
    kinds: int = 0  # bits of the kinds in the log and in what is old
    old: Any = None
    flags: Any = None  # of earlier chunks, per element
    flagged: int = 0
    flag_log: list[Entry] = field(default_factory=list)  # of this chunk, to become flags at its end

    @property
    def count(self) -> int:
        """Return how many units the home has."""
        return int(-(-self.home.extent // self.unit))

    def refine(self, access: Access) -> None:
        """Divide what is known into smaller units, for narrower accesses or a view that begins in between."""
        unit = int(np.gcd(np.gcd(self.unit, access.site.size), access.memory.at))
        factor, self.unit = self.unit // unit, unit
        if factor > 1 and self.flags is not None:
            self.flags = np.repeat(self.flags, factor)
        if factor > 1 and self.old is not None:
            self.old = self.old.refined(factor)


def units(memory: Memory, flat: Any, size: int, unit: int) -> tuple[Any, ...]:
    factor, start = size // unit, memory.at // unit
    if factor == 1:
        return (flat + start,) if start else (flat,)
    return tuple(flat * factor + (start + k) for k in range(factor))
