"""Finds races in shared and global memory by CUDA's rules, whatever order the simulator happens to use.

Two threads race when they touch the same element, at least one writes, not both by atomics, and nothing
orders them: blocks run at the same time, warps too between two barriers, lanes of a warp too unless a
__syncwarp lies between (shuffles and votes exchange values, but order no memory). Several threads that store
the same value are a note, no fault.
What a block did before __threadfence() and an atomic is ordered before what another block does after a
later atomic (the "last block" pattern). The plain read before an atomicCAS loop is a guess that the CAS
verifies; it counts as an atomic read.

How it stays cheap: accesses since the last barrier are only logged. An epoch that reads but does not write
is dropped unseen, one in which each thread keeps to its own element after one comparison. Only the rest is
replayed, element by element, in race_replay.py. Chunks run one after the other but stand for blocks that
run together: bits per element say what earlier chunks did.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from nnlib.cuda.errors import RaceError
from nnlib.cuda.simulator.masks import lanes_of, ndarray, spread
from nnlib.cuda.simulator.memory import ATOMIC, READ, WRITE, Access, Memory
from nnlib.cuda.simulator.observers import race_replay
from nnlib.cuda.simulator.observers.observer import Observer

LOG_LIMIT = 4_000_000  # logged threads of one memory before they are replayed early
BIT = {READ: 1, WRITE: 2, ATOMIC: 4}
CONFLICTS = {READ: 2 | 4, WRITE: 1 | 2 | 4, ATOMIC: 1 | 2}
RELEASED = 3  # shift of the bits of accesses that a fence and an atomic have published


@dataclass(eq=False)
class Event:
    """One logged access: by whom, where, and when in terms of barriers."""

    order: int
    kind: str
    flat: Any
    mask: Any
    site: Any
    clock: int
    block_sync: Any  # clock of the last barrier, one number or one per thread
    warp_sync: Any
    fences: Any
    same: Any = None  # threads whose store changes nothing


@dataclass(eq=False)
class Record:
    """What is known of one memory."""

    memory: Memory
    unit: int
    log: list[Event] = field(default_factory=list)
    logged: int = 0
    kinds: int = 0  # bits of the kinds in the log and the state
    state: dict = field(default_factory=dict)
    flags: Any = None  # of earlier chunks, per element
    flagged: int = 0
    flag_log: list[Event] = field(default_factory=list)  # of this chunk, to become flags at its end


@dataclass(frozen=True)
class Fences:
    """Per block of the chunk: what it has published up to when, at what time, and its last atomic."""

    fenced: np.ndarray
    published: np.ndarray
    publish_time: np.ndarray
    acquire_time: np.ndarray

    def until(self, kind: str) -> np.ndarray:
        """Accesses before this clock are published: those before the fence, and the atomic itself."""
        return self.publish_time + 1 if kind == ATOMIC else self.published


class Races(Observer):
    """Finds conflicting accesses that nothing orders."""

    spaces = ("written", "shared")

    def __init__(self) -> None:
        self.records: dict[Memory, Record] = {}
        self.clock = 1
        self.order = 0
        self.noted: set[int] = set()
        self.closing = False
        self.scratch = np.empty(0, np.int32)

    # --- events -------------------------------------------------------------------------

    def chunk_begin(self) -> None:
        self.block_sync: Any = 0
        self.warp_sync_at: Any = 0
        self.fences: Fences | None = None
        self.records = {memory: record for memory, record in self.records.items() if memory.space != "shared"}
        self.several_chunks = self.machine.blocks < len(self.launch.blocks)

    def barrier(self, takes_part) -> None:
        if takes_part is None:
            self._close([record for record in self.records.values() if record.memory.space == "shared"])
        self.clock += 1
        if takes_part is None:
            self.block_sync = self.warp_sync_at = self.clock
        else:
            threads = np.repeat(takes_part, self.machine.threads)
            self.block_sync = np.where(threads, self.clock, self.block_sync)
            self.warp_sync_at = np.where(threads, self.clock, self.warp_sync_at)

    def warp_sync(self, mask) -> None:
        self.clock += 1
        self.warp_sync_at = self.clock if mask is None else np.where(mask, self.clock, self.warp_sync_at)

    def fence(self, mask, name: str) -> None:
        if name == "__threadfence_block":
            return
        blocks = self._blocks_in(mask)
        none = np.zeros(self.machine.blocks, np.int64)
        old = self.fences or Fences(none, none, none, none)
        self.clock += 1
        self.fences = Fences(np.where(blocks, self.clock, old.fenced), old.published, old.publish_time,
                             old.acquire_time)

    def _blocks_in(self, mask):
        return spread(True if mask is None else mask, self.machine.width).reshape(self.machine.blocks, -1).any(1)

    def _global_atomic(self, mask) -> None:
        """After a fence, an atomic publishes what its block has done, and takes in what others published."""
        blocks = self._blocks_in(mask)
        old: Any = self.fences
        self.clock += 1
        publishes = blocks & (old.fenced > 0)
        self.fences = Fences(old.fenced, np.where(publishes, old.fenced, old.published),
                             np.where(publishes, self.clock, old.publish_time),
                             np.where(blocks, self.clock, old.acquire_time))

    def load(self, access: Access) -> None:
        memory = access.memory
        kind = ATOMIC if access.site.is_guess else access.kind
        record = self.records.get(memory)
        if record is None:
            record = self.records[memory] = Record(memory, memory.dtype.itemsize)
        if access.site.size < record.unit:
            self._refine(record, access.site.size)
        flat = access.flat
        self.order += 1
        if record.flagged & (CONFLICTS[kind] | CONFLICTS[kind] << RELEASED):
            self._check_earlier_chunks(record, access, kind)
        same = None
        if kind == WRITE:
            self._check_same_instruction(access)
            if record.kinds & BIT[WRITE]:
                same = self._unchanged(access)
        elif memory.space != "shared" and kind == READ and self._known(record, flat, access.mask):
            return
        if access.kind == ATOMIC and memory.space != "shared" and self.fences is not None:
            self._global_atomic(access.mask)
        record.log.append(Event(self.order, kind, flat, access.mask, access.site, self.clock, self.block_sync,
                                self.warp_sync_at, self.fences, same))
        record.kinds |= BIT[kind]
        record.logged += self.machine.width
        if record.logged > LOG_LIMIT:
            self._fold(record)

    store = atomic = load

    def _known(self, record: Record, flat, mask) -> bool:
        """Whether this very read is in the log already."""
        for event in record.log[:-4:-1]:
            if event.kind == READ and event.clock == self.clock and event.mask is mask and (
                    flat is event.flat or np.array_equal(flat, event.flat)):
                return True
        return False

    # --- stores -------------------------------------------------------------------------

    def _unchanged(self, access: Access):
        data = access.memory.view(access.site.dtype)
        lanes = access.site.lanes
        values = access.value if lanes > 1 else (access.value,)
        same = True
        for k, value in enumerate(values):
            place = access.flat * lanes + k if lanes > 1 else access.flat
            same = same & _equal(data.take(place, mode="clip"), value)
        return spread(same, self.machine.width)

    def is_unique(self, flat, mask) -> bool:
        """Whether no two active threads have the same place."""
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
        places = places.astype(np.int64) - low
        self.scratch[places] = number
        return bool((self.scratch.take(places) == number).all())

    def _check_same_instruction(self, access: Access) -> None:
        """Several threads store to one element in the same instruction: the same value is a note."""
        if self.is_unique(access.flat, access.mask):
            return
        rt = self.machine
        lanes = lanes_of(access.mask, rt.width)
        if len(lanes) < 2:
            return
        places = spread(access.flat, rt.width)[lanes]
        order = np.argsort(places, kind="stable")
        twin = np.flatnonzero(places[order][1:] == places[order][:-1])
        if len(twin) == 0:
            return
        first, second = lanes[order[twin]], lanes[order[twin + 1]]
        values = access.value if access.site.lanes > 1 else (access.value,)
        differs = np.zeros(len(twin), bool)
        for value in values:
            value = spread(value, rt.width)
            differs |= ~_equal(value[first], value[second])
        if not differs.any():
            self.note(access.memory, access.site, "several threads store the same value to one element")
            return
        k = int(np.flatnonzero(differs)[np.argmin(second[differs])])
        self.fail(access.memory, access.site, access.flat, [int(second[k])], int(first[k]), WRITE, WRITE, access.site)

    def note(self, memory, site, what: str) -> None:
        if site.number not in self.noted:
            self.noted.add(site.number)
            self.launch.warnings.append((site.line, f"line {site.line}: {what} of {memory.name}; harmless here, but is "
                                         "it meant?"))

    # --- chunks -------------------------------------------------------------------------

    def _check_earlier_chunks(self, record: Record, access: Access, kind: str) -> None:
        rt, flags = self.machine, record.flags
        clash = CONFLICTS[kind]
        found = np.zeros(rt.width, np.uint8)
        for unit in race_replay.units(access.flat, access.site.size, record.unit):
            found |= flags.take(unit, mode="clip")
        bad = (found & clash) != 0
        released = (found >> RELEASED & clash) != 0
        if released.any():
            taken = np.zeros(rt.blocks, bool) if self.fences is None else self.fences.acquire_time > 0
            bad |= released & ~np.repeat(taken, rt.threads)
        if access.mask is not None:
            bad &= access.mask
        if access.kind == WRITE and bad.any():
            same = self._unchanged(access) & (found & (BIT[READ] | BIT[ATOMIC]) == 0)
            if (bad & same).any():
                self.note(access.memory, access.site, "several blocks store the same value to one element")
            bad &= ~same
        if bad.any():
            lanes = np.flatnonzero(bad)
            earlier = WRITE if found[lanes[0]] & BIT[WRITE] else ATOMIC if found[lanes[0]] & BIT[ATOMIC] else READ
            self.fail(access.memory, access.site, access.flat, lanes, None, kind, earlier, None)

    def chunk_end(self) -> None:
        records = list(self.records.values())
        self._close(records)
        if self.several_chunks:
            for record in records:
                self._flag(record)

    def _flag(self, record: Record) -> None:
        """Leave bits for the chunks to come."""
        if record.memory.space == "shared":
            return
        if record.flags is None:
            record.flags = np.zeros(-(-record.memory.nbytes // record.unit), np.uint8)
        fences, threads = self.fences, self.machine.threads
        for event in record.flag_log:
            bit = BIT[event.kind]
            lanes = lanes_of(event.mask, self.machine.width)
            bits: Any = np.uint8(bit)
            if fences is not None:
                published = fences.until(event.kind)[lanes // threads] > event.clock
                bits = np.where(published, bit << RELEASED, bit).astype(np.uint8)
                record.flagged |= bit << RELEASED
            record.flagged |= bit
            for unit in race_replay.units(event.flat, event.site.size, record.unit):
                places = spread(unit, self.machine.width)[lanes].astype(np.int64)
                record.flags[places] |= bits
        record.flag_log = []

    def _refine(self, record: Record, unit: int) -> None:
        """Accesses narrower than the elements known so far: keep what is known per smaller unit."""
        factor = record.unit // unit
        record.unit = unit
        if record.flags is not None:
            record.flags = np.repeat(record.flags, factor)
        record.state = {kind: [np.repeat(a, factor) for a in arrays] for kind, arrays in record.state.items()}

    # --- judgement ----------------------------------------------------------------------

    def before_failure(self) -> None:
        """Another fault was found: a race that happened earlier is the first fault."""
        if not self.closing:
            self._close(list(self.records.values()))

    def _close(self, records: list[Record]) -> None:
        """Judge what was logged; raises for the first conflict in program order."""
        faults = []
        for record in records:
            fault = None if self._is_harmless(record) else race_replay.replay(self, record)
            if fault is not None:
                faults.append(fault)
            self._clear(record)
            record.state = {}
        if faults:
            _, arguments = min(faults, key=lambda fault: fault[0])
            self.fail(*arguments)

    def _fold(self, record: Record) -> None:
        """The log is long: judge it now, and keep what matters per element."""
        fault = race_replay.replay(self, record)
        if fault is not None:
            self.fail(*fault[1])
        kinds = record.kinds
        self._clear(record)
        record.kinds = kinds

    def _clear(self, record: Record) -> None:
        if self.several_chunks and record.memory.space != "shared":
            record.flag_log += record.log
        record.log, record.logged, record.kinds = [], 0, 0

    def _is_harmless(self, record: Record) -> bool:
        """No conflict possible: nothing written, only atomics, or every thread keeps to its own element."""
        if record.state:
            return not record.log
        if not record.kinds & (BIT[WRITE] | BIT[ATOMIC]) or record.kinds == BIT[ATOMIC]:
            return True
        first = record.log[0]
        alike = all(event.site.size == first.site.size and (
            event.flat is first.flat or np.array_equal(event.flat, first.flat)) for event in record.log[1:])
        return alike and self.is_unique(first.flat, _mask_of_all(record.log))

    def fail(self, memory, site, flat, lanes, other, kind: str, earlier: str, earlier_site) -> None:
        """A race between lanes[0] and the thread `other` (None: one of an earlier chunk)."""
        rt, report = self.machine, self.launch.fault_report
        self.closing = True
        mask = np.zeros(rt.width, bool)
        mask[lanes] = True
        lane = int(lanes[0])
        place = int(spread(flat, rt.width)[lane])
        if memory.space == "shared":
            place -= lane // rt.threads * (memory.pitch // site.size)
        element = report.element(memory, place, site)
        did = {READ: "reads", WRITE: "writes", ATOMIC: "updates atomically"}
        where = f" in line {earlier_site.line}" if earlier_site is not None else ""
        if other is None:
            who = "a thread of another block"
        else:
            thread, block = report.whose(rt, other)
            owner = "the same block" if other // rt.threads == lane // rt.threads else "block ({},{},{})".format(*block)
            who = "thread ({},{},{}) of {}".format(*thread, owner)
        what = f"race: {did[kind]} {element}, which {who} {did[earlier]}{where}"
        rt.fail(RaceError, site, mask, what, *self._advice(memory, site, earlier_site, other, lane, kind, earlier))

    def _advice(self, memory, site, earlier_site, other, lane: int, kind: str, earlier: str) -> tuple[str, str]:
        rt = self.machine
        if other is None or other // rt.threads != lane // rt.threads:
            return ("blocks run in any order and at the same time",
                    "use an atomic, or let each block write elements of its own and combine them in a second kernel")
        if kind == earlier == WRITE:
            return "nothing says which of the two stays", "use an atomic, or let one thread write"
        one_line = earlier_site is not None and earlier_site.line == site.line
        if one_line and memory.space == "global":
            return ("no barrier orders the two", "if threads share the element use an atomic; if one needs the other's "
                    "value put __syncthreads() between")
        one_warp = rt.warp[other] == rt.warp[lane]
        why = "lanes of a warp are not ordered by themselves" if one_warp else "no barrier orders the two"
        barrier = "__syncthreads() (or __syncwarp() within a warp)" if one_warp else "__syncthreads()"
        if one_line:
            return why, f"if one thread needs the other's value put {barrier} between; if they share it use an atomic"
        return why, f"put {barrier} between {'the two' if one_warp else 'them'}"


def _mask_of_all(log: list[Event]):
    """One mask that holds every active thread of the events; None for all."""
    first = log[0].mask
    return first if all(event.mask is first for event in log) else None


def _equal(a, b):
    """Equal as bits would be: NaN is equal to itself."""
    return (a == b) | ((a != a) & (b != b))
