"""Warps that take turns: what a kernel computes when its warps run in another order. Lesson 01.

The simulator runs all threads in step, and a GPU does not. Here each warp runs by itself. Before each access to memory
that the kernel writes another warp may come first; an atomic is one access, `x[0] += 1` is two. A warp that has to
wait is given up and later run again from its start, on memory of its own, where it reads what it has read before. But
first it reads ahead: where memory is still the same when its turn comes, that was right, and it need not run again.
Nothing looks for mistakes: that is the point.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from nnlib.cuda.errors import KernelError, KernelTimeoutError
from nnlib.cuda.limits import WARP
from nnlib.cuda.simulator.compiled import Compiled
from nnlib.cuda.simulator.masks import lanes_of, spread
from nnlib.cuda.simulator.memory.spaces import ATOMIC, READ, Access
from nnlib.cuda.simulator.observers.bounds import Bounds
from nnlib.cuda.simulator.observers.observer import Observer
from nnlib.cuda.simulator.running.launch import Launch
from nnlib.cuda.simulator.running.launching import check_limits
from nnlib.cuda.simulator.running.machine import Machine
from nnlib.cuda.simulator.running.options import LaunchOptions

MAX_TURNS = 2000
AHEAD = 64  # reads that a warp makes before their turn


@dataclass(frozen=True)
class Turn:
    """One access of one warp, in the order in which they happened.

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
    """What one order led to. results: name of each array that was written -> its content."""

    order: int
    warps: int
    turns: list[Turn] = field(default_factory=list)
    results: dict[str, np.ndarray] = field(default_factory=dict)


class _Switch(Exception):
    """Another warp comes first."""


@dataclass(frozen=True)
class _Found:
    """What an access found: bytes of the memory of all, at these places of it."""

    memory: np.ndarray
    places: np.ndarray
    bytes: np.ndarray
    turn: Turn

    def still_holds(self) -> bool:
        return np.array_equal(self.memory[self.places], self.bytes)


@dataclass
class _Warp:
    """What a warp has done so far. seen: by its accesses; None for a barrier. ahead: by reads before their turn."""

    number: int
    block: int
    seen: list[_Found | None] = field(default_factory=list)
    ahead: deque[_Found] = field(default_factory=deque)
    barriers: int = 0
    waiting: bool = False
    done: bool = False


