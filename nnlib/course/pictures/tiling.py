"""A convolution in tiles: halo, blocks and their outputs, rows of a thread, sums in registers. Lesson 08."""

from __future__ import annotations

import numpy as np

from nnlib.course.pictures.style import (
    BLACK,
    BLUE,
    GREEN,
    GREY,
    ORANGE,
    PALE,
    PINK,
    SKY,
    YELLOW,
    Picture,
    figure,
)
from nnlib.course.pictures.svg import Drawing, tinted
from nnlib.course.pictures.widgets import Explorer, Stepper

ROWS = (SKY, ORANGE, GREEN, PINK)  # of threads in a block, by threadIdx.y
TILE, K, COLUMN, ROW = 16, 3, 5, 1  # outputs per side, window, and the thread that is followed


def halo_explorer() -> Explorer:
    """Show what a block of T x T outputs sees of the image, with sliders for T and the window. A number: windows on that pixel.

    >>> halo_explorer().pictures[2, 3].alt
    '2 × 2 outputs with 3 × 3 windows: 36 reads of 16 different pixels, 12 of them in the halo. \
A tile needs 2.25 times fewer reads.'
    """

    def draw(side: int, window: int) -> Drawing:
        whole, border = side + window - 1, window // 2
        cell = 300 // whole
        drawing = Drawing(2 * cell * whole + 130, cell * whole + 46)
        drawing.text(cell * whole / 2 + 10, 14, "pixels, and how many windows see each", 12, GREY)
        own = slice(border, border + side)
        colours = tinted((whole, whole), SKY, own, own, rest=YELLOW)
        covered = np.array([_covered(at, side, window) for at in range(whole)])
        size = min(14, 6 + cell // 4)
        drawing.grid((10, 24), colours, cell, np.outer(covered, covered), size)
        drawing.rect(9, 23, window * cell, window * cell, "none", BLUE, stroke_width=3)
        left, top = cell * whole + 100, 24
        drawing.text(left + cell * side / 2, 14, "outputs", 12, GREY)
        drawing.grid((left, top), tinted((side, side), BLUE, 0, 0, rest=GREEN), cell)
        drawing.arrow(12 + window * cell, 26 + cell / 8, left - 4, 26 + cell / 8, BLUE)
        return drawing

    def say(side: int, window: int) -> str:
        reads, whole = side**2 * window**2, (side + window - 1) ** 2
        return (
            f"{side} × {side} outputs with {window} × {window} windows: {reads:,} reads of {whole} different "
            f"pixels, {whole - side**2} of them in the halo. A tile needs {reads / whole:.3g} times fewer reads."
        )

    return Explorer({"outputs per side": [2, 4, 8], "window": [3, 5]}, draw, say, (2, 3))


def _covered(at: int, side: int, window: int) -> int:
    """Return how many of `side` windows in a row see the pixel `at`."""
    return min(at, side - 1) - max(0, at - window + 1) + 1


def output_tiles(outputs: int = 24, filters: int = 32, images: int = 64) -> Picture:
    """Show which block writes which outputs: tiles of 16 x 16 by blockIdx.x, filters by .y, images by .z.

    >>> output_tiles().alt
    'Outputs of 24 × 24 in tiles of 16 × 16: 4 blocks, 1,024 threads, 576 outputs (56 %). \
32 filters and 64 images make 8,192 blocks.'
    """
    tiles, cell = -(-outputs // TILE), 9
    side = tiles * TILE * cell
    drawing = Drawing(side + 420, side + 50)
    drawing.rect(10, 30, side, side, "white", GREY, stroke_dasharray="4 3")
    drawing.rect(10, 30, outputs * cell, outputs * cell, SKY)
    for at in range(1, outputs):
        for x1, y1, x2, y2 in ((at, 0, at, outputs), (0, at, outputs, at)):
            drawing.line(10 + x1 * cell, 30 + y1 * cell, 10 + x2 * cell, 30 + y2 * cell, "white")
    for block in range(tiles**2):
        x, y = 10 + block % tiles * TILE * cell, 30 + block // tiles * TILE * cell
        drawing.rect(x, y, TILE * cell, TILE * cell, "none", BLUE, stroke_width=3)
        drawing.cell((x + 6, y + 6, 92, 20), "white", f"blockIdx.x {block}", 12, down=14)
    drawing.text(10 + side / 2, 18, f"one plane of {outputs} × {outputs} outputs", 12, GREY)
    left = side + 60
    for far in (3, 2, 1, 0):
        drawing.rect(
            left + 22 * far, 110 - 22 * far, 120, 120, SKY if far else "white", BLUE, stroke_width=2
        )
    drawing.text(left + 60, 165, "blockIdx.x", 13)
    drawing.text(left + 60, 185, "tile", 13, GREY)
    drawing.text(left + 150, 222, "blockIdx.y: a plane per filter", 13, anchor="start")
    drawing.text(left, 260, "blockIdx.z: such a stack for each image", 13, anchor="start")
    used, threads = outputs**2, (tiles * TILE) ** 2
    return figure(
        drawing,
        alt=f"Outputs of {outputs} × {outputs} in tiles of {TILE} × {TILE}: {tiles**2} "
        f"blocks, {threads:,} threads, {used} outputs ({100 * used / threads:.0f} %). "
        f"{filters} filters and {images} images make "
        f"{tiles**2 * filters * images:,} blocks.",
    )


def thread_rows() -> Picture:
    """Show 16 x 4 threads and the 16 x 16 outputs of their tile: each thread has four rows; one is followed."""
    cell, left = 18, 400
    drawing = Drawing(left + TILE * cell + 70, TILE * cell + 60)
    drawing.text(60 + TILE * cell / 2, 16, "a block of 16 × 4 threads", 12, GREY)
    drawing.text(left + TILE * cell / 2, 16, "its 16 × 16 outputs of one filter", 12, GREY)
    colours = np.array([[ROWS[y % 4]] * TILE for y in range(TILE)])
    colours[ROW::4, COLUMN] = BLUE
    drawing.grid((60, 26), colours[:4], cell)
    drawing.grid((left, 26), colours, cell)
    for y in range(TILE):
        drawing.text(left + TILE * cell + 6, 39 + y * cell, f"y = {y % 4}", 11, GREY, "start")
    for y in range(4):
        drawing.text(54, 39 + y * cell, f"y = {y}", 11, GREY, "end")
        drawing.arrow(
            60 + (COLUMN + 1) * cell,
            34 + ROW * cell,
            left + COLUMN * cell - 3,
            34 + (ROW + 4 * y) * cell,
            BLUE,
        )
    drawing.text(
        60, 250, f"thread ({COLUMN}, {ROW}), blue, has column {COLUMN}", 13, anchor="start"
    )
    drawing.text(60, 270, "and the rows 1, 5, 9 and 13", 13, anchor="start")
    return figure(
        drawing,
        alt=f"16 × 4 threads and 16 × 16 outputs. Thread y has the rows y, y + 4, y + 8 and "
        f"y + 12: thread ({COLUMN}, {ROW}) computes the outputs of column {COLUMN} in the "
        f"rows 1, 5, 9 and 13.",
    )


def register_blocking(
    *shapes: tuple[int, int], names: tuple[str, str] = ("pixels", "weights")
) -> Picture:
    """Draw R pixels and G weights in registers, and the R x G sums that they feed, for each shape.

    names: what R and G count.

    >>> register_blocking((1, 1), (2, 2)).alt
    'A thread reads R pixels and G weights for R · G products. 1 × 1: 2 numbers, 1 product, 2 each. 2 × 2: 4 numbers, \
4 products, 1 each.'
    """
    cell, said = 24, []
    widths = [max(165, 64 + cell * G) for _, G in shapes]
    drawing = Drawing(sum(widths), 84 + cell * max(R for R, _ in shapes))
    left = 0
    for (R, G), width in zip(shapes, widths, strict=True):
        each = f"{(R + G) / (R * G):.3g}"
        said.append(f"{R} × {G}: {R + G} numbers, {R * G} product{'s' * (R * G > 1)}, {each} each.")
        for r in range(R):
            drawing.rect(left + 14, 44 + r * cell, cell - 3, cell - 3, SKY)
            for g in range(G):
                drawing.rect(left + 44 + g * cell, 44 + r * cell, cell - 3, cell - 3, GREEN)
        for g in range(G):
            drawing.rect(left + 44 + g * cell, 14, cell - 3, cell - 3, ORANGE)
        drawing.text(
            left + 14,
            62 + cell * R,
            f"{R} × {G}: ({R} + {G}) / {R * G} = {each}",
            12,
            anchor="start",
        )
        left += width
    drawing.text(
        14,
        drawing.height - 6,
        f"blue: {names[0]} · orange: {names[1]} · green: sums",
        11,
        GREY,
        "start",
    )
    return figure(
        drawing,
        alt=f"A thread reads R {names[0]} and G {names[1]} for R · G products. {' '.join(said)}",
    )


def conv_tile_stepper() -> Stepper:
    """Show one channel of a register-tiled convolution: fill the tile, wait, nine places of the window, wait, store."""
    side = TILE + K - 1
    fills = -(-(side**2) // 64)
    frames = [
        (_page(filled=64 * r, now=min(64 * (r + 1), side**2)), _fill(r, side**2))
        for r in range(fills)
    ]
    frames += [
        (
            _page(weights=YELLOW),
            "36 threads load the weights: 4 filters of 3 × 3, for this channel.",
        ),
        (
            _page(barrier=True),
            "Barrier: 64 threads wait until all 324 pixels and 36 weights are there.",
        ),
        *((_page(tap=tap), _products(tap)) for tap in range(K * K)),
        (
            _page(barrier=True, done=9),
            (
                "Barrier: the next channel must not overwrite the tile while one of "
                "the 64 threads still reads it."
            ),
        ),
        (
            _page(done=9, stored=True),
            (
                f"After the last channel, thread ({COLUMN}, {ROW}) adds the bias and "
                "stores its 16 sums: 4 rows of 4 filters."
            ),
        ),
    ]
    return Stepper(frames, still=fills + 2 + 4)


def _fill(turn: int, numbers: int) -> str:
    first, last = 64 * turn, min(64 * turn + 63, numbers - 1)
    return (
        f"Fill, round {turn + 1}: the threads load the pixels {first} to {last} of 324 into shared memory"
        + ("." if last - first == 63 else f". Only {last - first + 1} of the 64 threads have one.")
    )


def _products(tap: int) -> str:
    rows = ", ".join(str(ROW + 4 * r + tap // K) for r in range(4))
    return (
        f"Tap {tap + 1} of 9, ({tap // K}, {tap % K}): thread ({COLUMN}, {ROW}) reads 4 pixels, rows {rows} of "
        f"column {COLUMN + tap % K}, and 4 weights, for 16 products. Each of its 16 sums now has {tap + 1} of 9."
    )


def _page(
    filled: int = 324,
    now: int = 0,
    weights: str = PALE,
    tap: int | None = None,
    done: int = 0,
    barrier: bool = False,
    stored: bool = False,
) -> Drawing:
    """Draw one picture: the tile and the weights in shared memory, and on the right what one thread has in registers."""
    drawing, cell, side = Drawing(760, 330), 16, TILE + K - 1
    drawing.text(154, 14, "shared memory: the tile, 18 × 18", 12, GREY)
    drawing.rect(10, 22, side * cell, side * cell, PALE)
    _runs(drawing, 0, filled, SKY)
    _runs(drawing, filled, now, YELLOW)
    for at in range(1, side):
        drawing.line(10 + at * cell, 22, 10 + at * cell, 22 + side * cell, "white")
        drawing.line(10, 22 + at * cell, 10 + side * cell, 22 + at * cell, "white")
    ready = weights if filled < 324 or weights == YELLOW else ORANGE
    drawing.text(372, 14, "4 filters", 12, GREY)
    for g in range(4):
        for t in range(K * K):
            drawing.rect(
                345 + t % K * 18, 24 + 76 * g + t // K * 18, 16, 16, BLUE if t == tap else ready
            )
    drawing.text(590, 14, f"registers of thread ({COLUMN}, {ROW})", 12, GREY)
    for r in range(4):
        y = 90 + 46 * r
        if tap is not None:
            drawing.rect(
                10 + (COLUMN + tap % K) * cell,
                22 + (ROW + 4 * r + tap // K) * cell,
                cell,
                cell,
                BLUE,
            )
            drawing.cell((474, y, 40, 40), SKY, "pixel", 11)
            drawing.cell((530 + 46 * r, 44, 40, 40), ORANGE, "weight", 11)
        for g in range(4):
            count = done if tap is None else tap + 1
            drawing.cell(
                (530 + 46 * g, y, 40, 40),
                YELLOW if stored else GREEN if count else PALE,
                "→ y" if stored else count,
                13,
            )
    drawing.text(620, 294, "products in each sum", 12, GREY)
    if barrier:
        drawing.cell((10, 150, 740, 34), BLACK, "__syncthreads()", 15, ink="white", mono=True)
    return drawing


def _runs(drawing: Drawing, first: int, end: int, colour: str) -> None:
    """Colour the numbers from first to end of the tile, a rectangle per row."""
    side = TILE + K - 1
    while first < end:
        stop = min(end, first - first % side + side)
        x, y = 10 + first % side * 16, 22 + first // side * 16
        drawing.rect(x, y, (stop - first) * 16, 16, colour)
        first = stop
