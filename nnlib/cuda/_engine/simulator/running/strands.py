"""Threads that wait for each other: each part of the grid runs by itself, with a program counter of its own.

In step, a loop runs until its last thread has left it; a thread that waits there for another one of the same chunk, or
for a block of a later chunk, waits forever. When that happens (progress.py) the launch is undone and starts anew in
strands: blocks first, then warps, then single threads, until none is left waiting. All blocks of the grid are resident,
as on a GPU with room for them. The generated code is a generator, which stops at each turn of a loop and where threads
meet. Limits: strands are slow, some thousand turns per second; a warp in strands counts a request for each of them.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from types import GeneratorType
from typing import Any

import numpy as np

from ....limits import WARP
from ...errors import BarrierError
from ..machine_protocol import GroupCall
from ..masks import first_of, lanes_of, ndarray, spread
from ..memory.spaces import Access, Site
from .launch import Launch
from .machine import Machine
from .progress import Changes, Cycle, endless, machine_state, state_of, stop

TURNS = 16  # of loops, before another strand has its turn
COST = 10  # a turn of a strand takes as long as so many iterations in step
FEWEST = (
    200_000  # iterations in step, whose time a launch in strands may take whatever its step_limit
)
BARRIERS = ("__syncthreads", "nnlib_meet")  # how the names of those of blocks begin


class Convergence:
    """Strands on their way to one barrier, shuffle or vote. kind: what they have in common: function, warp, mask."""

    def __init__(
        self,
        kind: tuple[Any, ...],
        function: Callable[..., Any],
        everyone: Callable[[], np.ndarray],
    ) -> None:
        self.kind, self.function, self.everyone = kind, function, everyone
        self.mask: Any = False
        self.values: list[Any] = []
        self.sites: list[Site] = []
        self.done, self.result = False, None

    def join(self, m: np.ndarray, site: Site, values: tuple[Any, ...]) -> None:
        self.sites.append(site)
        self.values = [
            np.where(m, new, old) if old is not new else new
            for new, old in zip(values, self.values or values, strict=True)
        ]
        self.mask = m | self.mask

    def is_complete(self) -> bool:
        return not np.any(self.everyone() & ~self.mask)


class Convergences:
    """Where the strands of a machine meet."""

    def __init__(self, machine: Machine, size: int) -> None:
        self.machine, self.size = machine, size
        self.open: dict[tuple[Any, ...], Convergence] = {}

    def attend(
        self, m: Any, site: Site, function: Callable[..., Any], values: tuple[Any, ...]
    ) -> Generator[Any, None, Any]:
        """function(machine, m, site, values) by all threads that take part, once the last has come."""
        rt = self.machine
        whole_block = function.__name__.startswith(BARRIERS)
        if (
            self.size >= (rt.threads if whole_block else WARP)
            or function.__name__ == "__activemask"
        ):
            return function(GroupCall(rt, m, site), *values)
        mask = np.ones(rt.width, bool) if m is None else m
        meeting = self._block(function) if whole_block else self._warp(mask, function, values)
        meeting.join(mask, site, values)
        self.complete()
        yield meeting  # also the last: those that have waited may come first
        while not meeting.done:
            yield meeting
        return meeting.result

    def _block(self, function: Callable[..., Any]) -> Convergence:
        kind = (function.__name__,)
        return self.open.setdefault(kind, Convergence(kind, function, self._alive))

    def _warp(
        self, mask: np.ndarray, function: Callable[..., Any], values: tuple[Any, ...]
    ) -> Convergence:
        rt, lane = self.machine, first_of(mask)
        named = values[0]
        bits = int(named[lane] if named.__class__ is ndarray else named)
        own_warp = rt.warp == rt.warp[lane]
        members = own_warp & (np.uint32(bits) >> rt.lane_u32 & np.uint32(1) != 0)
        kind = (function.__name__, int(rt.warp[lane]), bits)
        return self.open.setdefault(
            kind, Convergence(kind, function, lambda: members & self._alive())
        )

    def _alive(self) -> np.ndarray:
        return spread(
            True if self.machine.alive is None else self.machine.alive, self.machine.width
        )

    def complete(self) -> None:
        """Let those go on that have all come; also after threads have ended, for whom nobody waits."""
        for kind, meeting in list(self.open.items()):
            if not meeting.is_complete():
                continue
            del self.open[kind]
            first = meeting.sites[0]
            other = next((site for site in meeting.sites if site.line != first.line), None)
            if other is not None and self.machine.launch.barriers_checked:
                _two_barriers(self.machine, first, other)
            call = GroupCall(self.machine, meeting.mask, first)
            meeting.result = meeting.function(call, *meeting.values)
            meeting.done = True


class Strand:
    """Threads that run in step with each other. mask: which of their machine."""

    def __init__(self, machine: Machine, mask: Any, code: Generator[Any, None, Any]) -> None:
        self.machine, self.mask, self.code = machine, mask, code
        self.meeting: Convergence | None = None  # where it waits
        self.site: Site | None = None  # of the loop it is in
        self.read: Access | None = None
        self.idle_since: int | None = (
            None  # changes of memory there were when it went round in circles
        )
        self.waits_for: list[tuple[np.ndarray, Any, Any]] | None = (
            None  # data, places, values it reads, if known
        )
        self.cycle = Cycle()

    def waits(self, changes: int) -> bool:
        if self.meeting is not None:
            return not self.meeting.done
        if (
            self.idle_since not in (None, changes)
            and self.waits_for is not None
            and all(np.array_equal(data[places], values) for data, places, values in self.waits_for)
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
    """Runs all blocks of a launch in strands; a block starts when all before it wait."""

    def __init__(self, launch: Launch) -> None:
        self.launch, self.size = launch, launch.strand
        self.changes = next(
            observer for observer in launch.observers if isinstance(observer, Changes)
        )
        self.strands: list[Strand] = []
        self.started = 0
        self.turns = 0  # of all strands

    def run(self) -> None:
        while True:
            ready = [strand for strand in self.strands if not strand.waits(self.changes.count)]
            for strand in ready:
                if not strand.waits(self.changes.count):
                    self._run(strand)
            if not ready and self.started < len(self.launch.blocks):
                self._start_block()
            elif not ready and self.strands:
                self._nobody_goes_on()
            elif not ready:
                return

    def _start_block(self) -> None:
        launch = self.launch
        machine = launch.machine = Machine(launch, self.started, 1)
        machine.meetings = Convergences(machine, self.size)
        machine.step = self.size / launch.threads
        self.started += 1
        launch.hooks.tell("chunk_begin")
        threads = np.arange(launch.threads)
        for first in range(0, launch.threads, self.size):
            mask = (
                None if self.size >= launch.threads else threads // self.size == first // self.size
            )
            self.strands.append(
                Strand(machine, mask, launch.function(machine, mask, *launch.bindings.arguments))
            )

    def _run(self, strand: Strand) -> None:
        """Until it meets others, or for some turns of loops."""
        launch, machine = self.launch, strand.machine
        launch.machine = machine
        strand.meeting = None
        self.changes.read, self.changes.reads = None, []
        turns = 0
        while turns < TURNS:
            try:
                where = next(strand.code)
            except StopIteration:
                self._ended(strand)
                return
            if isinstance(where, Convergence):
                strand.meeting = where
                return
            if isinstance(where, Site):
                strand.site, turns = where, turns + 1
            elif not self._goes_on(strand, where):
                return
        machine.meetings.complete()
        self.turns += turns
        if strand.site is not None:
            self._look_at_time(machine, strand.site)
        if self.changes.read is not None:
            strand.read = self.changes.read[1]
        count = self.changes.count
        if strand.cycle.returns((count, *strand.state())):
            strand.idle_since = count
            strand.waits_for = self.changes.reads if strand.cycle.length == 1 else None

    def _look_at_time(self, machine: Machine, site: Site) -> None:
        """Stop a launch that has taken too many turns, or tell that it is still running."""
        limit, taken = self.launch.step_limit, COST * self.turns
        if limit is not None and taken > max(limit, FEWEST):
            stop(
                machine,
                site,
                f"the simulator stops after {max(limit, FEWEST) // COST:,} iterations of threads that "
                "wait for each other; a higher step_limit allows more",
            )
        self.launch.sign_of_life.show(taken, site)

    def _goes_on(self, strand: Strand, pointer: Any) -> bool:
        """Whether it makes its access through this pointer now, in code that takes turns."""
        return True

    def _ended(self, strand: Strand) -> None:
        machine = strand.machine
        self.strands.remove(strand)
        machine.meetings.complete()
        if not any(other.machine is machine for other in self.strands):
            self.launch.hooks.tell("chunk_end")
            self.launch.steps += machine.steps
            machine.shared_memories = {}

    def _nobody_goes_on(self) -> None:
        """Smaller strands may; single threads will not."""
        self.launch.split_further()
        strand = next(
            (strand for strand in self.strands if strand.meeting is None), self.strands[0]
        )
        machine = self.launch.machine = strand.machine
        lane = int(lanes_of(strand.mask, machine.width)[0])
        mask = np.arange(machine.width) == lane
        if strand.meeting is not None:
            site = strand.meeting.sites[0]
            machine.fail(
                BarrierError,
                site,
                mask,
                f"threads wait at {site.name}() for others that never come",
                "every thread that the call names, and has not ended, must make the same call",
                "move it out of the if or loop that only some threads run",
            )
        assert strand.site is not None
        endless(machine, strand.site, mask, strand.read, self._who(strand))

    def _who(self, strand: Strand) -> str:
        """Whom the strand waits for, as far as one can tell."""
        writer = (
            None if strand.read is None else self.changes.last_writer(strand.machine, strand.read)
        )
        if writer is None:
            return "no thread has changed it, and none that still runs will"
        machine, lane = writer
        report = self.launch.fault_report
        name = "thread ({},{},{}) of block ({},{},{})".format(*sum(report.whose(machine, lane), ()))
        for other in self.strands:
            if other.machine is machine and lane in lanes_of(other.mask, machine.width):
                if other is strand:
                    return f"{name} itself has changed it last"
                place = (
                    f"waits at {other.meeting.sites[0].name}() in line {other.meeting.sites[0].line}"
                    if other.meeting is not None
                    else f"is in the loop of line {other.site.line}"
                    if other.site
                    else "has not come so far"
                )
                return f"{name} has changed it last, and {place}"
        return f"{name} has changed it last, and has ended"


def _two_barriers(machine: Machine, site: Site, other: Site) -> None:
    machine.fail(
        BarrierError,
        site,
        None,
        f"threads of a block meet at two barriers: {site.name}() in line {site.line} and in line {other.line}",
        "CUDA's guide leaves undefined what happens; GPUs count who waits, wherever",
        "put one barrier where all threads pass",
    )
