"""Compares logged accesses pair by pair: exact for any order, also where only some lanes or threads are ordered.

race_replay.py is faster, but knows barriers of blocks only.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from nnlib.cuda.limits import WARP
from nnlib.cuda.simulator.masks import lanes_of, spread
from nnlib.cuda.simulator.memory.spaces import ATOMIC, PEEK, READ, WRITE, Site
from nnlib.cuda.simulator.observers.races.log import BIT, CONFLICTS, Event, Record

KIND_OF = {bit: kind for kind, bit in BIT.items()}
CONFLICTS_OF = np.zeros(2 * max(KIND_OF), np.uint8)
for _kind, _conflicts in CONFLICTS.items():
    CONFLICTS_OF[BIT[_kind]] = _conflicts
CROWD = 512  # accesses of one element; of more, only the first and last thread of each instruction are compared


@dataclass
class Entries:
    """Accesses, one entry for each thread and unit, in order.

    place: in units. thread: its number in the launch. kind: a bit. event: its index, -1 for old ones. site: index.
    block_sync, warp_sync: of the event's stamp. same: the store changes nothing.
    """

    place: np.ndarray
    thread: np.ndarray
    kind: np.ndarray
    clock: np.ndarray
    event: np.ndarray
    site: np.ndarray
    block_sync: np.ndarray
    warp_sync: np.ndarray
    same: np.ndarray

    def take(self, chosen: Any) -> Entries:
        return Entries(*(values[chosen] for values in vars(self).values()))

    def refined(self, factor: int) -> Entries:
        """The same in units `factor` times smaller."""
        parts = Entries(*(np.repeat(values, factor) for values in vars(self).values()))
        return replace(parts, place=parts.place * factor + np.tile(np.arange(factor), len(self.place)))

    def __len__(self) -> int:
        return len(self.place)


@dataclass
class Conflict:
    """The thread `thread` of event `event` conflicts with an earlier access."""

    event: Event
    thread: int
    other: int
    kind: str
    site: Site


def first_conflict(races: Any, record: Record) -> Conflict | None:
    """Judge what is logged against itself and what is older; then it is old."""
    entries = _gather(races, record)
    order = np.argsort(entries.place, kind="stable")
    found = _search(races, record, _thinned(entries.take(order)))
    record.old = _remembered(entries.take(order))
    return found


def _gather(races: Any, record: Record) -> Entries:
    parts = [] if record.old is None else [record.old]
    for number, event in enumerate(record.log):
        rt = event.stamp.machine
        lanes = lanes_of(event.mask, rt.width)
        kind = np.full(len(lanes), BIT[event.kind], np.uint8)
        columns: list[Any] = [kind, *(np.full(len(lanes), value, np.int64)
                                      for value in (event.clock, number, event.site.number))]
        columns += [spread(value, rt.width)[lanes].astype(np.int64)
                    for value in (event.stamp.block_sync, event.stamp.warp_sync)]
        columns.append(np.zeros(len(lanes), bool) if event.same is None else event.same[lanes])
        for unit in event.units(record.unit):
            places = spread(unit, rt.width)[lanes].astype(np.int64)
            parts.append(Entries(places, event.stamp.first + lanes, *columns))
    return Entries(*(np.concatenate(column) for column in zip(*(vars(part).values() for part in parts), strict=True)))


def _remembered(entries: Entries) -> Entries:
    """The last access of each thread and kind to each place is enough for what comes later."""
    keys = (entries.thread << 4 | entries.kind, entries.place)
    order = np.lexsort(keys)
    last = np.ones(len(order), bool)
    last[:-1] = np.any([np.diff(key[order]) != 0 for key in keys], axis=0)
    kept = np.sort(order[last])
    return replace(entries.take(kept), event=np.full(len(kept), -1))


def _thinned(entries: Entries) -> Entries:
    """Without what cannot conflict, or tells nothing new; entries are sorted by place."""
    if not len(entries):
        return entries
    starts = np.flatnonzero(np.r_[True, np.diff(entries.place) != 0])
    sizes = np.diff(np.r_[starts, len(entries)])
    kinds = np.bitwise_or.reduceat(entries.kind, starts)
    shared = np.minimum.reduceat(entries.thread, starts) != np.maximum.reduceat(entries.thread, starts)
    written = (kinds & BIT[WRITE] != 0) | (kinds & ~np.uint8(BIT[PEEK]) == BIT[ATOMIC] | BIT[READ])
    entries = entries.take(np.repeat(shared & written, sizes))
    alike = np.ones(max(0, len(entries) - 1), bool)
    for values in (entries.place, entries.thread, entries.kind, entries.same):
        alike &= values[1:] == values[:-1]
    middle = np.zeros(len(entries), bool)
    middle[1:-1] = alike[1:] & alike[:-1]  # of a run, the first and the last count
    entries = entries.take(~middle)
    _, number, sizes = np.unique(entries.place, return_inverse=True, return_counts=True)
    crowd = sizes[number] > CROWD if len(entries) else np.zeros(0, bool)
    if crowd.any():
        low = np.lexsort((entries.thread, entries.event, entries.place))
        edge = np.ones(len(entries), bool)
        same = (np.diff(entries.place[low]) == 0) & (np.diff(entries.event[low]) == 0)
        edge[low[1:-1]] = ~(same[1:] & same[:-1])
        entries = entries.take(edge | ~crowd)
    return entries


def _search(races: Any, record: Record, entries: Entries) -> Conflict | None:
    best: tuple[int, int] | None = None
    found = None
    for distance in range(1, len(entries)):
        if distance >= len(entries):
            break
        first = np.flatnonzero(entries.place[distance:] == entries.place[:-distance])
        if not len(first):
            break
        second = first + distance
        clash = CONFLICTS_OF[entries.kind[second]] & entries.kind[first] != 0
        clash &= (entries.thread[first] != entries.thread[second]) & (entries.event[second] >= 0)
        clash &= entries.event[first] != entries.event[second]  # judged when it happened: Races._check_same_instruction
        first, second = first[clash], second[clash]
        bad = _unordered(races, record, entries, first, second)
        first, second = first[bad], second[bad]
        harmless = entries.same[second] & (entries.kind[first] == BIT[WRITE])
        for event in np.unique(entries.event[second[harmless]]):
            races.note_same(record.log[event])
        first, second = first[~harmless], second[~harmless]
        if len(first):
            k = np.lexsort((entries.thread[second], entries.event[second]))[0]
            key = int(entries.event[second[k]]), int(entries.thread[second[k]])
            if best is None or key < best:
                i = first[k]
                best, found = key, Conflict(record.log[key[0]], key[1], int(entries.thread[i]),
                                            KIND_OF[int(entries.kind[i])], races.launch.code.sites[entries.site[i]])
    return found


def _unordered(races: Any, record: Record, entries: Entries, first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Which pairs nothing orders."""
    threads = races.launch.threads
    one, two, clock = entries.thread[first], entries.thread[second], entries.clock[first]
    same_block = one // threads == two // threads
    same_warp = same_block & (one % threads // WARP == two % threads // WARP)
    ordered = same_block & (clock < entries.block_sync[second]) | same_warp & (clock < entries.warp_sync[second])
    open_ = np.flatnonzero(~ordered)
    events = entries.event[second[open_]]
    for event in np.unique(events):
        stamp = record.log[event].stamp
        pairs = open_[events == event]
        lane = two[pairs] - stamp.first
        if stamp.lanes is not None:
            ordered[pairs] |= same_warp[pairs] & (clock[pairs] < stamp.lanes[lane, one[pairs] % threads % WARP])
        if stamp.heard or stamp.heard_by_block:
            for k, pair in zip(lane.tolist(), pairs.tolist(), strict=True):
                heard = stamp.of(k)
                if heard is not None:
                    known, atomics = heard.clocks(races.threads_in_all)
                    until = atomics if entries.kind[first[pair]] == BIT[ATOMIC] else known
                    ordered[pair] |= clock[pair] < until[one[pair]]
    return ~ordered


