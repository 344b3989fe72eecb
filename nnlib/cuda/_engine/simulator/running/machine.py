"""The machine that generated code runs on: indices, memory, barriers and printf of a chunk of blocks. Lesson 01."""

from __future__ import annotations

import sys
from collections.abc import Callable, Generator
from typing import Any

import numpy as np

from ...errors import BarrierError, KernelError, LaunchError
from ...language.types import Type, size_of
from ..functions import atomics
from ..functions.printf import formatted
from ..machine_protocol import LatestCall
from ..masks import Mask, PerThread, lanes_of, spread, without
from ..memory.local_memory import LocalMemory
from ..memory.pointers import AnyPointer
from ..memory.spaces import ATOMIC, SharedMemory, Site
from .faults import Faults
from .launch import Launch
from .pipeline import Pipeline
from .progress import Watchdog


class Machine(Faults):
    """A multiprocessor with room for a chunk of blocks, all threads of which run in step: `rt` in generated code.

    Thread t of block b of the chunk is lane b * threads + t. The machine does what CUDA promises and tells the
    observers of it; whether the kernel is right is theirs to judge.
    launch: what is common to all chunks. first: number of the chunk's first block in launch.blocks, count: how many
    blocks.
    """

    def __init__(self, launch: Launch, first: int, count: int) -> None:
        self.launch, self.first, self.blocks = launch, first, count
        self.threads = launch.threads
        self.width = count * self.threads
        self.checks, self.hooks = launch.checks, launch.hooks
        bindings = launch.bindings
        self.modules, self.null, self.book = bindings.modules, bindings.null, bindings.book
        self.latest_call, self.namespace = LatestCall(), launch.code.namespace
        self.alive: Mask = None  # mask of the threads that have not returned
        # Iterations of loops, and what one counts
        self.steps, self.step = (0.0, 1.0 + self.width // 1024)
        self.convergences: Any = None  # of coroutines, see coroutines.py
        self.watchdog = Watchdog(self)
        self.next_look = self.watchdog.next_look()
        self.cycles = 0  # see functions/clock.py
        self.pipeline = Pipeline(self.width, self.hooks)
        self.shared_memories: dict[int, SharedMemory] = {}
        self._set_indices()

    # --- who am I -----------------------------------------------------------------------

    def _set_indices(self) -> None:
        launch = self.launch
        part = launch.blocks[self.first : self.first + self.blocks]
        self.block_numbers = np.fromiter(part, np.int64, len(part))
        for axis, size, grid in zip("xyz", launch.block, launch.grid, strict=True):
            setattr(self, f"blockDim_{axis}", np.uint32(size))
            setattr(self, f"gridDim_{axis}", np.uint32(grid))
            setattr(
                self,
                f"threadIdx_{axis}",
                launch.thread_index(axis, self.blocks) if size > 1 else np.uint32(0),
            )
        rest = self.block_numbers
        for axis, grid in zip("xyz", launch.grid, strict=True):
            rest, own = np.divmod(rest, grid)
            same = (own == own[0]).all()
            own = own.astype(np.uint32)
            setattr(self, f"blockIdx_{axis}", own[0] if same else np.repeat(own, self.threads))
        self.warpSize = np.int32(32)

    @property
    def warps_per_block(self) -> int:
        return -(-self.threads // 32)

    def __getattr__(self, name: str) -> np.ndarray:
        """Compute the geometry of warps when it is first asked for."""
        if name not in ("lane", "lane_u32", "lane_base", "warp_start", "warp"):
            raise AttributeError(name)
        thread = np.tile(np.arange(self.threads), self.blocks)
        self.lane = thread % 32
        self.lane_u32 = self.lane.astype(np.uint32)
        self.lane_base = thread - self.lane
        self.warp_start = np.arange(self.width) - self.lane
        first_warps = np.arange(self.blocks) * self.warps_per_block
        self.warp = thread // 32 + np.repeat(first_warps, self.threads)
        value: np.ndarray = vars(self)[name]
        return value

    def spread(self, value: PerThread) -> np.ndarray:
        """Return a value, or a mask, with one entry per thread."""
        return spread(value, self.width)

    def lanes_of(self, mask: Mask) -> np.ndarray:
        """Return the numbers of the threads of a mask."""
        return lanes_of(mask, self.width)

    def tell(self, hook: str, *details: Any) -> None:
        """Call that hook of all observers; generated code does so, too."""
        self.hooks.tell(hook, *details)

    # --- memory -------------------------------------------------------------------------

    def shared(self, name: str, key: int) -> SharedMemory:
        nbytes, dtype, dims, dynamic, kind = self.launch.bindings.shared[key]
        if dynamic:
            key = 0  # all extern arrays begin at the same address
        memory = self.shared_memories.get(key)
        if memory is None:
            memory = SharedMemory(
                name, nbytes, dtype, self.blocks, self.threads, self.hooks.watch("shared"), dims
            )
            memory.is_dynamic, memory.kind, memory.book = dynamic, kind, self.book
            self.shared_memories[key] = memory
        return memory

    def local(self, name: str, kind: Type) -> LocalMemory:
        self.check_stack(size_of(kind))
        return LocalMemory(
            name,
            kind,
            self.width,
            self.book,
            self.hooks.watch("local"),
            self.unset_local if self.checks else None,
        )

    def atomic(
        self, m: Mask, site: Site, wants_old: bool, pointer: AnyPointer, *operands: PerThread
    ) -> PerThread:
        """Run an atomic at pointer[0] by the active threads; return old values, if wanted."""
        result: PerThread = np.zeros(self.width, site.dtype) if wants_old else None
        for where, part in pointer.parts(m):
            memory, index = part.memory, part.offset
            if memory.space == "local":
                raise KernelError(
                    f"{site.name} on the local variable {memory.name}: atomics need global or shared memory"
                )
            watch = memory.watch.atomic
            flat = (
                memory.seen(watch, ATOMIC, index, where, site, (site.name, operands)).flat
                if watch
                else memory.flat(index, site.size)
            )
            lanes = self.lanes_of(where)
            old = atomics.update(
                memory.view(site.dtype),
                self.spread(flat)[lanes].astype(np.intp),
                site.name,
                [self.spread(value)[lanes] for value in operands],
                wants_old,
            )
            if wants_old:
                result[lanes] = old
        return result

    # --- control ------------------------------------------------------------------------

    def leave(self, m: Mask) -> None:
        """Note that the threads of m have returned from the kernel."""
        self.alive = without(self.alive, m)

    def tick(self, site: Site) -> Site:
        """Begin an iteration of a loop."""
        self.steps += self.step
        if self.steps >= self.next_look:
            self.next_look = self.watchdog.wake(site, sys._getframe(1))
        return site

    def meet(
        self, m: Mask, site: Site, function: Callable[..., Any], *values: PerThread
    ) -> Generator[Any, None, Any]:
        """Return a generator of the value of a barrier or warp function, in code that waits."""
        convergence: Generator[Any, None, Any] = self.convergences.attend(m, site, function, values)
        return convergence

    def barrier(self, m: Mask, site: Site) -> None:
        """Make all live threads of a block meet; blocks none of whose threads are active do not take part."""
        takes_part = None
        if self.alive is not None or m is not None:
            active, alive = (self.spread(mask).reshape(self.blocks, -1) for mask in (m, self.alive))
            present, expected = active.sum(1), alive.sum(1)
            if ((expected > 0) & (expected < self.threads)).any():
                self.launch.late_barriers.add(site.line)
            torn = (present > 0) & (present < expected)
            if torn.any():
                self.torn_barrier(site, alive, active, torn)
            if (present == expected).all():
                self.alive = m
            else:
                takes_part = present > 0
        self.tell("barrier", takes_part)

    def grid_barrier(self, m: Mask, site: Site) -> None:
        """Make all live threads of the grid meet."""
        if not self.launch.cooperative:
            self.fail(
                LaunchError,
                site,
                None,
                "grid.sync() in a launch whose blocks need not run at the same time",
                "all blocks must be on the GPU at once to wait for each other",
                "write RawModule(..., enable_cooperative_groups=True)",
            )
        missing = without(self.alive, m)
        if self.checks and missing is not False:
            missing = self.spread(missing)
            self.fail(
                BarrierError,
                site,
                missing,
                f"{int(missing.sum())} threads of the grid do not reach this grid.sync()",
                "every thread of every block must reach the same barrier",
                "move the barrier out of the if or loop that only some threads run",
                "missing:",
            )
        self.alive = m
        self.tell("grid_barrier")

    def printf(self, m: Mask, text: str, values: tuple[PerThread, ...]) -> None:
        """Format the text of each active thread, in thread order, to be printed when the launch ends.

        What the buffer cannot hold is lost.
        """
        if self.launch.room_to_print <= 0:
            return
        columns = [self.spread(value) for value in values]
        for lane in self.lanes_of(m):
            line = formatted(text, [column[lane] for column in columns])
            block = self.first + int(lane) // self.threads
            self.launch.room_to_print -= len(line)
            self.launch.printed.append((block, len(self.launch.printed), line))
