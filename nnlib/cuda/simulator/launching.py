"""Run a kernel over a grid: limits, memories for the arguments, chunks of blocks, and undoing a failed launch."""

# mypy: disable-error-code="union-attr"
# (the checker of the language has seen to it that types fit)

from __future__ import annotations

import math
from typing import Any

import numpy as np

from nnlib.cuda.errors import KernelError, LaunchError
from nnlib.cuda.language import tree
from nnlib.cuda.language.types import Pointer as PointerType
from nnlib.cuda.language.types import Scalar, Vector
from nnlib.cuda.limits import MAX_SHARED
from nnlib.cuda.simulator.codegen.function import Code, lower
from nnlib.cuda.simulator.codegen.pointer_flow import written_parameters
from nnlib.cuda.simulator.fault_report import Report
from nnlib.cuda.simulator.machine import Runtime
from nnlib.cuda.simulator.memory import Memory, NullMemory, Pointer, array_dims
from nnlib.cuda.simulator.observers.checks import Bounds, RowOverrun, Uninitialized
from nnlib.cuda.simulator.observers.counters import Counters
from nnlib.cuda.simulator.observers.races import Races
from nnlib.cuda.simulator.observers.tracing import Enough, Trace, Tracer
from nnlib.cuda.simulator.profile import Profile

CHUNK_THREADS = 16_384  # threads that run together: their arrays fit the processor's cache
CHUNK_SHARED = 32 * 2**20  # bytes of shared memory of all blocks of a chunk
STEP_LIMIT = 200_000  # loop iterations of a chunk, nested ones included, per 1,024 threads: some ten seconds
MAX_STEPS = 2000  # statements of a trace


class Compiled:
    """A program ready to run; its Python forms (with checks, counters, trace) are made when first needed."""

    def __init__(self, program: tree.Program):
        self.program = program
        self._codes: dict[tuple, Code] = {}
        self._written = written_parameters(program)
        self.module_data: dict[str, np.ndarray] = {}  # __device__ and __constant__ variables outlive a launch

    def code(self, checks: bool = True, counts: bool = False, trace: bool = False) -> Code:
        key = (checks, counts, trace)
        if key not in self._codes:
            self._codes[key] = lower(self.program, *key)
        return self._codes[key]

    @property
    def source(self) -> str:
        """The generated Python."""
        return self.code().source

    def written(self, kernel: str) -> set[str]:
        """Parameters through which the kernel may store."""
        return self._written[kernel]


