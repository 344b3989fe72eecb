"""Warps that take turns: what a kernel computes when its warps run in another order. Lesson 01.

The simulator runs all threads in step, and a GPU does not. Here each warp is a coroutine of its own. Before each access to
memory that the kernel writes another warp may come first; an atomic is one access, `x[0] += 1` is two. Nothing looks
for mistakes: that is the point.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from ....limits import WARP
from ...errors import KernelTimeoutError
from ..codegen.code import CodeOptions
from ..compiled import Compiled
from ..memory.spaces import Access
from ..observers.bounds import Bounds
from ..observers.observer import Observer
from .coroutines import Coroutine, Scheduler
from .launch import Launch
from .options import LaunchOptions
from .progress import Changes

MAX_TURNS = 2000


@dataclass(frozen=True)
class WarpAccess:
    """An access of one warp, in the order in which they happened.

    warp: its number, through all blocks. kind: "read", "write" or "atomic". index, value: of the first active lane:
    what it reads, what it writes, what was there before an atomic.
    """

    warp: int
    kind: str
    name: str
    line: int
    index: int
    value: Any


@dataclass
class Interleaving:
    """The outcome of one order of accesses. results: name of each array that was written -> its content."""

    order: int
    warps: int
    turns: list[WarpAccess] = field(default_factory=list)
    results: dict[str, np.ndarray] = field(default_factory=dict)


class Turns(Observer):
    """Records every memory access, in the order in which the warps take turns."""

    spaces = ("written", "shared")

    def __init__(self) -> None:
        self.taken: list[WarpAccess] = []

    def load(self, access: Access) -> None:
        if len(self.taken) >= MAX_TURNS:
            raise KernelTimeoutError(
                f"more than {MAX_TURNS:,} accesses: use fewer warps, or shorter loops"
            )
        rt = self.machine
        lane = int(rt.lanes_of(access.mask)[0])
        warp = rt.first * rt.warps_per_block + lane // WARP
        element, value = access.element_at(lane), access.value_at(lane)
        self.taken.append(
            WarpAccess(warp, access.kind, access.memory.name, access.site.line, element, value)
        )

    store = atomic = load


class Interleaver(Scheduler):
    """Chooses before each access of shared or written memory which warp comes next.

    order: 0: the first that can go on; 1: the last; others: any, at random.
    """

    def __init__(self, launch: Launch, order: int) -> None:
        super().__init__(launch)
        self.order, self.rng = order, np.random.default_rng(order)
        self.chosen = False  # whether the coroutine that runs was chosen for its next access
        self.stopped: set[Coroutine] = set()  # in front of an access

    def run(self) -> None:
        while self.started < len(self.launch.blocks):
            self._start_block()
        while self.coroutines:
            coroutine = self._next()
            if coroutine is None:
                self._nobody_goes_on()
                return
            self.chosen = coroutine not in self.stopped
            self.stopped.discard(coroutine)
            self._run(coroutine)

    def _next(self) -> Coroutine | None:
        ready = self.ready()
        if not ready or self.order < 2:
            return ready[-self.order] if ready else None
        return ready[self.rng.integers(len(ready))]

    def _goes_on(self, coroutine: Coroutine, pointer: Any) -> bool:
        memories = [part.memory for _, part in pointer.parts(None)]
        if not any(memory.is_written or memory.space == "shared" for memory in memories):
            return True
        goes_on = self.chosen or self._next() is coroutine
        self.chosen = False
        if not goes_on:
            self.stopped.add(coroutine)
        return goes_on


def interleave(
    compiled: Compiled, name: str, args: Sequence[Any], options: LaunchOptions, order: int = 0
) -> Interleaving:
    """Run the kernel with its warps in one order, without checks; the arrays of args stay as they are.

    order: 0: warp after warp; 1: the last first; 2, 3, …: a different random interleaving each.
    Raises KernelTimeoutError after MAX_TURNS accesses, OutOfBoundsError for accesses outside of an array.
    """
    turns = Turns()
    options = replace(options, checks=False, coroutine_size=WARP)
    run = Launch(
        compiled,
        name,
        args,
        options,
        CodeOptions(checks=False, waits=True, takes_turns=True),
        [Bounds(), turns, Changes()],
    )
    run.may_split = False  # warps take turns, whatever they wait for
    run.bindings.save()
    try:
        with np.errstate(all="ignore"):
            Interleaver(run, order).run()
        parameters = [variable.name for variable in compiled.program.functions[name].parameters]
        written = compiled.written(name)
        results = {
            parameter: value.copy()
            for parameter, value in zip(parameters, args, strict=True)
            if parameter in written and isinstance(value, np.ndarray)
        }
    finally:
        run.bindings.restore()
    return Interleaving(order, len(run.blocks) * -(-run.threads // WARP), turns.taken, results)
