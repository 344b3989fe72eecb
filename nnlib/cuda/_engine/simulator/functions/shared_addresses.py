"""Addresses of shared memory as 32-bit numbers, as inline PTX takes them. Lesson 09.

Each __shared__ variable has a window of its own, so that a number that leads out of one leads to no other.
"""

from __future__ import annotations

import numpy as np

from ...errors import KernelError
from ..machine_protocol import GroupCall
from ..masks import PerThread, ndarray
from ..memory.pointers import AnyPointer, PointerChoice, PointerValue, advance

WINDOW = 1 << 20  # bytes; no block has as many


def to_shared(call: GroupCall, pointer: AnyPointer, unit: int) -> PerThread:
    """Return __cvta_generic_to_shared of a pointer that counts in steps of `unit` bytes."""
    windows = {
        id(memory): (k + 1) * WINDOW for k, memory in enumerate(call.rt.shared_memories.values())
    }
    result: PerThread = None
    for where, part in pointer.parts(call.m):
        if id(part.memory) not in windows:
            call.fail(
                KernelError,
                call.spread(where),
                f"{part.memory.name} is not in shared memory",
                f"{call.site.name} takes a pointer to shared memory",
                "declare the array with __shared__",
            )
        byte = np.asarray(advance(0, part.offset), np.int64) * unit
        number = (byte + windows[id(part.memory)]).astype(np.uint64)[()]
        result = number if result is None else np.where(where, number, result)
    return result


def at_shared(call: GroupCall, number: PerThread) -> AnyPointer:
    """Return a pointer, which counts bytes, to what lies at an address in shared memory."""
    memories, active = [*call.rt.shared_memories.values()], call.active
    window, offset = np.divmod(np.asarray(number).astype(np.int64) - WINDOW, WINDOW)
    wrong = active & ((window < 0) | (window >= len(memories)))
    if wrong.any():
        call.fail(
            KernelError,
            wrong,
            f"{call.site.name} takes an address in shared memory, as a number",
            "this number is no such address",
            'write "r"((unsigned)__cvta_generic_to_shared(pointer))',
        )
    if window.__class__ is not ndarray or not window.ndim:
        return PointerValue(memories[int(window)], int(offset))
    used = [int(own) for own in np.unique(window[active])]
    if len(used) == 1:
        return PointerValue(memories[used[0]], offset)
    return PointerChoice([(window == own, PointerValue(memories[own], offset)) for own in used])
