"""Barriers, shuffles and votes: what threads of a block or lanes of a warp do together.

Each function gets the runtime, the mask of active threads, the site, and the arguments; LOCKSTEP maps
CUDA's name to it. Barriers and __syncwarp order the accesses to memory; shuffles and votes do not. Lesson 04.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from ....limits import WARP
from ...errors import BarrierError, UnsupportedError
from ..masks import first_of, ndarray, spread

LOCKSTEP: dict = {}
ALL_LANES = np.uint32(0xFFFFFFFF)


def lockstep(name, *preset):
    """Make the decorated function known under CUDA's name, with leading preset arguments."""

    def register(function):
        def bound(rt, m, site, *values):
            return function(rt, m, site, *preset, *values)

        bound.__name__ = name.replace("::", "_")
        LOCKSTEP[name] = bound
        return function

    return register


# --- barriers of the block ------------------------------------------------------------------


@lockstep("__syncthreads")
def barrier(rt, m, site):
    rt.barrier(m, site)


@lockstep("__syncthreads_count", np.add)
@lockstep("__syncthreads_and", np.logical_and)
@lockstep("__syncthreads_or", np.logical_or)
def barrier_vote(rt, m, site, combine, value):
    rt.barrier(m, site)
    holds = spread(value != 0, rt.width)
    if m is not None:
        holds = np.where(m, holds, combine is np.logical_and)
    per_block = combine.reduce(holds.reshape(rt.blocks, rt.threads).astype(np.int32), axis=1)
    return np.repeat(per_block.astype(np.int32), rt.threads)


# --- cuda::barrier --------------------------------------------------------------------------


@lockstep("nnlib::arrive")
def arrive(rt, m, site, expected, update):
    """What is known of a barrier when threads arrive: we know only those of whole blocks."""
    if np.any(update != 1):
        _left_out(rt, site, "arrivals that count for several threads")


@lockstep("nnlib::meet")
def meet(rt, m, site, expected):
    """All threads of the block wait for each other. expected: so many arrivals; 0: those of the block."""
    active = spread(m, rt.width).reshape(rt.blocks, -1).sum(1)
    alive = spread(rt.alive, rt.width).reshape(rt.blocks, -1).sum(1)
    if np.any((active != 0) & (active != alive)):
        _left_out(
            rt, site, "a cuda::barrier or pipeline on which only some threads of the block wait"
        )
    wanted = spread(expected, rt.width).reshape(rt.blocks, -1).max(1)
    short = (active != 0) & (wanted > active)
    if short.any():
        k = first_of(short)
        rt.fail(
            BarrierError,
            site,
            m,
            f"the barrier waits for {wanted[k]} arrivals, but {active[k]} threads of the block arrive",
            "the others have ended, or the block is smaller",
            "write init(&bar, n) with as many as arrive",
        )
    if np.any((active != 0) & (wanted != 0) & (wanted < active)):
        _left_out(
            rt, site, "a cuda::barrier that waits for fewer arrivals than the block has threads"
        )
    rt.barrier(m, site)


def _left_out(rt, site, what):
    raise UnsupportedError(
        f"{rt.launch.fault_report.file}:{site.line}: not supported by the simulator: {what}; let "
        "every thread of the block arrive and wait",
        line=site.line,
    )


# --- lanes of a warp ------------------------------------------------------------------------


class LatestCall:
    """The threads that made the latest call of a warp function, and what of theirs is known to be right."""

    def __init__(self) -> None:
        self.mask: Any = False
        self.alive: Any = False
        self.agreed: set[int] = set()  # masks that name the lanes that are there
        self.readable: set[SourceLanes] = set()

    def update(self, m, alive) -> None:
        """Forget what was known of other threads."""
        if m is not self.mask or alive is not self.alive:
            self.mask, self.alive = m, alive
            self.agreed, self.readable = set(), set()


@lockstep("__syncwarp")
def sync_warp(rt, m, site, named):
    check_named(rt, m, site, named)
    rt.warp_sync(m, named)


