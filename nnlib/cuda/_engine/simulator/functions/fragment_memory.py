"""Fragments of nvcuda::wmma to and from memory, by the accesses that nvcc makes of them for an H200. Lesson 09.

Halves in shared memory are read by ldmatrix, a row of 16 bytes by each lane; elsewhere each lane reads the 32 bits that
a register holds, or the 64 of two sums side by side. Blocks of halves that lie in memory the other way round are
transposed in registers, so that they cost no more.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...errors import KernelError, MisalignedAccessError
from ..machine_protocol import GroupCall
from ..masks import PerThread, at, first_of
from ..memory.pointers import AnyPointer, PointerValue
from ..memory.spaces import Memory, Site
from .fragments import COLUMN, ROW, SUM, FragmentTile
from .tensor import (
    BLOCK,
    check_whole_warps,
    elements,
    load_blocks,
    packed,
    paired,
    store_elements,
    tile_of,
    turned,
    unpacked,
)
from .warp import by_thread, by_warp

ALIGNED = 32  # bytes; an address must be a multiple of a row of the tile, or of so many
LEADING = 16  # bytes that the step from row to row must be a multiple of


class FragmentTransfer(NamedTuple):
    """A fragment that is loaded from memory, or stored there.

    held: the call, with the site of the elements in registers. given: the call with the site of those in memory. rows:
    with that of whole rows of 16 bytes. sites: of narrower accesses, by their number of bytes. p: where the first
    element is in memory. ldm: elements from one row to the next there. tile: which element each lane holds, by its row
    and column in memory. step: how many elements one access moves. crossed: the two halves of a register are in
    different rows of memory, so that each block of 8 x 8 is transposed in registers.
    """

    held: GroupCall
    given: GroupCall
    rows: GroupCall
    sites: dict[int, Site]
    p: AnyPointer
    ldm: PerThread
    tile: FragmentTile
    step: int
    crossed: bool

    @property
    def width(self) -> int:
        """Bytes of an access."""
        return self.step * self.held.site.size

    def pointer(self, width: int) -> AnyPointer:
        """Return the pointer, counted in elements of so many bytes."""
        return self.p.scaled(self.given.site.size, width, _ignored)

    def load(self, use: int) -> list[PerThread]:
        """Return the elements of each lane."""
        m, rt, dtype = self.held.m, self.held.rt, self.held.site.dtype
        in_shared = all(part.memory.space == "shared" for _, part in self.p.parts(m))
        by_rows = self.width == 4 and (dtype == np.float16 or dtype.itemsize == 1)
        registers: list[PerThread]
        if in_shared and use != SUM and by_rows:
            registers = self._load_rows()
        else:
            pointer, site = self.pointer(self.width), self.sites[self.width]
            registers = [
                pointer.load(self.place_of(first), m, site)
                for first in range(0, self.tile.lane_elements, self.step)
            ]
        if self.crossed:
            registers = [turned(rt, register) for register in registers]
        return [part for register in registers for part in unpacked(rt, register, dtype)]

    def place_of(self, first: int) -> PerThread:
        """Return where each lane's access to an element goes, counted in accesses.

        A block that will be transposed is accessed in memory's order.
        """
        rows, columns = self.tile.rows[first], self.tile.columns[first]
        if self.crossed:
            rows, columns = rows.min() + ROW, columns.min() + 2 * COLUMN
        lane = self.given.rt.lane
        return (rows[lane] * np.asarray(self.ldm).astype(np.int64) + columns[lane]) // self.step

    def _load_rows(self) -> list[PerThread]:
        """Load up to four blocks of halves, or two of bytes, by one ldmatrix."""
        lane, size, row = self.rows.rt.lane, self.given.site.size, self.rows.site.size
        registers: list[PerThread] = []
        starts = [
            (self.tile.rows[k].min(), self.tile.columns[k].min())
            for k in range(0, self.tile.lane_elements, self.step)
        ]
        together = 4 if self.held.site.size == 2 else 2
        for first in range(0, len(starts), together):
            blocks = np.array(starts[first : first + together])
            mine = blocks[np.minimum(lane // BLOCK, len(blocks) - 1)]
            leading = np.asarray(self.ldm).astype(np.int64)
            index = (mine[:, 0] + lane % BLOCK) * leading + mine[:, 1]
            rows = self.pointer(row).moved(index * size // row)
            registers += load_blocks(self.rows, rows, len(blocks), False)
        return registers

    def words(self, values: list[PerThread]) -> list[PerThread]:
        """Return the elements of a fragment as the accesses store them."""
        rt = self.held.rt
        values = [rt.spread(value) for value in values]
        if values[0].dtype.itemsize == 2:
            words = paired(values)
            return [turned(rt, word) for word in words] if self.crossed else words
        parts = [value.view(np.uint32) for value in values]
        return parts if self.step == 1 else [*zip(parts[::2], parts[1::2], strict=True)]


def load_fragment(
    call: GroupCall,
    sites: tuple[Site, ...],
    x: AnyPointer,
    p: AnyPointer,
    ldm: PerThread,
    *numbers: PerThread,
) -> None:
    """Load a tile, as load_matrix_sync does.

    x: pointer to the first element of the fragment. numbers: layout, use, M, N, K.
    """
    layout, use, *shape = (int(np.ravel(number)[0]) for number in numbers)
    transfer = _transfer(call, sites, (p, ldm, layout), use, shape)
    copies = 16 // transfer.tile.lane_elements if use != SUM and sites[0].dtype == np.float16 else 1
    store_elements(transfer.held, x, transfer.load(use), copies)


def store_fragment(
    call: GroupCall,
    sites: tuple[Site, ...],
    p: AnyPointer,
    x: AnyPointer,
    ldm: PerThread,
    *numbers: PerThread,
) -> None:
    """Store a tile, as store_matrix_sync does. numbers: layout, M, N, K."""
    layout, *shape = (int(np.ravel(number)[0]) for number in numbers)
    transfer = _transfer(call, sites, (p, ldm, layout), SUM, shape)
    pointer, site = transfer.pointer(transfer.width), transfer.sites[transfer.width]
    for k, value in enumerate(transfer.words(elements(transfer.held, x, transfer.tile))):
        pointer.store(transfer.place_of(k * transfer.step), value, call.m, site)


def _transfer(
    call: GroupCall,
    sites: tuple[Site, ...],
    memory: tuple[AnyPointer, PerThread, int],
    use: int,
    shape: list[int],
) -> FragmentTransfer:
    """Plan the accesses that nvcc makes, and check them.

    sites: of the elements in registers and in memory, of rows, and of narrower accesses. memory: p, ldm and layout.
    """
    check_whole_warps(call)
    (p, ldm, layout), dtype = memory, sites[0].dtype
    held, given, rows = (call.by(call.m, site) for site in sites[:3])
    tile = tile_of(use, shape, dtype)
    if layout:
        tile = tile.transposed
    step = 2 if use == SUM else packed(dtype)
    crossed = step > 1 and bool(tile.rows[1, 0] != tile.rows[0, 0])
    if crossed and dtype.itemsize != 2:
        step, crossed = 1, False
    narrow = {site.size: site for site in sites[3:]}
    transfer = FragmentTransfer(held, given, rows, narrow, p, ldm, tile, step, crossed)
    _check_place(transfer)
    return transfer


def _ignored(*_: Any) -> None:
    """Do nothing about a misaligned address: a checked launch has reported it before, and any other takes it."""


# --- what the manual asks of addresses ------------------------------------------------------------


def _check_place(transfer: FragmentTransfer) -> None:
    call, ldm, tile = transfer.given, transfer.ldm, transfer.tile
    if not call.rt.checks:
        return
    _check_same(call, ldm, "leading dimensions")
    for where, part in transfer.p.parts(call.m):
        here = call.by(where)
        _check_same(here, part.offset, "addresses")
        _check_aligned(here, part, ldm, min(ALIGNED, tile.shape[1] * call.site.size))
        _check_declared(here, part.memory, ldm, tile)


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


def _check_declared(call: GroupCall, memory: Memory, ldm: PerThread, tile: FragmentTile) -> None:
    """Check that a tile's rows are those of the array that it lies in, where that was declared with rows."""
    if len(memory.dims) < 2 or memory.dtype.itemsize != call.site.size:
        return
    lanes, row = call.active, memory.dims[-1]
    step = int(at(ldm, first_of(lanes)))
    inside = step * int(tile.rows.max()) + int(tile.columns.max()) < row
    if step and row % step and step % row and not inside:
        dims = "".join(f"[{n}]" for n in memory.dims)
        call.fail(
            KernelError,
            lanes,
            f"{call.site.name} goes from row to row by {step} elements, but {memory.name}{dims} has rows of {row}",
            "the leading dimension is the distance between two rows in memory",
            f"write {row} for it",
        )
