"""Barriers, shuffles and votes: what threads of a block or lanes of a warp do together.

Each function gets the runtime, the mask of active threads, the site, and the arguments; LOCKSTEP maps
CUDA's name to it. Barriers and __syncwarp order the accesses to memory; shuffles and votes do not.
"""

from __future__ import annotations

import numpy as np

from nnlib.cuda.errors import BarrierError
from nnlib.cuda.limits import WARP
from nnlib.cuda.simulator.masks import ndarray, spread

LOCKSTEP: dict = {}
_WIDTH = np.int32(WARP)
ALL_LANES = np.uint32(0xFFFFFFFF)


def lockstep(name, *preset):
    """Make the decorated function known under CUDA's name, with leading preset arguments."""
    def register(function):
        def bound(rt, m, site, *values):
            return function(rt, m, site, *preset, *values)
        bound.__name__ = name
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


# --- lanes of a warp ------------------------------------------------------------------------


@lockstep("__syncwarp")
def sync_warp(rt, m, site, named=ALL_LANES):
    check_named(rt, m, site, named)
    rt.warp_sync(m)


def check_named(rt, m, site, named):
    """All live lanes that the mask argument names must take part, the caller among them."""
    if not rt.checks or (m is rt.alive and named.__class__ is not ndarray and named == ALL_LANES):
        return
    named = spread(named, rt.width)
    active = spread(True if m is None else m, rt.width)
    own = (named >> rt.lane_u32) & np.uint32(1) != 0
    missing = active & ~own
    if missing.any():
        rt.fail(BarrierError, site, missing, f"{site.name}: the calling lane is not in its own mask",
                "the mask names the lanes that take part", "use 0xffffffff when the whole warp does")
    live_bits = warp_bits(rt, rt.alive)[rt.warp]
    absent = named & live_bits & ~warp_bits(rt, m)[rt.warp]
    wrong = active & (absent != 0)
    if wrong.any():
        lane = int(np.flatnonzero(wrong)[0])
        names = [k for k in range(32) if int(absent[lane]) >> k & 1]
        rt.fail(BarrierError, site, wrong, f"{site.name}: the mask {int(named[lane]):#x} names lanes that do not take "
                f"part: {_short_list(names)}", "every lane named in the mask must make the same call",
                "move it out of the if, or give it the mask of the lanes that are there")


def _short_list(lanes):
    text = ", ".join(map(str, lanes[:4]))
    return f"{text}, ... ({len(lanes)} lanes)" if len(lanes) > 4 else text


def shuffle(rt, m, site, source, named, value):
    """value of the lane `source` (within the warp, one per thread)."""
    check_named(rt, m, site, named)
    place = rt.warp_start + source
    if rt.checks:
        active = spread(True if m is None else m, rt.width)
        exists = (source + rt.lane_base) < rt.threads
        place = np.where(exists, place, 0)
        reads_nothing = ~(exists & active.take(place))
        wrong = active & reads_nothing
        if wrong.any():
            lane = int(np.flatnonzero(wrong)[0])
            why = "is not active here" if exists[lane] else "does not exist: the block ends before"
            rt.fail(BarrierError, site, wrong, f"{site.name} reads lane {int(source[lane])}, which {why}",
                    "a shuffle may only read lanes that make the same call",
                    "let the whole warp shuffle, and give lanes without data a neutral value")
    if value.__class__ is not ndarray:
        return value
    return value.take(place, mode="clip")


@lockstep("__shfl_sync")
def shuffle_index(rt, m, site, named, value, lane, width=_WIDTH):
    width = spread(width, rt.width).astype(np.int64)
    base = rt.lane & ~(width - 1)
    return shuffle(rt, m, site, base + (lane & (width - 1)), named, value)


@lockstep("__shfl_up_sync")
def shuffle_up(rt, m, site, named, value, delta, width=_WIDTH):
    width = spread(width, rt.width).astype(np.int64)
    source = rt.lane - delta.astype(np.int64)
    return shuffle(rt, m, site, np.where(source < (rt.lane & ~(width - 1)), rt.lane, source), named, value)


@lockstep("__shfl_down_sync")
def shuffle_down(rt, m, site, named, value, delta, width=_WIDTH):
    width = spread(width, rt.width).astype(np.int64)
    source = rt.lane + delta.astype(np.int64)
    end = (rt.lane & ~(width - 1)) + width
    return shuffle(rt, m, site, np.where(source >= end, rt.lane, source), named, value)


@lockstep("__shfl_xor_sync")
def shuffle_xor(rt, m, site, named, value, lane_mask, width=_WIDTH):
    width = spread(width, rt.width).astype(np.int64)
    source = rt.lane ^ lane_mask.astype(np.int64)
    end = (rt.lane & ~(width - 1)) + width
    outside = (source >= end) | (source < 0)
    return shuffle(rt, m, site, np.where(outside, rt.lane, source), named, value)


def by_warp(rt, flags):
    """(warps, 32) array of one value per thread; lanes a block does not have are 0."""
    if rt.threads % 32 == 0:
        return flags.reshape(-1, 32)
    padded = np.zeros((rt.blocks, rt.warps_per_block * 32), flags.dtype)
    padded[:, :rt.threads] = flags.reshape(rt.blocks, rt.threads)
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
    takes_part = by_warp(rt, np.ascontiguousarray(spread(True if m is None else m, rt.width)))
    named_of = by_warp(rt, np.ascontiguousarray(named_bits))
    result = np.zeros_like(own)
    for mask in np.unique(named_of[takes_part]):
        lanes = (int(mask) >> np.arange(32) & 1).astype(bool) & takes_part
        neutral = {np.minimum: np.iinfo(own.dtype).max, np.maximum: np.iinfo(own.dtype).min,
                   np.bitwise_and: ALL_LANES}.get(combine, 0)
        total = combine.reduce(np.where(lanes, own, own.dtype.type(neutral)), axis=1, dtype=own.dtype)
        result = np.where(named_of == mask, total[:, None], result)
    return result.reshape(rt.blocks, -1)[:, :rt.threads].reshape(-1)
