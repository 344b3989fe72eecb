"""The machine that generated code runs on: indices, memory, barriers, atomics, printf, faults of a chunk of blocks."""

from __future__ import annotations

import math
import sys
from typing import TYPE_CHECKING, Any

import numpy as np

from nnlib.cuda.errors import (
    BarrierError,
    KernelArithmeticError,
    KernelError,
    KernelTimeoutError,
    LaunchError,
    OutOfBoundsError,
    UninitializedReadError,
)
from nnlib.cuda.limits import WARP
from nnlib.cuda.simulator.functions import atomics
from nnlib.cuda.simulator.functions.printf import formatted
from nnlib.cuda.simulator.functions.warp import Meeting
from nnlib.cuda.simulator.masks import lanes_of, narrow, ndarray, spread, union, without
from nnlib.cuda.simulator.memory.local_memory import LocalMemory
from nnlib.cuda.simulator.memory.local_structs import LocalStructs
from nnlib.cuda.simulator.memory.pipeline import Pipeline
from nnlib.cuda.simulator.memory.spaces import ATOMIC, READ, WRITE, Access, SharedMemory, address, is_null
from nnlib.cuda.simulator.observers.observer import tell
from nnlib.cuda.simulator.running import progress

if TYPE_CHECKING:
    from nnlib.cuda.simulator.running.launching import Launch

WHO_WAITS = 1024  # threads, all in one loop: they run anew to tell which of them waits for which


