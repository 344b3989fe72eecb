"""The judge of races: which logged accesses conflict, with no happens-before between them.

Most logs are done with before anything is compared: only elements that one thread writes and another touches matter.
Their accesses are sorted by element, and each is compared with the earlier ones, nearest first, back to the last write
that happens before it. As in FastTrack (Flanagan and Freund, 2009) that is enough for the first race: whatever came
before that write happens before it, too, or there would have been a race already. Lesson 03.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from .....limits import WARP
from ...masks import PerThread, as_places
from ...memory.spaces import ATOMIC, PEEK, READ, WRITE, Site
from .log import BIT, CONFLICTS, OWN, Entry, Record

KINDS = sorted(BIT, key=BIT.__getitem__)
NUMBER = np.zeros(max(BIT.values()) + 1, np.intp)  # of a kind in KINDS, by its bit
NUMBER[[BIT[kind] for kind in KINDS]] = range(len(KINDS))
CROWD = 512  # accesses of one element; of more, only the first and last thread of each instruction are compared
# What a conflict is told to be with, the first of them
AGAINST = [BIT[kind] for kind in (WRITE, ATOMIC, READ, PEEK)]
WRITES = BIT[WRITE] | BIT[ATOMIC]


@dataclass
class Accesses:
    """One for each thread and unit, in order.

    place: in units. thread: its number in the launch. kind: a bit. entry: its number in the log, -1 once that has been
    judged. site: its number. epoch, block_sync, warp_sync: see VectorClocks. same: see log.py.
    """

    place: np.ndarray
    thread: np.ndarray
    kind: np.ndarray
    clock: np.ndarray
    entry: np.ndarray
    site: np.ndarray
    epoch: np.ndarray
    block_sync: np.ndarray
    warp_sync: np.ndarray
    same: np.ndarray

    def take(self, chosen: Any) -> Accesses:
        return Accesses(*(values[chosen] for values in vars(self).values()))

    def refined(self, factor: int) -> Accesses:
        """Return the same in units `factor` times smaller."""
        parts = Accesses(*(np.repeat(values, factor) for values in vars(self).values()))
        return replace(
            parts, place=parts.place * factor + np.tile(np.arange(factor), len(self.place))
        )

    def __len__(self) -> int:
        return len(self.place)


class Conflict(NamedTuple):
    """A conflict: `threads`, in this entry of the log, conflict with earlier accesses.

    other: the thread with whose access the first of them conflicts.
    """

    entry: Entry
    threads: np.ndarray
    other: int
    kind: str
    site: Site


class _Touch(NamedTuple):
    """The places that an entry of the log touches, once for each unit of an element, and the lanes that do."""

    number: int
    entry: Entry
    places: np.ndarray
    lanes: np.ndarray


class _Part(NamedTuple):
    """Places, the thread or block that touches each, and whether it writes there."""

    places: np.ndarray
    who: np.ndarray
    writes: bool


def first_conflict(races: Any, record: Record) -> Conflict | None:
    """Return the first access of the log that conflicts with an earlier one."""
    touches = [*_touches(record)]
    contested = _contested(races, record, touches)
    if contested is None:
        return None
    accesses = _gathered(record, touches, contested)
    found = _search(
        races, record, _thinned(accesses.take(np.argsort(accesses.place, kind="stable")))
    )
    if found is None or not found.entry.ends:
        return found
    found.entry.ends = False  # all of its threads are reported
    return first_conflict(races, record)


def remembered(record: Record) -> Accesses:
    """Return the judged accesses that later ones may conflict with: the last of each thread and kind at each place."""
    accesses = _gathered(record, [*_touches(record)])
    keys = (accesses.thread << 4 | accesses.kind, accesses.place)
    order = np.lexsort(keys)
    last = np.ones(len(order), bool)
    last[:-1] = np.any([np.diff(key[order]) != 0 for key in keys], axis=0)
    kept = np.sort(order[last])
    return replace(accesses.take(kept), entry=np.full(len(kept), -1))


def _touches(record: Record) -> Iterator[_Touch]:
    for number, entry in enumerate(record.log):
        lanes = entry.lanes
        for unit in entry.units(record.unit):
            places = entry.vector.machine.spread(unit)
            yield _Touch(
                number, entry, places if len(lanes) == len(places) else places[lanes], lanes
            )


def _contested(races: Any, record: Record, touches: list[_Touch]) -> np.ndarray | None:
    """Mark each place that several threads touch in one epoch, or several blocks in any, and one of them writes.

    Return None where there is no such place.
    """
    epochs: dict[int, list[_Part]] = {}
    if record.old is not None:
        for epoch in np.unique(record.old.epoch):
            old = record.old.take(record.old.epoch == epoch)
            for writes in (True, False):
                part = old.take((old.kind & WRITES != 0) == writes)
                epochs.setdefault(int(epoch), []).append(_Part(part.place, part.thread, writes))
    for _, entry, places, lanes in touches:
        threads = lanes + entry.vector.first
        epochs.setdefault(entry.vector.epoch, []).append(
            _Part(places, threads, BIT[entry.kind] & WRITES != 0)
        )
    groups = [*epochs.values()]
    if len(groups) > 1 and len(races.launch.blocks) > 1:
        groups.append(
            [
                part._replace(who=part.who // races.launch.threads)
                for group in groups
                for part in group
            ]
        )
    contested, owner = np.zeros(record.count, bool), np.zeros(record.count, np.int64)
    found = False
    for number, group in enumerate(groups):
        base = 1 + number * races.threads_in_all  # what other groups have left is below
        for places, who, writes in group:
            if writes:
                owner[places] = who + base
        for places, who, _ in group:
            writer = owner.take(as_places(places))
            other = (writer >= base) & (writer != who + base)
            if other.any():
                contested[places[other]] = found = True
    return contested if found else None


def _gathered(
    record: Record, touches: list[_Touch], contested: np.ndarray | None = None
) -> Accesses:
    """Gather all accesses, old ones first, or only those of contested places."""
    parts = []
    if record.old is not None:
        parts.append(
            record.old if contested is None else record.old.take(contested[record.old.place])
        )
    for number, entry, places, lanes in touches:
        if contested is not None:
            chosen = contested.take(as_places(places))
            places, lanes = places[chosen], lanes[chosen]
        vector, count = entry.vector, len(lanes)
        columns: list[Any] = [
            places.astype(np.int64),
            lanes + vector.first,
            np.full(count, BIT[entry.kind], np.uint8),
        ]
        numbers = entry.clock, number, entry.site.number, vector.epoch
        columns += [
            vector.machine.spread(value)[lanes].astype(np.int32)
            for value in (*numbers, vector.block_sync, vector.warp_sync)
        ]
        columns.append(np.zeros(count, np.uint8) if entry.same is None else entry.same[lanes])
        parts.append(Accesses(*columns))
    return Accesses(
        *map(np.concatenate, zip(*(vars(part).values() for part in parts), strict=True))
    )


def _thinned(accesses: Accesses) -> Accesses:
    """Drop accesses that cannot conflict, or add nothing new; accesses are sorted by place."""
    starts = _starts(accesses.place)
    kinds = np.bitwise_or.reduceat(accesses.kind, starts)
    written = (kinds & BIT[WRITE] != 0) | (kinds & ~np.uint8(BIT[PEEK]) == BIT[ATOMIC] | BIT[READ])
    accesses = accesses.take(np.repeat(written, np.diff(starts, append=len(accesses))))
    alike = np.ones(max(0, len(accesses) - 1), bool)
    for values in (accesses.place, accesses.thread, accesses.kind, accesses.same):
        alike &= values[1:] == values[:-1]
    middle = np.zeros(len(accesses), bool)
    middle[1:-1] = alike[1:] & alike[:-1]  # of a run, the first and the last count
    return accesses.take(~middle)


def _starts(sorted_places: np.ndarray) -> np.ndarray:
    """Return where each place begins."""
    return np.flatnonzero(np.diff(sorted_places, prepend=-1) != 0)


def _search(races: Any, record: Record, accesses: Accesses) -> Conflict | None:
    """Compare each access with the earlier ones that it may conflict with, as long as it may be the first that does."""
    entry, kind = accesses.entry, accesses.kind
    first_of_place, before, closes = _chains(accesses, CROWD if races.exact else 2)
    later = np.flatnonzero(entry >= 0)
    earlier = before[NUMBER[kind[later]], later]
    found: list[np.ndarray] = []
    first = len(record.log)  # the first entry that conflicts
    while True:
        goes_on = (earlier >= first_of_place[later]) & (entry[later] <= first)
        later, earlier = later[goes_on], earlier[goes_on]
        if not len(later):
            break
        ordered = _ordered(races, record, accesses, earlier, later)
        # See Races._check_same_instruction
        clash = np.flatnonzero(~ordered & (entry[earlier] != entry[later]))
        harmless = _is_harmless(accesses, earlier[clash], later[clash])
        for pair in (earlier[clash[harmless]], later[clash[harmless]]):
            for number in np.unique(accesses.site[pair[kind[pair] == BIT[WRITE]]]):
                races.note(record.log[0].memory, races.launch.code.sites[number])
        clash = clash[~harmless]
        if len(clash):
            found.append(np.stack([later[clash], earlier[clash]]))
            first = min(first, entry[later[clash]].min())
        goes_on = ~(ordered & closes[earlier])
        later, earlier = later[goes_on], earlier[goes_on]
        earlier = before[NUMBER[kind[later]], earlier]
    return _told(races, record, accesses, *np.concatenate(found, 1)) if found else None


def _is_harmless(accesses: Accesses, earlier: np.ndarray, later: np.ndarray) -> Any:
    """Return which conflicts leave every thread with the value that it would have had in any order."""
    kind, same, reads = accesses.kind, accesses.same, BIT[READ]
    both_write = (kind[earlier] == BIT[WRITE]) & (kind[later] == BIT[WRITE])
    return (
        both_write & (same[later] > 0)
        | (kind[earlier] == reads) & (same[later] == OWN)
        | (kind[later] == reads) & (same[earlier] == OWN)
    )


def _told(
    races: Any, record: Record, accesses: Accesses, later: np.ndarray, earlier: np.ndarray
) -> Conflict:
    """Choose what to report of pairs that conflict: the threads of the first entry, and the other thread of the first of them.

    Where threads are ordered one by one, it is that first thread alone.
    """
    first = accesses.entry[later].min()
    threads = accesses.thread[later]
    kinds = np.array([AGAINST.index(bit) for bit in accesses.kind[earlier]])
    chosen = accesses.entry[later] == first
    chosen &= threads == threads[chosen].min() if races.exact else kinds == kinds[chosen].min()
    k = np.flatnonzero(chosen)[np.argmin(threads[chosen])]
    # Two warps of a block show best what is missing: a barrier, whatever a warp may do in lock step.
    warps, blocks = (accesses.thread // size for size in (WARP, races.launch.threads))
    apart = (warps[later] != warps[earlier]) & (blocks[later] == blocks[earlier]) & chosen
    if warps[later[k]] == warps[earlier[k]] and apart.any():
        chosen = apart
        k = np.flatnonzero(chosen)[np.argmin(threads[chosen])]
    other = earlier[k]
    return Conflict(
        record.log[first],
        np.unique(threads[chosen]),
        int(accesses.thread[other]),
        KINDS[NUMBER[accesses.kind[other]]],
        races.launch.code.sites[accesses.site[other]],
    )


def _chains(accesses: Accesses, crowd: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Link the accesses of each place.

    Return, for each access: the first one at its place; the last one before it that conflicts with a kind, a row for each of
    KINDS; and whether accesses before it can be left out of comparisons with what it happens before.
    """
    starts = _starts(accesses.place)
    sizes = np.diff(starts, append=len(accesses))
    first_of_place = np.repeat(starts, sizes)
    begins = np.diff(accesses.place, prepend=-1, append=-1) != 0
    begins |= np.diff(accesses.entry, prepend=-2, append=-2) != 0
    first, last = begins[:-1], begins[1:]  # of its entry at this place
    counts = first | last | (accesses.entry < 0) | np.repeat(sizes <= crowd, sizes)
    before = np.full((len(KINDS), len(accesses) + 1), -1)
    for row, kind in zip(before, KINDS, strict=True):
        conflicts = counts & (accesses.kind & CONFLICTS[kind] != 0)
        np.maximum.accumulate(np.where(conflicts, np.arange(len(accesses)), -1), out=row[1:])
    return (
        first_of_place,
        before,
        (accesses.kind == BIT[WRITE]) & (accesses.same == 0) & first & last,
    )


