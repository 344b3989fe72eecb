"""Do the blocks of a launch reach all results, at sizes that nobody runs? Up to MNIST's 60,000 images.

How many results does one block write, and how many more a second one along x, y or z? Small launches tell. Where one
block writes everything along a size, it walks along it, as a grid-stride loop does, and any grid will do. Otherwise
the blocks must grow with that size, and what the launch line says for large sizes is multiplied out.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from nnlib.cuda import (
    KernelError,
    KernelTimeoutError,
    LaunchError,
    RawKernel,
    UnsupportedError,
    native_code,
)
from nnlib.cuda.limits import MAX_BLOCK, MAX_GRID, MAX_THREADS
from nnlib.mine.contract import Large, Piece, PieceCase, Sizes
from nnlib.mine.judgement import Failed
from nnlib.mine.launch import LaunchLine, Shape

_STEP_LIMIT = 20_000  # a block's
_HUGE = 2**24


@dataclass(frozen=True)
class Share:
    """The results that a block writes, `first`, and how many a second one adds along each axis of the launch's grid."""

    first: int
    added: tuple[int, ...]
    grid: Shape
    results: int

    @property
    def walks(self) -> bool:
        """One block writes everything."""
        return self.first == self.results

    def reached(self, grid: Sequence[int]) -> int:
        """Return how many results the blocks of this grid write."""
        if not self.first:
            return 0
        steps = math.prod(
            self.first + (blocks - 1) * added
            for blocks, added in zip(grid, self.added, strict=True)
        )
        return int(steps // self.first ** (len(grid) - 1))

    def spare(self) -> str:
        """Return the axis on which half as many blocks are enough, or ""."""
        for axis, blocks in enumerate(self.grid):
            half = (*self.grid[:axis], (blocks + 1) // 2, *self.grid[axis + 1 :])
            if blocks > 1 and self.reached(half) >= self.results:
                return "xyz"[axis]
        return ""


@dataclass(frozen=True)
class Coverage:
    """A kernel and the line that launches it."""

    piece: Piece
    kernel: RawKernel
    line: LaunchLine

    def judged(self) -> tuple[str | None, str]:
        """Return what is wrong with the launch line at large sizes, or None, and the axis of which half is enough, or ""."""
        walked: set[str] = set()
        spare = ""
        self.line.foresee(
            [large.sizes | {large.alone: _HUGE} for large in self.piece.large if large.alone]
        )
        for large in self.piece.large:
            grid, block, _ = self.line.at(**large.sizes)
            if said := beyond_limits(self.piece, large.sizes, grid, block):
                return said, ""
            if not large.alone and all(
                not other.alone or other.alone in walked for other in self.piece.large
            ):
                continue
            small = self._small(large)
            share = self._share(small, compared=bool(large.alone))
            if large.alone:
                walked |= {large.alone} if share is None or share.walks else set()
                spare = spare or self._spare(share)
            if share is None or share.walks:
                continue
            times = [large.sizes[name] / few for name, few in large.lean.items() if name in walked]
            reached, results = (
                share.reached(grid) * math.prod(times),
                self.piece.results_at(large.sizes),
            )
            if reached < results or (large.alone and self._constant(large.sizes, large.alone)):
                return self._too_few(large.sizes, large.alone, grid, math.floor(reached)), ""
        return None, spare

    def _small(self, large: Large) -> Sizes:
        """Return sizes at which each axis along which the grid grows has several blocks.

        Where that needs more than a million elements, it may have one.
        """
        small, (grid, *_) = large.small, self.line.at(**large.sizes)
        while large.alone and small[large.alone] < self.piece.most.get(large.alone, 2**20):
            if all(
                few > 1 or many == 1
                for few, many in zip(self.line.at(**small)[0], grid, strict=True)
            ):
                break
            small = small | {large.alone: 8 * small[large.alone]}
        return small

    def _spare(self, share: Share | None) -> str:
        """Return the axis of which half is enough, or "".

        A kernel that uses gridDim has none: each of its blocks may do more in a smaller grid.
        """
        return "" if share is None or "gridDim" in self.kernel.code else share.spare()

    def _constant(self, sizes: Sizes, alone: str) -> bool:
        """Return whether the grid is the same however large this size is."""
        return self.line.same_at([sizes, sizes | {alone: _HUGE}])

    def _share(self, sizes: Sizes, compared: bool) -> Share | None:
        """Count the share of the first block; return None for a block that loops too long.

        compared: what the block writes must be right.
        """
        try:
            return self._counted_share(sizes, compared)
        except KernelTimeoutError as error:
            if not error.may_end:
                raise
            return None

    def _counted_share(self, sizes: Sizes, compared: bool) -> Share:
        grid, _, _ = self.line.at(**sizes)
        case = self.piece.case(sizes)

        def written(blocks: Shape, compared: bool = False) -> int:
            arguments = self._launched(case, blocks)
            elements = case.written(arguments)
            for name, want in case.expected.items() if compared else ():
                known = np.where(
                    elements[name], arguments[name], want.astype(arguments[name].dtype)
                )
                difference = case.how_far(name, known)
                if isinstance(difference, str):
                    raise Failed(f"{words(sizes)}: {difference}", sizes=sizes)
            return sum(int(np.count_nonzero(one)) for one in elements.values())

        first, results = written((1, 1, 1), compared), self.piece.results_at(sizes)
        if first == results:
            return Share(first, (0, 0, 0), grid, results)
        added = [0, 0, 0]
        for axis, blocks in enumerate(grid):
            if blocks > 1:
                added[axis] = written((1 + (axis == 0), 1 + (axis == 1), 1 + (axis == 2))) - first
            if blocks == 2 and added[axis]:  # the last one, which the results need not fill
                added[axis] = first
        if compared:  # the last block, which the results seldom fill, keeps to the arrays
            self._launched(case, grid)
        return Share(first, tuple(added), grid, results)

    def _launched(self, case: PieceCase, blocks: Shape) -> dict[str, Any]:
        """Launch that many blocks and return the arguments afterwards; raise Failed where the launch meets an error."""
        _, block, shared = self.line.at(**case.sizes)
        arguments = case.copies()
        launch = blocks, block, tuple(arguments.values()), shared
        try:
            try:
                with native_code("required"):
                    self.kernel(*launch, checks=False)
            except UnsupportedError:
                self.kernel(*launch, checks=("bounds",), step_limit=_STEP_LIMIT)
        except (KernelTimeoutError, LaunchError):
            raise
        except KernelError as error:
            raise Failed(f"{words(case.sizes)}:\n{error}", error=error, sizes=case.sizes) from None
        return arguments

    def _too_few(self, sizes: Sizes, alone: str, grid: Shape, reached: int) -> str:
        output = self.piece.written[0]
        if self.line.same_at([*self.piece.sizes, *(large.sizes for large in self.piece.large)]):
            return (
                f"Right at the sizes tried, but {_blocks(grid)} whatever the size. Compute it from "
                f"{self.piece.names(output)}"
            )
        if reached >= self.piece.results_at(sizes):
            return (
                f"Right at the sizes tried, but {_blocks(grid)} however large {alone} is. Compute it from "
                f"{self.piece.names(output)}"
            )
        grows = f"grow with {alone}" if alone else f"grow with all of {self.piece.names(output)}"
        reach = "reaches" if math.prod(grid) == 1 else "reach"
        return (
            f"Right at the sizes tried, but with {words(sizes)} {_blocks(grid)}, which {reach} {reached:,} of "
            f"{self.piece.results_at(sizes):,} results: the blocks must {grows}, or is there a guard that stops "
            "threads with a result?"
        )


def words(sizes: Sizes) -> str:
    """Write sizes as words: {"n": 60000} -> "n = 60,000"."""
    return ", ".join(f"{name} = {value:,}" for name, value in sizes.items())


def _blocks(grid: Shape) -> str:
    """Return the size of the grid as a clause."""
    count = math.prod(grid)
    return f"your grid has {count:,} block{'s' * (count != 1)}"


def beyond_limits(piece: Piece, sizes: Sizes, grid: Shape, block: Shape) -> str | None:
    """Say which limit of every GPU this launch exceeds; return None where it exceeds none."""
    threads, where = math.prod(block), words(sizes)
    if threads > MAX_THREADS or any(
        size > most for size, most in zip(block, MAX_BLOCK, strict=True)
    ):
        size = next((name for name, value in sizes.items() if value == threads), None)
        results = " * ".join(piece.shapes[piece.written[0]].split())
        return (
            f"{piece.name}: with {where} a block has {threads:,} threads, and a GPU allows {MAX_THREADS:,}. "
            + (
                f"{size} may exceed {MAX_THREADS:,}: count the {results} results with blocks of 256 threads"
                if size
                else "The block keeps its size, and the grid grows: are the two exchanged in <<<grid, block>>>?"
            )
        )
    for axis, blocks, most in zip("xyz", grid, MAX_GRID, strict=True):
        if not 0 < blocks <= most:
            return (
                f"{piece.name}: with {where} grid.{axis} is {blocks:,}; a GPU allows 1 to {most:,}."
                + (" x may be larger: let it count what grows most" if most < blocks else "")
            )
    return None


def require_written(
    piece: Piece, line: LaunchLine, sizes: Sizes, missing: dict[str, np.ndarray]
) -> None:
    """Raise LaunchError, which says which results no thread has written, and why, where there are any."""
    for name, nobody in missing.items():
        places = np.flatnonzero(nobody)
        if not places.size:
            continue
        grid, _, _ = line.at(**sizes)
        first, last, names = places[0], places[-1], piece.names(name)
        which = f"{name}[{first}]" + (f" to {name}[{last}]" if last > first else "")
        if line.same_at([*piece.sizes, sizes]):
            raise LaunchError(
                f"no thread wrote {which}: {_blocks(grid)} whatever the size. Compute it from {names}."
            )
        raise LaunchError(
            f"no thread wrote {which} with {words(sizes)}: does the grid in the launch line grow with "
            f"{names}, and does every thread that has a result store it?"
        )
