"""Fragments of nvcuda::wmma to and from memory, by the accesses that nvcc makes of them for an H200. Lesson 09.

Halves in shared memory are read by ldmatrix, a row of 16 bytes by each lane; elsewhere each lane reads the 32 bits that
a register holds, or the 64 of two sums side by side. Blocks of halves that lie in memory the other way round are
transposed in registers, so that they cost no more.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...errors import KernelError, MisalignedAccessError
from ..machine_protocol import MachineProtocol
from ..masks import first_of, spread
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
from .warp import by_warp

ALIGNED = 32  # bytes; an address must be a multiple of a row of the tile, or of so many
LEADING = 16  # bytes that the step from row to row must be a multiple of


class Sites(NamedTuple):
    """held: the fragment's elements. given: those in memory. The others: accesses of so many bytes."""

    held: Any
    given: Any
    rows: Any
    by_size: dict[int, Any]


def sites(held: Any, given: Any, rows: Any, *others: Any) -> Sites:
    """others: for accesses of fewer bytes."""
    return Sites(held, given, rows, {site.size: site for site in others})


class FragmentPlan(NamedTuple):
    """The accesses that move a tile. lie: the tile as memory has it. step: elements of an access. across: a register's
    elements are in different rows of memory."""

    lie: FragmentTile
    step: int
    across: bool


def load_fragment(
    rt: MachineProtocol, m: Any, sites: Sites, x: Any, p: Any, ldm: Any, *numbers: Any
) -> None:
    """load_matrix_sync. x: pointer to the first element of the fragment. numbers: layout, use, M, N, K."""
    check_whole_warps(rt, m, sites.held)
    layout, use, *shape = (int(np.ravel(number)[0]) for number in numbers)
    own = tile_of(use, shape, sites.held.dtype)
    plan = _plan(own, use, sites.held.dtype, layout)
    _check_place(rt, m, sites.given, p, ldm, plan.lie)
    values = _loaded(rt, m, sites, p, ldm, use, plan)
    copies = 16 // own.held if use != SUM and sites.held.dtype == np.float16 else 1
    store_elements(m, sites.held, x, values, copies)


def store_fragment(
    rt: MachineProtocol, m: Any, sites: Sites, p: Any, x: Any, ldm: Any, *numbers: Any
) -> None:
    """store_matrix_sync. numbers: layout, M, N, K."""
    check_whole_warps(rt, m, sites.given)
    layout, *shape = (int(np.ravel(number)[0]) for number in numbers)
    own = tile_of(SUM, shape, sites.held.dtype)
    plan = _plan(own, SUM, sites.held.dtype, layout)
    _check_place(rt, m, sites.given, p, ldm, plan.lie)
    values = elements(rt, m, sites.held, x, own)
    for k, value in enumerate(_words(rt, values, plan)):
        width = plan.step * sites.held.size
        index = _index(rt, plan, k, ldm)
        p.scaled(sites.given.size, width, _as_it_is).store(
            index // plan.step, value, m, sites.by_size[width]
        )


def _plan(own: FragmentTile, use: int, dtype: np.dtype, layout: int) -> FragmentPlan:
    lie = own.turned if layout else own
    together = 2 if use == SUM else packed(dtype)
    across = together > 1 and bool(lie.rows[1, 0] != lie.rows[0, 0])
    return FragmentPlan(
        lie, 1 if across and dtype.itemsize != 2 else together, across and dtype.itemsize == 2
    )


