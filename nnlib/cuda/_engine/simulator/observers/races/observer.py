"""Finds races in shared and global memory by CUDA's rules, whatever order the simulator happens to use.

Two threads race when they touch the same element, at least one writes, not both by atomics, and neither access happens
before the other: blocks run at the same time, warps too between two barriers, lanes of a warp too unless a
__syncwarp lies between (shuffles and votes exchange values, but order no memory). Several threads that store
the same value are a note, no fault. What fences order says order.py.
A thread that stores back what it has read there, as a copy of a row onto itself does, changes nothing that others
read: a note, too. The plain read of what an atomicCAS then swaps is a guess that it verifies: an atomic read.

How it stays cheap: accesses since the last barrier are only logged. An epoch that reads but does not write
is dropped unseen, one in which each thread keeps to its own element after one comparison. Only the rest is judged, see
judge.py.
Chunks run one after the other but stand for blocks that run together: bits per element say what earlier chunks did.

Lesson 03.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ....errors import RaceError
from ...masks import Mask, PerThread, as_places, ndarray
from ...memory.spaces import ATOMIC, PEEK, READ, WRITE, Access, Memory, Site, equal
from ..observer import Check
from . import judge
from .log import BIT, CONFLICTS, OWN, SAME, Entry, Record, units
from .order import Messages, Order
from .report import UnorderedPair, told

LOG_LIMIT = 4_000_000  # indices of threads in the log of one memory before it is judged early
FENCES = {"__threadfence", "__threadfence_block", "__threadfence_system"}


class Races(Check):
    """Finds conflicting accesses that nothing orders.

    exact: threads are ordered one by one, and judged over all chunks: the kernel has fences, or orders parts of a
    block, as __syncwarp and groups do.
    """

    name, error, hint = "races", RaceError, "put __syncthreads() between them"
    spaces = ("written", "shared")

    def kernel_begin(self) -> None:
        self.records: dict[Any, Record] = {}
        self.orders: dict[Any, Order] = {}
        self.messages = Messages()
        self.clock = 1
        self.count = 0  # of entries
        self.noted: set[int] = set()
        self.closing = False
        self.scratch = np.empty(0, np.int32)
        self.threads_in_all = len(self.launch.blocks) * self.launch.threads
        compiled, kernel = self.launch.compiled, self.launch.name
        calls, self.has_flags = compiled.calls(kernel), compiled.has_flags(kernel)
        self.fenced = bool(FENCES & calls)
        self.exact = (
            self.fenced
            or self.launch.coroutine_size > 0
            or "__syncwarp" in calls
            or ("cooperative_groups::sync" in calls)
        )

    def chunk_begin(self) -> None:
        self.several_chunks = self.machine.blocks < len(self.launch.blocks)
        self.orders[self.machine] = Order(self.machine)

    @property
    def order(self) -> Order:
        return self.orders[self.machine]

    # --- entries -------------------------------------------------------------------------

    def barrier(self, blocks: Mask) -> None:
        if blocks is None:
            own = self.machine.shared_memories.values()
            records = [self.records[memory] for memory in own if memory in self.records]
            self._close(records)
        self.clock += 1
        self.order.barrier(blocks, self.clock)

    def grid_barrier(self) -> None:
        self._close(list(self.records.values()))
        self.records.clear()
        self.barrier(None)

    def warp_sync(self, mask: Mask, named: PerThread) -> None:
        self.clock += 1
        self.order.warp_sync(mask, named, self.clock)

    def fence(self, mask: Mask, name: str) -> None:
        self.clock += 1
        self.order.fence(mask, name != "__threadfence_block", self.clock)

    def load(self, access: Access) -> None:
        record, is_flag = self._record(access), self.has_flags and access.site.is_volatile
        kind = PEEK if is_flag or access.site.is_guess else READ
        if record.flagged & CONFLICTS[kind]:
            self._check_earlier_chunks(record, access, kind)
        if is_flag:
            self._exchange(record, access, reads=True)
        if kind == PEEK or record.space == "shared" or not self._known(record, access):
            self._log(record, access, kind)

    def store(self, access: Access) -> None:
        if self.has_flags and access.site.is_volatile:
            self.atomic(access, reads=False)
            return
        record = self._record(access)
        same = self._unchanged(record, access)
        if record.flagged & CONFLICTS[WRITE]:
            self._check_earlier_chunks(record, access, WRITE, same)
        self._check_same_instruction(access)
        self._log(record, access, WRITE, same)

    def atomic(self, access: Access, reads: bool = True) -> None:
        record = self._record(access)
        if record.flagged & CONFLICTS[ATOMIC]:
            self._check_earlier_chunks(record, access, ATOMIC)
        self._exchange(record, access, reads)
        self._log(record, access, ATOMIC)
        if self.fenced:
            self.clock += 1

    def _exchange(self, record: Record, access: Access, reads: bool) -> None:
        """Pass on at the places of an atomic what fences have made visible."""
        if self.fenced:
            self.messages.exchange(
                self.order, record.home, self._exchanged(access, reads), self.clock
            )

    def copy_arrived(self, access: Access) -> None:
        """Treat an asynchronous copy as if it happened here, too, since it was in flight until now."""
        self._log(self._record(access), access, access.kind)

    def _record(self, access: Access) -> Record:
        memory = access.memory
        record = self.records.get(memory.home)
        if record is None:
            record = self.records[memory.home] = Record(memory.home, memory.space, memory.unit)
        if access.site.size < record.unit or memory.at % record.unit:
            record.refine(access)
        return record

    def _log(self, record: Record, access: Access, kind: str, same: Mask = None) -> None:
        self.count += 1
        entry = Entry(self.count, kind, access, self.clock, self.order.vector, same)
        # What is kept: an index for each thread, of an invariant one only its offset; now and then a mask; and the entry.
        invariant = access.invariant is not None
        alike = record.log and record.log[-1].mask is access.mask and same is None
        entry.ends = not (
            invariant or self.exact or same is not None or access.flat.__class__ is ndarray
        )
        each = 64 if entry.ends else 2 if invariant else 1
        record.logged += 0 if invariant and alike else 32 + self.machine.width // each
        record.log.append(entry)
        record.kinds |= BIT[kind]
        if record.logged > LOG_LIMIT:
            self._fold(record)

    def _known(self, record: Record, access: Access) -> bool:
        """Return whether this very read is in the log already."""
        return any(
            entry.kind == READ
            and entry.vector is self.order.vector
            and entry.clock == self.clock
            and entry.mask is access.mask
            and entry.memory is access.memory
            and entry.access.is_same_place(access)
            for entry in record.log[:-4:-1]
        )

    def _exchanged(self, access: Access, reads: bool) -> Iterator[tuple[int, int, bool, bool]]:
        """Yield threads that have made a fence or may learn of one, in order: (thread, place, reads, writes)."""
        rt, order, messages = self.machine, self.order, self.messages
        size, at = access.site.size, access.memory.at
        lanes = rt.lanes_of(access.mask)
        if not messages.in_block and not order.fences:
            return
        places = rt.spread(access.flat)
        name, operands = access.value if access.kind == ATOMIC else ("volatile", ())
        swaps = name == "atomicCAS"
        if swaps:
            compare, value = (rt.spread(operand) for operand in operands)
            data = access.memory.view(access.site.dtype)
            now: dict[int, Any] = {}
        for lane in lanes.tolist():
            place, writes = int(places[lane]), access.kind != READ
            if swaps:
                held = now.get(place, data[place])
                writes = bool(held == compare[lane])
                now[place] = value[lane] if writes else held
            yield lane, place * size + at, reads, writes

    # --- stores -------------------------------------------------------------------------

    def _unchanged(self, record: Record, access: Access) -> Any:
        """Return what each thread's store leaves as it is, of log.SAME; None if nobody needs to know, or all change."""
        reads = BIT[READ] * access.site.is_copy
        if not (record.kinds | record.flagged) & (BIT[WRITE] | reads):
            return None
        rt = self.machine
        same = np.where(rt.spread(access.unchanged()), SAME, np.uint8(0))
        if not same.any():
            return None
        for entry in record.log:
            if (
                reads
                and entry.kind == READ
                and entry.vector.machine is rt
                and entry.memory is access.memory
                and entry.site.size == access.site.size
            ):
                read = rt.spread(entry.access.flat == access.flat)
                own = same > 0 if entry.mask is None else (same > 0) & entry.mask
                same[own & read] = OWN
        return same

    def is_unique(self, flat: PerThread, mask: Mask) -> bool:
        """Return whether no two active threads have the same place."""
        if flat.__class__ is not ndarray:
            return False
        if (flat[1:] > flat[:-1]).all():
            return True
        places = flat if mask is None else flat.take(np.flatnonzero(mask))
        if len(places) < 2:
            return True
        low, high = int(places.min()), int(places.max())
        if high - low >= len(self.scratch):
            self.scratch = np.empty(high - low + 1, np.int32)
        number = np.arange(len(places), dtype=np.int32)
        places = places.astype(np.intp) - low
        self.scratch[places] = number
        return bool((self.scratch.take(places) == number).all())

    def _is_spread(self, access: Access) -> bool:
        """Return whether an invariant index gives all threads different places, whatever is added to it."""
        if access.invariant is None:
            return False
        found = access.invariant.lanes.found
        key = Races, access.memory, access.site.size
        if key not in found:
            found[key] = self.is_unique(access.flat, None)
        return bool(found[key])

    def _check_same_instruction(self, access: Access) -> None:
        """Check for several threads that store to one element in the same instruction: the same value is a note."""
        if self._is_spread(access) or self.is_unique(access.flat, access.mask):
            return
        rt = self.machine
        lanes = rt.lanes_of(access.mask)
        if len(lanes) < 2:
            return
        places = rt.spread(access.flat)[lanes]
        order = np.argsort(places, kind="stable")
        twin = np.flatnonzero(places[order][1:] == places[order][:-1])
        if len(twin) == 0:
            return
        first, second = lanes[order[twin]], lanes[order[twin + 1]]
        values = access.value if access.site.lanes > 1 else (access.value,)
        differs = np.zeros(len(twin), bool)
        for value in values:
            value = rt.spread(value)
            differs |= ~equal(value[first], value[second])
        if not differs.any():
            self.note(access.memory, access.site)
            return
        k = int(np.flatnonzero(differs)[np.argmin(second[differs])])
        other = self.order.vector.first + int(first[k])
        self._fail(UnorderedPair(access, second[[k]], WRITE, WRITE, other, access.site))

    def note(self, memory: Memory, site: Site, who: str = "several threads") -> None:
        """Say once that a store is unordered, and harmless as long as it stores the value that is there."""
        if site.number not in self.noted:
            self.noted.add(site.number)
            self.launch.repeated_stores[site.line] = memory.name
            said = f"line {site.line}: {who} store the same value to one element of {memory.name}"
            self.launch.warnings.append((site.line, f"{said}; harmless here, but is it meant?"))

    # --- chunks -------------------------------------------------------------------------

    def _check_earlier_chunks(
        self, record: Record, access: Access, kind: str, unchanged: Any = None
    ) -> None:
        rt = self.machine
        found = np.zeros(rt.width, np.uint8)
        for unit in units(access.memory, access.flat, access.site.size, record.unit):
            found |= record.flags.take(as_places(unit), mode="clip")
        bad = (found & CONFLICTS[kind]) != 0
        if access.mask is not None:
            bad &= access.mask
        if unchanged is not None and bad.any():
            same = (unchanged >= np.where(found & BIT[READ], OWN, SAME)) & (
                found & BIT[ATOMIC] == 0
            )
            if (bad & same).any():
                self.note(access.memory, access.site, "several blocks")
            bad &= ~same
        if bad.any():
            lanes = np.flatnonzero(bad)
            before = found[lanes[0]]
            earlier = next((each for each in (WRITE, ATOMIC) if before & BIT[each]), READ)
            self._fail(UnorderedPair(access, lanes, kind, earlier))

    def chunk_end(self) -> None:
        own = self.machine.shared_memories.values()
        shared = [self.records.pop(memory) for memory in own if memory in self.records]
        if self.exact:
            self._close(shared)
            return
        self._close([*self.records.values(), *shared])
        del self.orders[self.machine]
        if self.several_chunks:
            for record in self.records.values():
                self._flag(record)

    def kernel_end(self) -> None:
        self._close([*self.records.values()])

    def _flag(self, record: Record) -> None:
        """Leave bits for the chunks to come."""
        if record.flags is None:
            record.flags = np.zeros(record.count, np.uint8)
        for entry in record.flag_log:
            record.flagged |= BIT[entry.kind]
            bits = np.full(self.machine.width, BIT[entry.kind], np.uint8)
            if entry.same is not None:
                bits[entry.same == OWN] = BIT[READ]
            for unit in entry.units(record.unit):
                places = self.machine.spread(unit)[entry.lanes].astype(np.intp)
                np.bitwise_or.at(record.flags, places, bits[entry.lanes])
        record.flag_log = []

    # --- judgement ----------------------------------------------------------------------

    def before_failure(self) -> None:
        """Report a race that happened before another fault: it is the first fault."""
        if not self.closing:
            self._close([*self.records.values()])

    def _close(self, records: list[Record]) -> None:
        """Judge what was logged; raises for the first conflict in program order."""
        conflicts = []
        for record in records:
            if not self._is_harmless(record):
                conflicts.append(judge.first_conflict(self, record))
            self._clear(record)
            record.old = None
        self._fail_for_first(conflicts)

    def _fold(self, record: Record) -> None:
        """Judge a log that has become long, and keep what matters per element."""
        self._fail_for_first([judge.first_conflict(self, record)])
        record.old, kinds = judge.remembered(record), record.kinds
        self._clear(record)
        record.kinds = kinds

    def _fail_for_first(self, conflicts: list[judge.Conflict | None]) -> None:
        found = min(
            filter(None, conflicts), key=lambda conflict: conflict.entry.number, default=None
        )
        if found is not None:
            entry = found.entry
            self.launch.machine = entry.vector.machine
            lanes = found.threads - entry.vector.first
            self._fail(
                UnorderedPair(entry.access, lanes, entry.kind, found.kind, found.other, found.site)
            )

    def _clear(self, record: Record) -> None:
        if self.several_chunks and record.space != "shared" and not self.exact:
            record.flag_log += record.log
        record.log, record.logged, record.kinds = [], 0, 0

    def _is_harmless(self, record: Record) -> bool:
        """Return whether no conflict is possible: nothing written, only atomics, or every thread keeps to its own element."""
        if record.old is not None:
            return not record.log
        if not record.kinds & (BIT[WRITE] | BIT[ATOMIC]) or not record.kinds & ~(
            BIT[ATOMIC] | BIT[PEEK]
        ):
            return True
        first = record.log[0]
        alike = all(
            entry.site.size == first.site.size
            and entry.memory is first.memory
            and entry.vector.machine is first.vector.machine
            and entry.access.is_same_place(first.access)
            for entry in record.log[1:]
        )
        mask = first.mask if all(entry.mask is first.mask for entry in record.log) else None
        return alike and self.is_unique(first.access.flat, mask)

    def _fail(self, pair: UnorderedPair) -> None:
        self.closing = True
        said, fields = told(self.launch, pair)
        self.fail(pair.access.site, *said, **fields)
