"""Barriers, shuffles and votes: what threads of a block or lanes of a warp do together.

Each function gets the call, and then CUDA's arguments; LOCKSTEP maps CUDA's name to it. Barriers and __syncwarp order
the accesses to memory; shuffles and votes do not. Lesson 04.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from ....limits import WARP
from ...errors import BarrierError
from ..machine_protocol import GroupCall, MachineProtocol
from ..masks import Mask, PerThread, first_of, ndarray

Function = Callable[..., Any]
LOCKSTEP: dict[str, Function] = {}
ALL_LANES = np.uint32(0xFFFFFFFF)


def lockstep(name: str, *preset: Any) -> Callable[[Function], Function]:
    """Make the decorated function known under CUDA's name, with leading preset arguments."""

    def register(function: Function) -> Function:
        def bound(call: GroupCall, *values: PerThread) -> Any:
            return function(call, *preset, *values)

        bound.__name__ = name.replace("::", "_")
        LOCKSTEP[name] = bound
        return function

    return register


# --- barriers of the block ------------------------------------------------------------------


@lockstep("__syncthreads")
def barrier(call: GroupCall) -> None:
    call.rt.barrier(call.m, call.site)


@lockstep("__syncthreads_count", np.add)
@lockstep("__syncthreads_and", np.logical_and)
@lockstep("__syncthreads_or", np.logical_or)
def barrier_vote(call: GroupCall, combine: np.ufunc, value: PerThread) -> PerThread:
    barrier(call)
    holds = np.where(call.active, call.spread(value != 0), combine is np.logical_and)
    per_block = combine.reduce(holds.reshape(call.rt.blocks, -1).astype(np.int32), axis=1)
    return np.repeat(per_block.astype(np.int32), call.rt.threads)


# --- cuda::barrier --------------------------------------------------------------------------


@lockstep("nnlib::arrive")
def arrive(call: GroupCall, expected: PerThread, update: PerThread) -> None:
    """Let threads arrive at a barrier: the simulator knows only barriers of whole blocks."""
    if np.any(update != 1):
        _refuse(call, "arrivals that count for several threads")


@lockstep("nnlib::meet")
def meet(call: GroupCall, expected: PerThread) -> None:
    """Make all threads of the block wait for each other. expected: the number of arrivals; 0 for the whole block."""
    rt = call.rt
    active, alive, wanted = (
        call.spread(value).reshape(rt.blocks, -1) for value in (call.m, rt.alive, expected)
    )
    active, alive, wanted = active.sum(1), alive.sum(1), wanted.max(1)
    if np.any((active != 0) & (active != alive)):
        _refuse(call, "a cuda::barrier or pipeline on which only some threads of the block wait")
    short = (active != 0) & (wanted > active)
    if short.any():
        k = first_of(short)
        call.fail(
            BarrierError,
            call.m,
            f"the barrier waits for {wanted[k]} arrivals, but {active[k]} threads of the block arrive",
            "the others have ended, or the block is smaller",
            "write init(&bar, n) with as many as arrive",
        )
    if np.any((active != 0) & (wanted != 0) & (wanted < active)):
        _refuse(call, "a cuda::barrier that waits for fewer arrivals than the block has threads")
    barrier(call)


def _refuse(call: GroupCall, what: str) -> None:
    instead = "let every thread of the block arrive and wait"
    raise call.rt.unsupported(call.site, f"{what}; {instead}")


# --- lanes of a warp ------------------------------------------------------------------------


@lockstep("__syncwarp")
def sync_warp(call: GroupCall, named: PerThread) -> None:
    check_named(call, named)
    call.rt.tell("warp_sync", call.m, named)


def check_named(call: GroupCall, named: PerThread) -> None:
    """Check that all live lanes that the mask argument names take part, the caller among them."""
    rt, m = call.rt, call.m
    if not rt.checks:
        return
    rt.latest_call.update(m, rt.alive)
    uniform = named.__class__ is not ndarray
    if uniform and (int(named) in rt.latest_call.agreed or (m is rt.alive and named == ALL_LANES)):
        return
    _find_absent(call, call.spread(named))
    if uniform:
        rt.latest_call.agreed.add(int(named))


