"""From a checked kernel and the sizes of a launch to code: `write_kernel`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ...language import tree
from ...language.layout import leaves
from ...language.types import BOOL, Pointer, Struct, Vector, size_of
from ...language.walking import nodes
from ..code import Emitter
from .arithmetic import LaneArithmetic
from .constants import Constants, Sizes
from .control import LaneStatements
from .expressions import LaneExpressions
from .memory import LaneMemory
from .parts import Parts
from .regions import Regions
from .state import Address, Buffer, FaultSite, InRegisters, LoweringState, Scratch, register_kind
from .varying import Varying


@dataclass(frozen=True)
class Specialization:
    """What code is made for. arguments: of each parameter the bytes that an array has, None for the null pointer; a
    whole number that is baked in, None for what is passed. tracked: note which shared memory has been written."""

    grid: Sizes
    block: Sizes
    arguments: tuple[int | None, ...]
    shared: int = 0
    tracked: bool = False


@dataclass(frozen=True)
class Lowered:
    """sites: where it may end early, by the fault that it returns, less one. scratch: bytes of memory that it needs."""

    sites: Sequence[FaultSite]
    scratch: int


def write_kernel(code: Emitter, lanes: int, kernel: tree.Function, body: tree.Block, launch: Specialization,
          globals: Mapping[tree.Variable, int]) -> Lowered:
    """Write the kernel. body: in its normal form. globals: module variables, with the slot of their address among the
    arguments. Raises Refusal."""
    constants = _constants(body, kernel, launch)
    state = LoweringState(code, lanes, launch.grid, launch.block, constants)
    parts = Parts(LaneStatements(LaneExpressions(state, LaneMemory(state), LaneArithmetic(state))))
    state.varying = Varying(body, parts.differs)
    _bind(state, kernel, launch, globals)
    state.scratch = Scratch(code, code.arguments[3], 0)
    parts.shared_written = _place_shared(state, body, launch)
    Regions(parts).blocks(body)
    return Lowered(state.sites, state.scratch.nbytes)


def _bind(state: LoweringState, kernel: tree.Function, launch: Specialization,
          globals: Mapping[tree.Variable, int]) -> None:
    """Parameters and module variables, each in a slot of 8 bytes, those of a struct in several."""
    code, slot = state.code, 0
    for parameter, given in zip(kernel.parameters, launch.arguments, strict=True):
        if isinstance(parameter.type, Pointer):
            memory = None
            if given is not None:
                memory = Buffer(parameter.name, code.argument("ptr", slot), given)
            state.places[parameter] = Address(memory, code.word(0), size_of(parameter.type.target) or 1)
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
        state.places[variable] = Buffer(variable.name, code.argument("ptr", at), size_of(variable.type))


def _place_shared(state: LoweringState, body: tree.Block, launch: Specialization) -> tuple[int, int] | None:
    """Place shared variables at the beginning of scratch memory; what is of open size lies in one place.

    Return where it is noted what has been written, and how many bytes that takes, if it is."""
    code, free = state.code, 0
    found = {node.variable: None for node in nodes(body)
             if isinstance(node, tree.Name) and node.variable.space == "shared"}
    sizes = {variable: launch.shared if variable.dynamic else size_of(variable.type) for variable in found}
    room = sum(-(-size // 64) * 64 for variable, size in sizes.items() if not variable.dynamic)
    total = room + -(-launch.shared // 64) * 64
    for variable, size in sizes.items():
        at = room if variable.dynamic else free
        if not variable.dynamic:
            free += -(-size // 64) * 64
        base = code.offset(code.arguments[3], at)
        written = code.offset(code.arguments[3], total + at) if launch.tracked else None
        state.places[variable] = Buffer(variable.name, base, size, written=written)
    state.scratch.nbytes = 2 * total if launch.tracked else total
    return (total, total) if launch.tracked and total else None


def iterations(body: tree.Block, kernel: tree.Function, launch: Specialization) -> float:
    """Of loops that each thread makes, about; at least one."""
    return 1 + _constants(body, kernel, launch).work(body)


def _constants(body: tree.Block, kernel: tree.Function, launch: Specialization) -> Constants:
    numbers = {parameter: given for parameter, given in zip(kernel.parameters, launch.arguments, strict=True)
               if given is not None and not isinstance(parameter.type, Pointer)}
    return Constants(body, launch.grid, launch.block, numbers)
