"""Sectors by stride, reads of a product, its tiles, and two warps at a barrier. Lessons 02 and 03."""

from __future__ import annotations

from typing import Any

import numpy as np

from nnlib.course.pictures.microscope import sector_strip
from nnlib.course.pictures.style import (
    BLACK,
    DARK_RED,
    GREEN,
    ORANGE,
    PALE,
    RED,
    SKY,
    Picture,
    empty_figure,
    figure,
)
from nnlib.course.pictures.svg import Drawing, tinted
from nnlib.course.pictures.widgets import Explorer, Stepper


def stride_explorer() -> Explorer:
    """Show the sectors that one load of a warp reads when its lanes are `stride` floats apart, with a slider over strides."""
    shown = {s: sector_strip([s * lane for lane in range(32)]) for s in (1, 2, 3, 4, 8, 16, 32)}
    return Explorer({"stride": [*shown]}, lambda s: shown[s].data, lambda s: shown[s].alt, (2,))


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
            # One write is nearly as dark as none
            axes.contour(plane > 0, [0.5], colors="white", linewidths=1)
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
    tints = {"l": SKY, "w": PALE, "m": GREEN}
    both = [
        (0, "load 0", 0, 2),
        (0, "wait", 2, 4),
        (0, "multiply 0", 4, 6),
        (1, "load 0", 0, 4),
        (1, "multiply 0", 6, 9),
    ]
    after = {
        1: ([(0, "load 1", 6, 8)], RED, "too early: warp 1 still reads tile 0"),
        2: ([(0, "wait", 6, 9), (0, "load 1", 9, 11), (1, "load 1", 9, 12)], "none", ""),
    }

    def draw(barriers: int) -> Drawing:
        drawing, (works, edge, words) = Drawing(740, 190), after[barriers]
        for warp, work, begin, end in [*both, *works]:
            stroke = edge if work == "load 1" else "none"
            x, y, width = 82 + 52 * begin, 34 + 66 * warp, 52 * (end - begin) - 4
            drawing.cell((x, y, width, 44), tints[work[0]], work, 13, stroke=stroke, stroke_width=4)
        for k, at in enumerate((4, 9)[:barriers]):
            drawing.line(80 + 52 * at, 20, 80 + 52 * at, 160, BLACK, stroke_width=3)
            drawing.text(80 + 52 * at, 14, f"barrier {k + 1}", 12)
        for warp in (0, 1):
            drawing.text(4, 62 + 66 * warp, f"warp {warp}", 13, anchor="start")
        drawing.text(394, 182, words, 13, DARK_RED, "start")
        return drawing

    say = {
        1: "1 barrier in each step: warp 0 writes b_tile[0][0] of step 1, while warp 1 has yet to read that of step 0.",
        2: "2 barriers in each step: warp 0 waits before it loads tile 1, until warp 1 has read tile 0.",
    }
    return Explorer({"barriers in each step": [1, 2]}, draw, say.__getitem__, (1,))


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
    down, across = (slice(at // tile * tile, (at // tile + 1) * tile) for at in (row, column))
    far, below = 70 + n * cell, 40 + n * cell

    def draw(step: int, computing: int) -> Drawing:
        drawing = Drawing(far + 20 + n * cell, 60 + 2 * n * cell)
        upto = (step + computing) * tile
        sums, now = a[:, :upto] @ b[:upto], slice(step * tile, (step + 1) * tile)
        for name, matrix, x, y, tint, part in (
            ("B", b, far, 10, ORANGE, (now, across)),
            ("A", a, 40, below, SKY, (down, now)),
            ("C", sums, far, below, GREEN, (down, across)),
        ):
            drawing.text(x - 18, y + n * cell / 2 + 6, name, 18)
            colours = tinted((n, n), tint, *part)
            words = np.where(colours == tint, matrix, "") if name == "C" else matrix
            drawing.grid((x, y), colours, cell, words, 15, gap=3)
        x, y = far + column * cell, below + row * cell
        drawing.rect(x, y, cell - 3, cell - 3, "none", BLACK, stroke_width=3)
        return drawing

    def say(step: int, computing: int) -> str:
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

    frames = [divmod(k, 2) for k in range(2 * (n // tile) + 1)]
    return Stepper.over(frames, draw, say, still=1)
