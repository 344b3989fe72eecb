"""Was it a thread behind the last result that left its array? Then a workshop's answer lacks a guard.

Taken from the launch: where threads, warps or blocks are just enough for the results, those that are too many may touch
nothing.
"""

from __future__ import annotations

import math

from nnlib.course.exercises.unwritten import by_warps
from nnlib.cuda import OutOfBoundsError
from nnlib.mine.judgement import Judgement

_WARP = 32


def beyond_the_end(judged: Judgement, text: str = "") -> str | None:
    """The hint for a missing or wrong guard; None where the thread at fault has a result to compute.

    text: of the kernel, which may say that a warp works for each result.
    """
    error = judged.error
    if not (isinstance(error, OutOfBoundsError) and error.thread and error.block and judged.case and judged.launched):
        return None
    output = judged.piece.written[0]
    shape = judged.case.expected[output].shape
    grid, block = judged.launched
    at = [b * size + t for b, size, t in zip(error.block, block, error.thread, strict=True)]
    threads = [blocks * size for blocks, size in zip(grid, block, strict=True)]
    if threads[1:] == [1, 1]:
        return _in_a_row(output, math.prod(shape), at[0], threads[0], block[0], by_warps(text))
    if threads[2] == 1 and error.what.startswith(f"out-of-bounds write to {output}["):  # tiles: by all threads
        return _in_a_plane(output, math.prod(shape[:-1]), shape[-1], at, threads, block)
    return None


def _in_a_row(output: str, results: int, number: int, threads: int, block: int, warps: bool) -> str | None:
    """A thread for each result, or a warp, or a block. warps: it is a warp."""
    who_works = ("thread", 1, block), ("warp", _WARP, max(_WARP, block)), ("block", block, threads)
    for who, size, most in who_works[warps:]:
        if 0 <= threads - results * size < most:
            if number // size < results:
                return None
            place = f"{number // size:,}"
            return (f"{who} number {place} has no result to compute: {output} has {results:,}, counted from 0. A guard "
                    f"must stop it before it reads or writes. Is there one, and does it stop number {place} itself?"
                    + (" Or is the grid computed from the wrong size?" if who == "block" else ""))
    return None


def _in_a_plane(output: str, rows: int, columns: int, at: list[int], threads: list[int],
                block: tuple[int, int, int]) -> str | None:
    """A thread for each result, x along the columns and y along the rows."""
    enough = all(0 <= threads[axis] - size < block[axis] for axis, size in enumerate((columns, rows)))
    if not enough or (at[0] < columns and at[1] < rows):
        return None
    return (f"the thread with x = {at[0]}, y = {at[1]} of the grid has no result: {output} has {columns} columns and "
            f"{rows} rows, counted from 0. A guard must stop it before it writes. Is there one for x, and one for y?")