def _ordered(
    races: Any, record: Record, accesses: Accesses, earlier: np.ndarray, later: np.ndarray
) -> PerThread:
    """Return for which pairs the earlier access happens before the later one."""
    threads = races.launch.threads
    one, two, clock = accesses.thread[earlier], accesses.thread[later], accesses.clock[earlier]
    same_block = one // threads == two // threads
    same_warp = same_block & (one % threads // WARP == two % threads // WARP)
    ordered = (one == two) | same_block & (clock < accesses.block_sync[later])
    ordered |= same_warp & (clock < accesses.warp_sync[later])
    if not races.exact:
        return ordered
    open_ = np.flatnonzero(~ordered)
    entries = accesses.entry[later[open_]]
    for number in np.unique(entries):
        vector = record.log[number].vector
        pairs = open_[entries == number]
        lane = two[pairs] - vector.first
        if vector.lanes is not None:
            ordered[pairs] |= same_warp[pairs] & (
                clock[pairs] < vector.lanes[lane, one[pairs] % threads % WARP]
            )
        if vector.heard or vector.heard_by_block:
            for k, pair in zip(lane.tolist(), pairs.tolist(), strict=True):
                heard = vector.of(k)
                if heard is not None:
                    known, atomics = heard.clocks(races.threads_in_all)
                    until = atomics if accesses.kind[earlier[pair]] == BIT[ATOMIC] else known
                    ordered[pair] |= clock[pair] < until[one[pair]]
    return ordered