class Machine:
    """A multiprocessor with room for a chunk of blocks, all threads of which run in step: `rt` in generated code.

    Thread t of block b of the chunk is lane b * threads + t. The machine does what CUDA promises and tells the
    observers of it; whether the kernel is right is theirs to judge.
    launch: what is common to all chunks (see launching.py). first: number of the chunk's first block in
    launch.blocks, count: how many blocks.
    """

    def __init__(self, launch: Launch, first: int, count: int) -> None:
        self.launch, self.first, self.blocks = launch, first, count
        self.threads = launch.threads
        self.width = count * self.threads
        self.checks, self.hooks = launch.checks, launch.hooks
        self.modules, self.null = launch.bindings.modules, launch.bindings.null
        self.meeting = Meeting()
        self.alive = None  # mask of the threads that have not returned
        self.steps, self.step = 0.0, 1.0 + self.width // 1024  # turns of loops, and what one counts
        self.watchdog = progress.Watchdog(self)
        self.next_look: float = self.watchdog.next_look * self.step
        if launch.step_limit is not None:
            self.next_look = min(self.next_look, launch.step_limit + 1)
        self.meetings: Any = None  # of strands, see strands.py
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
            setattr(self, f"threadIdx_{axis}", launch.thread_index(axis, self.blocks) if size > 1 else np.uint32(0))
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
            value = thread // 32 + np.repeat(np.arange(self.blocks) * self.warps_per_block, self.threads)
        setattr(self, name, value)
        return value

    # --- memory -------------------------------------------------------------------------

    def shared(self, name: str, key: int) -> SharedMemory:
        nbytes, dtype, dims, dynamic, kind = self.launch.bindings.shared[key]
        if dynamic:
            key = 0  # all extern arrays begin at the same address
        memory = self.shared_memories.get(key)
        if memory is None:
            memory = SharedMemory(name, nbytes, dtype, self.blocks, self.threads, self.hooks.watch("shared"), dims)
            memory.is_dynamic, memory.kind, memory.book = dynamic, kind, self.launch.bindings.book
            self.shared_memories[key] = memory
        return memory

    def local(self, name: str, count: int, dtype: np.dtype, dims: tuple[int, ...]) -> LocalMemory:
        return LocalMemory(name, count, dtype, self.width, self.hooks.watch("local"), dims,
                           self._unset_local if self.checks else None)

    def structs(self, name: str, kind) -> LocalStructs:
        return LocalStructs(name, kind, self.width, self.null, self.launch.bindings.book, self.hooks.watch("local"),
                            self._unset_member if self.checks else None)

    def atomic(self, name: str, m, site, wants_old: bool, pointer, *operands):
        """An atomic at pointer[0] by the active threads; old values, if wanted."""
        result: Any = np.zeros(self.width, site.dtype) if wants_old else None
        for where, part in pointer.parts(m):
            memory, index = part.memory, part.offset
            if memory.space == "local":
                raise KernelError(f"{name} on the local variable {memory.name}: atomics need global or shared memory")
            watch = memory.watch.atomic
            flat = (memory.seen(watch, ATOMIC, index, where, site, (name, operands)) if watch
                    else memory.flat(index, site.size))
            lanes = lanes_of(where, self.width)
            places = spread(flat, self.width)[lanes].astype(np.intp)
            old = atomics.update(memory.view(site.dtype), places, name,
                                 [spread(v, self.width)[lanes] for v in operands], wants_old)
            if wants_old:
                result[lanes] = old
        return result

    def copy_async(self, m, write_site, read_site, to, source, zfill, barrier=None) -> None:
        """__pipeline_memcpy_async: copied at once, but not to be read before the wait. The last zfill bytes are zeros;
        a thread that fills with nothing else does not read. barrier: a pointer to that at which the copy arrives."""
        filling = np.asarray(zfill)
        reading = narrow(m, read_site.size > filling)
        words = read_site.size // 4
        value = (0,) * words if reading is False else source.load(0, reading, read_site)
        if filling.any() and reading is not False:
            value = value if words > 1 else (value,)
            value = tuple(np.where(read_site.size - filling > 4 * word, part, 0) for word, part in enumerate(value))
        to.store(0, value if words > 1 or value.__class__ is not tuple else value[0], m, write_site)
        ends = [Access(part.memory, WRITE, part.offset, where, write_site) for where, part in to.parts(m)]
        if reading is not False:
            ends += [Access(part.memory, READ, part.offset, where, read_site) for where, part in source.parts(reading)]
        self.pipeline.start(ends, None if barrier is None or is_null(barrier).all() else self._place(barrier, m))

    def commit_async(self, m) -> None:
        self.pipeline.commit(m)

    def wait_async(self, m, still_pending) -> None:
        self.pipeline.wait(m, still_pending)

    def arrived_async(self, m, barrier) -> None:
        """The copies of the threads of m that arrive at this barrier have."""
        self.pipeline.wait_at(m, self._place(barrier, m))

    def _place(self, pointer, m) -> Any:
        """What tells a cuda::barrier from others; one for all threads of m, or one for each."""
        places = address(pointer, 1)
        if places.__class__ is not ndarray:
            return int(places)
        own = np.unique(places[lanes_of(m, self.width)])
        return int(own[0]) if own.size == 1 else places

    # --- control ------------------------------------------------------------------------

    def leave(self, m) -> None:
        """The threads of m have returned from the kernel."""
        self.alive = without(self.alive, m)

    def tick(self, site) -> Any:
        """A turn of a loop begins."""
        self.steps += self.step
        if self.steps >= self.next_look:
            self._look(site, sys._getframe(1))
        return site

    def _look(self, site, frame) -> None:
        """Is there progress? See progress.py. Strands are looked after by their scheduler."""
        limit = self.launch.step_limit
        if limit is not None and self.steps > limit:
            self.fail(KernelTimeoutError, site, None, "the kernel does not end: it is here, in a loop",
                      f"the simulator stops after {limit:,} loop iterations of 1,024 threads in all, its step_limit",
                      "does its condition ever become false?")
        self.launch.patience.ask(self, site)
        self.next_look = math.inf
        if self.meetings is None:
            read = self.watchdog.look(int(self.steps // self.step), frame)
            if read is not False:
                m = frame.f_locals["m"]
                everybody = m is self.alive and self.blocks == len(self.launch.blocks)
                if read is not None and (not everybody or self.width <= WHO_WAITS):
                    self.launch.split_further()
                progress.endless(self, site, spread(True if m is None else m, self.width), read)
            self.next_look = self.watchdog.next_look * self.step
        if limit is not None:
            self.next_look = min(self.next_look, limit + 1)

    def meet(self, m, site, function, *values):
        """A barrier or warp function in code that waits: a generator of its value."""
        return self.meetings.attend(m, site, function, values)

    def barrier(self, m, site) -> None:
        """All live threads of a block meet; blocks none of whose threads are active do not take part."""
        takes_part = None
        if m is not self.alive:
            active = spread(True if m is None else m, self.width).reshape(self.blocks, -1)
            alive = spread(True if self.alive is None else self.alive, self.width).reshape(self.blocks, -1)
            present, expected = active.sum(1), alive.sum(1)
            torn = (present > 0) & (present < expected)
            if torn.any():
                self._torn(site, alive, active, torn)
            if (present == expected).all():
                self.alive = m
            else:
                takes_part = present > 0
        tell(self.hooks.barrier, takes_part)

    def grid_barrier(self, m, site) -> None:
        """All live threads of the grid meet."""
        if not self.launch.cooperative:
            self.fail(LaunchError, site, None, "grid.sync() in a launch whose blocks need not run at the same time",
                      "all blocks must be on the GPU at once to wait for each other",
                      "write RawModule(..., enable_cooperative_groups=True)")
        missing = without(self.alive, m)
        if self.checks and missing is not False:
            missing = spread(True if missing is None else missing, self.width)
            self.fail(BarrierError, site, missing, f"{int(missing.sum())} threads of the grid do not reach this "
                      "grid.sync()", "every thread of every block must reach the same barrier",
                      "move the barrier out of the if or loop that only some threads run", "missing:")
        self.alive = m
        tell(self.hooks.grid_barrier)

    def _torn(self, site, alive, active, torn) -> None:
        """Only some threads of a block are at a barrier. A GPU waits for the others to come to any."""
        if not self.launch.barriers_checked:
            self.launch.split_further(WARP)
        present, expected = active.sum(1), alive.sum(1)
        missing = (alive & ~active & torn[:, None]).reshape(-1)
        block = int(np.flatnonzero(torn)[0])
        self.fail(BarrierError, site, missing,
                  f"{int(expected[block] - present[block])} of {int(expected[block])} threads of a block do "
                  f"not reach this {site.name}()",
                  "every thread of the block must reach the same barrier; the guide leaves undefined what happens else",
                  "move the barrier out of the if or loop that only some threads run", "missing:")

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
        """Text of each active thread, in thread order; printed when the launch ends."""
        columns = [spread(value, self.width) for value in values]
        for lane in lanes_of(m, self.width):
            line = formatted(text, [column[lane] for column in columns])
            block = self.first + int(lane) // self.threads
            self.launch.printed.append((block, len(self.launch.printed), line))

    # --- faults -------------------------------------------------------------------------

    def fail(self, error, site, lanes, what: str, allowed: str = "", hint: str = "", who: str = "by") -> None:
        """Raise `error` for the first of the lanes (a mask; None: no thread in particular)."""
        tell(self.hooks.before_failure)
        self.launch.fault_report.fail(self, error, site, lanes, what, allowed, hint, who)

    def check_divisor(self, divisor, m, site) -> None:
        if divisor.__class__ is ndarray:
            if divisor.all():
                return
            zero = divisor == 0 if m is None else (divisor == 0) & m
            if not zero.any():
                return
        elif divisor != 0:
            return
        else:
            zero = spread(True if m is None else m, self.width)
        what = "division" if site.name == "/" else "remainder"
        self.fail(KernelArithmeticError, site, zero, f"integer {what} by zero",
                  "a GPU returns a meaningless number here", "test the divisor first")

    def check_subscript(self, index, length: int, m, site) -> None:
        """Of an array that is a member of a struct: `site.name`."""
        if index.__class__ is ndarray and index.min() >= 0 and index.max() < length:
            return
        outside = (index < 0) | (index >= length)
        missed = without(m, union(False, spread(~np.asarray(outside), self.width)))
        if missed is False:
            return
        missed = spread(True if missed is None else missed, self.width)
        first = int(spread(index, self.width)[int(np.flatnonzero(missed)[0])])
        self.fail(OutOfBoundsError, site, missed, f"subscript {first} is outside of {site.name}",
                  f"{site.name} has {length} elements, [0] to [{length - 1}]; behind it are other members",
                  "compare the index with the declared size, or enlarge the array")

    def check_assertion(self, holds, m, site) -> None:
        failed = without(m, union(False, spread(holds, self.width)))
        if failed is not False:
            self.fail(KernelError, site, spread(True if failed is None else failed, self.width), "assertion failed")

    def trap(self, m, site) -> None:
        self.fail(KernelError, site, spread(True if m is None else m, self.width), "the kernel stops itself: __trap()")

    def unset_variable(self, written, m, site) -> None:
        missing = without(m, written)
        if missing is not False:
            self._fail_unset(site.name, missing, site)

    def no_result(self, m, site) -> None:
        self.fail(UninitializedReadError, site, spread(True if m is None else m, self.width),
                  f"{site.name} ends without returning a value", "the caller gets garbage",
                  "let every way through the function end with return value;")

    def _fail_unset(self, name: str, missing, site) -> None:
        self.fail(UninitializedReadError, site, spread(True if missing is None else missing, self.width),
                  f"{name} is read before it has a value", "a local variable holds garbage until it is assigned",
                  f"give it a value where it is declared: {name} = 0")

    def _unset_local(self, memory, index, missing, site) -> None:
        if not memory.dims:
            self._fail_unset(memory.name, missing, site)
        missing = spread(True if missing is None else missing, self.width)
        lane = int(np.flatnonzero(missing)[0])
        element = self.launch.fault_report.element(memory, int(spread(index, self.width)[lane]), site)
        self.fail(UninitializedReadError, site, missing, f"{element} is read before it has a value",
                  "a local array holds garbage until it is written", "initialise it where it is declared, = {0}; or write __shared__ before it, if the threads of a block "
                  "share it: without that each thread has an array of its own")

    def _unset_member(self, memory, byte, missing, site, size) -> None:
        missing = spread(True if missing is None else missing, self.width)
        name = memory.describe(byte, size)
        self.fail(UninitializedReadError, site, missing, f"{name} is read before it has a value",
                  "members hold garbage until they are assigned", f"give it a value first: {name} = 0;")

    def misaligned(self, m, site):
        """Handler for a pointer cast to a wider type at an address that is no multiple of its size."""
        def handler(pointer, wrong, where):
            self.launch.fault_report.misaligned(self, m, site, pointer, wrong, where)
        return handler