def _find_absent(call: GroupCall, named: np.ndarray) -> None:
    rt, active = call.rt, call.active
    missing = active & ((named >> rt.lane_u32) & np.uint32(1) == 0)
    if missing.any():
        call.fail(
            BarrierError,
            missing,
            f"{call.site.name}: the calling lane is not in its own mask",
            "the mask names the lanes that take part",
            "use 0xffffffff when the whole warp does",
            mask=int(named[first_of(missing)]),
        )
    absent = named & (warp_bits(rt, rt.alive) & ~warp_bits(rt, call.m))[rt.warp]
    wrong = active & (absent != 0)
    if wrong.any():
        lane = first_of(wrong)
        names = [str(k) for k in range(32) if int(absent[lane]) >> k & 1]
        several = f", ... ({len(names)} lanes)" if len(names) > 4 else ""
        call.fail(
            BarrierError,
            wrong,
            f"{call.site.name}: the mask {int(named[lane]):#x} names lanes that do not take "
            f"part: {', '.join(names[:4])}{several}",
            "every lane named in the mask must make the same call",
            "move it out of the if, or give it the mask of the lanes that are there",
            mask=int(named[lane]),
        )


# --- shuffles: which lane of its warp each lane reads ---------------------------------------


def index_of(lane: PerThread, number: PerThread, width: PerThread) -> PerThread:
    return (lane & ~(width - 1)) + (number & (width - 1))


def above(lane: PerThread, delta: PerThread, width: PerThread) -> PerThread:
    source = lane - delta
    return np.where(source < (lane & ~(width - 1)), lane, source)


def below(lane: PerThread, delta: PerThread, width: PerThread) -> PerThread:
    source = lane + delta
    return np.where(source >= (lane & ~(width - 1)) + width, lane, source)


def crossed(lane: PerThread, lane_mask: PerThread, width: PerThread) -> PerThread:
    source = lane ^ lane_mask
    return np.where((source >= (lane & ~(width - 1)) + width) | (source < 0), lane, source)


class SourceLanes:
    """lanes: which lane of its warp each thread reads. places: the same in the chunk. exist: is there such a lane."""

    def __init__(self, read: Function, threads: int, blocks: int) -> None:
        thread = np.tile(np.arange(threads), blocks)
        lane = thread % 32
        self.lanes = read(lane)
        self.exist = thread - lane + self.lanes < threads
        self.places = np.where(self.exist, np.arange(len(lane)) - lane + self.lanes, 0).astype(
            np.intp
        )

    def of(self, value: PerThread) -> PerThread:
        """Return what each thread reads of a value."""
        return value.take(self.places, mode="clip") if value.__class__ is ndarray else value


@functools.lru_cache(maxsize=64)
def _uniform_sources(
    rule: Function, amount: int, width: int, threads: int, blocks: int
) -> SourceLanes:
    """Return the reduction of a block asks for the same few again and again."""
    return SourceLanes(lambda lane: rule(lane, amount, width), threads, blocks)


@lockstep("__shfl_sync", index_of)
@lockstep("__shfl_up_sync", above)
@lockstep("__shfl_down_sync", below)
@lockstep("__shfl_xor_sync", crossed)
def shuffle(
    call: GroupCall,
    rule: Function,
    named: PerThread,
    value: PerThread,
    amount: PerThread,
    width: PerThread = WARP,
) -> PerThread:
    """Return the value of the lane that the rule says."""
    rt = call.rt
    check_named(call, named)
    if amount.__class__ is ndarray or width.__class__ is ndarray:
        amount, width = (call.spread(v).astype(np.int64) for v in (amount, width))
        sources = SourceLanes(lambda lane: rule(lane, amount, width), rt.threads, rt.blocks)
    else:
        sources = _uniform_sources(rule, int(amount), int(width), rt.threads, rt.blocks)
        if sources in rt.latest_call.readable:
            return sources.of(value)
        rt.latest_call.readable.add(sources)
    return read_lanes(call, sources, value)


def read_lanes(call: GroupCall, sources: SourceLanes, value: PerThread) -> PerThread:
    """Return the values of other lanes, which must make the call, too."""
    if not call.rt.checks:
        return sources.of(value)
    active = call.active
    wrong = active & ~(sources.exist & active.take(sources.places))
    if wrong.any():
        lane = first_of(wrong)
        why = (
            "is not active here" if sources.exist[lane] else "does not exist: the block ends before"
        )
        call.fail(
            BarrierError,
            wrong,
            f"{call.site.name} reads lane {int(sources.lanes[lane])}, which {why}",
            "a shuffle may only read lanes that make the same call",
            "let the whole warp shuffle, and give lanes without data a neutral value",
        )
    return sources.of(value)


