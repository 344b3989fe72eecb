"""Fragments of nvcuda::wmma to and from memory, by the accesses that nvcc makes of them for an H200. Lesson 09.

Halves in shared memory are read by ldmatrix, a row of 16 bytes by each lane; elsewhere each lane reads the 32 bits that
a register holds, or the 64 of two sums side by side. Blocks of halves that lie in memory the other way round are
transposed in registers, so that they cost no more.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...errors import KernelError, MisalignedAccessError
from ..machine_protocol import GroupCall, MachineProtocol
from ..masks import PerThread, at, first_of
from ..memory.pointers import AnyPointer, PointerValue
from ..memory.spaces import Memory, Site
from .fragments import SUM, FragmentTile
from .tensor import (
    BLOCK,
    check_whole_warps,
    elements,
    load_blocks,
    packed,
    store_elements,
    tile_of,
    turned,
    unpacked,
)
from .warp import by_thread, by_warp

ALIGNED = 32  # bytes; an address must be a multiple of a row of the tile, or of so many
LEADING = 16  # bytes that the step from row to row must be a multiple of


class Move(NamedTuple):
    """A fragment on its way from or to memory.

    held: the call for its elements in registers. given: for those in memory, from the pointer p on. ldm: elements from
    row to row there. rows: for accesses of whole rows. sites: of narrower accesses, by their bytes.
    """

    held: GroupCall
    given: GroupCall
    rows: GroupCall
    sites: dict[int, Site]
    p: AnyPointer
    ldm: PerThread

    def pointer(self, width: int) -> AnyPointer:
        """Return the pointer, counted in elements of so many bytes."""
        return self.p.scaled(self.given.site.size, width, _as_it_is)


def _move(call: GroupCall, sites: tuple[Site, ...], p: AnyPointer, ldm: PerThread) -> Move:
    """sites: of the elements in registers and in memory, of rows, and of narrower accesses."""
    held, given, rows = (call.by(call.m, site) for site in sites[:3])
    return Move(held, given, rows, {site.size: site for site in sites[3:]}, p, ldm)


class FragmentPlan(NamedTuple):
    """The accesses that move a tile. lie: the tile as memory has it. step: elements of an access. across: a register's
    elements are in different rows of memory."""

    lie: FragmentTile
    step: int
    across: bool


def load_fragment(
    call: GroupCall,
    sites: tuple[Site, ...],
    x: AnyPointer,
    p: AnyPointer,
    ldm: PerThread,
    *numbers: PerThread,
) -> None:
    """load_matrix_sync. x: pointer to the first element of the fragment. numbers: layout, use, M, N, K."""
    check_whole_warps(call)
    move, dtype = _move(call, sites, p, ldm), sites[0].dtype
    layout, use, *shape = (int(np.ravel(number)[0]) for number in numbers)
    own = tile_of(use, shape, dtype)
    plan = _plan(own, use, dtype, layout)
    _check_place(move, plan.lie)
    copies = 16 // own.held if use != SUM and dtype == np.float16 else 1
    store_elements(move.held, x, _loaded(move, use, plan), copies)


def store_fragment(
    call: GroupCall,
    sites: tuple[Site, ...],
    p: AnyPointer,
    x: AnyPointer,
    ldm: PerThread,
    *numbers: PerThread,
) -> None:
    """store_matrix_sync. numbers: layout, M, N, K."""
    check_whole_warps(call)
    move, dtype = _move(call, sites, p, ldm), sites[0].dtype
    layout, *shape = (int(np.ravel(number)[0]) for number in numbers)
    own = tile_of(SUM, shape, dtype)
    plan = _plan(own, SUM, dtype, layout)
    _check_place(move, plan.lie)
    width = plan.step * dtype.itemsize
    for k, value in enumerate(_words(call.rt, elements(move.held, x, own), plan)):
        index = _index(move, plan, k) // plan.step
        move.pointer(width).store(index, value, call.m, move.sites[width])


def _plan(own: FragmentTile, use: int, dtype: np.dtype, layout: int) -> FragmentPlan:
    lie = own.turned if layout else own
    together = 2 if use == SUM else packed(dtype)
    across = together > 1 and bool(lie.rows[1, 0] != lie.rows[0, 0])
    return FragmentPlan(
        lie, 1 if across and dtype.itemsize != 2 else together, across and dtype.itemsize == 2
    )


def _loaded(move: Move, use: int, plan: FragmentPlan) -> list[PerThread]:
    """Return the elements of each lane."""
    m, rt, dtype = move.held.m, move.held.rt, move.held.site.dtype
    width = plan.step * dtype.itemsize
    in_shared = all(part.memory.space == "shared" for _, part in move.p.parts(m))
    by_rows = width == 4 and (dtype == np.float16 or dtype.itemsize == 1)
    registers: list[PerThread]
    if in_shared and use != SUM and by_rows:
        registers = _by_rows(move, plan)
    else:
        registers = [
            move.pointer(width).load(_index(move, plan, k) // plan.step, m, move.sites[width])
            for k in range(plan.lie.held // plan.step)
        ]
    if plan.across:
        registers = [turned(rt, rt.spread(register)) for register in registers]
    return [part for register in registers for part in unpacked(rt, register, dtype)]


def _index(move: Move, plan: FragmentPlan, k: int) -> PerThread:
    """Element at which each lane's access k begins. Of a block that is turned, lane by lane in memory's order."""
    lie, first = plan.lie, k * plan.step
    rows, columns = lie.rows[first], lie.columns[first]
    if plan.across:
        lanes = np.arange(32)
        rows, columns = rows.min() + lanes // 4, columns.min() + 2 * (lanes % 4)
    lane = move.given.rt.lane
    return rows[lane] * np.asarray(move.ldm).astype(np.int64) + columns[lane]


def _by_rows(move: Move, plan: FragmentPlan) -> list[PerThread]:
    """Up to four blocks of halves by one ldmatrix, two of bytes."""
    lane, size, row = move.rows.rt.lane, move.given.site.size, move.rows.site.size
    registers: list[PerThread] = []
    starts = [
        (plan.lie.rows[k].min(), plan.lie.columns[k].min())
        for k in range(0, plan.lie.held, plan.step)
    ]
    together = 4 if move.held.site.size == 2 else 2
    for first in range(0, len(starts), together):
        blocks = np.array(starts[first : first + together])
        mine = blocks[np.minimum(lane // BLOCK, len(blocks) - 1)]
        index = (mine[:, 0] + lane % BLOCK) * np.asarray(move.ldm).astype(np.int64) + mine[:, 1]
        rows = move.pointer(row).moved(index * size // row)
        registers += load_blocks(move.rows, rows, len(blocks), False)
    return registers


def _words(rt: MachineProtocol, values: list[PerThread], plan: FragmentPlan) -> list[PerThread]:
    """Return the elements of a fragment as the accesses store them."""
    if plan.step == 1:
        return [rt.spread(value).view(np.uint32) for value in values]
    pairs = [tuple(map(rt.spread, values[k : k + 2])) for k in range(0, len(values), 2)]
    if values[0].dtype.itemsize == 4:
        return [tuple(part.view(np.uint32) for part in pair) for pair in pairs]
    words = [np.stack(pair, axis=1).view(np.uint32).reshape(-1) for pair in pairs]
    return [turned(rt, word) for word in words] if plan.across else words


def _as_it_is(*_: Any) -> None:
    """Of an address that is not aligned, in a launch without checks."""


# --- what the manual asks of addresses ------------------------------------------------------------


def _check_place(move: Move, lie: FragmentTile) -> None:
    call = move.given
    if not call.rt.checks:
        return
    _check_same(call, move.ldm, "leading dimensions")
    for where, part in move.p.parts(call.m):
        here = call.by(where)
        _check_same(here, part.offset, "addresses")
        _check_aligned(here, part, move.ldm, min(ALIGNED, lie.shape[1] * call.site.size))
        _check_declared(here, part.memory, move.ldm, lie)


def _check_same(call: GroupCall, value: PerThread, what: str) -> None:
    if not np.ndim(value):
        return
    first = by_thread(call.rt, by_warp(call.rt, value)[:, :1].repeat(32, axis=1))
    wrong = call.active & (value != first)
    if wrong.any():
        call.fail(
            KernelError,
            wrong,
            f"the lanes of a warp give {call.site.name} different {what}",
            "the whole warp moves one tile: all lanes name the same place",
            "compute it from the number of the warp, not from that of the thread",
        )


def _check_aligned(call: GroupCall, part: PointerValue, ldm: PerThread, step: int) -> None:
    lanes, name = call.active, call.site.name
    memory, size = part.memory, call.site.size
    wrong = lanes & (np.asarray(part.offset) * size % step != 0)
    if memory.space == "local":
        call.fail(
            KernelError,
            lanes,
            f"{name} on the local array {memory.name}",
            "each thread has a local array of its own",
            "use shared or global memory",
        )
    if wrong.any():
        byte = int(at(part.offset, first_of(wrong))) * size - memory.lead
        call.fail(
            MisalignedAccessError,
            wrong,
            f"{name} of a tile that begins at {memory.name}[{byte // memory.element_size}], byte {byte}",
            f"the first element must lie at a multiple of {step} bytes",
            f"begin at a multiple of {step // size} elements",
        )
    wrong = lanes & (np.asarray(ldm).astype(np.int64) * size % LEADING != 0)
    if wrong.any():
        given = int(at(ldm, first_of(wrong)))
        call.fail(
            MisalignedAccessError,
            wrong,
            f"{name} with a leading dimension of {given}",
            f"from row to row it must be a multiple of {LEADING} bytes, {LEADING // size} elements",
            f"pad the rows to a multiple of {LEADING // size}",
        )


def _check_declared(call: GroupCall, memory: Memory, ldm: PerThread, lie: FragmentTile) -> None:
    """The rows of a tile are those of the array that it lies in, where that was declared with rows."""
    if len(memory.dims) < 2 or memory.dtype.itemsize != call.site.size:
        return
    lanes, row = call.active, memory.dims[-1]
    step = int(at(ldm, first_of(lanes)))
    inside = step * int(lie.rows.max()) + int(lie.columns.max()) < row
    if step and row % step and step % row and not inside:
        dims = "".join(f"[{n}]" for n in memory.dims)
        call.fail(
            KernelError,
            lanes,
            f"{call.site.name} goes from row to row by {step} elements, but {memory.name}{dims} has rows of {row}",
            "the leading dimension is the distance between two rows in memory",
            f"write {row} for it",
        )
