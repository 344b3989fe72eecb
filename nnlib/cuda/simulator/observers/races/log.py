"""What the race check keeps: accesses in the order they were made, and with each what was ordered before it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from nnlib.cuda.simulator.memory.spaces import ATOMIC, PEEK, READ, WRITE, Access, Memory, Site
from nnlib.cuda.simulator.observers.races.order import Stamp

BIT = {READ: 1, WRITE: 2, ATOMIC: 4, PEEK: 8}
CONFLICTS = {READ: 2 | 4, WRITE: 1 | 2 | 4 | 8, ATOMIC: 1 | 2, PEEK: 2}


@dataclass(eq=False)
class Event:
    """One logged access: by whom, where, and when in terms of barriers."""

    order: int
    kind: str
    access: Access
    clock: int
    stamp: Stamp
    same: Any = None  # threads whose store changes nothing

    @property
    def memory(self) -> Memory:
        return self.access.memory

    @property
    def flat(self) -> Any:
        return self.access.flat

    @property
    def mask(self) -> Any:
        return self.access.mask

    @property
    def site(self) -> Site:
        return self.access.site

    def units(self, unit: int) -> tuple[Any, ...]:
        """Places in the home of the memory, counted in units; several for each thread if an element spans several."""
        return units(self.memory, self.flat, self.site.size, unit)


@dataclass(eq=False)
class Record:
    """What is known of one home of memory."""

    home: Any
    space: str
    unit: int
    log: list[Event] = field(default_factory=list)
    logged: int = 0
    kinds: int = 0  # bits of the kinds in the log and the state
    state: dict = field(default_factory=dict)  # see race_replay.py
    old: Any = None  # see race_pairs.py
    flags: Any = None  # of earlier chunks, per element
    flagged: int = 0
    flag_log: list[Event] = field(default_factory=list)  # of this chunk, to become flags at its end

    @property
    def count(self) -> int:
        """How many units the home has."""
        return -(-self.home.extent // self.unit)

    def refine(self, access: Access) -> None:
        """Narrower accesses than those known so far, or a view that begins in between: keep what is known per part."""
        unit = int(np.gcd(np.gcd(self.unit, access.site.size), access.memory.at))
        factor, self.unit = self.unit // unit, unit
        if factor == 1:
            return
        if self.flags is not None:
            self.flags = np.repeat(self.flags, factor)
        self.state = {kind: [np.repeat(a, factor) for a in arrays] for kind, arrays in self.state.items()}
        if self.old is not None:
            self.old = self.old.refined(factor)


def units(memory: Memory, flat: Any, size: int, unit: int) -> tuple[Any, ...]:
    factor, start = size // unit, memory.at // unit
    if factor == 1:
        return (flat + start,) if start else (flat,)
    return tuple(flat * factor + (start + k) for k in range(factor))
