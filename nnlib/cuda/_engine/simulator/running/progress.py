"""Is a loop endless, or only long? It is endless when an iteration leaves everything as an earlier one left it.

Compared are the variables of the generated functions, and whether memory has changed in between. Looking costs time,
so a machine looks at a few iterations only, after 1,000 and then again and again. Lesson 03.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from types import FrameType
from typing import Any, Literal, Protocol

import numpy as np

from ...errors import KernelTimeoutError
from ..machine_protocol import MachineProtocol
from ..masks import at, ndarray
from ..memory.local_memory import LocalMemory
from ..memory.pointers import PointerChoice, PointerValue
from ..memory.spaces import READ, Access, Found, Site
from ..observers.observer import Hooks, Observer
from .launch import Launch
from .pipeline import Pipeline

FIRST_LOOK = 1000  # iterations
ITERATIONS_LOOKED_AT = 128  # a cycle of up to half as many is found
BETWEEN_LOOKS = 200_000  # iterations of 1,024 threads at most: a second or two on a laptop
WHO_WAITS = 1024  # threads, all in one loop: they run anew to tell which of them waits for which


class RunningMachine(MachineProtocol, Protocol):
    """A machine whose progress is watched.

    steps: iterations of loops, of which one counts `step`. convergences: where its coroutines wait; None where its threads
    run in lock step.
    """

    pipeline: Pipeline
    steps: float
    convergences: Any

    @property
    def hooks(self) -> Hooks: ...
    @property
    def launch(self) -> Launch: ...


class Changes(Observer):
    """Counts stores and atomics that change memory. read: the last read, or atomic.

    reads: (data, indices, values) of those since it was emptied. writers: which thread has changed an element last.
    """

    spaces = ("written", "shared")

    def __init__(self) -> None:
        self.read: Access | None = None
        self.reads: list[Found] = []
        self.writers: dict[tuple[Any, int], tuple[MachineProtocol, int]] = {}
        self._count = 0
        self._open: list[tuple[MachineProtocol, Access, Found]] = []  # atomics and the old values

    @property
    def count(self) -> int:
        for machine, access, (data, indices, before) in self._open:
            if not np.array_equal(data[indices], before):
                self._count += 1
                self._wrote(machine, access)
        self._open = []
        return self._count

    def load(self, access: Access) -> None:
        self.read = access
        self._saw(access)

    def store(self, access: Access) -> None:
        unchanged = access.unchanged() if access.mask is None else access.unchanged() | ~access.mask
        if not np.all(unchanged):
            self._count += 1
            self._wrote(self.machine, access)

    def atomic(self, access: Access) -> None:
        self.read = access
        self._open.append((self.machine, access, self._saw(access)))

    def copy_started(self, access: Access) -> None:
        self._count += 1

    def _saw(self, access: Access) -> Found:
        self.reads.append(access.found(self.machine.width))
        return self.reads[-1]

    def _wrote(self, machine: MachineProtocol, access: Access) -> None:
        lanes = machine.lanes_of(access.mask)
        self.writers[self._key(machine, access, lanes)] = machine, int(lanes[0])

    def _key(self, machine: MachineProtocol, access: Access, lanes: np.ndarray) -> tuple[Any, int]:
        index = int(at(access.flat, lanes[0]))
        return access.memory.home, index * access.site.size + access.memory.at

    def last_writer(
        self, machine: MachineProtocol, access: Access
    ) -> tuple[MachineProtocol, int] | None:
        """Return which thread has last changed what the access's first thread reads: machine and lane."""
        return self.writers.get(self._key(machine, access, machine.lanes_of(access.mask)))


class Cycle:
    """Finds that a state comes back (Brent): each is compared with one kept, which is renewed ever more rarely."""

    def __init__(self) -> None:
        self.length = 0  # of the cycle found
        self._kept: Any = None
        self._age, self._power = 0, 1

    def returns(self, state: Any) -> bool:
        if self._kept is not None and _same(state, self._kept):
            self.length = self._age + 1
            return True
        self._age += 1
        if self._kept is None or self._age == self._power:
            self._kept, self._age, self._power = state, 0, 2 * self._power
        return False


