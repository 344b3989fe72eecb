"""Launches as native code: whether it can have them, and running them: code for these sizes, blocks in slices.

The simulator is the definition. Whatever is not known here runs there, and a fault puts the arrays back, so that the
simulator can run the launch again and say what is wrong. First used in lesson 07.
"""

from __future__ import annotations

import enum
import functools
import itertools
import math
import weakref
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

import numpy as np

from ...limits import MAX_SHARED
from .. import routes
from ..language.normal.collectives import is_collective
from ..language.normal.normalizer import normalized
from ..language.refusal import Refusal
from ..language.tree import Block, Function, IntrinsicCall, TranslationUnit, Variable
from ..language.types import Pointer, Scalar
from ..language.walking import nodes_of, variables_in
from . import headers
from .execution import Arguments, Slices, execute
from .llvm import runtime as llvm
from .lowering.contents import places_are_fixed
from .lowering.intrinsics import direct
from .lowering.kernel import Lowered, Specialization, iterations, slots_of, write_kernel
from .wasm import runtime as wasm

# What the simulator needs, measured once on a laptop: so much for each iteration of a loop that up to 16,384 threads
# make together, and so much more for each of the threads. All seconds here follow from these and are never measured:
# the same launches run natively on every computer.
SECONDS_TOGETHER, SECONDS_EACH, TOGETHER = 26e-6, 4.5e-9, 16_384
SLICES = 64
MODULES = 150  # that are kept loaded


class Launchable(Protocol):
    """The simulator's compiled form of a program, as native code uses it.

    written: parameters through which a kernel may store. variable: the array of a module variable.
    """

    program: TranslationUnit

    def written(self, kernel: str) -> Collection[str]: ...

    def variable(self, name: str) -> np.ndarray: ...


class Outcome(enum.Enum):
    """The result of trying native code: done; not for this engine; or a fault was found and the arrays are as before."""

    DONE = 1
    REFUSED = 2
    FAULT = 3


@dataclass
class Module:
    """Code that is loaded. size: bytes or characters of it; slices: in which blocks are run."""

    run: Any
    lowered: Lowered
    size: int
    slices: int = 1


@dataclass
class Kernel:
    """The facts that native code keeps about one kernel.

    refused: why it does not run natively. parallel: whether blocks may run at once.
    work: loop iterations of each thread, by launch.
    """

    function: Function
    body: Block | None = None
    globals: dict[Variable, int] = field(default_factory=dict)
    refused: str = ""
    parallel: bool = False
    launched: set[Specialization] = field(default_factory=set)
    unfit: dict[Specialization, str] = field(default_factory=dict)
    seen: dict[int, set[int]] = field(default_factory=dict)
    work: dict[Specialization, float] = field(default_factory=dict)

    @functools.cached_property
    def fixed(self) -> bool:
        """Return whether the addresses that the kernel accesses are known not to depend on values in memory."""
        return self.body is not None and places_are_fixed(self.body)


_kernels: weakref.WeakKeyDictionary[TranslationUnit, dict[str, Kernel]] = (
    weakref.WeakKeyDictionary()
)
_modules: dict[tuple[int, Specialization], tuple[Kernel, Module]] = {}


@functools.cache
def engine() -> Any:
    """Return the runtime that this machine has, or None."""
    return llvm.find() or wasm.find()


def native_engine() -> str | None:
    """Return the name of what runs native code on this machine, such as "LLVM", or None."""
    return None if engine() is None else str(engine().name)


def kernel(program: TranslationUnit, name: str) -> Kernel:
    """Return the kernel, which is normalised when it is first asked for."""
    known = _kernels.setdefault(program, {})
    if name not in known:
        known[name] = made = Kernel(program.functions[name])
        try:
            made.body = normalized(made.function, header)
        except Refusal as refusal:
            made.refused = str(refusal)
            return made
        made.parallel = not any(
            node.name.startswith("atomic") for node in nodes_of(IntrinsicCall, made.body)
        )
        named = variables_in(made.body)
        first = slots_of(made.function)
        for variable, _ in program.globals.values():
            if variable in named:
                made.globals[variable] = first + len(made.globals)
    return known[name]


