"""Atomic operations: threads at the same element take their turn in thread order.

On a GPU the order is any; sums of floats may therefore differ there in the last digits. Lesson 04.
"""

from __future__ import annotations

import numpy as np

from ...language.types import HALVES
from . import halves


def _increment(old, limit):
    return np.where(old >= limit, old.dtype.type(0), old + old.dtype.type(1))


def _decrement(old, limit):
    return np.where((old == 0) | (old > limit), limit, old - old.dtype.type(1))


def _exchange(old, value):
    return value


def _compare_and_swap(old, compare, value):
    return np.where(old == compare, value, old)


# CUDA's name -> new value from old value and operands. Ufuncs have fast ways of their own.
ATOMICS = {
    "atomicAdd": np.add,
    "atomicSub": np.subtract,
    "atomicMin": np.minimum,
    "atomicMax": np.maximum,
    "atomicAnd": np.bitwise_and,
    "atomicOr": np.bitwise_or,
    "atomicXor": np.bitwise_xor,
    "atomicExch": _exchange,
    "atomicInc": _increment,
    "atomicDec": _decrement,
    "atomicCAS": _compare_and_swap,
    **{f"atomicAdd({kind})": halves.atomic_add(kind) for kind in HALVES.values()},
}


def update(data: np.ndarray, places: np.ndarray, name: str, operands, wants_old: bool):
    """Apply the atomic at data[places], one place per active thread; the old values if wanted."""
    operation = ATOMICS[name]
    if not wants_old and isinstance(operation, np.ufunc):
        operation.at(data, places, operands[0])
        return None
    order = np.argsort(places, kind="stable")
    sorted_places = places[order]
    starts = np.flatnonzero(np.r_[True, sorted_places[1:] != sorted_places[:-1]])
    lengths = np.diff(np.r_[starts, len(places)])
    if name == "atomicCAS":
        old = _compare_and_swap_groups(
            data, sorted_places, [v[order] for v in operands], starts, lengths
        )
    elif len(starts) < lengths.max() and isinstance(operation, np.ufunc):
        old = _accumulate_groups(
            data, sorted_places, operation, operands[0][order], starts, lengths
        )
    else:
        old = _take_turns(
            data, sorted_places, operation, [v[order] for v in operands], starts, lengths
        )
    result = np.empty_like(old)
    result[order] = old
    return result


def _accumulate_groups(data, places, operation, values, starts, lengths):
    """Few places with many threads each: a running sum (minimum, ...) per place."""
    old = np.empty(len(places), data.dtype)
    for start, length in zip(starts, lengths, strict=True):
        place = places[start]
        running = operation.accumulate(
            np.r_[data[place], values[start : start + length]], dtype=data.dtype
        )
        old[start : start + length] = running[:-1]
        data[place] = running[-1]
    return old


def _take_turns(data, places, operation, operands, starts, lengths):
    """Round k serves the k-th thread of every place."""
    old = np.empty(len(places), data.dtype)
    for turn in range(lengths.max()):
        now = starts[lengths > turn] + turn
        where = places[now]
        old[now] = data[where]
        data[where] = operation(data[where], *(v[now] for v in operands))
    return old


def _compare_and_swap_groups(data, places, operands, starts, lengths):
    """Each round lets one swap per place succeed; threads before it and after the last see the value as it is."""
    compare, value = operands
    old = np.empty(len(places), data.dtype)
    group = np.repeat(np.arange(len(starts)), lengths)
    waiting = np.ones(len(places), bool)
    position = np.arange(len(places))
    while waiting.any():
        current = data[places]
        hits = waiting & (compare == current)
        first = np.full(len(starts), len(places))
        np.minimum.at(first, group[hits], position[hits])
        settled = waiting & (position <= first[group])
        old[settled] = current[settled]
        winners = first[first < len(places)]
        data[places[winners]] = value[winners]
        waiting &= ~settled
        if not hits.any():
            break
    return old