class Watchdog:
    """Watches the loops of a machine for too many steps and, if its threads run in lock step, for a lack of progress."""

    def __init__(self, machine: RunningMachine) -> None:
        self.machine = machine
        self._next_iteration = FIRST_LOOK
        self._changes: Changes | None = None
        self._cycle = Cycle()
        self._left = 0

    def next_look(self) -> float:
        """Return at how many steps of the machine to look again. Coroutines are watched by their scheduler."""
        steps = (
            self._next_iteration * self.machine.step
            if self.machine.convergences is None
            else math.inf
        )
        limit = self.machine.launch.step_limit
        return steps if limit is None else min(steps, limit - self.machine.launch.steps + 1)

    def wake(self, site: Site, frame: FrameType) -> float:
        """Look at the loop that the frame is in, and report it where it is endless. Returns when to look again."""
        machine, launch = self.machine, self.machine.launch
        taken, limit = launch.steps + machine.steps, launch.step_limit
        if limit is not None and taken > limit:
            stop(
                machine,
                site,
                f"the simulator stops after {limit:,} loop iterations of 1,024 threads in all, its "
                "step_limit",
            )
        launch.sign_of_life.show(taken, site)
        read = (
            False
            if machine.convergences is not None
            else self._look(int(machine.steps // machine.step), frame)
        )
        if read is not False:
            m = frame.f_locals["m"]
            everybody = m is machine.alive and machine.blocks == len(launch.blocks)
            if read is not None and (not everybody or machine.width <= WHO_WAITS):
                launch.split_further()
            endless(machine, site, machine.spread(m), read)
        return self.next_look()

    def _look(self, iteration: int, frame: FrameType) -> Access | Literal[False] | None:
        """Return False where there is progress; else the state of an earlier iteration is back: return what was read, or None."""
        if self._changes is None:
            self._begin()
        assert self._changes is not None
        self._changes.reads.clear()
        state = self._changes.count, machine_state(self.machine), [*_states(frame)]
        if self._cycle.returns(state):
            read = self._changes.read
            self._end()
            return read
        self._left -= 1
        if self._left:
            self._next_iteration = iteration + 1
        else:
            self._end()
            self._next_iteration = iteration + min(
                iteration, max(FIRST_LOOK, int(BETWEEN_LOOKS / self.machine.step))
            )
        return False

    def _begin(self) -> None:
        self._changes, self._cycle, self._left = Changes(), Cycle(), ITERATIONS_LOOKED_AT
        self._changes.launch = self.machine.launch
        self.machine.hooks.add(self._changes)

    def _end(self) -> None:
        assert self._changes is not None
        self.machine.hooks.remove(self._changes)
        self._changes = None


def stop(machine: RunningMachine, site: Site, limit: str) -> None:
    """Report a kernel that has made all the iterations it may. limit: how many, as a sentence."""
    machine.fail(
        KernelTimeoutError,
        site,
        None,
        "the kernel does not end: it is here, in a loop",
        limit,
        "does its condition ever become false?",
        may_end=True,
        loop=site.line,
    )


def endless(
    machine: RunningMachine, site: Site, mask: Any, read: Access | None, who: str = ""
) -> None:
    """Report a loop that makes no progress."""
    if read is None:
        machine.fail(
            KernelTimeoutError,
            site,
            mask,
            "the kernel does not end: this loop changes nothing any more",
            "its condition depends on nothing that another thread could change",
            "does its condition ever become false?",
            loop=site.line,
        )
        return
    if machine.launch.has_groups:  # which coroutines do not know
        raise machine.unsupported(
            site,
            "threads that wait for each other in a kernel with cooperative groups; if this loop ends on a GPU, "
            "write __syncthreads() and __shfl_sync() instead of groups",
        )
    lane = int(machine.lanes_of(read.mask)[0])
    touched = machine.launch.fault_report.touched(read, lane, READ)
    sampled = len(machine.launch.blocks) < int(np.prod(machine.launch.grid, dtype=object))
    machine.fail(
        KernelTimeoutError,
        site,
        mask,
        f"the kernel does not end: this loop waits for {touched['element']}, which stays {read.value_at(lane)}",
        who or "no other thread is there to change it",
        "it may wait for a block that max_blocks leaves out"
        if sampled
        else "which thread should change it, and can that one come so far while this one waits?",
        loop=site.line,
        **touched,
    )


def machine_state(machine: RunningMachine) -> tuple[Any, ...]:
    """Return what a loop may change besides memory and variables."""
    return machine.alive, machine.pipeline.committed, machine.cycles, len(machine.launch.printed)


def _states(frame: FrameType | None) -> Iterator[Any]:
    """Yield the states of the generated functions that are running, from the innermost."""
    assert frame is not None
    generated = frame.f_globals
    while frame is not None and frame.f_globals is generated:
        yield state_of(frame)
        frame = frame.f_back


def state_of(frame: FrameType) -> tuple[Any, ...]:
    """Return where a generated function is, and its variables."""
    return (
        frame.f_code,
        frame.f_lasti,
        {name: _kept(value) for name, value in frame.f_locals.items() if name != "rt"},
    )


def _kept(value: Any) -> Any:
    if isinstance(value, LocalMemory):
        return (list(value.values), None if value.dense is None else value.dense.copy())
    return value


def _same(a: Any, b: Any) -> bool:
    if a is b:
        return True
    if a.__class__ is not b.__class__:
        return False
    if a.__class__ is ndarray or isinstance(a, np.generic):
        return a.dtype == b.dtype and np.array_equal(a, b, equal_nan=a.dtype.kind == "f")
    if isinstance(a, tuple | list):
        return len(a) == len(b) and all(map(_same, a, b))
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(_same(a[name], b[name]) for name in reversed(a))
    if isinstance(a, PointerValue):
        return a.memory is b.memory and _same(a.offset, b.offset)
    if isinstance(a, PointerChoice):
        return _same(a.options, b.options)
    return bool(a == b)
