"""Atomic operations: threads at the same element take their turn in thread order.

On a GPU the order is any; sums of floats may therefore differ there in the last digits. Lesson 04.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...language.types import HALVES
from . import halves
from .mathematics import Function

# CUDA's name -> new value from old value and operands. Ufuncs have fast ways of their own.
ATOMICS: dict[str, Function] = {
    "atomicAdd": np.add,
    "atomicSub": np.subtract,
    "atomicMin": np.minimum,
    "atomicMax": np.maximum,
    "atomicAnd": np.bitwise_and,
    "atomicOr": np.bitwise_or,
    "atomicXor": np.bitwise_xor,
    "atomicExch": lambda old, value: value,
    "atomicInc": lambda old, limit: np.where(old >= limit, 0, old + 1).astype(old.dtype),
    "atomicDec": lambda old, limit: np.where((old == 0) | (old > limit), limit, old - 1),
    "atomicCAS": lambda old, compare, value: np.where(old == compare, value, old),
    **{f"atomicAdd({kind})": halves.atomic_add(kind) for kind in HALVES.values()},
}


class _Groups(NamedTuple):
    """The threads of an atomic, sorted by the element that they update: places has it for each of them.

    starts, lengths: of the threads at one element.
    """

    data: np.ndarray
    places: np.ndarray
    operands: list[np.ndarray]
    starts: np.ndarray
    lengths: np.ndarray


def update(
    data: np.ndarray, places: np.ndarray, name: str, operands: list[np.ndarray], wants_old: bool
) -> np.ndarray | None:
    """Apply the atomic at data[places], one place per active thread; the old values if wanted."""
    operation = ATOMICS[name]
    if not wants_old and isinstance(operation, np.ufunc):
        operation.at(data, places, operands[0])
        return None
    order = np.argsort(places, kind="stable")
    places = places[order]
    starts = np.flatnonzero(np.r_[True, places[1:] != places[:-1]])
    lengths = np.diff(np.r_[starts, len(places)])
    groups = _Groups(data, places, [values[order] for values in operands], starts, lengths)
    result = np.empty(len(places), data.dtype)
    if name == "atomicCAS":
        result[order] = _compare_and_swap(groups)
    elif len(starts) < lengths.max() and isinstance(operation, np.ufunc):
        result[order] = _accumulate(groups, operation)
    else:
        result[order] = _take_turns(groups, operation)
    return result


def _accumulate(groups: _Groups, operation: np.ufunc) -> np.ndarray:
    """Update few places by many threads each: a running sum (minimum, ...) per place."""
    data, old = groups.data, np.empty(len(groups.places), groups.data.dtype)
    for start, length in zip(groups.starts, groups.lengths, strict=True):
        place, values = groups.places[start], groups.operands[0][start : start + length]
        running = operation.accumulate(np.r_[data[place], values], dtype=data.dtype)
        old[start : start + length] = running[:-1]
        data[place] = running[-1]
    return old


def _take_turns(groups: _Groups, operation: Function) -> np.ndarray:
    """Round k serves the k-th thread of every place."""
    data, old = groups.data, np.empty(len(groups.places), groups.data.dtype)
    for turn in range(groups.lengths.max()):
        now = groups.starts[groups.lengths > turn] + turn
        where = groups.places[now]
        old[now] = data[where]
        data[where] = operation(data[where], *(values[now] for values in groups.operands))
    return old


def _compare_and_swap(groups: _Groups) -> np.ndarray:
    """Swap in rounds, in each of which one swap per place succeeds.

    Threads before it and after the last see the value as it is.
    """
    data, places, (compare, value), starts, lengths = groups
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