def header(name: str, *types: Any) -> Function | None:
    """Return the function in CUDA C that stands for one of CUDA's; None for a function that is lowered itself.

    Raises Refusal for a function that has neither.
    """
    if direct(name) or is_collective(name):
        return None
    found = headers.function(name, *types)
    if found is None:
        raise Refusal(name)
    return found


def described(program: TranslationUnit, name: str) -> str:
    """Say what runs a kernel's unchecked launches, and why it is not native code."""
    if engine() is None:
        return "the simulator: pip install wasmtime for native code"
    known = kernel(program, name)
    why = known.refused or next(iter(known.unfit.values()), "")
    return f"the simulator: {why}" if why else engine().name


def touches_fixed_places(program: TranslationUnit, name: str) -> bool:
    """Do two launches with the same sizes and numbers touch the same places, whatever is there? Not if nobody knows."""
    return kernel(program, name).fixed


def _seconds(known: Kernel, launch: Specialization, values: Sequence[Any]) -> float:
    """Estimate how long the simulator takes: all numbers are known here, also those that are not baked in."""
    assert known.body is not None and launch.grid is not None
    numbers = tuple(int(value) if isinstance(value, np.integer) else None for value in values)
    threads = math.prod(launch.grid) * math.prod(launch.block)
    launch = replace(launch, arguments=numbers)
    if launch not in known.work:
        if len(known.work) >= MODULES:
            known.work.clear()
        known.work[launch] = iterations(known.body, known.function, launch)
    each = known.work[launch]
    return each * (math.ceil(threads / TOGETHER) * SECONDS_TOGETHER + threads * SECONDS_EACH)


# --- one launch -----------------------------------------------------------------------------


@dataclass
class EngineLaunch:
    """A launch with its arguments. compiled: what the simulator makes of its program."""

    compiled: Launchable
    name: str
    grid: Any
    block: Any
    values: Sequence[Any]
    shared: int


@dataclass
class Prospect(EngineLaunch):
    """A launch considered for native code. is_possible: nothing known before compiling speaks against it."""

    def __post_init__(self) -> None:
        self._launch: Specialization | None = None
        if engine() is not None:
            self._kernel = kernel(self.compiled.program, self.name)
            if not self._kernel.refused:
                sizes = self.grid, self.block, self.values, self.shared
                self._launch = _launch(self._kernel, *sizes)
        self.is_possible = self._launch is not None

    @property
    def seconds(self) -> float | None:
        """Return about how many seconds the simulator would take; None if native code cannot run the launch."""
        return None if self._launch is None else _seconds(self._kernel, self._launch, self.values)

    @functools.cached_property
    def is_first(self) -> bool:
        """Return whether native code has never been given a launch of these sizes before, and note this one."""
        assert self._launch is not None
        first = self._launch not in self._kernel.launched
        self._kernel.launched.add(self._launch)
        return first

    def run(self) -> Outcome:
        """Launch it natively."""
        launch = self._launch
        if launch is None:
            return Outcome.REFUSED
        known = self._kernel
        if launch in known.unfit or _aliased(self.values):
            return Outcome.REFUSED
        if self.is_first:
            launch = replace(launch, tracked=(self.seconds or 0) >= routes.LONG)
        try:
            module = _module(known, launch, self.values)
        except Refusal as refusal:
            known.unfit[launch] = str(refusal)
            return Outcome.REFUSED
        slices = Slices(math.prod(self.grid), module.slices, module.lowered.scratch, known.parallel)
        return Outcome.DONE if self._executed(module, slices) else Outcome.FAULT

    def run_at_any_size(self) -> tuple[Outcome, int | None]:
        """Run the launch by code that serves all grids and lengths of arrays, on one host thread.

        One thread makes the outcome of a race the same on every machine. Return the outcome and, of a fault, its block, where
        that is known; the arrays then hold what was written until then. Raises Refusal where native code cannot run it.
        """
        if engine() is None:
            raise Refusal("this machine has no engine for native code: pip install wasmtime")
        known, launch = self._kernel, self._launch
        if launch is None or self.shared > MAX_SHARED or _aliased(self.values):
            raise Refusal(known.refused or "arrays that overlap, or are too large")
        passed = tuple(
            0 if isinstance(parameter.type, Pointer) and given is not None else None
            for parameter, given in zip(known.function.parameters, launch.arguments, strict=True)
        )
        launch = replace(launch, grid=None, arguments=passed, shared=0)
        module = _module(known, launch, self.values)
        slices = Slices(math.prod(self.grid), SLICES, module.lowered.scratch, once=True)
        done = self._executed(module, slices)
        return (Outcome.DONE if done else Outcome.FAULT), slices.failed

    def _executed(self, module: Module, slices: Slices) -> bool:
        known = self._kernel
        arrays = [self.compiled.variable(variable.name) for variable in known.globals]
        written = self.compiled.written(self.name)
        passed = Arguments(known.function, self.values, arrays, written, self.grid, self.shared)
        return execute(engine(), module.run, passed, slices)


