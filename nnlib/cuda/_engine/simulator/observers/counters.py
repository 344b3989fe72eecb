"""Counts what Nsight Compute counts: requests, sectors, wavefronts, branches, active lanes, operations.

A request is one memory instruction of one warp. Global memory moves in sectors of 32 bytes; a request moves
every sector that its lanes touch, once. Shared memory has 32 banks of 4 bytes; a request takes as many
wavefronts as the most distinct words any bank must deliver; 8- and 16-byte accesses are served in parts (see
`wavefronts`). Wavefronts beyond one per part are bank conflicts. Lesson 02.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from ....limits import BANKS, SECTOR
from ..functions.warp import by_warp
from ..masks import Mask, PerThread, as_places, ndarray, union, without
from ..memory.index import InvariantIndex, Lanes
from ..memory.spaces import ATOMIC, READ, WRITE, Access, Kept, Memory, Site
from ..traffic import Traffic
from .observer import Observer

KEPT_THREADS, KEPT_TIMES = 2048, 32  # of each access, for pictures of who touches what


@dataclass
class Tally:
    """The memory traffic of one source location. saved: the part of it that a compiler does without.

    kept: (memory, byte addresses, active) of the first executions.
    """

    kind: str
    total: Traffic = field(default_factory=Traffic)
    saved: Traffic = field(default_factory=Traffic)
    kept: list[tuple[Memory, np.ndarray, np.ndarray]] = field(default_factory=list)


class Moves:
    """An invariant index at work on global memory: how often it was moved by which offset. kind: 0 reads, 1 writes."""

    def __init__(self, memory: Memory, kind: int, lanes: Lanes, mask: Mask) -> None:
        self.memory, self.kind, self.lanes, self.mask = memory, kind, lanes, mask
        self.times: Counter[int] = Counter()

    def add_to(self, counts: np.ndarray) -> None:
        low = self.lanes.low
        start = low - self.memory.lead // self.memory.dtype.itemsize
        places = self.lanes.vector if self.mask is None else self.lanes.vector[self.mask]
        threads = np.bincount(places.astype(np.intp) - low)
        for offset, times in self.times.items():
            counts[start + offset : start + offset + len(threads)] += threads * times


class Counters(Observer):
    """Counts of all memories and of the flow of control, by place in the source."""

    spaces = ("read-only", "written", "shared")

    def __init__(self) -> None:
        # By site and space: one pointer may see several.
        self.tallies: dict[tuple[int, str], Tally] = {}
        self.branches: dict[int, list[int]] = {}  # line -> [branches, divergent]
        self.segment_warps: list[int] = []
        self.segment_lanes: list[int] = []
        # Numbers of 4 bytes that threads load: what all of them load at once counts once.
        self.serial_loads: Counter[Memory] = Counter()
        self.touched: dict[str, tuple[np.ndarray, np.ndarray]] = {}
        self.itemsize: dict[str, int] = {}
        self.patterns: dict[tuple[bytes, int, np.dtype], tuple[int, int]] = {}
        self.sizes: dict[int, tuple[np.ndarray, tuple[int, int]]] = {}  # of masks seen lately
        self.moves: dict[tuple[Any, ...], Moves] = {}
        # By machine and region: group -> mask of the threads that have made it.
        self.done: dict[tuple[Any, int], dict[tuple[int, str], Mask]] = {}

    def kernel_begin(self) -> None:
        segments = len(self.launch.code.segments)
        self.segment_warps, self.segment_lanes = [0] * segments, [0] * segments

    def chunk_begin(self) -> None:
        self.everyone = self.machine.blocks * self.machine.warps_per_block, self.machine.width
        self.sizes.clear()

    def chunk_end(self) -> None:
        for moves in self.moves.values():
            moves.add_to(self._touch_counts(moves.memory)[moves.kind])
        self.moves.clear()
        self.done.clear()

    # --- control flow -------------------------------------------------------------------

    def size(self, mask: Mask) -> tuple[int, int]:
        """Return how many warps have an active thread, and how many threads are active."""
        if mask is None:
            return self.everyone
        known = self.sizes.get(id(mask))
        if known is None or known[0] is not mask:
            if len(self.sizes) > 64:
                self.sizes.clear()
            size = int(by_warp(self.machine, mask).any(1).sum()), int(np.count_nonzero(mask))
            known = self.sizes[id(mask)] = mask, size
        return known[1]

    def straight_line(self, mask: Mask, segment: int) -> None:
        warps, lanes = self.size(mask)
        self.segment_warps[segment] += warps
        self.segment_lanes[segment] += lanes

    def branch(self, mask: Mask, taken: Mask, site: Site) -> None:
        """Count a warp's branch, which diverges if only some of its active lanes take it."""
        entry = self.branches.setdefault(site.line, [0, 0])
        entry[0] += self.size(mask)[0]
        if taken.__class__ is ndarray and taken is not mask:
            goes = by_warp(self.machine, taken).any(1)
            active = ~taken if mask is None else mask & ~taken
            entry[1] += int((goes & by_warp(self.machine, active).any(1)).sum())

    # --- memory -------------------------------------------------------------------------

    def load(self, access: Access) -> None:
        site, space = access.site, access.memory.space
        tally = self.tallies.get((site.number, space))
        if tally is None:
            tally = self.tallies[site.number, space] = Tally(access.kind)
        if access.kind == READ:
            self.serial_loads[access.memory] += max(1, site.size // 4)
        if space == "global":
            self._touch(access)
        if len(tally.kept) < KEPT_TIMES and self.machine.first == 0:
            self._keep(tally, access)
        cost = (
            self._cost(access)
            if access.invariant is None
            else self._invariant_cost(access, access.invariant)
        )
        tally.total.add(cost)
        if site.kept is not None:
            tally.saved.add(self._saved(access, cost, site.kept))

    store = atomic = load

    def enter(self, mask: Mask, region: int) -> None:
        """Forget the accesses that a compiler makes once per region, which begins again."""
        groups = self.done.get((self.machine, region), {})
        for group, warps in groups.items():
            groups[group] = without(warps, mask)

    def _saved(self, access: Access, cost: Traffic, kept: Kept) -> Traffic:
        """Return the traffic that a compiler saves: all, except for warps that have not made the access in this region."""
        if kept.why == "register":
            return cost
        groups, group = (
            self.done.setdefault((self.machine, kept.region), {}),
            (kept.group, access.kind),
        )
        before = groups.get(group, False)
        groups[group] = union(before, access.mask)
        if before is False:
            return Traffic()
        rt = self.machine
        done: PerThread = by_warp(rt, before).any(1)
        fresh = rt.spread(access.mask) & ~done[rt.warp]
        if not fresh.any():
            return cost
        saved = replace(cost)
        saved.add(self._cost(access.by(fresh)), -1)
        return saved

    def _cost(self, access: Access) -> Traffic:
        requests = asked = sectors = wavefronts = conflicts = 0
        for flat, size in _instructions(access):
            warps, lanes = self.size(access.mask)
            requests += warps
            asked += lanes * size
            if access.memory.space == "shared":
                served, best = self._wavefronts(flat, access.mask, size)
                wavefronts += served
                conflicts += served - best
            elif access.kind != ATOMIC:  # those are worked off in the L2 cache
                sectors += self._sectors(flat, access.mask, size)
        return Traffic(requests, asked, sectors, wavefronts, conflicts)

    def _invariant_cost(self, access: Access, index: InvariantIndex) -> Traffic:
        """Return the cost of a vector of indices, which stays the same when they move by whole words, or sectors."""
        size, space = access.site.size, access.memory.space
        phase = index.offset * size % (4 if space == "shared" else SECTOR)
        key = Counters, access.memory, access.kind == ATOMIC, size, access.site.lanes, phase
        known = index.lanes.found.get(key)
        if known is None or known[0] is not access.mask:
            known = index.lanes.found[key] = access.mask, self._cost(access)
        return known[1]

    def _rows(self, flat: np.ndarray, mask: Mask) -> tuple[np.ndarray, np.ndarray | None]:
        """Return (warps, 32) places and whether each is active (None: all are)."""
        rt = self.machine
        rows = by_warp(rt, flat)
        if mask is None and rt.threads % 32 == 0:
            return rows, None
        return rows, by_warp(rt, mask)

    def _sectors(self, flat: PerThread, mask: Mask, size: int) -> int:
        """Count distinct sectors, summed over warps."""
        if flat.__class__ is not ndarray:
            return self.size(mask)[0]
        rows, active = self._rows(flat, mask)
        sectors = (
            rows * size // SECTOR if SECTOR % size else rows >> (SECTOR // size).bit_length() - 1
        )
        empty = 0
        if active is not None:
            last = np.where(active, sectors, -1).max(1)
            sectors = np.where(active, sectors, last[:, None])
            empty = int((last < 0).sum())
        steps = np.diff(sectors, axis=1)
        if steps.min() < 0:
            steps = np.diff(np.sort(sectors, axis=1), axis=1)
        return int(np.count_nonzero(steps)) + len(sectors) - empty

    def _wavefronts(self, flat: PerThread, mask: Mask, size: int) -> tuple[int, int]:
        """Count the wavefronts of all warps, and how many there would be without conflicts."""
        if flat.__class__ is not ndarray:
            warps = self.size(mask)[0]
            return warps, warps
        rows, active = self._rows(flat, mask)
        if active is None:
            relative = rows - rows[:, :1]
            word = max(1, 4 // size)  # elements in a word
            if (relative == relative[0]).all() and (
                word == 1 or (rows[:, 0] % word == rows[0, 0] % word).all()
            ):
                # Banks go round: a shift by words changes nothing
                pattern = rows[:1] - rows[0].min() // word * word
                key = pattern.tobytes(), size, rows.dtype
                if key not in self.patterns:
                    self.patterns[key] = wavefronts(pattern, np.ones((1, 32), bool), size)
                served, best = self.patterns[key]
                return served * len(rows), best * len(rows)
            active = np.ones(rows.shape, bool)
        return wavefronts(rows, active, size)

    # --- pictures -----------------------------------------------------------------------

    def _touch_counts(self, memory: Memory) -> tuple[np.ndarray, np.ndarray]:
        """Return how often each element was read, and written."""
        if memory.name not in self.touched:
            self.itemsize[memory.name] = memory.dtype.itemsize
            elements = memory.nbytes // memory.dtype.itemsize
            self.touched[memory.name] = np.zeros(elements, np.int64), np.zeros(elements, np.int64)
        return self.touched[memory.name]

    def _touch(self, access: Access) -> None:
        memory, rt = access.memory, self.machine
        kinds = {READ: (0,), WRITE: (1,)}.get(access.kind, (0, 1))
        size, index = memory.dtype.itemsize, access.invariant
        if (
            index is not None
            and access.site.size == size
            and index.lanes.high - index.lanes.low < 16 * rt.width
        ):
            for kind in kinds:
                key = index.lanes, memory, kind, id(access.mask)
                if key not in self.moves:
                    self.moves[key] = Moves(memory, kind, index.lanes, access.mask)
                self.moves[key].times[index.offset] += 1
            return
        first = access.flat * access.site.size // size if access.site.size != size else access.flat
        first = first - memory.lead // size if memory.lead else first
        for counts in (self._touch_counts(memory)[kind] for kind in kinds):
            for k in range(max(1, access.site.size // size)):
                if first.__class__ is not ndarray:
                    counts[first + k] += self.size(access.mask)[1]
                    continue
                places = first if access.mask is None else first.take(np.flatnonzero(access.mask))
                if len(counts) < 4 * rt.width:
                    counts += np.bincount(as_places(places + k), minlength=len(counts))
                else:
                    np.add.at(counts, places + k, 1)

    def _keep(self, tally: Tally, access: Access) -> None:
        rt = self.machine
        threads = min(rt.width, max(1, KEPT_THREADS // rt.threads) * rt.threads)
        active = rt.spread(access.mask)[:threads]
        if active.any():
            index = rt.spread(access.index)[:threads].astype(np.int64)
            tally.kept.append((access.memory, index * access.site.size, active.copy()))


def _instructions(access: Access) -> list[tuple[PerThread, int]]:
    """Return (places, bytes) of the machine instructions one access becomes: at most 16 bytes per lane, never 12."""
    size, flat = access.site.size, access.flat
    if flat.__class__ is ndarray and flat.dtype.kind == "u":
        flat = flat.view(f"i{flat.dtype.itemsize}")  # for differences
    if access.site.lanes == 3:
        return [(flat * 3 + k, size // 3) for k in range(3)]
    if size > 16:
        return [(flat * (size // 16) + k, 16) for k in range(size // 16)]
    return [(flat, size)]


def wavefronts(rows: np.ndarray, active: np.ndarray, size: int) -> tuple[int, int]:
    """Count for (warps, 32) places the wavefronts, and the parts that requests are served in.

    8-byte accesses are served per half warp, or whole where neighbours (or next but one) read the same;
    16-byte ones per quarter warp, or per half under the same condition.
    """
    if size <= 4:
        return _served(rows * size // 4, active)
    group = 32 if size == 8 else 16
    places, active = rows.reshape(-1, group), active.reshape(-1, group)
    lanes = np.arange(group)
    whole = np.zeros(len(places), bool)
    for distance in (1, 2):
        other = lanes ^ distance
        whole |= ((places == places[:, other]) | ~active | ~active[:, other]).all(1)
    words = places[:, :, None] * (size // 4) + np.arange(size // 4)
    live = np.broadcast_to(active[:, :, None], words.shape)
    total = parts = 0
    for chosen, width in ((whole, group), (~whole, group // 2)):
        if chosen.any():
            served, best = _served(
                words[chosen].reshape(-1, width * size // 4),
                live[chosen].reshape(-1, width * size // 4),
            )
            total, parts = total + served, parts + best
    return total, parts


def _served(words: np.ndarray, active: np.ndarray) -> tuple[int, int]:
    """Sum over rows of the largest number of distinct words in one bank, and the number of rows with any."""
    words = np.sort(np.where(active, words, -1), axis=1)
    distinct = words >= 0
    distinct[:, 1:] &= words[:, 1:] != words[:, :-1]
    row = np.broadcast_to(np.arange(len(words))[:, None], words.shape)[distinct]
    load = np.bincount(
        as_places(row * BANKS + words[distinct] % BANKS), minlength=len(words) * BANKS
    )
    return int(load.reshape(-1, BANKS).max(1).sum()), int(active.any(1).sum())
