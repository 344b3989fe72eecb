"""Cooperative groups. A group is a word: the lanes of the warp that belong to it, or 0 for the whole block or grid.

Functions of lanes take the way of the warp functions with that mask, so that they are checked as these are.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..machine_protocol import MachineProtocol
from ..masks import ndarray, spread
from .warp import (
    LOCKSTEP,
    SourceLanes,
    check_named,
    find_unreadable,
    lockstep,
    match_any,
    sync_warp,
    warp_bits,
)

__all__ = ["LOCKSTEP"]  # with the functions of groups

CG = "cooperative_groups::"
OPERATIONS = {
    "plus": np.add,
    "less": np.minimum,
    "greater": np.maximum,
    "bit_and": np.bitwise_and,
    "bit_or": np.bitwise_or,
    "bit_xor": np.bitwise_xor,
}


# --- who belongs to it -------------------------------------------------------------------------


@lockstep(CG + "tile")
def tile(rt: MachineProtocol, m: Any, site: Any, word: Any, lanes: Any) -> Any:
    """The tile of so many threads that each thread is in, of a block or of another group."""
    size = np.uint32(lanes)
    if not np.any(word):
        first = rt.lane_u32 & ~(size - np.uint32(1))
        return np.uint32((1 << int(size)) - 1) << first
    word = spread(word, rt.width)
    own = _rank(rt, word) // size
    result = np.zeros_like(word)
    for lane in range(32):
        member = word >> np.uint32(lane) & np.uint32(1)
        place = np.bitwise_count(word & np.uint32((1 << lane) - 1)) // size
        result |= np.where(place == own, member << np.uint32(lane), np.uint32(0))
    return result


@lockstep(CG + "binary_partition")
def binary_partition(rt: MachineProtocol, m: Any, site: Any, word: Any, predicate: Any) -> Any:
    """Those of the group for whom the predicate is the same."""
    return match_any(rt, m, site, word, predicate != 0)


@lockstep(CG + "labeled_partition")
def labeled_partition(rt: MachineProtocol, m: Any, site: Any, word: Any, label: Any) -> Any:
    """Those of the group with the same label."""
    return match_any(rt, m, site, word, label)


def _rank(rt: MachineProtocol, word: Any) -> Any:
    return np.bitwise_count(word & ((np.uint32(1) << rt.lane_u32) - np.uint32(1))).astype(np.uint32)


@lockstep(CG + "thread_rank")
def thread_rank(rt: MachineProtocol, m: Any, site: Any, word: Any) -> Any:
    """The thread's number in the group."""
    if np.any(word):
        return _rank(rt, word)
    return np.tile(np.arange(rt.threads, dtype=np.uint32), rt.blocks)


@lockstep(CG + "size")
def size(rt: MachineProtocol, m: Any, site: Any, word: Any) -> Any:
    """How many threads the group has."""
    return np.bitwise_count(word).astype(np.uint32) if np.any(word) else np.uint32(rt.threads)


@lockstep(CG + "block_rank")
def block_rank(rt: MachineProtocol, m: Any, site: Any, word: Any) -> Any:
    """The block's number in the grid."""
    return np.repeat(rt.block_numbers.astype(np.uint64), rt.threads)


# --- barriers ----------------------------------------------------------------------------------


@lockstep(CG + "sync")
def sync(rt: MachineProtocol, m: Any, site: Any, word: Any) -> None:
    """All threads of the group meet."""
    if np.any(word):
        sync_warp(rt, m, site, word)
    else:
        rt.barrier(m, site)


@lockstep(CG + "sync_grid")
def sync_grid(rt: MachineProtocol, m: Any, site: Any, word: Any) -> None:
    """All threads of all blocks meet."""
    rt.grid_barrier(m, site)


# --- values from lane to lane ------------------------------------------------------------------


def _read(rt: MachineProtocol, m: Any, site: Any, word: Any, value: Any, rank: Any) -> Any:
    """The value of the member with that rank."""
    word = spread(word, rt.width)
    members = word[:, None] >> np.arange(32, dtype=np.uint32) & np.uint32(1)
    lanes = np.argmax(np.cumsum(members, 1) > np.asarray(rank).reshape(-1, 1), 1)
    check_named(rt, m, site, word)
    sources = SourceLanes(lambda lane, amount, width: amount, lanes, 32, rt.threads, rt.blocks)
    if rt.checks:
        find_unreadable(rt, m, site, sources)
    return value.take(sources.places, mode="clip") if value.__class__ is ndarray else value


