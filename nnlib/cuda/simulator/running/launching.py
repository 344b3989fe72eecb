"""Run a kernel over a grid: limits, chunks of blocks, the observers, and undoing a failed launch."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Sequence
from typing import Any

import numpy as np

from nnlib.cuda.errors import KernelError, LaunchError
from nnlib.cuda.limits import MAX_PRINTED, MAX_SHARED, WARP
from nnlib.cuda.simulator.codegen.function import Code
from nnlib.cuda.simulator.compiled import Compiled
from nnlib.cuda.simulator.fault_report import FaultReport
from nnlib.cuda.simulator.memory.binding import Bindings, World
from nnlib.cuda.simulator.observers.async_copies import AsyncCopies
from nnlib.cuda.simulator.observers.bounds import Bounds, RowOverrun
from nnlib.cuda.simulator.observers.counters import Counters
from nnlib.cuda.simulator.observers.observer import Hooks, Observer, tell
from nnlib.cuda.simulator.observers.races.observer import Races
from nnlib.cuda.simulator.observers.tracing import Enough, Trace, Tracer
from nnlib.cuda.simulator.observers.uninitialized import Uninitialized
from nnlib.cuda.simulator.profile import Profile
from nnlib.cuda.simulator.running.machine import Machine
from nnlib.cuda.simulator.running.progress import Changes, Patience
from nnlib.cuda.simulator.running.strands import Scheduler

# What a checked launch looks for: an observer for each name in switches.CHECKS.
# "barriers": that a block's threads come to the same one.
CHECKS: dict[str, type[Observer]] = {"bounds": Bounds, "async copies": AsyncCopies, "uninitialized": Uninitialized,
                                     "races": Races, "barriers": Observer}
CHUNK_THREADS = 16_384  # threads that run together: their arrays fit the processor's cache
CHUNK_SHARED = 32 * 2**20  # bytes of shared memory of all blocks of a chunk
MAX_STRANDS = 4096  # see strands.py
MAX_STEPS = 2000  # statements of a trace

Sizes = tuple[int, int, int]


class Apart(Exception):
    """The launch has to start anew, in strands of `size` threads."""

    def __init__(self, size: int) -> None:
        self.size = size


class Launch:
    """One launch: what all its chunks share.

    blocks: numbers of the blocks to run, x fastest; a range if all. strand: how many threads run in step and wait by
    themselves; 0: whole chunks. may_split: whether `Apart` may be raised.
    """

    machine: Machine  # the chunk that runs now

    def __init__(self, compiled: Compiled, name: str, grid: Sizes, block: Sizes, args: Sequence[Any], shared_mem: int,
                 code: Code, blocks: Sequence[int], observers: Sequence[Observer],
                 step_limit: int | None = None, seconds: float = math.inf, cooperative: bool = False, strand: int = 0,
                 may_split: bool = False, barriers_checked: bool = True, world: World | None = None) -> None:
        self.compiled, self.name, self.grid, self.block, self.code = compiled, name, grid, block, code
        self.threads, self.cooperative = math.prod(block), cooperative
        self.blocks, self.step_limit, self.checks = blocks, step_limit, code.checks
        self.strand, self.barriers_checked = strand, barriers_checked
        self.has_groups = any("cooperative_groups" in called for called in compiled.calls(name))
        self.may_split = may_split and not self.has_groups
        self.patience = Patience(name, seconds)
        self.fault_report = FaultReport(name, compiled.program, block, grid)
        self.warnings: list[tuple[int, str]] = []
        self.printed: list[tuple[int, int, str]] = []
        self.room_to_print = MAX_PRINTED
        self.hooks, self.observers = Hooks(observers), observers
        self.bindings = Bindings(compiled, name, args, shared_mem, self.hooks, world)
        self._thread_index: dict[tuple[str, int], np.ndarray] = {}
        for observer in observers:
            observer.launch = self

    def thread_index(self, axis: str, blocks: int) -> np.ndarray:
        """threadIdx along an axis, of every thread of so many blocks."""
        if (axis, blocks) not in self._thread_index:
            x, y, _ = self.block
            thread = np.arange(self.threads, dtype=np.uint32)
            row = thread // np.uint32(x)
            own = {"x": thread % np.uint32(x), "y": row % np.uint32(y), "z": row // np.uint32(y)}
            self._thread_index[axis, blocks] = np.tile(own[axis], blocks)
        return self._thread_index[axis, blocks]

    def thread_and_block(self, number: int) -> tuple[Sizes, Sizes]:
        """Indices of a thread, counted through all blocks that run."""
        return self.fault_report.indices(number % self.threads, self.blocks[number // self.threads])

    def block_numbers(self, first: int, count: int) -> np.ndarray:
        """The numbers of a chunk's blocks."""
        part = self.blocks[first:first + count]
        return np.arange(part.start, part.stop) if isinstance(part, range) else np.array(part)

    def run(self, keep: bool = True) -> None:
        """All chunks. If one fails (with checks), or keep is off, all arrays are as before."""
        if self.checks or not keep or self.compiled.may_wait(self.name):
            self.bindings.save()
        done = False
        try:
            with np.errstate(all="ignore"):
                self._run_chunks()
            done = keep
        except IndexError as error:
            if self.checks:
                raise
            raise KernelError(f"kernel {self.name} leaves its arrays ({error}); run it with checks on to see "
                              "where", kernel=self.name) from None
        except Apart:
            self.printed, self.room_to_print = [], MAX_PRINTED
            raise
        except RecursionError:
            raise KernelError(f"kernel {self.name}: the recursion of a __device__ function does not end",
                              kernel=self.name) from None
        finally:
            if not done:
                self.bindings.restore()
            self._flush_printed()

    @property
    def function(self) -> Callable:
        """The kernel as a Python function."""
        return self.code.namespace[self.code.python_names[self.name]]

    def _run_chunks(self) -> None:
        tell(self.hooks.kernel_begin)
        if self.strand:
            Scheduler(self).run()
        else:
            size = self._blocks_per_chunk()
            for first in range(0, len(self.blocks), size):
                self.machine = Machine(self, first, min(size, len(self.blocks) - first))
                tell(self.hooks.chunk_begin)
                self.function(self.machine, None, *self.bindings.arguments)
                tell(self.hooks.chunk_end)
                self.machine.shared_memories = {}
        tell(self.hooks.kernel_end)

    def split_further(self, largest: int | None = None) -> None:
        """Start anew in smaller strands, of at most `largest` threads, if there can be any."""
        for size in (self.threads, WARP, 1):
            strands = len(self.blocks) * -(-self.threads // size)
            smaller = size < (self.strand or (self.threads if len(self.blocks) == 1 else math.inf))
            if self.may_split and smaller and size <= (largest or size) and strands <= MAX_STRANDS:
                raise Apart(size)

    def _blocks_per_chunk(self) -> int:
        if self.cooperative:
            return len(self.blocks)
        per_chunk = CHUNK_THREADS // self.threads
        shared_bytes = sum(layout.nbytes for layout in self.bindings.shared.values())
        return max(1, min(per_chunk, CHUNK_SHARED // shared_bytes)) if shared_bytes else per_chunk

    def _flush_printed(self) -> None:
        if self.printed:
            print("".join(text for _, _, text in sorted(self.printed)), end="")
            if self.room_to_print <= 0:
                print(f"… kernel {self.name} prints more than the {MAX_PRINTED:,} bytes that printf's buffer holds.")


def check_limits(compiled: Compiled, name: str, block: Sizes, shared_mem: int) -> None:
    """LaunchError for what an H100 would refuse of this kernel; what it refuses of any, `arguments` has found."""
    threads = math.prod(block)
    function = compiled.program.functions[name]
    if function.max_threads and threads > function.max_threads:
        raise LaunchError(f"kernel {name}: a block of {block[0]} x {block[1]} x {block[2]} has {threads} threads; "
                          f"__launch_bounds__ allows at most {function.max_threads}. "
                          "Use smaller blocks and more of them", kernel=name)
    declared: list[Any] = [variable.type for variable in function.shared if not variable.dynamic]
    needed = sum(kind.size for kind in declared) + shared_mem
    if needed > MAX_SHARED:
        raise LaunchError(f"kernel {name}: {needed:,} bytes of shared memory per block; "
                          f"an H100 has {MAX_SHARED:,}. Use smaller tiles", kernel=name)


def launch(compiled: Compiled, kernel_name: str, grid: Sizes, block: Sizes, args: Sequence[Any], shared_mem: int = 0,
           checks: bool | Collection[str] = True, profile: bool = False, max_blocks: int | None = None,
           step_limit: int | None = None, seconds: float = math.inf, cooperative: bool = False,
           watch: Callable[[], Observer] | None = None, world: World | None = None) -> Profile | None:
    """Run the kernel; arrays in args change in place. Returns a Profile if one is asked for.

    grid, block: (x, y, z). args: values in signature order, NumPy arrays (C-contiguous, of the declared
    dtype) or typed NumPy scalars. checks: find faults, all or those named in CHECKS; without any the kernel runs
    several times faster. max_blocks: run only so many blocks, spread over the grid, and leave the arrays as they are.
    step_limit: loop iterations of 1,024 threads, in all, after which the kernel is stopped; seconds: as well.
    cooperative: all blocks run together and may wait for each other with grid.sync().
    watch: makes one more observer. world: the memory around the arguments.
    Raises the errors of nnlib.cuda.errors; a checked launch that fails leaves the arrays as they were.
    """
    check_limits(compiled, kernel_name, block, shared_mem)
    total = math.prod(grid)
    blocks: Sequence[int] = range(total)
    if max_blocks is not None and max_blocks < total:
        blocks = [k * (total - 1) // max(1, max_blocks - 1) for k in range(max_blocks)]
    names = CHECKS.keys() if checks is True else checks or ()
    strand = 0
    while True:
        observers: list[Observer] = [check() for name, check in CHECKS.items() if name in names]
        if watch is not None:
            observers.append(watch())
        counters = Counters() if profile else None
        if counters is not None:
            observers += [RowOverrun(), counters]
        if strand:
            observers.append(Changes())
        code = compiled.code(bool(names), counts=profile, waits=strand > 0)
        run = Launch(compiled, kernel_name, grid, block, args, shared_mem, code, blocks, observers, step_limit,
                     seconds, cooperative, strand, may_split=True, barriers_checked="barriers" in names, world=world)
        try:
            run.run(keep=len(blocks) == total)
            return Profile(run, counters) if counters is not None else None
        except Apart as apart:
            strand = apart.size


def trace(compiled: Compiled, kernel_name: str, grid: Sizes, block: Sizes, args: Sequence[Any], shared_mem: int = 0,
          block_index: Sequence[int] = (0, 0, 0), max_steps: int = MAX_STEPS) -> Trace:
    """Run one block of the kernel, recording each statement; the arrays stay as they are."""
    check_limits(compiled, kernel_name, block, shared_mem)
    x, y, z = block_index
    if not all(0 <= k < n for k, n in zip(block_index, grid, strict=True)):
        raise LaunchError(f"kernel {kernel_name}: block {tuple(block_index)} is not in the grid {tuple(grid)}",
                          kernel=kernel_name)
    number = [x + grid[0] * (y + grid[1] * z)]
    result = Trace(kernel_name, block, (x, y, z), compiled.program.text)
    observers = [*(check() for check in CHECKS.values()), Tracer(result, max_steps)]
    run = Launch(compiled, kernel_name, grid, block, args, shared_mem, compiled.code(trace=True), number, observers)
    try:
        run.run(keep=False)
    except Enough:
        pass
    return result
