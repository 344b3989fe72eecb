"""Threads that wait for each other: each part of the grid runs by itself, as a coroutine.

In step, a loop runs until its last thread has left it; a thread that waits there for another one of the same chunk, or
for a block of a later chunk, waits forever. When that happens (progress.py) the launch is undone and starts anew. Each
block is a coroutine then: a generator of the generated code, with a program counter of its own, which stops at each
iteration of a loop and at barriers. Where blocks still wait forever, each warp becomes one, and then each thread. All
blocks of the grid are resident, as on a GPU with room for them. Limits: coroutines are slow, some thousand iterations per
second; a warp whose threads are coroutines counts a request for each of them.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, field
from types import GeneratorType
from typing import Any

import numpy as np

from ....limits import WARP
from ...errors import BarrierError
from ..machine_protocol import GroupCall
from ..masks import Mask, PerThread, at, first_of
from ..memory.spaces import Access, Site
from .launch import Launch
from .machine import Machine
from .progress import Changes, Cycle, endless, machine_state, state_of, stop

ITERATIONS = 16  # iterations of loops, before another coroutine goes on
COST = 10  # an iteration of a coroutine takes as long as so many in step
# Iterations in step, whose time a launch in coroutines may take whatever its limit.
FEWEST = 200_000
BARRIERS = ("__syncthreads", "nnlib_meet")  # how the names of those of blocks begin


@dataclass(eq=False)
class Convergence:
    """Coroutines on their way to one barrier, shuffle or vote. members: the threads that it waits for, while they live."""

    machine: Machine
    function: Callable[..., Any]
    members: Mask
    mask: Mask = False
    values: Sequence[PerThread] = ()
    sites: list[Site] = field(default_factory=list)
    done: bool = False
    result: Any = None

    def join(self, m: np.ndarray, site: Site, values: tuple[PerThread, ...]) -> None:
        self.sites.append(site)
        self.values = [
            np.where(m, new, old) if old is not new else new
            for new, old in zip(values, self.values or values, strict=True)
        ]
        self.mask = m | self.mask

    def is_complete(self) -> bool:
        return not np.any(self.members & self.machine.spread(self.machine.alive) & ~self.mask)


class Convergences:
    """Points where coroutines of a machine meet. open: by what those that meet have in common: function, warp, mask."""

    def __init__(self, machine: Machine, size: int) -> None:
        self.machine, self.size = machine, size
        self.open: dict[tuple[Any, ...], Convergence] = {}

    def attend(
        self, m: Mask, site: Site, function: Callable[..., Any], values: tuple[PerThread, ...]
    ) -> Generator[Any, None, Any]:
        """Call function(call, values) for all threads that take part, once the last has come."""
        rt, name = self.machine, function.__name__
        whole_block = name.startswith(BARRIERS)
        if self.size >= (rt.threads if whole_block else WARP) or name == "__activemask":
            return function(GroupCall(rt, m, site), *values)
        mask, members = rt.spread(m), True
        kind: tuple[Any, ...] = (name,)
        if not whole_block:
            lane = first_of(mask)
            bits = np.uint32(at(values[0], lane))
            members = (rt.warp == rt.warp[lane]) & (bits >> rt.lane_u32 & np.uint32(1) != 0)
            kind = name, int(rt.warp[lane]), int(bits)
        convergence = self.open.setdefault(kind, Convergence(rt, function, members))
        convergence.join(mask, site, values)
        self.complete()
        yield convergence  # also the last: those that have waited may come first
        while not convergence.done:
            yield convergence
        return convergence.result

    def complete(self) -> None:
        """Let those go on that have all come; also after threads have ended, for whom nobody waits."""
        for kind, convergence in list(self.open.items()):
            if not convergence.is_complete():
                continue
            del self.open[kind]
            first = convergence.sites[0]
            other = next((site for site in convergence.sites if site.line != first.line), None)
            if other is not None and self.machine.launch.barriers_checked:
                self.machine.fail(
                    BarrierError,
                    first,
                    None,
                    f"threads of a block meet at two barriers: {first.name}() in line {first.line} and in line {other.line}",
                    "CUDA's guide leaves undefined what happens; GPUs count who waits, wherever",
                    "put one barrier where all threads pass",
                )
            call = GroupCall(self.machine, convergence.mask, first)
            convergence.result = convergence.function(call, *convergence.values)
            convergence.done = True


@dataclass(eq=False)
class Coroutine:
    """Threads that run in step with each other.

    mask: which of their machine. convergence: where it waits. site: of the loop that it is in. idle_since: how many
    changes of memory there were when it came back to an earlier state. waits_for: data, indices and the values that it
    reads there, if known.
    """

    machine: Machine
    mask: Mask
    code: Generator[Any, None, Any]
    convergence: Convergence | None = None
    site: Site | None = None
    read: Access | None = None
    idle_since: int | None = None
    waits_for: list[tuple[np.ndarray, Any, Any]] | None = None
    cycle: Cycle = field(default_factory=Cycle)

    def waits(self, changes: int) -> bool:
        if self.convergence is not None:
            return not self.convergence.done
        if (
            self.idle_since not in (None, changes)
            and self.waits_for is not None
            and all(
                np.array_equal(data[indices], values) for data, indices, values in self.waits_for
            )
        ):
            self.idle_since = changes
        return self.idle_since == changes

    def state(self) -> tuple[Any, ...]:
        states = []
        code: Any = self.code
        while isinstance(code, GeneratorType) and code.gi_frame is not None:
            if code.gi_frame.f_globals is self.machine.launch.code.namespace:
                states.append(state_of(code.gi_frame))
            code = code.gi_yieldfrom
        return machine_state(self.machine), states


class Scheduler:
    """Runs all blocks of a launch in coroutines; a block starts when all before it wait."""

    def __init__(self, launch: Launch) -> None:
        self.launch, self.size = launch, launch.coroutine_size
        self.changes = next(
            observer for observer in launch.observers if isinstance(observer, Changes)
        )
        self.coroutines: list[Coroutine] = []
        self.started = 0
        self.iterations = 0  # of all coroutines

    def ready(self) -> list[Coroutine]:
        """Return those that can go on."""
        count = self.changes.count
        return [coroutine for coroutine in self.coroutines if not coroutine.waits(count)]

    def run(self) -> None:
        while True:
            ready = self.ready()
            for coroutine in ready:
                if not coroutine.waits(self.changes.count):
                    self._run(coroutine)
            if not ready and self.started < len(self.launch.blocks):
                self._start_block()
            elif not ready and self.coroutines:
                self._nobody_goes_on()
            elif not ready:
                return

    def _start_block(self) -> None:
        launch = self.launch
        machine = launch.machine = Machine(launch, self.started, 1)
        machine.convergences = Convergences(machine, self.size)
        machine.step = self.size / launch.threads
        self.started += 1
        launch.hooks.tell("chunk_begin")
        threads = np.arange(launch.threads)
        for first in range(0, launch.threads, self.size):
            mask = (
                None if self.size >= launch.threads else threads // self.size == first // self.size
            )
            self.coroutines.append(
                Coroutine(machine, mask, launch.function(machine, mask, *launch.bindings.arguments))
            )

    def _run(self, coroutine: Coroutine) -> None:
        """Run a coroutine until it meets others, or for some iterations of loops."""
        launch, machine = self.launch, coroutine.machine
        launch.machine = machine
        coroutine.convergence = None
        self.changes.read, self.changes.reads = None, []
        iterations = 0
        while iterations < ITERATIONS:
            try:
                where = next(coroutine.code)
            except StopIteration:
                self._ended(coroutine)
                return
            if isinstance(where, Convergence):
                coroutine.convergence = where
                return
            if isinstance(where, Site):
                coroutine.site, iterations = where, iterations + 1
            elif not self._goes_on(coroutine, where):
                return
        machine.convergences.complete()
        self.iterations += iterations
        if coroutine.site is not None:
            self._look_at_time(machine, coroutine.site)
        coroutine.read = self.changes.read or coroutine.read
        count = self.changes.count
        if coroutine.cycle.returns((count, *coroutine.state())):
            coroutine.idle_since = count
            coroutine.waits_for = self.changes.reads if coroutine.cycle.length == 1 else None

    def _look_at_time(self, machine: Machine, site: Site) -> None:
        """Stop a launch that has taken too many iterations, or tell that it is still running."""
        limit, taken = self.launch.step_limit, COST * self.iterations
        if limit is not None and taken > max(limit, FEWEST):
            stop(
                machine,
                site,
                f"the simulator stops after {max(limit, FEWEST) // COST:,} iterations of threads that "
                "wait for each other; a higher step_limit allows more",
            )
        self.launch.sign_of_life.show(taken, site)

    def _goes_on(self, coroutine: Coroutine, pointer: Any) -> bool:
        """Return whether it makes its access through this pointer now, in code that takes turns."""
        return True

    def _ended(self, coroutine: Coroutine) -> None:
        machine = coroutine.machine
        self.coroutines.remove(coroutine)
        machine.convergences.complete()
        if not any(other.machine is machine for other in self.coroutines):
            self.launch.hooks.tell("chunk_end")
            self.launch.steps += machine.steps
            machine.shared_memories = {}

    def _nobody_goes_on(self) -> None:
        """Split coroutines further, since smaller ones may continue; report threads that wait forever."""
        self.launch.split_further()
        coroutine = next(
            (coroutine for coroutine in self.coroutines if coroutine.convergence is None),
            self.coroutines[0],
        )
        machine = self.launch.machine = coroutine.machine
        lane = int(machine.lanes_of(coroutine.mask)[0])
        mask = np.arange(machine.width) == lane
        if coroutine.convergence is not None:
            site = coroutine.convergence.sites[0]
            machine.fail(
                BarrierError,
                site,
                mask,
                f"threads wait at {site.name}() for others that never come",
                "every thread that the call names, and has not ended, must make the same call",
                "move it out of the if or loop that only some threads run",
            )
        assert coroutine.site is not None
        endless(machine, coroutine.site, mask, coroutine.read, self._waits_for(coroutine))

    def _waits_for(self, coroutine: Coroutine) -> str:
        """Return which thread the coroutine waits for, as far as one can tell."""
        writer = (
            None
            if coroutine.read is None
            else self.changes.last_writer(coroutine.machine, coroutine.read)
        )
        if writer is None:
            return "no thread has changed it, and none that still runs will"
        machine, lane = writer
        report = self.launch.fault_report
        name = "thread ({},{},{}) of block ({},{},{})".format(*sum(report.whose(machine, lane), ()))
        for other in self.coroutines:
            if other.machine is machine and lane in machine.lanes_of(other.mask):
                if other is coroutine:
                    return f"{name} itself has changed it last"
                place = (
                    f"waits at {other.convergence.sites[0].name}() in line {other.convergence.sites[0].line}"
                    if other.convergence is not None
                    else f"is in the loop of line {other.site.line}"
                    if other.site
                    else "has not come so far"
                )
                return f"{name} has changed it last, and {place}"
        return f"{name} has changed it last, and has ended"