def _launch(
    known: Kernel, grid: Any, block: Any, values: Sequence[Any], shared: int
) -> Specialization | None:
    given: list[int | None] = []
    if sum(value.nbytes for value in values if isinstance(value, np.ndarray)) > routes.LARGEST:
        return None
    for k, (parameter, value) in enumerate(zip(known.function.parameters, values, strict=True)):
        if isinstance(parameter.type, Pointer):
            given.append(value.nbytes if isinstance(value, np.ndarray) else None)
        elif isinstance(parameter.type, Scalar) and parameter.type.dtype.kind in "iu":
            seen = known.seen.setdefault(k, set())
            if len(seen) <= routes.CHANGING:
                seen.add(int(value))
            given.append(int(value) if len(seen) <= routes.CHANGING else None)
        else:
            given.append(None)
    return Specialization(tuple(grid), tuple(block), tuple(given), shared)


def _aliased(values: Sequence[Any]) -> bool:
    """Return whether arrays overlap, so that copies of them would behave differently."""
    if engine().in_place:
        return False
    spans = sorted(
        (value.ctypes.data, value.ctypes.data + value.nbytes)
        for value in values
        if isinstance(value, np.ndarray) and value.nbytes
    )
    return any(end > start for (_, end), (start, _) in itertools.pairwise(spans))


def _module(known: Kernel, launch: Specialization, values: Sequence[Any]) -> Module:
    key = id(known), launch
    if key not in _modules:
        if len(_modules) >= MODULES:
            if not engine().free_modules():
                raise Refusal("another module: too many are loaded")
            _modules.clear()
        made = compile_kernel(known, launch, engine())
        if launch.grid is not None:
            made.slices = 1 + min(SLICES, int(_seconds(known, launch, values) / routes.SLICE))
        _modules[key] = known, made
    return _modules[key][1]


def compile_kernel(
    known: Kernel, launch: Specialization, target: Any, lanes: int | None = None
) -> Module:
    """Compile a kernel with that many lanes, else with as many as the target allows for it. Raises Refusal."""
    assert known.body is not None
    refusal: Refusal | None = None
    for count in target.printer.lane_counts if lanes is None else (lanes,):
        code = target.printer()
        try:
            lowered = write_kernel(code, count, known.function, known.body, launch, known.globals)
        except Refusal as error:
            refusal = error
            continue
        printed = code.finish()
        return Module(target.load(printed, brief=launch.grid is None), lowered, len(printed))
    assert refusal is not None
    raise refusal
