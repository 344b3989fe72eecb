"""Collectives: functions that the threads of a warp or block call together, because all of them take part."""

from __future__ import annotations

from typing import Any

from ..refusal import Refusal
from ..tree import Convert, Declare, Expr, IntrinsicCall, Literal, Name, Stmt, Variable
from ..types import UINT, Group
from .nodes import Barrier, Collective

SHUFFLES = ("__shfl_sync", "__shfl_up_sync", "__shfl_down_sync", "__shfl_xor_sync")
VOTES = ("__ballot_sync", "__any_sync", "__all_sync")
BLOCK_VOTES = ("__syncthreads_count", "__syncthreads_and", "__syncthreads_or")
CG = "cooperative_groups::"
ALL = 0xFFFFFFFF  # lanes


def is_collective(name: str) -> bool:
    """Return whether threads wait for each other in this function of CUDA's."""
    return name in (
        *SHUFFLES,
        *VOTES,
        *BLOCK_VOTES,
        "__syncthreads",
        "__syncwarp",
        "__activemask",
    ) or (
        name.startswith(CG)
        and name.removeprefix(CG) not in ("thread_rank", "size", "tile", "block_rank")
    )


def members(e: Any) -> int:
    """Return how many lanes the tile has that a group is, 0 for the whole block. Raises Refusal for other groups."""
    kind = e.type
    if isinstance(kind, Group) and kind.kind in ("tile", "block"):
        return kind.lanes
    if isinstance(e, Convert):
        return members(e.operand)
    if isinstance(e, Literal) and not e.value:
        return 0
    if (
        isinstance(e, IntrinsicCall)
        and e.name == CG + "tile"
        and isinstance(e.arguments[1], Literal)
    ):
        members(e.arguments[0])
        return int(e.arguments[1].value)
    raise Refusal(f"a group of the kind {kind}")


def collective(e: IntrinsicCall, operands: list[Expr]) -> list[Stmt]:
    """Return the statements for a call, of which the last one is a Barrier or Collective."""
    name, lanes = e.name, 32
    if name in ("__syncthreads", "__syncwarp"):
        return [Barrier(e.at)]
    if name.startswith(CG):
        lanes = members(operands[0])
        if name == CG + "sync":
            return [Barrier(e.at)]
        of_warps = f"__{name.removeprefix(CG)}_sync"
        if not lanes or of_warps not in (*SHUFFLES, *VOTES):
            raise Refusal(name)
        name = of_warps
        operands[0] = Literal(e.at, UINT, ALL)
    if name in SHUFFLES and len(operands) == 4:
        width = operands.pop()
        if not isinstance(width, Literal):
            raise Refusal("a shuffle whose width is not constant")
        lanes = int(width.value)
    given = [
        Declare(e.at, Variable("given", operand.type, "local", e.at), operand)
        for operand in operands[name in SHUFFLES :]
    ]
    names: list[Expr] = [Name(e.at, one.variable.type, one.variable) for one in given]
    return [
        *given,
        Collective(e.at, name, names, Variable("met", e.type, "local", e.at), lanes),
    ]
