"""Replays logged accesses of one memory with the exact state of each element, to find conflicts.

Per element and kind of access (read, write, atomic) the state is (lowest thread, highest thread, clock):
enough to tell whether anybody else is among them, and whether a barrier came after the last.
"""

from __future__ import annotations

import numpy as np

from nnlib.cuda.simulator.masks import lanes_of, ndarray, spread
from nnlib.cuda.simulator.memory import ATOMIC, READ, WRITE

AGAINST = {READ: (WRITE, ATOMIC), WRITE: (WRITE, ATOMIC, READ), ATOMIC: (WRITE, READ)}


def units(flat, size: int, unit: int):
    """Places counted in units, one array for each unit that an element spans."""
    factor = size // unit
    return (flat,) if factor == 1 else tuple(flat * factor + k for k in range(factor))


def replay(races, record):
    """First conflict as (order, arguments of Races.fail), or None."""
    rt = races.machine
    total = len(record.memory.bytes) // record.unit + 1
    for number, event in enumerate(record.log):
        lanes = lanes_of(event.mask, rt.width)
        when = _Moment(rt, record.memory, event, lanes)
        for unit in units(event.flat, event.site.size, record.unit):
            places = spread(unit, rt.width)[lanes].astype(np.int64)
            for kind in AGAINST[event.kind]:
                if kind in record.state:
                    bad, other = when.conflicts(record.state[kind], places, kind, races)
                    if len(bad):
                        place = int(places[bad[0]])
                        earlier = _site_of(record.log[:number], kind, int(other[0]), place, record.unit, rt)
                        return event.order, (record.memory, event.site, event.flat, lanes[bad], int(other[0]),
                                             event.kind, kind, earlier)
            state = record.state.get(event.kind)
            if state is None:
                state = record.state[event.kind] = [np.zeros(total, np.int32) for _ in range(3)]
            when.book(state, places)
    return None


class _Moment:
    """An event's threads and what is ordered before them."""

    def __init__(self, rt, memory, event, lanes):
        self.rt, self.memory, self.event, self.lanes = rt, memory, event, lanes
        self.thread = lanes.astype(np.int32)
        self.block_sync = event.block_sync if event.block_sync.__class__ is not ndarray else event.block_sync[lanes]
        self.warp_sync = event.warp_sync if event.warp_sync.__class__ is not ndarray else event.warp_sync[lanes]

    def _ordered(self, low, high, clock, pick=slice(None)):
        """Whether all accesses the state stands for happened before a barrier that this thread passed."""
        rt, lanes = self.rt, self.lanes[pick]
        block_sync = self.block_sync[pick] if self.block_sync.__class__ is ndarray else self.block_sync
        warp_sync = self.warp_sync[pick] if self.warp_sync.__class__ is ndarray else self.warp_sync
        block = lanes // rt.threads
        same_block = (low // rt.threads == block) & (high // rt.threads == block)
        ordered = same_block & (clock < block_sync)
        if np.any(clock < warp_sync):
            warp = rt.warp[lanes]
            ordered |= (rt.warp[low] == warp) & (rt.warp[high] == warp) & (clock < warp_sync)
        return ordered

    def conflicts(self, state, places, kind, races):
        """Positions (in lanes) that conflict with the state, and the other thread of each."""
        low, high, clock = (array.take(places) for array in state)
        suspect = np.flatnonzero((clock > 0) & ((low != self.thread) | (high != self.thread)))
        if len(suspect) == 0:
            return suspect, suspect
        low, high, clock = low[suspect], high[suspect], clock[suspect]
        bad = ~self._ordered(low, high, clock, suspect)
        if self.event.fences is not None and bad.any():
            bad &= ~self._published(low, high, clock, suspect, kind)
        if self.event.same is not None and kind == WRITE and bad.any():
            same = self.event.same[self.lanes[suspect]]
            if (bad & same).any():
                races.note(self.memory, self.event.site, "several threads store the same value to one element")
            bad &= ~same
        other = np.where(low != self.thread[suspect], low, high)
        return suspect[bad], other[bad]

    def _published(self, low, high, clock, suspect, kind):
        """Ordered by a fence and an atomic of their blocks, and a later atomic of this block."""
        fences, rt = self.event.fences, self.rt
        until = fences.until(kind)
        own = self.lanes[suspect] // rt.threads
        acquired = fences.acquire_time[own]
        done = (low // rt.threads != own) | (high // rt.threads != own)  # within a block only barriers order
        for thread in (low, high):
            block = thread // rt.threads
            time = fences.publish_time[block]
            before = (time < acquired) | ((time == acquired) & (block < own))
            done &= (block == own) | ((clock < until[block]) & (time > 0) & before)
        return done

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


def _site_of(log, kind: str, lane: int, place: int, unit: int, rt):
    """Where in the source the other thread made its access, if still in the log."""
    for event in reversed(log):
        if event.kind != kind or (event.mask is not None and not event.mask[lane]):
            continue
        factor = event.site.size // unit
        if int(spread(event.flat, rt.width)[lane]) == place // factor:
            return event.site
    return None

