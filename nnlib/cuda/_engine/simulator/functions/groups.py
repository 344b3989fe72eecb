"""Cooperative groups. A group is a word: the lanes of the warp that belong to it, or 0 for the whole block or grid.

Functions of lanes take the way of the warp functions with that mask, so that they are checked as these are.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..machine_protocol import GroupCall, MachineProtocol
from ..masks import PerThread
from . import warp
from .warp import LOCKSTEP, Function, SourceLanes, check_named, match_any, read_lanes, sync_warp

__all__ = ["LOCKSTEP"]  # with the functions of groups

OPERATIONS = {
    "plus": np.add,
    "less": np.minimum,
    "greater": np.maximum,
    "bit_and": np.bitwise_and,
    "bit_or": np.bitwise_or,
    "bit_xor": np.bitwise_xor,
}


def group(name: str, *preset: object) -> Callable[[Function], Function]:
    """Make the decorated function known under its name in CUDA's cooperative_groups."""
    return warp.lockstep(f"cooperative_groups::{name}", *preset)


def _below(word: PerThread, lane: PerThread) -> PerThread:
    """Return how many members of a group have a smaller lane."""
    return np.bitwise_count(word & ((np.uint32(1) << lane) - np.uint32(1))).astype(np.uint32)


# --- the threads of a group ----------------------------------------------------------------------


