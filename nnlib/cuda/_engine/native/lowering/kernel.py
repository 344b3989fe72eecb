"""From a checked kernel and the sizes of a launch to code: `write_kernel`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ....limits import MAX_SHARED
from ...language.layout import leaves
from ...language.normal.pruning import pruned
from ...language.normal.ranges import Ranges
from ...language.tree import Block, Function, Name, Variable
from ...language.types import BOOL, Pointer, Struct, Vector, size_of
from ...language.walking import nodes_of
from ..code import Emitter
from .arithmetic import LaneArithmetic
from .constants import Constants, Sizes
from .control import LaneStatements
from .expressions import LaneExpressions
from .memory import LaneMemory
from .parts import Parts
from .regions import Regions
from .state import Address, Buffer, InRegisters, LoweringState, Scratch, register_kind
from .varying import Varying


@dataclass(frozen=True)
class Specialization:
    """The properties of a launch for which native code is compiled.

    grid: None for any grid. shared: bytes of dynamic shared memory.
    arguments: for each parameter the bytes of an array, None for the null pointer; an integer that is compiled in, None for
    a value that is passed. For code that serves any grid, shared and the bytes of arrays are passed, too.
    tracked: note which shared memory has been written.
    """

    grid: Sizes | None
    block: Sizes
    arguments: tuple[int | None, ...]
    shared: int = 0
    tracked: bool = False


@dataclass(frozen=True)
class Lowered:
    """sites: where it may end early, by the fault that it returns, less one. scratch: bytes of memory that it needs."""

    sites: Sequence[str]
    scratch: int


def write_kernel(
    code: Emitter,
    lanes: int,
    kernel: Function,
    body: Block,
    launch: Specialization,
    globals: Mapping[Variable, int],
) -> Lowered:
    """Write the kernel.

    body: in normal form. globals: module variables, with the slot of their address among the arguments. Raises Refusal.
    """
    if launch.grid is not None:
        numbers = _numbers(kernel, launch)
        body = pruned(body, Ranges(body, launch.grid, launch.block, numbers))
    constants = _constants(body, kernel, launch)
    after = slots_of(kernel) + len(globals)
    x, y, z = (
        [code.argument("i32", after + axis) for axis in range(3)]
        if launch.grid is None
        else map(code.word, launch.grid)
    )
    state = LoweringState(code, lanes, (x, y, z), launch.block, constants)
    parts = Parts(LaneStatements(LaneExpressions(state, LaneMemory(state), LaneArithmetic(state))))
    state.varying = Varying(body, parts.differs)
    _bind(state, kernel, launch, globals, after + 4)
    state.scratch = Scratch(code, code.arguments[3], 0)
    parts.shared_written = _place_shared(state, body, launch, after + 3)
    Regions(parts).blocks(body)
    return Lowered(state.sites, state.scratch.nbytes)


def slots_of(kernel: Function) -> int:
    """Return how many slots of 8 bytes a parameter of this type takes; a struct takes one per leaf."""
    return sum(len(leaves(parameter.type)) for parameter in kernel.parameters)


def _bind(
    state: LoweringState,
    kernel: Function,
    launch: Specialization,
    globals: Mapping[Variable, int],
    sizes: int,
) -> None:
    """Bind parameters and module variables to their slots. sizes: the slot of the first parameter's bytes."""
    code, slot = state.code, 0
    for k, (parameter, given) in enumerate(zip(kernel.parameters, launch.arguments, strict=True)):
        if isinstance(parameter.type, Pointer):
            memory = None
            if given is not None:
                nbytes = given if launch.grid is not None else code.argument("i32", sizes + k)
                memory = Buffer(code.argument("ptr", slot), nbytes)
            state.places[parameter] = Address(
                memory, code.word(0), size_of(parameter.type.target) or 1
            )
            slot += 1
            continue
        values = []
        for leaf in leaves(parameter.type):
            kind = register_kind(leaf.type)
            if given is not None and not isinstance(parameter.type, Struct | Vector):
                values.append(code.constant(kind, given))
            elif leaf.type == BOOL:
                values.append(code.convert(code.argument("i32", slot), "b"))
            else:
                values.append(code.argument(kind, slot))
            slot += 1
        state.places[parameter] = InRegisters(parameter.type, values)
    for variable, at in globals.items():
        state.places[variable] = Buffer(code.argument("ptr", at), size_of(variable.type))


def _place_shared(
    state: LoweringState, body: Block, launch: Specialization, slot: int
) -> tuple[int, int] | None:
    """Place shared variables at the beginning of scratch memory; all those of open size lie in one place.

    Return where code notes which shared memory has been written, and how many bytes the notes take, or None. slot: of the
    open size, where it is passed.
    """
    code, scratch = state.code, state.scratch
    open_size = code.argument("i32", slot) if launch.grid is None else launch.shared
    most = MAX_SHARED if launch.grid is None else launch.shared
    found = {
        node.variable: None for node in nodes_of(Name, body) if node.variable.space == "shared"
    }
    places = {v: scratch.allocate(size_of(v.type)) for v in found if not v.dynamic}
    room = scratch.allocate(most if len(places) < len(found) else 0)
    total = scratch.nbytes
    for variable in found:
        at = places.get(variable, room)
        size = open_size if variable.dynamic else size_of(variable.type)
        written = scratch.at(total + at) if launch.tracked else None
        state.places[variable] = Buffer(scratch.at(at), size, written=written)
    return (scratch.allocate(total), total) if launch.tracked and total else None


def iterations(body: Block, kernel: Function, launch: Specialization) -> float:
    """Estimate the loop iterations of each thread; at least one."""
    return 1 + _constants(body, kernel, launch).work(body)


def _constants(body: Block, kernel: Function, launch: Specialization) -> Constants:
    return Constants(body, launch.grid, launch.block, _numbers(kernel, launch))


def _numbers(kernel: Function, launch: Specialization) -> dict[Variable, int]:
    """Return the parameters whose values are known."""
    return {
        parameter: given
        for parameter, given in zip(kernel.parameters, launch.arguments, strict=True)
        if given is not None and not isinstance(parameter.type, Pointer)
    }
