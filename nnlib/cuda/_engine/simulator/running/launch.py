"""One launch: its limits, and what all chunks of its blocks share. Lesson 01."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ....limits import (
    MAX_PRINTED,
    MAX_SHARED,
    MULTIPROCESSORS,
    RESIDENT_BLOCKS,
    RESIDENT_THREADS,
    WARP,
)
from ...errors import Dim3, LaunchError
from ..codegen.code import CodeOptions
from ..compiled import Compiled
from ..fault_report import FaultReport
from ..machine_protocol import MachineProtocol
from ..memory.spaces import Access, Site
from ..observers.checks import Barriers
from ..observers.observer import Hooks, Observer
from .binding import Bindings, World
from .options import LaunchOptions

MAX_COROUTINES = 4096  # see coroutines.py
SILENCE = 2_000_000  # iterations of 1,024 threads after which a long kernel says where it is: ten seconds or more


def check_limits(compiled: Compiled, name: str, block: Dim3, shared_mem: int) -> None:
    """Raise LaunchError for what an H100 refuses of this kernel; what it refuses of any, `arguments` has found."""
    threads = math.prod(block)
    function = compiled.program.functions[name]
    if function.max_threads and threads > function.max_threads:
        raise LaunchError(
            f"kernel {name}: a block of {block[0]} x {block[1]} x {block[2]} has {threads} threads; "
            f"__launch_bounds__ allows at most {function.max_threads}. "
            "Use smaller blocks and more of them",
            kernel=name,
        )
    declared: list[Any] = [variable.type for variable in function.shared if not variable.dynamic]
    needed = sum(kind.size for kind in declared) + shared_mem
    if needed > MAX_SHARED:
        raise LaunchError(
            f"kernel {name}: {needed:,} bytes of shared memory per block; "
            f"an H100 has {MAX_SHARED:,}. Use smaller tiles",
            kernel=name,
        )


def check_resident(name: str, grid: Dim3, block: Dim3) -> None:
    """Raise LaunchError for a cooperative launch whose blocks do not fit on an H100 together."""
    blocks, warps = math.prod(grid), -(-math.prod(block) // WARP)
    most = MULTIPROCESSORS * min(RESIDENT_BLOCKS, RESIDENT_THREADS // (WARP * warps))
    if blocks > most:
        raise LaunchError(
            f"kernel {name}: a cooperative launch of {blocks:,} blocks. All must run at the same time, "
            f"and an H100 holds at most {most:,} of this size. Launch fewer, and let each thread do more "
            "than one element",
            kernel=name,
        )


class MustSplit(Exception):
    """The launch has to start anew, in coroutines of `size` threads."""

    def __init__(self, size: int) -> None:
        self.size = size


class SignOfLife:
    """Writes to stderr, ever more rarely, that a kernel is still running.

    Iterations decide when, not seconds, so that a notebook shows the same on every computer.
    """

    def __init__(self, kernel: str) -> None:
        self.kernel, self.next = kernel, SILENCE

    def show(self, taken: float, site: Site) -> None:
        """Print a line if the launch has come so far. taken: loop iterations of 1,024 threads."""
        if taken > self.next:
            self.next *= 2
            print(
                f"kernel {self.kernel} has made {taken:,.0f} loop iterations and is making progress, in "
                f"the loop of line {site.line}. Interrupt it if it should have ended by now.",
                file=sys.stderr,
                flush=True,
            )


class Overwritten(Observer):
    """Keeps what some blocks of a grid overwrite, which is little beside whole arrays."""

    spaces = ("written",)
    launch: Launch

    def store(self, access: Access) -> None:
        self.launch.bindings.saved.append(access.found(self.machine.width))

    atomic = store


class Launch:
    """A kernel, its arguments and options, the observers, and what has come of it so far.

    blocks: numbers of the blocks to run, x fastest; a range if all. is_whole: whether the arrays change. coroutine_size: how
    many threads run in step and wait by themselves; 0: whole chunks. may_split: whether `MustSplit` may be raised. code:
    the Python that runs.
    """

    machine: MachineProtocol  # the chunk that runs now

    def __init__(
        self,
        compiled: Compiled,
        name: str,
        args: Sequence[Any],
        options: LaunchOptions,
        code: CodeOptions,
        observers: Sequence[Observer],
    ) -> None:
        check_limits(compiled, name, options.block, options.shared_mem)
        if options.cooperative:
            check_resident(name, options.grid, options.block)
        self.compiled, self.name, self.code = compiled, name, compiled.code(name, code)
        self.grid, self.block = options.grid, options.block
        self.threads, self.cooperative = math.prod(options.block), options.cooperative
        self.blocks: Sequence[int] = (
            range(math.prod(options.grid)) if options.blocks is None else options.blocks
        )
        self.is_whole = options.blocks is None
        self.step_limit, self.checks = options.step_limit, code.checks
        self.coroutine_size = options.coroutine_size or 0
        self.barriers_checked = options.checks is True or Barriers.name in (options.checks or ())
        self.has_groups = any("cooperative_groups" in called for called in compiled.calls(name))
        self.may_split = options.coroutine_size is not None and not self.has_groups
        self.steps = 0.0  # iterations of the chunks that have ended, as `step_limit` counts them
        self.sign_of_life = SignOfLife(name)
        self.fault_report = FaultReport(name, compiled.program, options.block, options.grid)
        self.warnings: list[tuple[int, str]] = []
        self.overflows: set[int] = set()
        self.repeated_stores: dict[int, str] = {}
        self.late_barriers: set[int] = set()
        self.printed: list[tuple[int, int, str]] = []
        self.room_to_print = MAX_PRINTED
        observers = observers if self.is_whole else [*observers, Overwritten()]
        self.hooks, self.observers = Hooks(observers), observers
        self.world = options.world or World()
        self.bindings = Bindings(compiled, name, args, options.shared_mem, self.hooks, self.world)
        self._thread_index: dict[tuple[str, int], np.ndarray] = {}
        for observer in observers:
            observer.launch = self

    def thread_index(self, axis: str, blocks: int) -> np.ndarray:
        """Return threadIdx along an axis, of every thread of so many blocks."""
        if (axis, blocks) not in self._thread_index:
            x, y, _ = self.block
            thread = np.arange(self.threads, dtype=np.uint32)
            row = thread // np.uint32(x)
            own = {"x": thread % np.uint32(x), "y": row % np.uint32(y), "z": row // np.uint32(y)}
            self._thread_index[axis, blocks] = np.tile(own[axis], blocks)
        return self._thread_index[axis, blocks]

    @property
    def function(self) -> Callable[..., Any]:
        """The kernel as a Python function."""
        return self.code.function(self.name)

    def split_further(self, largest: int | None = None) -> None:
        """Start anew in smaller coroutines, of at most `largest` threads, if there can be any."""
        for size in (self.threads, WARP, 1):
            coroutines = len(self.blocks) * -(-self.threads // size)
            smaller = size < (
                self.coroutine_size or (self.threads if len(self.blocks) == 1 else math.inf)
            )
            if (
                self.may_split
                and smaller
                and size <= (largest or size)
                and coroutines <= MAX_COROUTINES
            ):
                raise MustSplit(size)