@group("tile")
def tile(call: GroupCall, word: PerThread, lanes: PerThread) -> PerThread:
    """Return the tile of so many threads that each thread is in, of a block or of another group."""
    size, own_lane = np.uint32(lanes), call.rt.lane_u32
    if not np.any(word):
        return np.uint32((1 << int(size)) - 1) << (own_lane & ~(size - np.uint32(1)))
    word = call.spread(word)
    own = _below(word, own_lane) // size
    result = np.zeros_like(word)
    for lane in np.arange(32, dtype=np.uint32):
        member = word & np.uint32(1) << lane
        result |= np.where(_below(word, lane) // size == own, member, np.uint32(0))
    return result


@group("binary_partition")
@group("labeled_partition")
def partition(call: GroupCall, word: PerThread, label: PerThread) -> PerThread:
    """Return the members of the group with the same label."""
    return match_any(call, word, label)


@group("thread_rank")
def thread_rank(call: GroupCall, word: PerThread) -> PerThread:
    """Return the thread's number in the group."""
    rt = call.rt
    if np.any(word):
        return _below(word, rt.lane_u32)
    return np.tile(np.arange(rt.threads, dtype=np.uint32), rt.blocks)


@group("size")
def size(call: GroupCall, word: PerThread) -> PerThread:
    """Return how many threads the group has."""
    return np.bitwise_count(word).astype(np.uint32) if np.any(word) else np.uint32(call.rt.threads)


@group("block_rank")
def block_rank(call: GroupCall, word: PerThread) -> PerThread:
    """Return the block's number in the grid."""
    return np.repeat(call.rt.block_numbers.astype(np.uint64), call.rt.threads)


# --- barriers ----------------------------------------------------------------------------------


@group("sync")
def sync(call: GroupCall, word: PerThread) -> None:
    """Make all threads of the group wait for each other."""
    if np.any(word):
        sync_warp(call, word)
    else:
        warp.barrier(call)


@group("sync_grid")
def sync_grid(call: GroupCall, word: PerThread) -> None:
    """Make all threads of all blocks wait for each other."""
    call.rt.grid_barrier(call.m, call.site)


# --- values from lane to lane ------------------------------------------------------------------


def _read(call: GroupCall, word: PerThread, value: PerThread, rank: PerThread) -> PerThread:
    """Return the value of the member with that rank."""
    word = call.spread(word)
    members = word[:, None] >> np.arange(32, dtype=np.uint32) & np.uint32(1)
    lanes = np.argmax(np.cumsum(members, 1) > np.asarray(rank).reshape(-1, 1), 1)
    check_named(call, word)
    return read_lanes(call, SourceLanes(lambda _: lanes, call.rt.threads, call.rt.blocks), value)


def _places(rt: MachineProtocol, word: PerThread) -> tuple[np.ndarray, np.ndarray]:
    """Rank and size, as integers that may be subtracted."""
    word = rt.spread(word)
    return _below(word, rt.lane_u32).astype(np.int64), np.bitwise_count(word).astype(np.int64)


@group("shfl", lambda own, rank, count: rank % np.maximum(count, 1))
@group("shfl_up", lambda own, delta, count: own - delta)
@group("shfl_down", lambda own, delta, count: own + delta)
@group("shfl_xor", lambda own, mask, count: own ^ mask)
def shuffle(
    call: GroupCall, rule: Function, word: PerThread, value: PerThread, amount: PerThread
) -> PerThread:
    """Return the value of the member whose rank the rule gives, or the own one where there is none."""
    own, count = _places(call.rt, word)
    rank = rule(own, call.spread(amount).astype(np.int64), count)
    return _read(call, word, value, np.where((rank < 0) | (rank >= count), own, rank))


def _shifted(call: GroupCall, word: PerThread, value: PerThread, step: int) -> PerThread:
    """Return the value `step` ranks below, or the own one."""
    own, _ = _places(call.rt, word)
    return _read(call, word, value, np.where(own < step, own, own - step))


@group("ballot")
def ballot(call: GroupCall, word: PerThread, predicate: PerThread) -> PerThread:
    """Return one bit per member, by rank: whether the predicate holds for it."""
    word = call.spread(word)
    votes = warp.ballot(call, word, predicate)
    result = np.zeros_like(word)
    for lane in np.arange(32, dtype=np.uint32):
        result |= (votes >> lane & np.uint32(1)) << np.minimum(_below(word, lane), np.uint32(31))
    return result


@group("any", lambda votes, count: votes != 0)
@group("all", lambda votes, count: np.bitwise_count(votes) == count)
def vote(call: GroupCall, holds: Function, word: PerThread, predicate: PerThread) -> PerThread:
    """Return whether the predicate holds for any member, or for all."""
    present = ballot(call, word, np.int32(1))
    return holds(ballot(call, word, predicate), np.bitwise_count(present)).astype(np.int32)


def _reduce(call: GroupCall, combine: np.ufunc, word: PerThread, value: PerThread) -> PerThread:
    """Combine all values of the group: pair by pair in tiles of a power of two, as CUDA does, else one by one."""
    own, count = _places(call.rt, word)
    if np.all(count == count[0]) and count[0] & (count[0] - 1) == 0:
        step = count[0] >> 1
        while step:
            value = combine(value, _read(call, word, value, own ^ step))
            step >>= 1
        return value
    return _read(call, word, _scan(call, combine, word, value), count - 1)


def _scan(call: GroupCall, combine: np.ufunc, word: PerThread, value: PerThread) -> PerThread:
    """Return the values up to the own one combined."""
    own, count = _places(call.rt, word)
    step = 1
    while step < count.max():
        before = _shifted(call, word, value, step)
        value = np.where(own >= step, combine(before, value), value)
        step *= 2
    return value


def _scan_before(
    call: GroupCall, combine: np.ufunc, word: PerThread, value: PerThread
) -> PerThread:
    """Return the values before the own one combined; for the first member 0, or what changes nothing."""
    own, _ = _places(call.rt, word)
    before = _shifted(call, word, _scan(call, combine, word, value), 1)
    return np.where(own == 0, value.dtype.type(0), before)


for _name, _combine in OPERATIONS.items():
    group(f"reduce_{_name}", _combine)(_reduce)
    group(f"inclusive_scan_{_name}", _combine)(_scan)
    group(f"exclusive_scan_{_name}", _combine)(_scan_before)
