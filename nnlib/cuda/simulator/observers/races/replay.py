"""Replays logged accesses of one memory with the exact state of each element, to find conflicts.

Per element and kind of access (read, write, atomic) the state is (lowest thread, highest thread, clock):
enough to tell whether anybody else is among them, and whether a barrier came after the last.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from nnlib.cuda.simulator.machine_protocol import MachineProtocol
from nnlib.cuda.simulator.masks import lanes_of, ndarray, spread
from nnlib.cuda.simulator.memory.spaces import ATOMIC, PEEK, READ, WRITE, Site
from nnlib.cuda.simulator.observers.races.log import BIT, CONFLICTS, Event, Record

AGAINST = {kind: [other for other in (WRITE, ATOMIC, READ, PEEK) if bits & BIT[other]]
           for kind, bits in CONFLICTS.items()}


def replay(races: Any, record: Record) -> tuple[int, tuple] | None:
    """First conflict as (order, arguments of Races.fail), or None."""
    rt = races.machine
    total = record.count + 1
    for number, event in enumerate(record.log):
        lanes = lanes_of(event.mask, rt.width)
        when = _Moment(rt, event, lanes)
        for unit in event.units(record.unit):
            places = spread(unit, rt.width)[lanes].astype(np.intp)
            for kind in AGAINST[event.kind]:
                if kind in record.state:
                    bad, other = when.conflicts(record.state[kind], places, kind, races)
                    if len(bad):
                        place = int(places[bad[0]])
                        earlier = _site_of(record.log[:number], kind, int(other[0]), place, record.unit, rt)
                        return event.order, (event.memory, event.site, event.flat, lanes[bad],
                                             event.stamp.first + int(other[0]),
                                             event.kind, kind, earlier)
            state = record.state.get(event.kind)
            if state is None:
                state = record.state[event.kind] = [np.zeros(total, np.int32) for _ in range(3)]
            when.book(state, places)
    return None


class _Moment:
    """An event's threads and what is ordered before them."""

    def __init__(self, rt: MachineProtocol, event: Event, lanes: np.ndarray) -> None:
        self.rt, self.event, self.lanes = rt, event, lanes
        self.thread = lanes.astype(np.int32)
        stamp = event.stamp
        self.block_sync = stamp.block_sync if stamp.block_sync.__class__ is not ndarray else stamp.block_sync[lanes]

    def _ordered(self, low, high, clock, pick=slice(None)):
        """Whether all accesses the state stands for happened before a barrier that this thread passed."""
        threads, lanes = self.rt.threads, self.lanes[pick]
        block_sync = self.block_sync[pick] if self.block_sync.__class__ is ndarray else self.block_sync
        block = lanes // threads
        return (low // threads == block) & (high // threads == block) & (clock < block_sync)

    def conflicts(self, state, places, kind, races):
        """Positions (in lanes) that conflict with the state, and the other thread of each."""
        low, high, clock = (array.take(places) for array in state)
        suspect = np.flatnonzero((clock > 0) & ((low != self.thread) | (high != self.thread)))
        if len(suspect) == 0:
            return suspect, suspect
        low, high, clock = low[suspect], high[suspect], clock[suspect]
        bad = ~self._ordered(low, high, clock, suspect)
        if self.event.same is not None and kind == WRITE and bad.any():
            same = self.event.same[self.lanes[suspect]]
            if (bad & same).any():
                races.note_same(self.event)
            bad &= ~same
        other = np.where(low != self.thread[suspect], low, high)
        return suspect[bad], other[bad]

    def book(self, state, places) -> None:
        """Enter this event into the state; threads at one place are in ascending order."""
        low, high, clock = (array.take(places) for array in state)
        fresh = clock == 0
        if not fresh.all():
            fresh |= self._ordered(low, high, clock)
        lowest = np.where(fresh, self.thread, np.minimum(low, self.thread))
        highest = np.where(fresh, self.thread, np.maximum(high, self.thread))
        state[0][places[::-1]] = lowest[::-1]
        state[1][places] = highest
        state[2][places] = self.event.clock


def _site_of(log: list[Event], kind: str, lane: int, place: int, unit: int, rt: MachineProtocol) -> Site | None:
    """Where in the source the other thread made its access, if still in the log."""
    for event in reversed(log):
        if event.kind != kind or (event.mask is not None and not event.mask[lane]):
            continue
        if any(int(spread(part, rt.width)[lane]) == place for part in event.units(unit)):
            return event.site
    return None
