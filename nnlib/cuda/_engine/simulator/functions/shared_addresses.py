"""Addresses of shared memory as 32-bit numbers, as inline PTX takes them. Lesson 09.

Each __shared__ variable has a window of its own, so that a number that leads out of one leads to no other.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...errors import KernelError
from ..machine_protocol import MachineProtocol
from ..masks import ndarray, spread
from ..memory.pointers import PointerChoice, PointerValue, advance

WINDOW = 1 << 20  # bytes; no block has as many


def to_shared(rt: MachineProtocol, m: Any, site: Any, pointer: Any, unit: int) -> Any:
    """__cvta_generic_to_shared of a pointer that counts in steps of `unit` bytes."""
    memories = list(rt.shared_memories.values())
    result: Any = None
    for where, part in pointer.parts(m):
        if part.memory not in memories:
            rt.fail(
                KernelError,
                site,
                spread(where, rt.width),
                f"{part.memory.name} is not in shared memory",
                f"{site.name} takes a pointer to shared memory",
                "declare the array with __shared__",
            )
        start = (memories.index(part.memory) + 1) * WINDOW
        number = (np.asarray(advance(0, part.offset), np.int64) * unit + start).astype(np.uint64)[
            ()
        ]
        result = number if result is None else np.where(where, number, result)
    return result


def at_shared(rt: MachineProtocol, m: Any, site: Any, number: Any) -> Any:
    """What lies there: a pointer that counts bytes."""
    memories = list(rt.shared_memories.values())
    window, offset = (
        np.asarray(number).astype(np.int64) // WINDOW - 1,
        np.asarray(number).astype(np.int64) % WINDOW,
    )
    active = spread(m, rt.width)
    wrong = active & spread((window < 0) | (window >= len(memories)), rt.width)
    if wrong.any():
        rt.fail(
            KernelError,
            site,
            wrong,
            f"{site.name} takes an address in shared memory, as a number",
            "this number is no such address",
            'write "r"((unsigned)__cvta_generic_to_shared(pointer))',
        )
    if window.__class__ is not ndarray or not window.ndim:
        return PointerValue(memories[int(window)], int(offset))
    used = [int(own) for own in np.unique(window[active])]
    if len(used) == 1:
        return PointerValue(memories[used[0]], offset)
    return PointerChoice([(window == own, PointerValue(memories[own], offset)) for own in used])