class Launch:
    """One launch: what all its chunks share. Observers watch memory and are told of barriers.

    watchers: memory space -> functions called before each access there. observers: objects with handlers
    (barrier, warp_sync, fence, chunk_begin, chunk_end, ...) for other events.
    """

    def __init__(self, compiled: Compiled, name: str, grid, block, args, shared_mem: int, code: Code,
                 blocks: np.ndarray, step_limit: int):
        self.compiled, self.name, self.grid, self.block, self.code = compiled, name, grid, block, code
        self.function = compiled.program.functions[name]
        self.threads = math.prod(block)
        self.blocks, self.step_limit, self.checks = blocks, step_limit, code.checks
        self.report = Report(name, compiled.program, block, grid)
        self.watchers: dict[str, list] = {"global": [], "tracked": [], "constant": [], "shared": [], "local": []}
        self.observers: list = []
        self.warnings: list[tuple[int, str]] = []
        self.printed: list[tuple[int, int, str]] = []
        self.runtime: Runtime | None = None
        self.shared_layout = {id(v): self._layout(v, shared_mem) for f in compiled.program.functions.values()
                              for v in f.shared}
        self.shared_bytes = sum(layout[0] for layout in self.shared_layout.values())
        self._thread_index: dict[tuple[str, int], np.ndarray] = {}
        self.memories: list[Memory] = []
        self.null = Pointer(NullMemory(self.watchers["global"]))
        self.arguments = self._bind(args)
        self.modules = {name: self._module_variable(variable, initializer)
                        for name, (variable, initializer) in compiled.program.globals.items()}

    def add(self, observer, *spaces: str) -> None:
        """Let the observer watch memory of these spaces and hear of other events."""
        self.observers.append(observer)
        for space in spaces:
            self.watchers[space].append(observer)

    def thread_index(self, axis: str, blocks: int) -> np.ndarray:
        """threadIdx along an axis, of every thread of so many blocks."""
        if (axis, blocks) not in self._thread_index:
            x, y, _ = self.block
            thread = np.arange(self.threads, dtype=np.uint32)
            row = thread // np.uint32(x)
            own = {"x": thread % np.uint32(x), "y": row % np.uint32(y), "z": row // np.uint32(y)}
            self._thread_index[axis, blocks] = np.tile(own[axis], blocks)
        return self._thread_index[axis, blocks]

    # --- memories -----------------------------------------------------------------------

    def _layout(self, variable: tree.Variable, shared_mem: int):
        element = tree.flat_element(variable.type)
        base: Any = element.base if isinstance(element, Vector) else element
        nbytes = shared_mem if variable.dynamic else variable.type.size
        return nbytes, base.dtype, () if variable.dynamic else array_dims(variable.type), variable.dynamic

    def _bind(self, args) -> list:
        """Argument values for the generated function; an array passed twice is one memory."""
        known: dict[tuple, Memory] = {}
        written = self.compiled.written(self.name)
        bound = []
        for variable, value in zip(self.function.parameters, args, strict=True):
            if not isinstance(variable.type, PointerType):
                bound.append(value if isinstance(variable.type, Scalar) else tuple(value))
                continue
            if value is None:
                bound.append(self.null)
                continue
            key = (value.ctypes.data, value.nbytes)
            memory = known.get(key)
            if memory is None:
                memory = known[key] = Memory(variable.name, value, self.watchers["global"])
                memory.array = value
                self.memories.append(memory)
            if variable.name in written:
                memory.watchers = self.watchers["tracked"]
                memory.is_written = True
            bound.append(Pointer(memory))
        return bound

    def _module_variable(self, variable: tree.Variable, initializer) -> Memory:
        data = self.compiled.module_data.get(variable.name)
        if data is None:
            data = self.compiled.module_data[variable.name] = initial_value(variable, initializer)
        constant = variable.space == "constant"
        memory = Memory(variable.name, data, self.watchers["constant" if constant else "tracked"],
                        array_dims(variable.type))
        memory.space = variable.space
        if not constant:
            memory.array, memory.is_written = data, True
            self.memories.append(memory)
        return memory

    # --- running ------------------------------------------------------------------------

    def run(self, keep: bool = True) -> None:
        """All chunks. If one fails (with checks), or keep is off, all arrays are as before."""
        saved = [(m.array, m.array.copy()) for m in self.memories if m.is_written and (self.checks or not keep)]
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
        finally:
            if not done:
                for array, before in saved:
                    array[...] = before
            self._flush_printed()

    def _run_chunks(self) -> None:
        function = self.code.namespace[self.code.python_names[self.name]]
        per_chunk = max(1, CHUNK_THREADS // self.threads)
        if self.shared_bytes:
            per_chunk = max(1, min(per_chunk, CHUNK_SHARED // self.shared_bytes))
        for first in range(0, len(self.blocks), per_chunk):
            runtime = self.runtime = Runtime(self, first, min(per_chunk, len(self.blocks) - first))
            runtime.tell("chunk_begin", runtime)
            try:
                function(runtime, None, *self.arguments)
            except RecursionError:
                raise KernelError(f"kernel {self.name}: the recursion of a __device__ function does not end",
                                  kernel=self.name) from None
            runtime.tell("chunk_end")

    def _flush_printed(self) -> None:
        if self.printed:
            print("".join(text for _, _, text in sorted(self.printed)), end="")


def initial_value(variable: tree.Variable, initializer) -> np.ndarray:
    """What a module variable holds before the first launch."""
    element = tree.flat_element(variable.type)
    base: Any = element.base if isinstance(element, Vector) else element
    data = np.zeros(variable.type.size // base.size, base.dtype)
    if isinstance(initializer, tree.InitializerList):
        for k, value in initializer.items:
            data[k] = literal(value)
    elif initializer is not None:
        data[0] = literal(initializer)
    return data


def literal(value: Any) -> Any:
    """Value of a constant initialiser."""
    while isinstance(value, tree.Convert):
        value = value.operand
    if isinstance(value, tree.Unary) and value.op == "-":
        return -literal(value.operand)
    return value.value


def check_limits(compiled: Compiled, name: str, block, shared_mem: int) -> None:
    """LaunchError for what an H100 would refuse of this kernel; what it refuses of any, `arguments` has found."""
    threads = math.prod(block)
    function = compiled.program.functions[name]
    if function.max_threads and threads > function.max_threads:
        raise LaunchError(f"kernel {name}: a block of {block[0]} x {block[1]} x {block[2]} has {threads} threads; "
                          f"__launch_bounds__ allows at most {function.max_threads}. "
                          "Use smaller blocks and more of them", kernel=name)
    sizes: list[int] = [v.type.size for v in function.shared if not v.dynamic]
    static = sum(sizes)
    if static + shared_mem > MAX_SHARED:
        raise LaunchError(f"kernel {name}: {static + shared_mem:,} bytes of shared memory per block; "
                          f"an H100 has {MAX_SHARED:,}. Use smaller tiles", kernel=name)


def launch(compiled: Compiled, kernel_name: str, grid, block, args, shared_mem: int = 0, checks: bool = True,
           profile: bool = False, max_blocks: int | None = None, step_limit: int = STEP_LIMIT):
    """Run the kernel; arrays in args change in place. Returns a Profile if one is asked for.

    grid, block: (x, y, z). args: values in signature order, NumPy arrays (C-contiguous, of the declared
    dtype) or typed NumPy scalars. checks: find faults; off, the kernel runs several times faster.
    max_blocks: run only so many blocks, spread over the grid, and leave the arrays as they are.
    Raises the errors of nnlib.cuda.errors; a checked launch that fails leaves the arrays as they were.
    """
    check_limits(compiled, kernel_name, block, shared_mem)
    total = math.prod(grid)
    blocks = np.arange(total)
    if max_blocks is not None and max_blocks < total:
        blocks = np.unique(np.linspace(0, total - 1, max_blocks).astype(np.int64))
    code = compiled.code(checks or profile, counts=profile)
    run = Launch(compiled, kernel_name, tuple(grid), tuple(block), args, shared_mem, code, blocks, step_limit)
    if checks or profile:
        _add_checks(run)
    counters = Counters(run) if profile else None
    if counters is not None:
        run.add(RowOverrun(run), "shared", "local")
        run.add(counters, "global", "tracked", "shared")
    run.run(keep=len(blocks) == total)
    return Profile(run, counters) if counters is not None else None


def _add_checks(run: Launch) -> None:
    run.add(Bounds(run), "global", "tracked", "constant", "shared", "local")
    run.add(Uninitialized(run), "shared")
    run.add(Races(run), "tracked", "shared")


def trace(compiled: Compiled, kernel_name: str, grid, block, args, shared_mem: int = 0, block_index=(0, 0, 0),
          max_steps: int = MAX_STEPS) -> Trace:
    """Run one block of the kernel, recording each statement; the arrays stay as they are."""
    check_limits(compiled, kernel_name, block, shared_mem)
    x, y, z = block_index
    if not all(0 <= k < n for k, n in zip(block_index, grid, strict=True)):
        raise LaunchError(f"kernel {kernel_name}: block {tuple(block_index)} is not in the grid {tuple(grid)}",
                          kernel=kernel_name)
    number = np.array([x + grid[0] * (y + grid[1] * z)])
    result = Trace(kernel_name, tuple(block), tuple(block_index), compiled.program.text)
    run = Launch(compiled, kernel_name, tuple(grid), tuple(block), args, shared_mem, compiled.code(trace=True),
                 number, STEP_LIMIT)
    _add_checks(run)
    run.add(Tracer(result, max_steps), "global", "tracked", "constant", "shared")
    try:
        run.run(keep=False)
    except Enough:
        pass
    return result