class _Turns(Observer):
    """Gives the memory of all warps to one warp after the other."""

    spaces = ("written", "shared")

    def __init__(self, order: int, warps: list[_Warp], global_bytes: dict[str, np.ndarray]) -> None:
        self.order, self.warps, self.bytes = order, warps, global_bytes
        self.rng = np.random.default_rng(order)
        self.turns: list[Turn] = []
        self.warp = warps[0]
        self.at = 0  # number of the next access of self.warp
        self.chosen = False  # whether it was chosen for that access already
        self.is_ahead = False  # whether it reads before its turn
        self._unfinished: tuple[Access, _Found] | None = None

    def begin(self, warp: _Warp, chosen: bool) -> None:
        self.warp, self.at, self.chosen, self.is_ahead, self._unfinished = warp, 0, chosen, False, None

    def next_warp(self) -> _Warp | None:
        """Order 0: the first that can go on; 1: the last; others: any, at random. None when all have ended."""
        ready = [warp for warp in self.warps if not warp.done and not warp.waiting]
        if not ready:
            return None
        return ready[0] if self.order == 0 else ready[-1] if self.order == 1 else ready[self.rng.integers(len(ready))]

    # --- hooks ------------------------------------------------------------------------------

    def load(self, access: Access) -> None:
        self._complete()
        if self.at < len(self.warp.seen):
            found: Any = self.warp.seen[self.at]
            access.memory.bytes[found.places] = found.bytes
        elif self._is_its_turn():
            found = self._find(access)
            self._take_turn(found)
            self._unfinished = None if access.kind == READ else (access, found)
        elif access.kind == READ and len(self.warp.ahead) < AHEAD:
            self.is_ahead = True
            self.warp.ahead.append(self._find(access))
        else:
            raise _Switch
        self.at += 1

    store = atomic = load

    def barrier(self, blocks: Any) -> None:
        self._complete()
        if self.is_ahead:
            raise _Switch
        self.at += 1
        if self.at <= len(self.warp.seen):
            return
        self.warp.seen.append(None)
        self.warp.barriers += 1
        self.warp.waiting = True
        self.release()
        raise _Switch

    def release(self) -> None:
        """Let a block go on when all of its warps that have not ended are at the barrier."""
        for block in {warp.block for warp in self.warps}:
            alive = [warp for warp in self.warps if warp.block == block and not warp.done]
            if alive and all(warp.waiting for warp in alive):
                for warp in alive:
                    warp.waiting = False

    def finish(self) -> None:
        """The warp has ended."""
        self._complete()
        self.warp.done = True
        self.release()

    # --- turns ------------------------------------------------------------------------------

    def catch_up(self, warp: _Warp) -> bool | None:
        """Take the turns of a chosen warp that has read ahead. Whether it is chosen for the access where it has to run,
        and None when another comes first."""
        self.begin(warp, True)
        while warp.ahead:
            if not self._is_its_turn():
                return None
            if not warp.ahead[0].still_holds():
                warp.ahead.clear()
                return True
            self._take_turn(warp.ahead.popleft())
        return self.chosen

    def _is_its_turn(self) -> bool:
        if not self.is_ahead and not self.chosen:
            self.chosen = self.next_warp() is self.warp
        return self.chosen

    def _take_turn(self, found: _Found) -> None:
        if len(self.turns) >= MAX_TURNS:
            raise KernelTimeoutError(f"more than {MAX_TURNS:,} accesses: use fewer warps, or shorter loops")
        self.chosen = False
        self.turns.append(found.turn)
        self.warp.seen.append(found)

    # --- the memory of all ------------------------------------------------------------------

    def _complete(self) -> None:
        """Carry what the last write or atomic did over to the memory of all."""
        if self._unfinished is not None:
            access, found = self._unfinished
            found.memory[found.places] = access.memory.bytes[found.places]
            self._unfinished = None

    def _find(self, access: Access) -> _Found:
        """What lies in the memory of all where the active lanes touch it, copied into the warp's own."""
        memory, size, width = access.memory, access.site.size, self.machine.width
        key = memory.name if memory.space == "global" else f"{self.warp.block} {memory.name}"
        common = self.bytes.setdefault(key, np.zeros_like(memory.bytes))
        lanes = lanes_of(access.mask, width)
        flat = spread(access.flat, width)
        places = flat[lanes].astype(np.int64)[:, None] * size + np.arange(size)
        memory.bytes[places] = common[places]
        return _Found(common, places, common[places], self._turn(access, int(lanes[0]), int(flat[lanes[0]])))

    def _turn(self, access: Access, lane: int, index: int) -> Turn:
        value: Any = access.memory.view(access.site.dtype)[index * access.site.lanes]
        if access.kind not in (READ, ATOMIC):
            first = access.value[0] if isinstance(access.value, tuple) else access.value
            value = spread(first, self.machine.width)[lane]
        return Turn(self.warp.number, access.kind, access.memory.name, access.site.line, index, value)


def interleave(compiled: Compiled, name: str, grid: tuple[int, int, int], block: tuple[int, int, int],
               args: Sequence[Any], shared_mem: int = 0, order: int = 0) -> Interleaving:
    """Run the kernel with its warps in one order; the arrays of args stay as they are.

    order: 0: warp after warp; 1: the last first; 2, 3, …: a different random interleaving each.
    Raises KernelTimeoutError after MAX_TURNS accesses, OutOfBoundsError for accesses outside of an array.
    """
    check_limits(compiled, name, block, shared_mem)
    threads, blocks = math.prod(block), math.prod(grid)
    per_block = -(-threads // WARP)
    warps = [_Warp(number, number // per_block) for number in range(per_block * blocks)]
    parameters = [variable.name for variable in compiled.program.functions[name].parameters]
    common = {parameter: value.copy() for parameter, value in zip(parameters, args, strict=True)
              if isinstance(value, np.ndarray)}
    turns = _Turns(order, warps, {parameter: array.reshape(-1).view(np.uint8) for parameter, array in common.items()})
    code = compiled.code(False)
    while (warp := turns.next_warp()) is not None:
        chosen = turns.catch_up(warp)
        if chosen is None:
            continue
        turns.begin(warp, chosen)
        own = [value.copy() if isinstance(value, np.ndarray) else value for value in args]
        options = LaunchOptions(grid, block, shared_mem, checks=False, blocks=[warp.block], strand=None)
        run = Launch(compiled, name, own, options, code, [Bounds(), turns])
        run.machine = Machine(run, 0, 1)
        lanes = np.arange(threads) // WARP == warp.number % per_block
        run.machine.alive = lanes
        try:
            with np.errstate(all="ignore"):
                code.namespace[code.python_names[name]](run.machine, lanes, *run.bindings.arguments)
            if not turns.is_ahead:
                turns.finish()
        except _Switch:
            pass
        except KernelError:  # of a warp that went wrong on what it read ahead comes again, or never
            if not turns.is_ahead:
                raise
    written = compiled.written(name)
    return Interleaving(order, len(warps), turns.turns, {parameter: array for parameter, array in common.items()
                                                         if parameter in written})
