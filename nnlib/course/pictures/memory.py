"""Threads and what they read: grid-stride rounds, sectors by stride, reads of a product. Lessons 02 and 03."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from nnlib.course.pictures.microscope import sector_strip
from nnlib.course.pictures.style import (
    BLACK,
    BLUE,
    DARK_RED,
    GREEN,
    GREY,
    ORANGE,
    PALE,
    RED,
    SKY,
    Picture,
    empty_figure,
    figure,
)
from nnlib.course.pictures.svg import Drawing
from nnlib.course.pictures.widgets import Explorer, Stepper


def loop_turns(threads: int = 8, each: int = 4) -> Picture:
    """Draw which thread handles which element, and when: in chunks above, in a grid-stride loop below."""
    n, cell = threads * each, 24
    drawing = Drawing(110 + n * cell, 34 + 84 * 2)
    for row, name in enumerate(("in chunks", "grid-stride")):
        y = 34 + 84 * row
        drawing.text(4, y + 16, name, 13, anchor="start")
        drawing.text(4, y + 40, "thread", 11, GREY, "start")
        for i in range(n):
            thread, turn = divmod(i, threads)[::-1] if row else divmod(i, each)
            drawing.cell(
                104 + i * cell,
                y,
                cell - 3,
                24,
                (BLUE, SKY, PALE)[min(turn, 2)],
                i,
                10,
                "black" if turn else "white",
                down=16,
            )
            drawing.text(104 + i * cell + (cell - 3) / 2, y + 40, thread, 10, GREY)
    for k, (words, color) in enumerate(
        (("first iteration", BLUE), ("second iteration", SKY), ("later", PALE))
    ):
        drawing.rect(104 + 190 * k, 6, 14, 14, color)
        drawing.text(124 + 190 * k, 18, words, 12, anchor="start")
    return figure(
        str(drawing),
        alt=f"{n} elements, {threads} threads. In chunks, the first iteration "
        f"handles elements {each} apart; in a grid-stride loop, elements 0 to "
        f"{threads - 1}.",
    )


def stride_explorer(strides: Sequence[int] = (1, 2, 3, 4, 8, 16, 32), still: int = 2) -> Explorer:
    """Show the sectors that one load of a warp reads when its lanes are `stride` floats apart, with a slider over strides."""
    shown = {s: sector_strip([s * lane for lane in range(32)]) for s in strides}
    return Explorer({"stride": strides}, lambda s: shown[s].data, lambda s: shown[s].alt, (still,))


def product_reads(reads_a: Any, reads_b: Any, writes_c: Any, title: str = "") -> Picture:
    """Draw a product as it is written on paper, B above C and A beside it, each element coloured by how often it is accessed.

    reads_a (M, K), reads_b (K, N), writes_c (M, N): from `profile.touched(...)`. One block of a launch shows the band
    of A and the band of B that it needs, and where in C they meet.
    """
    planes = {"A": np.asarray(reads_a), "B": np.asarray(reads_b), "C": np.asarray(writes_c)}
    (rows, inner), columns = planes["A"].shape, planes["B"].shape[1]
    fig = empty_figure((5.6, 5.0))
    grid = fig.add_gridspec(2, 2, width_ratios=(inner, columns), height_ratios=(inner, rows))
    most = max(1, *(int(plane.max()) for plane in planes.values()))
    said = []
    for (name, plane), place in zip(planes.items(), ((1, 0), (0, 1), (1, 1)), strict=True):
        axes = fig.add_subplot(grid[place])
        image = axes.imshow(plane, vmin=0, vmax=most)
        if 0 < (plane > 0).sum() < plane.size:
            axes.contour(
                plane > 0, [0.5], colors="white", linewidths=1
            )  # one write is nearly as dark as none
        axes.set(xticks=[], yticks=[])
        axes.grid(False)
        what = f"{_range(plane)} {'write' if name == 'C' else 'read'}{'s' * (_range(plane) != '1')}"
        axes.set_title(f"{name}: {what}", fontsize=10)
        said.append(
            f"{name} {' x '.join(map(str, plane.shape))}: {what} per element, "
            f"{int((plane > 0).sum()):,} elements, {int(plane.sum()):,} in all"
        )
    fig.colorbar(image, ax=fig.axes, label="how often", shrink=0.7)
    if title:
        fig.suptitle(title, fontsize=11)
    return figure(fig, alt=f"{title + '. ' if title else ''}{'; '.join(said)}.")


def two_warps() -> Explorer:
    """Show two warps in time, with one barrier in each step and with two: when tile 1 overwrites tile 0."""
    colours = {"load": SKY, "wait": PALE, "multiply": GREEN}
    steps = {  # barriers -> for each warp what it does and when: work, number of the tile, begin, end
        1: (
            [("load", 0, 0, 2), ("wait", 0, 2, 4), ("multiply", 0, 4, 6), ("load", 1, 6, 8)],
            [("load", 0, 0, 4), ("multiply", 0, 6, 9)],
        ),
        2: (
            [
                *(("load", 0, 0, 2), ("wait", 0, 2, 4), ("multiply", 0, 4, 6)),
                *(("wait", 0, 6, 9), ("load", 1, 9, 11)),
            ],
            [("load", 0, 0, 4), ("multiply", 0, 6, 9), ("load", 1, 9, 12)],
        ),
    }

    def draw(barriers: int) -> str:
        drawing = Drawing(740, 190)
        for at in (4, 9)[:barriers]:
            drawing.line(80 + 52 * at, 20, 80 + 52 * at, 160, BLACK, stroke_width=3)
            drawing.text(80 + 52 * at, 14, "barrier", 12)
        for warp, works in enumerate(steps[barriers]):
            y = 34 + 66 * warp
            drawing.text(4, y + 28, f"warp {warp}", 13, anchor="start")
            for work, tile, begin, end in works:
                early = barriers == 1 and tile == 1
                x, width = 82 + 52 * begin, 52 * (end - begin) - 4
                drawing.rect(
                    x, y, width, 44, colours[work], RED if early else "none", stroke_width=4
                )
                words = "wait" if work == "wait" else f"{work} {tile}"
                drawing.text(x + width / 2, y + 27, words, 13)
        at, words, ink = 9, "tile 1 replaces tile 0", BLACK
        if barriers == 1:
            at, words, ink = 6, "too early: warp 1 still reads tile 0", DARK_RED
        drawing.text(82 + 52 * at, 182, words, 13, ink, "start")
        drawing.text(4, 182, "time →", 12, GREY, "start")
        return str(drawing)

    def say(barriers: int) -> str:
        if barriers == 1:
            return (
                "1 barrier in each step: warp 0 goes on to step 1 and writes b_tile[0][0], while warp 1 has yet to read it "
                "for step 0."
            )
        return "2 barriers in each step: warp 0 waits before it loads tile 1, until warp 1 has read tile 0."

    return Explorer({"barriers in each step": [1, 2]}, draw, say, (1,))


def _range(plane: np.ndarray) -> str:
    touched = plane[plane > 0]
    if not touched.size:
        return "0"
    low, high = int(touched.min()), int(touched.max())
    return f"{low}" if low == high else f"{low} to {high}"


def tile_stepper(a: Any, b: Any, tile: int = 2, row: int = 1, column: int = 2) -> Stepper:
    """Show C = A B in tiles, with its numbers: what is in shared memory, and what a block of C has so far.

    a, b: square matrices of whole numbers whose side is a multiple of `tile`. row, column: of the result that is said.

    >>> tile_stepper(np.arange(1, 17).reshape(4, 4), np.ones((4, 4))).pictures[(4,)].alt
    'Step 2 of 2: each thread adds 2 products. C[1][2] = 11 + 7·1 + 8·1 = 26.'
    """
    n, cell = len(a), 40
    a, b = (np.asarray(matrix).astype(int) for matrix in (a, b))
    up, left = row // tile * tile, column // tile * tile  # where the block's part of C begins
    far = 70 + n * cell

    def draw(step: int, computing: bool) -> str:
        drawing = Drawing(far + 20 + n * cell, 60 + 2 * n * cell)
        upto = (step + computing) * tile
        sums, now = a[:, :upto] @ b[:upto], range(step * tile, (step + 1) * tile)
        for name, matrix, x0, y0, tint in (
            ("B", b, far, 10, ORANGE),
            ("A", a, 40, 40 + n * cell, SKY),
            ("C", sums, far, 40 + n * cell, GREEN),
        ):
            drawing.text(x0 - 18, y0 + n * cell / 2 + 6, name, 18)
            for i, j in np.ndindex(n, n):
                rows, columns = up <= i < up + tile, left <= j < left + tile
                inside = {"A": rows and j in now, "B": columns and i in now, "C": rows and columns}[
                    name
                ]
                x, y = x0 + j * cell, y0 + i * cell
                edge = BLACK if name == "C" and (i, j) == (row, column) else "none"
                drawing.rect(
                    x, y, cell - 3, cell - 3, tint if inside else PALE, edge, stroke_width=3
                )
                if name != "C" or inside:
                    drawing.text(x + cell / 2 - 1, y + cell / 2 + 5, matrix[i, j], 15)
        return str(drawing)

    def say(step: int, computing: bool) -> str:
        if step == n // tile:
            return f"All {step} pairs of tiles are added up: C's tile is written."
        if not computing:
            return (
                f"Step {step + 1} of {n // tile}: the block loads a tile of A and a tile of B, {tile} x {tile} "
                "each, into shared memory."
            )
        places = range(step * tile, (step + 1) * tile)
        before = int(a[row, : step * tile] @ b[: step * tile, column])
        terms = [*([str(before)] if step else []), *(f"{a[row, k]}·{b[k, column]}" for k in places)]
        return (
            f"Step {step + 1} of {n // tile}: each thread adds {tile} products. "
            f"C[{row}][{column}] = {' + '.join(terms)} = {before + int(a[row, places] @ b[places, column])}."
        )

    steps = n // tile
    frames = [(step, computing) for step in range(steps) for computing in (False, True)] + [
        (steps, False)
    ]
    return Stepper([(draw(*frame), say(*frame)) for frame in frames], still=1)
