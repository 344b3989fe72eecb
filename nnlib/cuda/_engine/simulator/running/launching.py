"""Run a kernel over a grid: chunks of blocks, the observers, and undoing a failed launch. Lesson 01."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ....limits import (
    MAX_PRINTED,
)
from ...errors import KernelError, LaunchError
from ..codegen.code import CodeOptions
from ..compiled import Compiled
from ..observers.bounds import RowOverrun
from ..observers.checks import CHECKS
from ..observers.counters import Counters
from ..observers.observer import Observer
from ..observers.tracing import Enough, Trace, Tracer
from ..profile import Profile
from .coroutines import Scheduler
from .launch import Launch, MustSplit
from .machine import Machine
from .options import LaunchOptions
from .progress import Changes

CHUNK_THREADS = 16_384  # threads that run together: their arrays fit the processor's cache
CHUNK_SHARED = 32 * 2**20  # bytes of shared memory of all blocks of a chunk
MAX_STEPS = 2000  # statements of a trace


def run(launched: Launch) -> None:
    """Run all chunks. If one fails (with checks), or only some blocks run, all arrays are as before."""
    done = False
    name = launched.name
    try:
        if launched.is_whole and (launched.checks or launched.compiled.may_wait(launched.name)):
            launched.bindings.save()
        with np.errstate(all="ignore"):
            _run_chunks(launched)
        done = launched.is_whole
    except MustSplit:
        launched.printed, launched.room_to_print = [], MAX_PRINTED
        raise
    except (IndexError, RecursionError, MemoryError) as error:
        if isinstance(error, IndexError):
            if launched.checks:
                raise
            what = f" leaves its arrays ({error}); run it with checks on to see where"
        elif isinstance(error, RecursionError):
            what = (
                ": the recursion of a __device__ function does not end: it needs a case without a call "
                "of itself"
            )
        else:
            what = (
                ": this launch needs more memory than this computer has. Launch fewer blocks, or use "
                "smaller arrays"
            )
        raise KernelError(f"kernel {name}{what}", kernel=name) from None
    finally:
        if not done:
            launched.bindings.restore()
        if launched.printed:
            launched.world.show("".join(text for _, _, text in sorted(launched.printed)))
            if launched.room_to_print <= 0:
                launched.world.show(
                    f"… kernel {name} prints more than the {MAX_PRINTED:,} bytes that printf's buffer "
                    "holds.\n"
                )


def _run_chunks(launched: Launch) -> None:
    hooks = launched.hooks
    hooks.tell("kernel_begin")
    if launched.coroutine_size:
        Scheduler(launched).run()
    else:
        size = _blocks_per_chunk(launched)
        for first in range(0, len(launched.blocks), size):
            machine = launched.machine = Machine(
                launched, first, min(size, len(launched.blocks) - first)
            )
            hooks.tell("chunk_begin")
            launched.function(machine, None, *launched.bindings.arguments)
            launched.steps += machine.steps
            hooks.tell("chunk_end")
            machine.shared_memories = {}
    hooks.tell("kernel_end")


def _blocks_per_chunk(launched: Launch) -> int:
    if launched.cooperative:
        return len(launched.blocks)
    per_chunk = CHUNK_THREADS // launched.threads
    shared_bytes = sum(layout.nbytes for layout in launched.bindings.shared.values())
    return max(1, min(per_chunk, CHUNK_SHARED // shared_bytes)) if shared_bytes else per_chunk


def launch(
    compiled: Compiled,
    kernel_name: str,
    args: Sequence[Any],
    options: LaunchOptions,
    profile: bool = False,
    watch: Callable[[], Observer] | None = None,
) -> Profile | None:
    """Run the kernel; arrays in args change in place. Returns a Profile if one is asked for.

    args: values in signature order, NumPy arrays (C-contiguous, of the declared dtype) or typed NumPy scalars.
    watch: makes one more observer.
    Raises the errors of `_engine/errors.py`; a checked launch that fails leaves the arrays as they were.
    """
    names = CHECKS.keys() if options.checks is True else options.checks or ()
    while True:
        observers: list[Observer] = [check() for name, check in CHECKS.items() if name in names]
        if watch is not None:
            observers.append(watch())
        counters = Counters() if profile else None
        if counters is not None:
            observers += [RowOverrun(), counters]
        if options.coroutine_size:
            observers.append(Changes())
        waits = bool(options.coroutine_size)
        code = CodeOptions(checks=bool(names), counts=profile, waits=waits)
        launched = Launch(compiled, kernel_name, args, options, code, observers)
        try:
            run(launched)
            return Profile(launched, counters) if counters is not None else None
        except MustSplit as split:
            options = replace(options, coroutine_size=split.size)


def trace(
    compiled: Compiled,
    kernel_name: str,
    args: Sequence[Any],
    options: LaunchOptions,
    block_index: Sequence[int] = (0, 0, 0),
    max_steps: int = MAX_STEPS,
) -> Trace:
    """Run one block of the kernel, recording each statement; the arrays stay as they are."""
    grid = options.grid
    x, y, z = block_index
    if not all(0 <= k < n for k, n in zip(block_index, grid, strict=True)):
        raise LaunchError(
            f"kernel {kernel_name}: block {tuple(block_index)} is not in the grid {tuple(grid)}",
            kernel=kernel_name,
        )
    options = replace(options, blocks=[x + grid[0] * (y + grid[1] * z)], coroutine_size=None)
    result = Trace(kernel_name, options.block, (x, y, z), compiled.program.text)
    observers = [*(check() for check in CHECKS.values()), Tracer(result, max_steps)]
    code = CodeOptions(trace=True)
    with contextlib.suppress(Enough):
        run(Launch(compiled, kernel_name, args, options, code, observers))
    return result
