"""The machine that generated code runs on: indices, memory, barriers and printf of a chunk of blocks. Lesson 01."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from ...errors import BarrierError, KernelError, LaunchError
from ...language.types import size_of
from ..functions import atomics
from ..functions.printf import formatted
from ..functions.warp import LatestCall
from ..masks import lanes_of, spread, without
from ..memory.local_memory import LocalMemory
from ..memory.local_structs import LocalStructs
from ..memory.spaces import ATOMIC, SharedMemory
from ..observers.observer import tell
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
        self.modules, self.null = launch.bindings.modules, launch.bindings.null
        self.latest_call = LatestCall()
        self.alive: Any = None  # mask of the threads that have not returned
        self.steps, self.step = 0.0, 1.0 + self.width // 1024  # turns of loops, and what one counts
        self.meetings: Any = None  # of strands, see strands.py
        self.watchdog = Watchdog(self)
        self.next_look = self.watchdog.next_look()
        self.cycles = 0  # see functions/clock.py
        self.pipeline = Pipeline(self.width, self.hooks)
        self.shared_memories: dict[int, SharedMemory] = {}
        self._set_indices()

    # --- who am I -----------------------------------------------------------------------

    def _set_indices(self) -> None:
        launch = self.launch
        self.block_numbers = launch.block_numbers(self.first, self.blocks)
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

    def __getattr__(self, name: str):
        """Warp geometry, made when first asked for."""
        if name not in ("lane", "lane_u32", "lane_base", "warp_start", "warp"):
            raise AttributeError(name)
        thread = np.tile(np.arange(self.threads), self.blocks)
        if name == "lane":
            value = thread % 32
        elif name == "lane_u32":
            value = self.lane.astype(np.uint32)
        elif name == "lane_base":  # first thread of the warp, within its block
            value = thread - self.lane
        elif name == "warp_start":  # the same, within the chunk
            value = np.arange(self.width) - self.lane
        else:
            value = thread // 32 + np.repeat(
                np.arange(self.blocks) * self.warps_per_block, self.threads
            )
        setattr(self, name, value)
        return value

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
            memory.is_dynamic, memory.kind, memory.book = dynamic, kind, self.launch.bindings.book
            self.shared_memories[key] = memory
        return memory

    def local(self, name: str, count: int, dtype: np.dtype, dims: tuple[int, ...]) -> LocalMemory:
        self.check_stack(count * dtype.itemsize)
        return LocalMemory(
            name,
            count,
            dtype,
            self.width,
            self.hooks.watch("local"),
            dims,
            self._unset_local if self.checks else None,
        )

    def structs(self, name: str, kind) -> LocalStructs:
        self.check_stack(size_of(kind))
        return LocalStructs(
            name,
            kind,
            self.width,
            self.null,
            self.launch.bindings.book,
            self.hooks.watch("local"),
            self._unset_member if self.checks else None,
        )

    def atomic(self, name: str, m, site, wants_old: bool, pointer, *operands):
        """An atomic at pointer[0] by the active threads; old values, if wanted."""
        result: Any = np.zeros(self.width, site.dtype) if wants_old else None
        for where, part in pointer.parts(m):
            memory, index = part.memory, part.offset
            if memory.space == "local":
                raise KernelError(
                    f"{name} on the local variable {memory.name}: atomics need global or shared memory"
                )
            watch = memory.watch.atomic
            flat = (
                memory.seen(watch, ATOMIC, index, where, site, (name, operands))
                if watch
                else memory.flat(index, site.size)
            )
            lanes = lanes_of(where, self.width)
            places = spread(flat, self.width)[lanes].astype(np.intp)
            old = atomics.update(
                memory.view(site.dtype),
                places,
                name,
                [spread(v, self.width)[lanes] for v in operands],
                wants_old,
            )
            if wants_old:
                result[lanes] = old
        return result

    # --- control ------------------------------------------------------------------------

    def leave(self, m) -> None:
        """The threads of m have returned from the kernel."""
        self.alive = without(self.alive, m)

    def tick(self, site) -> Any:
        """A turn of a loop begins."""
        self.steps += self.step
        if self.steps >= self.next_look:
            self.next_look = self.watchdog.wake(site, sys._getframe(1))
        return site

    def meet(self, m, site, function, *values):
        """A barrier or warp function in code that waits: a generator of its value."""
        return self.meetings.attend(m, site, function, values)

    def barrier(self, m, site) -> None:
        """All live threads of a block meet; blocks none of whose threads are active do not take part."""
        takes_part = None
        if self.alive is not None:
            alive = spread(self.alive, self.width).reshape(self.blocks, -1).sum(1)
            if ((alive > 0) & (alive < self.launch.threads)).any():
                self.launch.late_barriers.add(site.line)
        if m is not self.alive:
            active = spread(m, self.width).reshape(self.blocks, -1)
            alive = spread(self.alive, self.width).reshape(self.blocks, -1)
            present, expected = active.sum(1), alive.sum(1)
            torn = (present > 0) & (present < expected)
            if torn.any():
                self.torn_barrier(site, alive, active, torn)
            if (present == expected).all():
                self.alive = m
            else:
                takes_part = present > 0
        tell(self.hooks.barrier, takes_part)

    def grid_barrier(self, m, site) -> None:
        """All live threads of the grid meet."""
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
            missing = spread(missing, self.width)
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
        tell(self.hooks.grid_barrier)

    def warp_sync(self, m, named) -> None:
        tell(self.hooks.warp_sync, m, named)

    def fence(self, m, name: str) -> None:
        tell(self.hooks.fence, m, name)

    def enter(self, m, region: int) -> None:
        tell(self.hooks.enter, m, region)

    def branch(self, m, taken, site) -> None:
        tell(self.hooks.branch, m, taken, site)

    def count(self, m, segment: int) -> None:
        tell(self.hooks.straight_line, m, segment)

    def trace(self, m, site, variables) -> None:
        tell(self.hooks.statement, m, site, variables)

    def printf(self, m, text: str, values) -> None:
        """Text of each active thread, in thread order; printed when the launch ends. What the buffer cannot hold is
        lost."""
        if self.launch.room_to_print <= 0:
            return
        columns = [spread(value, self.width) for value in values]
        for lane in lanes_of(m, self.width):
            line = formatted(text, [column[lane] for column in columns])
            block = self.first + int(lane) // self.threads
            self.launch.room_to_print -= len(line)
            self.launch.printed.append((block, len(self.launch.printed), line))