def check_named(rt, m, site, named):
    """All live lanes that the mask argument names must take part, the caller among them."""
    if not rt.checks:
        return
    rt.latest_call.update(m, rt.alive)
    uniform = named.__class__ is not ndarray
    if uniform and (int(named) in rt.latest_call.agreed or m is rt.alive and named == ALL_LANES):
        return
    _find_absent(rt, m, site, spread(named, rt.width))
    if uniform:
        rt.latest_call.agreed.add(int(named))


def _find_absent(rt, m, site, named) -> None:
    active = spread(m, rt.width)
    own = (named >> rt.lane_u32) & np.uint32(1) != 0
    missing = active & ~own
    if missing.any():
        rt.fail(
            BarrierError,
            site,
            missing,
            f"{site.name}: the calling lane is not in its own mask",
            "the mask names the lanes that take part",
            "use 0xffffffff when the whole warp does",
            mask=int(named[first_of(missing)]),
        )
    live_bits = warp_bits(rt, rt.alive)[rt.warp]
    absent = named & live_bits & ~warp_bits(rt, m)[rt.warp]
    wrong = active & (absent != 0)
    if wrong.any():
        lane = first_of(wrong)
        names = [k for k in range(32) if int(absent[lane]) >> k & 1]
        rt.fail(
            BarrierError,
            site,
            wrong,
            f"{site.name}: the mask {int(named[lane]):#x} names lanes that do not take "
            f"part: {_short_list(names)}",
            "every lane named in the mask must make the same call",
            "move it out of the if, or give it the mask of the lanes that are there",
            mask=int(named[lane]),
        )


def _short_list(lanes):
    text = ", ".join(map(str, lanes[:4]))
    return f"{text}, ... ({len(lanes)} lanes)" if len(lanes) > 4 else text


# --- shuffles: which lane of its warp each lane reads ---------------------------------------


def index_of(lane, number, width):
    return (lane & ~(width - 1)) + (number & (width - 1))


def above(lane, delta, width):
    source = lane - delta
    return np.where(source < (lane & ~(width - 1)), lane, source)


def below(lane, delta, width):
    source = lane + delta
    return np.where(source >= (lane & ~(width - 1)) + width, lane, source)


def crossed(lane, lane_mask, width):
    source = lane ^ lane_mask
    return np.where((source >= (lane & ~(width - 1)) + width) | (source < 0), lane, source)


class SourceLanes:
    """lanes: which lane of its warp each thread reads. places: the same in the chunk. exist: is there such a lane."""

    def __init__(self, rule, amount, width, threads: int, blocks: int) -> None:
        thread = np.tile(np.arange(threads), blocks)
        lane = thread % 32
        self.lanes = rule(lane, amount, width)
        self.exist = thread - lane + self.lanes < threads
        self.places = np.where(self.exist, np.arange(len(lane)) - lane + self.lanes, 0).astype(
            np.intp
        )


@functools.lru_cache(maxsize=64)
def _uniform_sources(rule, amount: int, width: int, threads: int, blocks: int) -> SourceLanes:
    """The reduction of a block asks for the same few again and again."""
    return SourceLanes(rule, amount, width, threads, blocks)


@lockstep("__shfl_sync", index_of)
@lockstep("__shfl_up_sync", above)
@lockstep("__shfl_down_sync", below)
@lockstep("__shfl_xor_sync", crossed)
def shuffle(rt, m, site, rule, named, value, amount, width=WARP):
    """value of the lane that the rule says."""
    check_named(rt, m, site, named)
    if amount.__class__ is ndarray or width.__class__ is ndarray:
        amount, width = (spread(v, rt.width).astype(np.int64) for v in (amount, width))
        sources = SourceLanes(rule, amount, width, rt.threads, rt.blocks)
    else:
        sources = _uniform_sources(rule, int(amount), int(width), rt.threads, rt.blocks)
    if rt.checks and sources not in rt.latest_call.readable:
        find_unreadable(rt, m, site, sources)
        rt.latest_call.readable.add(sources)
    return value.take(sources.places, mode="clip") if value.__class__ is ndarray else value