# --- votes and other ways to combine lanes --------------------------------------------------


def by_warp(rt: MachineProtocol, value: PerThread) -> np.ndarray:
    """Return one value per thread as (warps, 32); lanes that a block does not have are 0."""
    flags = np.ascontiguousarray(rt.spread(value))
    if rt.threads % 32 == 0:
        return flags.reshape(-1, 32)
    padded = np.zeros((rt.blocks, rt.warps_per_block * 32), flags.dtype)
    padded[:, : rt.threads] = flags.reshape(rt.blocks, rt.threads)
    return padded.reshape(-1, 32)


def by_thread(rt: MachineProtocol, rows: np.ndarray) -> np.ndarray:
    """Return (warps, 32) values as one per thread."""
    if rt.threads % WARP == 0:
        return np.ascontiguousarray(rows).reshape(-1)
    return rows.reshape(rt.blocks, -1)[:, : rt.threads].reshape(-1)


def warp_bits(rt: MachineProtocol, mask: Mask) -> np.ndarray:
    """Return one 32-bit word per warp: which lanes are in the mask."""
    packed = np.packbits(by_warp(rt, mask), axis=1, bitorder="little")
    return packed.view(np.uint32).reshape(-1)


@lockstep("__ballot_sync")
def ballot(call: GroupCall, named: PerThread, predicate: PerThread) -> PerThread:
    check_named(call, named)
    holds = call.active & (predicate != 0)
    return warp_bits(call.rt, holds)[call.rt.warp] & named


@lockstep("__any_sync")
def any_lane(call: GroupCall, named: PerThread, predicate: PerThread) -> PerThread:
    return (ballot(call, named, predicate) != 0).astype(np.int32)


@lockstep("__all_sync")
def all_lanes(call: GroupCall, named: PerThread, predicate: PerThread) -> PerThread:
    return (ballot(call, named, predicate == 0) == 0).astype(np.int32)


@lockstep("__activemask")
def active_mask(call: GroupCall) -> PerThread:
    return warp_bits(call.rt, call.m)[call.rt.warp]


@lockstep("__match_any_sync")
def match_any(call: GroupCall, named: PerThread, value: PerThread) -> PerThread:
    rt = call.rt
    check_named(call, named)
    value = rt.spread(value)
    result = np.zeros(rt.width, np.uint32)
    for lane in range(32):
        place = rt.warp_start + lane
        exists = lane + rt.lane_base < rt.threads
        same = value.take(np.where(exists, place, 0)) == value
        result |= np.where(same & exists, np.uint32(1 << lane), np.uint32(0))
    return result & named & active_mask(call)


@lockstep("__reduce_add_sync", np.add)
@lockstep("__reduce_min_sync", np.minimum)
@lockstep("__reduce_max_sync", np.maximum)
@lockstep("__reduce_and_sync", np.bitwise_and)
@lockstep("__reduce_or_sync", np.bitwise_or)
@lockstep("__reduce_xor_sync", np.bitwise_xor)
def reduce_lanes(
    call: GroupCall, combine: np.ufunc, named: PerThread, value: PerThread
) -> PerThread:
    check_named(call, named)
    own, takes_part, named_of = (by_warp(call.rt, each) for each in (value, call.m, named))
    limits = np.iinfo(own.dtype)
    neutrals: dict[np.ufunc, PerThread] = {
        np.minimum: limits.max,
        np.maximum: limits.min,
        np.bitwise_and: ALL_LANES,
    }
    neutral = neutrals.get(combine, 0)
    result = np.zeros_like(own)
    for mask in np.unique(named_of[takes_part]):
        lanes = (int(mask) >> np.arange(32) & 1).astype(bool) & takes_part
        total = combine.reduce(
            np.where(lanes, own, own.dtype.type(neutral)), axis=1, dtype=own.dtype
        )
        result = np.where(named_of == mask, total[:, None], result)
    return by_thread(call.rt, result)
