"""From a checked kernel and the sizes of a launch to code: `lower`. First used in lesson 07."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ...language import tree
from ...language.layout import leaves
from ...language.types import BOOL, Pointer, Struct, Vector, size_of
from ...language.walking import nodes
from ..code import Emitter
from .constants import Constants, Sizes
from .regions import Regions
from .state import Address, Buffer, FaultSite, InRegisters, register_kind
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


def lower(code: Emitter, lanes: int, kernel: tree.Function, body: tree.Block, launch: Specialization,
          globals: Mapping[tree.Variable, int]) -> Lowered:
    """Write the kernel. body: flattened. globals: module variables, with the slot of their address among the
    arguments. Raises Refusal."""
    constants = _constants(body, kernel, launch)
    lowering = Regions(code, lanes, launch.grid, launch.block, constants)
    lowering.varying = Varying(body, lowering.differs)
    _bind(lowering, kernel, launch, globals)
    free = _place_shared(lowering, body, launch)
    lowering.setup(code.arguments[3], free)
    lowering.blocks(body)
    return Lowered(lowering.sites, lowering.scratch_bytes)


def _bind(lowering: Regions, kernel: tree.Function, launch: Specialization,
          globals: Mapping[tree.Variable, int]) -> None:
    """Parameters and module variables, each in a slot of 8 bytes, those of a struct in several."""
    code, slot = lowering.code, 0
    for parameter, given in zip(kernel.parameters, launch.arguments, strict=True):
        if isinstance(parameter.type, Pointer):
            memory = None
            if given is not None:
                memory = Buffer(parameter.name, code.argument("ptr", slot), given)
            lowering.places[parameter] = Address(memory, code.word(0), size_of(parameter.type.target) or 1)
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
        lowering.places[parameter] = InRegisters(parameter.type, values)
    for variable, at in globals.items():
        lowering.places[variable] = Buffer(variable.name, code.argument("ptr", at), size_of(variable.type))


def _place_shared(lowering: Regions, body: tree.Block, launch: Specialization) -> int:
    """From the beginning of scratch memory; what is of open size lies in one place. Returns what is free behind."""
    code, free = lowering.code, 0
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
        lowering.places[variable] = Buffer(variable.name, base, size, written=written)
    lowering.shared_written = (total, total) if launch.tracked and total else None
    return 2 * total if launch.tracked else total


def iterations(body: tree.Block, kernel: tree.Function, launch: Specialization) -> float:
    """Of loops that each thread makes, about; at least one."""
    return 1 + _constants(body, kernel, launch).work(body)


def _constants(body: tree.Block, kernel: tree.Function, launch: Specialization) -> Constants:
    numbers = {parameter: given for parameter, given in zip(kernel.parameters, launch.arguments, strict=True)
               if given is not None and not isinstance(parameter.type, Pointer)}
    return Constants(body, launch.grid, launch.block, numbers)