def _loaded(
    rt: MachineProtocol, m: Any, sites: Sites, p: Any, ldm: Any, use: int, plan: FragmentPlan
) -> list[Any]:
    """The elements of each lane."""
    dtype = sites.held.dtype
    in_shared = all(part.memory.space == "shared" for _, part in p.parts(m))
    if (
        in_shared
        and use != SUM
        and plan.step * dtype.itemsize == 4
        and (dtype == np.float16 or dtype.itemsize == 1)
    ):
        registers = _by_rows(rt, m, sites, p, ldm, plan)
    else:
        width = plan.step * dtype.itemsize
        pointer = p.scaled(dtype.itemsize, width, _as_it_is)
        registers = [
            pointer.load(_index(rt, plan, k, ldm) // plan.step, m, sites.by_size[width])
            for k in range(plan.lie.held // plan.step)
        ]
    if plan.across:
        registers = [turned(rt, spread(register, rt.width)) for register in registers]
    flat = [
        part
        for register in registers
        for part in (register if register.__class__ is tuple else (register,))
    ]
    return [part for register in flat for part in unpacked(rt, register, dtype)]


def _index(rt: MachineProtocol, plan: FragmentPlan, k: int, ldm: Any) -> Any:
    """Element at which each lane's access k begins. Of a block that is turned, lane by lane in memory's order."""
    lie, first = plan.lie, k * plan.step
    rows, columns = lie.rows[first], lie.columns[first]
    if plan.across:
        lanes = np.arange(32)
        rows, columns = rows.min() + lanes // 4, columns.min() + 2 * (lanes % 4)
    return rows[rt.lane] * np.asarray(ldm).astype(np.int64) + columns[rt.lane]


def _by_rows(
    rt: MachineProtocol, m: Any, sites: Sites, p: Any, ldm: Any, plan: FragmentPlan
) -> list[Any]:
    """Up to four blocks of halves by one ldmatrix, two of bytes."""
    pointer = p.scaled(sites.given.size, sites.rows.size, _as_it_is)
    registers: list[Any] = []
    starts = [
        (plan.lie.rows[k].min(), plan.lie.columns[k].min())
        for k in range(0, plan.lie.held, plan.step)
    ]
    together = 4 if sites.held.size == 2 else 2
    for first in range(0, len(starts), together):
        blocks = np.array(starts[first : first + together])
        mine = blocks[np.minimum(rt.lane // BLOCK, len(blocks) - 1)]
        index = (mine[:, 0] + rt.lane % BLOCK) * np.asarray(ldm).astype(np.int64) + mine[:, 1]
        rows = pointer.moved(index * sites.given.size // sites.rows.size)
        registers += load_blocks(rt, m, sites.rows, rows, len(blocks), False)
    return registers


def _words(rt: MachineProtocol, values: list[Any], plan: FragmentPlan) -> list[Any]:
    """The elements of a fragment as the accesses store them."""
    if plan.step == 1:
        return [spread(value, rt.width).view(np.uint32) for value in values]
    pairs = [
        tuple(spread(value, rt.width) for value in values[k : k + 2])
        for k in range(0, len(values), 2)
    ]
    if values[0].dtype.itemsize == 4:
        return [tuple(part.view(np.uint32) for part in pair) for pair in pairs]
    words = [np.stack(pair, axis=1).view(np.uint32).reshape(-1) for pair in pairs]
    return [turned(rt, word) for word in words] if plan.across else words


def _as_it_is(*_: Any) -> None:
    """Of an address that is not aligned, in a launch without checks."""


# --- what the manual asks of addresses ------------------------------------------------------------


def _check_place(
    rt: MachineProtocol, m: Any, site: Any, p: Any, ldm: Any, lie: FragmentTile
) -> None:
    if not rt.checks:
        return
    _check_same(rt, m, site, ldm, "leading dimensions")
    for where, part in p.parts(m):
        _check_same(rt, where, site, part.offset, "addresses")
        _check_aligned(rt, where, site, part, ldm, min(ALIGNED, lie.shape[1] * site.size))
        _check_declared(rt, where, site, part.memory, ldm, lie)


def _check_same(rt: MachineProtocol, m: Any, site: Any, value: Any, what: str) -> None:
    if not np.ndim(value):
        return
    active = spread(m, rt.width)
    other = by_warp(rt, np.ascontiguousarray(value))[:, :1].repeat(32, axis=1)
    first = other.reshape(rt.blocks, -1)[:, : rt.threads].reshape(-1)
    wrong = active & (value != first)
    if wrong.any():
        rt.fail(
            KernelError,
            site,
            wrong,
            f"the lanes of a warp give {site.name} different {what}",
            "the whole warp moves one tile: all lanes name the same place",
            "compute it from the number of the warp, not from that of the thread",
        )


def _check_aligned(rt: MachineProtocol, m: Any, site: Any, part: Any, ldm: Any, step: int) -> None:
    lanes = spread(m, rt.width)
    first = first_of(lanes)
    memory, size = part.memory, site.size
    wrong = lanes & spread(np.asarray(part.offset) * size % step != 0, rt.width)
    if memory.space == "local":
        rt.fail(
            KernelError,
            site,
            lanes,
            f"{site.name} on the local array {memory.name}",
            "each thread has a local array of its own",
            "use shared or global memory",
        )
    if wrong.any():
        first = first_of(wrong)
        byte = int(spread(part.offset, rt.width)[first]) * size - memory.lead
        rt.fail(
            MisalignedAccessError,
            site,
            wrong,
            f"{site.name} of a tile that begins at {memory.name}[{byte // memory.element_size}], byte {byte}",
            f"the first element must lie at a multiple of {step} bytes",
            f"begin at a multiple of {step // size} elements",
        )
    wrong = lanes & spread(np.asarray(ldm).astype(np.int64) * size % LEADING != 0, rt.width)
    if wrong.any():
        given = int(spread(ldm, rt.width)[first_of(wrong)])
        rt.fail(
            MisalignedAccessError,
            site,
            wrong,
            f"{site.name} with a leading dimension of {given}",
            f"from row to row it must be a multiple of {LEADING} bytes, {LEADING // size} elements",
            f"pad the rows to a multiple of {LEADING // size}",
        )


def _check_declared(
    rt: MachineProtocol, m: Any, site: Any, memory: Any, ldm: Any, lie: FragmentTile
) -> None:
    """The rows of a tile are those of the array that it lies in, where that was declared with rows."""
    if len(memory.dims) < 2 or memory.dtype.itemsize != site.size:
        return
    lanes, row = spread(m, rt.width), memory.dims[-1]
    step = int(spread(ldm, rt.width)[first_of(lanes)])
    inside = step * int(lie.rows.max()) + int(lie.columns.max()) < row
    if step and row % step and step % row and not inside:
        dims = "".join(f"[{n}]" for n in memory.dims)
        rt.fail(
            KernelError,
            site,
            lanes,
            f"{site.name} goes from row to row by {step} elements, but {memory.name}{dims} has rows of {row}",
            "the leading dimension is the distance between two rows in memory",
            f"write {row} for it",
        )