def find_unreadable(rt, m, site, sources: SourceLanes) -> None:
    active = spread(m, rt.width)
    wrong = active & ~(sources.exist & active.take(sources.places))
    if wrong.any():
        lane = first_of(wrong)
        why = (
            "is not active here" if sources.exist[lane] else "does not exist: the block ends before"
        )
        rt.fail(
            BarrierError,
            site,
            wrong,
            f"{site.name} reads lane {int(sources.lanes[lane])}, which {why}",
            "a shuffle may only read lanes that make the same call",
            "let the whole warp shuffle, and give lanes without data a neutral value",
        )


# --- votes and other ways to combine lanes --------------------------------------------------


def by_warp(rt, flags):
    """(warps, 32) array of one value per thread; lanes a block does not have are 0."""
    if rt.threads % 32 == 0:
        return flags.reshape(-1, 32)
    padded = np.zeros((rt.blocks, rt.warps_per_block * 32), flags.dtype)
    padded[:, : rt.threads] = flags.reshape(rt.blocks, rt.threads)
    return padded.reshape(-1, 32)


def warp_bits(rt, mask):
    """One 32-bit word per warp: which lanes are in the mask."""
    flags = spread(True if mask is None else mask is not False and mask, rt.width)
    packed = np.packbits(by_warp(rt, np.ascontiguousarray(flags)), axis=1, bitorder="little")
    return packed.view(np.uint32).reshape(-1)


def _vote(rt, m, site, named, predicate):
    check_named(rt, m, site, named)
    holds = spread(predicate != 0, rt.width)
    return warp_bits(rt, holds if m is None else holds & m)[rt.warp] & named


@lockstep("__ballot_sync")
def ballot(rt, m, site, named, predicate):
    return _vote(rt, m, site, named, predicate)


@lockstep("__any_sync")
def any_lane(rt, m, site, named, predicate):
    return (_vote(rt, m, site, named, predicate) != 0).astype(np.int32)


@lockstep("__all_sync")
def all_lanes(rt, m, site, named, predicate):
    return (_vote(rt, m, site, named, predicate == 0) == 0).astype(np.int32)


@lockstep("__activemask")
def active_mask(rt, m, site):
    return warp_bits(rt, m)[rt.warp]


@lockstep("__match_any_sync")
def match_any(rt, m, site, named, value):
    check_named(rt, m, site, named)
    value = spread(value, rt.width)
    result = np.zeros(rt.width, np.uint32)
    for lane in range(32):
        place = rt.warp_start + lane
        exists = lane + rt.lane_base < rt.threads
        same = value.take(np.where(exists, place, 0)) == value
        result |= np.where(same & exists, np.uint32(1 << lane), np.uint32(0))
    return result & named & warp_bits(rt, m)[rt.warp]


@lockstep("__reduce_add_sync", np.add)
@lockstep("__reduce_min_sync", np.minimum)
@lockstep("__reduce_max_sync", np.maximum)
@lockstep("__reduce_and_sync", np.bitwise_and)
@lockstep("__reduce_or_sync", np.bitwise_or)
@lockstep("__reduce_xor_sync", np.bitwise_xor)
def reduce_lanes(rt, m, site, combine, named, value):
    check_named(rt, m, site, named)
    own = by_warp(rt, np.ascontiguousarray(spread(value, rt.width)))
    named_bits = spread(named, rt.width)
    takes_part = by_warp(rt, np.ascontiguousarray(spread(m, rt.width)))
    named_of = by_warp(rt, np.ascontiguousarray(named_bits))
    result = np.zeros_like(own)
    for mask in np.unique(named_of[takes_part]):
        lanes = (int(mask) >> np.arange(32) & 1).astype(bool) & takes_part
        neutral = {
            np.minimum: np.iinfo(own.dtype).max,
            np.maximum: np.iinfo(own.dtype).min,
            np.bitwise_and: ALL_LANES,
        }.get(combine, 0)
        total = combine.reduce(
            np.where(lanes, own, own.dtype.type(neutral)), axis=1, dtype=own.dtype
        )
        result = np.where(named_of == mask, total[:, None], result)
    return result.reshape(rt.blocks, -1)[:, : rt.threads].reshape(-1)
