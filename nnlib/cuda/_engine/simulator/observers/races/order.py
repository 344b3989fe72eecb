"""Happens-before: the order that barriers, __syncwarp and fences give to what threads write and read.

Every logged access carries the `VectorClocks` of its moment. A thread's vector clock has a clock for each other thread:
what that one did before it happens before what this one does now. Three things give it:
- a barrier: all threads of the block, up to the barrier;
- __syncwarp(mask): the lanes of the mask, and what each of them knew;
- a fence, and then an access that others can see, such as an atomic: who reads that value later with an atomic knows
  what the thread had done and known when it made the fence. A fence is the thread's own: it publishes nothing of other
  threads that the thread has not itself been ordered behind. __threadfence_block() publishes to the block only.
  Fences that threads made before they met hold for what any of them lets others see afterwards.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from .....limits import WARP
from ...machine_protocol import MachineProtocol
from ...masks import Mask, PerThread, at, ndarray


@dataclass(frozen=True, eq=False)
class VectorClocks:
    """The vector clocks of all threads of a machine at one moment; what the threads share is stored as one number.

    epoch: clock of the last barrier of all blocks. block_sync: of the last barrier of the thread's block; warp_sync: of
    that or of the last __syncwarp of its whole warp; one number or one per thread. lanes: (threads, 32) clocks known of
    the lanes of the warp; None: no part of one has met.
    heard: thread of the machine -> what it knows from other threads' fences; heard_by_block: what all of a block know.
    """

    machine: MachineProtocol
    epoch: int = 0
    block_sync: PerThread = 0
    warp_sync: PerThread = 0
    lanes: PerThread = None
    heard: dict[int, Knowledge] = field(default_factory=dict)
    heard_by_block: dict[int, Knowledge] = field(default_factory=dict)

    @property
    def first(self) -> int:
        """Number of the machine's first thread in the launch."""
        return self.machine.first * self.machine.threads

    def of(self, lane: int) -> Knowledge | None:
        """Return what a thread has learned from fences."""
        return self.heard.get(lane) or self.heard_by_block.get(lane // self.machine.threads)

    def joined(self, lanes_of_groups: dict[int, list[int]], by_block: bool) -> VectorClocks:
        """Let the threads of each group, which have met, share what they heard. Groups: blocks, or any others."""
        heard, heard_by_block = dict(self.heard), dict(self.heard_by_block)
        for group, lanes in lanes_of_groups.items():
            parts = [part for lane in lanes if (part := self.of(lane)) is not None]
            if by_block and group in heard_by_block:
                parts.append(heard_by_block[group])
            if not parts:
                continue
            both = parts[0] if all(part is parts[0] for part in parts) else Knowledge(tuple(parts))
            if by_block:
                heard_by_block[group] = both
                for lane in lanes:
                    heard.pop(lane, None)
            else:
                heard.update(dict.fromkeys(lanes, both))
        return replace(self, heard=heard, heard_by_block=heard_by_block)


class Knowledge:
    """What was ordered before a moment: all that `parents` contain, and what threads had done and knew at their fences.

    fences: (vector, clock, thread of the machine) of each. atomic: (number of a thread, clock): its atomics before it.
    """

    __slots__ = ("_clocks", "atomic", "fences", "parents")

    def __init__(
        self,
        parents: tuple[Knowledge, ...],
        fences: Sequence[tuple[VectorClocks, int, int]] = (),
        atomic: tuple[int, int] | None = None,
    ) -> None:
        self.parents, self.fences, self.atomic = parents, fences, atomic
        self._clocks: tuple[np.ndarray, np.ndarray] | None = None

    def clocks(self, threads: int) -> tuple[np.ndarray, np.ndarray]:
        """Return, per thread of the launch, until when its accesses are known, and its atomics."""
        if self._clocks is None:
            self._clocks = self._collect(threads)
        return self._clocks

    def _collect(self, threads: int) -> tuple[np.ndarray, np.ndarray]:
        known, atomics = np.zeros(threads, np.int64), np.zeros(threads, np.int64)
        open_, seen = [self], {id(self)}
        while open_:
            here = open_.pop()
            further = list(here.parents)
            if here.atomic is not None:
                thread, clock = here.atomic
                atomics[thread] = max(atomics[thread], clock)
            for fence in here.fences:
                further += _add(known, *fence)
            for part in further:
                if id(part) not in seen:
                    seen.add(id(part))
                    open_.append(part)
        return known, np.maximum(known, atomics)


def _add(known: np.ndarray, vector: VectorClocks, clock: int, lane: int) -> list[Knowledge]:
    """Enter what a thread had done and knew; what it had from fences is returned."""
    threads = vector.machine.threads
    first = vector.first + lane // threads * threads
    warp = first + lane % threads // WARP * WARP
    end = min(warp + WARP, first + threads)
    own, lanes = vector.first + lane, vector.lanes
    for start, stop, clocks in (
        (first, first + threads, at(vector.block_sync, lane)),
        (warp, end, at(vector.warp_sync, lane)),
        (warp, end, 0 if lanes is None else lanes[lane, : end - warp]),
        (own, own + 1, clock),
    ):
        known[start:stop] = np.maximum(known[start:stop], clocks)
    heard = vector.of(lane)
    return [heard] if heard is not None else []


class Order:
    """The vector of one machine as its threads meet and make fences."""

    def __init__(self, machine: MachineProtocol) -> None:
        self.machine = machine
        self.vector = VectorClocks(machine)
        self.fences: list[tuple[VectorClocks, int]] = []  # vector and clock of each
        self.last_fence = np.full(machine.width, -1)  # of each thread, of any kind
        self.last_wide = np.full(machine.width, -1)  # the last that other blocks see, too
        # Threads that know of fences made since their block last met
        self.unshared: set[int] = set()
        self.shared: dict[int, Knowledge] = {}  # thread -> fences of those it has met since
        self.shared_wide: dict[int, Knowledge] = {}

    def barrier(self, blocks: Mask, clock: int) -> None:
        rt, vector = self.machine, self.vector
        if blocks is None:
            vector = replace(vector, epoch=clock, block_sync=clock, warp_sync=clock)
        else:
            threads = np.repeat(blocks, rt.threads)
            vector = replace(
                vector,
                block_sync=np.where(threads, clock, vector.block_sync),
                warp_sync=np.where(threads, clock, vector.warp_sync),
            )
        if vector.heard:
            met: dict[int, list[int]] = {}
            for lane in vector.heard:
                if blocks is None or blocks[lane // rt.threads]:
                    met.setdefault(lane // rt.threads, []).append(lane)
            vector = vector.joined(met, by_block=True)
        self.vector = vector
        met_blocks = {lane // rt.threads for lane in self.unshared}
        for block in sorted(met_blocks):
            if blocks is None or blocks[block]:
                members = range(block * rt.threads, (block + 1) * rt.threads)
                self._share(members)
                self.unshared.difference_update(members)

    def _share(self, threads: Sequence[int]) -> None:
        """Let each of the threads, which have met, pass on what any of them has made a fence for."""
        for last, shared in ((self.last_fence, self.shared), (self.last_wide, self.shared_wide)):
            made = [(*self.fences[last[lane]], lane) for lane in threads if last[lane] >= 0]
            before = {id(part): part for lane in threads if (part := shared.get(lane)) is not None}
            if (
                len(before) == 1
                and all(lane in shared for lane in threads)
                and shared[threads[0]].fences == made
            ):
                continue  # nobody has heard anything new since they met
            shared.update(dict.fromkeys(threads, Knowledge(tuple(before.values()), made)))
        self.unshared.update(threads)

    def warp_sync(self, mask: Mask, named: PerThread, clock: int) -> None:
        rt, vector = self.machine, self.vector
        if named.__class__ is not ndarray and int(named) == 2**WARP - 1:
            vector = replace(
                vector, warp_sync=clock if mask is None else np.where(mask, clock, vector.warp_sync)
            )
        else:
            vector = replace(vector, lanes=self._lanes_after(mask, rt.spread(named), clock))
        self.vector = vector
        if vector.heard or self.unshared:
            groups = self._groups(mask, rt.spread(named), {*vector.heard, *self.unshared})
            self.vector = vector.joined(dict(enumerate(groups)), by_block=False)
            for lanes in groups:
                if not self.unshared.isdisjoint(lanes):
                    self._share(lanes)

    def _groups(self, mask: Mask, named: np.ndarray, threads: set[int]) -> list[list[int]]:
        """Return the lanes that have met, in the warps of these threads."""
        rt = self.machine
        active = rt.spread(mask)
        groups: list[list[int]] = []
        for first in np.unique(rt.warp_start[[*threads]]).tolist():
            lanes = [
                lane
                for lane in range(first, min(first + WARP, rt.width))
                if active[lane] and rt.warp_start[lane] == first
            ]
            groups += [
                [lane for lane in lanes if part >> int(rt.lane[lane]) & 1]
                for part in {int(named[lane]) for lane in lanes}
            ]
        return groups

    def _lanes_after(self, mask: Mask, named: np.ndarray, clock: int) -> np.ndarray:
        """Return the clocks that each thread knows of the lanes of its warp, once the named lanes have met."""
        rt = self.machine
        active = rt.spread(mask)
        known = (
            np.zeros((rt.width, WARP), np.int64)
            if self.vector.lanes is None
            else self.vector.lanes.copy()
        )
        before = known.copy()
        for bits in np.unique(named[active]):
            member = active & (named == bits) & (bits >> rt.lane_u32 & np.uint32(1) != 0)
            together = np.zeros((rt.blocks * rt.warps_per_block, WARP), np.int64)
            np.maximum.at(together, rt.warp[member], before[member])
            together[rt.warp[member], rt.lane[member]] = clock
            known[member] = together[rt.warp[member]]
        return known

    def fence(self, mask: Mask, wide: bool, clock: int) -> None:
        active = self.machine.spread(mask)
        self.fences.append((self.vector, clock))
        self.last_fence[active] = len(self.fences) - 1
        self.unshared.update(np.flatnonzero(active).tolist())
        if wide:
            self.last_wide[active] = len(self.fences) - 1


class Messages:
    """What fences have published, by the address through which others learn of it: (home, place)."""

    def __init__(self) -> None:
        self.wide: dict[tuple[Any, ...], Knowledge] = {}
        self.in_block: dict[tuple[Any, ...], Knowledge] = {}  # and the block that sees it

    def exchange(
        self, order: Order, home: Any, places: Iterable[tuple[int, int, bool, bool]], clock: int
    ) -> None:
        """Let threads touch places that others synchronise on, one after the other.

        places: (thread of the machine, place, whether it reads, whether it writes).
        """
        rt, vector = order.machine, order.vector
        heard = dict(vector.heard)
        for lane, place, reads, writes in places:
            block = lane // rt.threads
            key, own = (home, place), (home, place, rt.first + block)
            if reads:
                old = heard.get(lane) or vector.heard_by_block.get(block)
                new = [
                    part
                    for part in (self.wide.get(key), self.in_block.get(own))
                    if part is not None
                ]
                if new and not (
                    old is not None and all(part is old or part in old.parents for part in new)
                ):
                    heard[lane] = Knowledge((*new, old) if old is not None else tuple(new))
            if writes:
                done = vector.first + lane, clock + 1
                for messages, spot, last, shared in (
                    (self.wide, key, order.last_wide, order.shared_wide),
                    (self.in_block, own, order.last_fence, order.shared),
                ):
                    # An atomic adds to what stood there, and a plain store replaces it.
                    before = (messages.get(spot) if reads else None, shared.get(lane))
                    parents = tuple(part for part in before if part is not None)
                    made = [(*order.fences[last[lane]], lane)] if last[lane] >= 0 else []
                    if made or parents:
                        messages[spot] = Knowledge(parents, made, done)
                    else:
                        messages.pop(spot, None)
        order.vector = replace(vector, heard=heard)
