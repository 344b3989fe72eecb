"""Masks: which threads of the chunk run the current statement.

A mask is `None` (every thread), `False` (nobody; the code is skipped) or a bool array with one
entry per thread. Functions hand back the very object they were given when nothing changed, so
that generated code can ask `m is declared` instead of comparing arrays. Lesson 02.
"""

from __future__ import annotations

from typing import Any

import numpy as np

PerThread = Any  # a value of all threads: an array with one entry for each, or what they share
Mask = Any  # as above

ndarray = np.ndarray
count_nonzero = np.count_nonzero


def split(mask: Mask, condition: PerThread) -> tuple[Mask, Mask]:
    """Return the threads of `mask` for which the condition holds, and the others."""
    then = narrow(mask, condition)
    if then is mask or then is False:
        return then, False if then is mask else mask
    return then, ~condition if mask is None else mask > condition


def narrow(mask: Mask, condition: PerThread) -> Mask:
    """Return the threads of `mask` for which the condition holds."""
    if condition.__class__ is not ndarray:
        return mask if condition else False
    if mask is None:
        taken = count_nonzero(condition)
        return None if taken == condition.size else condition if taken else False
    then = mask & condition
    taken = count_nonzero(then)
    return False if taken == 0 else mask if taken == count_nonzero(mask) else then


def union(a: Mask, b: Mask) -> Mask:
    """Return the threads in a or b."""
    if a is False or b is None:
        return b
    if b is False or a is None or a is b:
        return a
    return a | b


def rejoin(entered: Mask, a: Mask, b: Mask) -> Mask:
    """Return the threads in a or b, as the object `entered` when those are all that entered."""
    both = union(a, b)
    if both is False or both is None or both is entered:
        return both
    count = both.size if entered is None else count_nonzero(entered)
    return entered if count_nonzero(both) == count else both


def without(mask: Mask, gone: Mask) -> Mask:
    """Return the threads of `mask` that are not in `gone`."""
    if gone is False or mask is False:
        return mask
    return False if gone is None else narrow(mask, ~gone)


def lanes_of(mask: Mask, width: int) -> np.ndarray:
    """Return the indices of the active threads."""
    return np.arange(width) if mask is None else np.flatnonzero(mask)


_NARROW = np.dtype(np.intp).itemsize == 4  # a browser: in WebAssembly a pointer has 32 bits


def as_places(index: PerThread) -> PerThread:
    """Return an index as `take` and `bincount` want it: no wider than a pointer."""
    return index.astype(np.intp, copy=False) if _NARROW and index.__class__ is ndarray else index


def first_of(mask: Mask) -> int:
    """Return the index of the first of some threads."""
    return int(np.flatnonzero(mask)[0])


def at(value: PerThread, lane: int) -> Any:
    """Return the value of one thread."""
    return value[lane] if value.__class__ is ndarray else value


def spread(value: PerThread, width: int) -> np.ndarray:
    """Return a value, or a mask, as one entry per thread, uniform or not."""
    if value.__class__ is ndarray:
        return value
    return np.broadcast_to(True if value is None else value, width)