def _places(rt: MachineProtocol, word: Any) -> tuple[Any, Any]:
    """Rank and size, as whole numbers that may be subtracted."""
    word = spread(word, rt.width)
    return _rank(rt, word).astype(np.int64), np.bitwise_count(word).astype(np.int64)


@lockstep(CG + "shfl")
def shuffle(rt: MachineProtocol, m: Any, site: Any, word: Any, value: Any, rank: Any) -> Any:
    """The value of the member with that rank, counted round the group."""
    _, count = _places(rt, word)
    return _read(rt, m, site, word, value, spread(rank, rt.width) % np.maximum(count, 1))


@lockstep(CG + "shfl_up")
def shuffle_up(rt: MachineProtocol, m: Any, site: Any, word: Any, value: Any, delta: Any) -> Any:
    """The value of the member `delta` ranks below, or the own one."""
    own, _ = _places(rt, word)
    return _read(rt, m, site, word, value, np.where(own - delta < 0, own, own - delta))


@lockstep(CG + "shfl_down")
def shuffle_down(rt: MachineProtocol, m: Any, site: Any, word: Any, value: Any, delta: Any) -> Any:
    """The value of the member `delta` ranks above, or the own one."""
    own, count = _places(rt, word)
    return _read(rt, m, site, word, value, np.where(own + delta >= count, own, own + delta))


@lockstep(CG + "shfl_xor")
def shuffle_xor(rt: MachineProtocol, m: Any, site: Any, word: Any, value: Any, mask: Any) -> Any:
    """The value of the member whose rank differs in these bits, or the own one."""
    own, count = _places(rt, word)
    other = own ^ spread(mask, rt.width).astype(np.int64)
    return _read(rt, m, site, word, value, np.where((other >= count) | (other < 0), own, other))


@lockstep(CG + "ballot")
def ballot(rt: MachineProtocol, m: Any, site: Any, word: Any, predicate: Any) -> Any:
    """One bit per member, by rank: for whom does the predicate hold."""
    check_named(rt, m, site, word)
    holds = spread(predicate != 0, rt.width)
    votes = warp_bits(rt, holds if m is None else holds & m)[rt.warp]
    word = spread(word, rt.width)
    result = np.zeros_like(word)
    for lane in range(32):
        place = np.bitwise_count(word & np.uint32((1 << lane) - 1)).astype(np.uint32)
        result |= ((votes & word) >> np.uint32(lane) & np.uint32(1)) << np.minimum(
            place, np.uint32(31)
        )
    return result


@lockstep(CG + "any", lambda votes, count: votes != 0)
@lockstep(CG + "all", lambda votes, count: np.bitwise_count(votes) == count)
def vote(rt: MachineProtocol, m: Any, site: Any, holds: Any, word: Any, predicate: Any) -> Any:
    """Does the predicate hold for any member, for all of them?"""
    present = ballot(rt, m, site, word, np.int32(1))
    return holds(ballot(rt, m, site, word, predicate), np.bitwise_count(present)).astype(np.int32)


def _reduce(rt: MachineProtocol, m: Any, site: Any, combine: Any, word: Any, value: Any) -> Any:
    """All values of the group combined: in tiles of a power of two pair by pair, as CUDA does, else one by one."""
    own, count = _places(rt, word)
    if np.all(count == count[0]) and count[0] & (count[0] - 1) == 0:
        step = count[0] >> 1
        while step:
            value = combine(value, shuffle_xor(rt, m, site, word, value, np.int32(step)))
            step >>= 1
        return value
    return _read(rt, m, site, word, _scan(rt, m, site, combine, word, value), count - 1)


def _scan(rt: MachineProtocol, m: Any, site: Any, combine: Any, word: Any, value: Any) -> Any:
    """The values up to the own one combined."""
    own, count = _places(rt, word)
    step = 1
    while step < count.max():
        before = shuffle_up(rt, m, site, word, value, np.int64(step))
        value = np.where(own >= step, combine(before, value), value)
        step *= 2
    return value


def _scan_before(
    rt: MachineProtocol, m: Any, site: Any, combine: Any, word: Any, value: Any
) -> Any:
    """The values before the own one combined; for the first member 0, or what changes nothing."""
    own, _ = _places(rt, word)
    before = shuffle_up(rt, m, site, word, _scan(rt, m, site, combine, word, value), np.int64(1))
    return np.where(own == 0, value.dtype.type(0), before)


for _name, _combine in OPERATIONS.items():
    lockstep(CG + f"reduce_{_name}", _combine)(_reduce)
    lockstep(CG + f"inclusive_scan_{_name}", _combine)(_scan)
    lockstep(CG + f"exclusive_scan_{_name}", _combine)(_scan_before)
