"""The products of a linear layer: which tiles a block walks over, and what one of its threads loads. Lesson 03."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from nnlib.course.pictures.style import BLACK, GREEN, GREY, ORANGE, SKY, Picture, figure
from nnlib.course.pictures.svg import Drawing, tinted
from nnlib.course.pictures.widgets import Stepper

_LINEAR = {
    "forward": ("x N inputs", "w outputs inputs", "y N outputs"),
    "input gradient": ("dy N outputs", "w outputs inputs", "dx N inputs"),
    "weight gradient": ("dy N outputs", "x N inputs", "dw outputs inputs"),
}


def linear_products() -> Picture:
    """Draw the three products of a linear layer, each matrix as it lies in memory, and where the tiles of one block move.

    For one block (green) the bands of both matrices that it needs, the tiles it holds now, and where they go next.
    """
    sizes, said = {"N": 6, "inputs": 8, "outputs": 6}, []
    tile, cell = 2, 13
    now = slice(tile, 2 * tile)  # the second step of the walk, the second block of the result
    drawing = Drawing(640, 16 + 122 * len(_LINEAR))
    for line, (product, matrices) in enumerate(_LINEAR.items()):
        y0 = 30 + 122 * line
        drawing.text(4, y0 + 44, product, 14, anchor="start")
        result = matrices[-1].split()[1:]
        for place, (name, *letters) in enumerate(matrix.split() for matrix in matrices):
            x0, walks = 150 + 180 * place, [letter not in result for letter in letters]
            drawing.text(x0 - 24, y0 + 44, ("", "·", "=")[place], 20)
            drawing.text(
                x0 + cell * sizes[letters[1]] / 2, y0 - 6, f"{name}  ({', '.join(letters)})", 13
            )
            band = [slice(None) if free else now for free in walks]
            colours = tinted(tuple(sizes[letter] for letter in letters), "#CFCFCF", *band)
            colours[now, now] = (SKY, ORANGE, GREEN)[place]
            drawing.grid((x0, y0), colours, cell, gap=1)
            if place < 2:
                down = walks[0]
                middle, after = 1.5 * tile * cell, (2 * tile + 0.3) * cell
                x, y = (x0 + middle, y0 + after) if down else (x0 + after, y0 + middle)
                drawing.arrow(x, y, x + 20 * (not down), y + 20 * down)
                said.append(
                    f"{product}: the tile of {name} walks {'down' if down else 'to the right'}, along "
                    f"{letters[not down]}"
                )
    return figure(
        drawing,
        alt=f"Tiles of {tile} x {tile}; {'; '.join(said)}.",
        caption=(
            "One block of each product: its results, the two tiles that it holds now, and where they go next."
        ),
    )


X = np.array(((1, 2, 0, 1), (0, 1, 3, 1), (2, 0, 1, 1), (1, 1, 1, 0)))  # (N, inputs)
W = np.array(((1, 0, 2, 1), (0, 1, 1, 0), (2, 1, 0, 1), (1, 3, 1, 2)))  # (outputs, inputs)
# The thread that is followed, in the block whose results begin at row 0, column 2 of y
TX, TY = (1, 0)
TILE, CELL = 2, 34
N, OUT, LOAD = TY, 2 + TX, 2 + TY  # its row and column of y, and the row of w that it loads


def linear_stepper() -> Stepper:
    """Show y = x wᵀ in tiles of 2 × 2, following one thread: which result is its own, and which elements it loads.

    What the thread touches in a step has a thick frame.

    >>> linear_stepper().pictures[(1,)].alt
    'Thread (tx 1, ty 0) computes y[0][3]. Step 1, load: x[0][1] for the tile of x, and w[2][1], not w[3][1].'
    """
    frames: list[tuple[Drawing, str]] = []
    for start in (0, TILE):
        column, step = start + TX, start // TILE + 1
        lead = "" if start else f"Thread (tx {TX}, ty {TY}) computes y[{N}][{OUT}]. "
        load = (
            f"{lead}Step {step}, load: x[{N}][{column}] for the tile of x, and w[{LOAD}][{column}], "
            f"not w[{OUT}][{column}]."
        )
        terms = [f"{X[N, k]}·{W[OUT, k]}" for k in range(start, start + TILE)]
        if start:
            terms.insert(0, str(_sums(start)[N, OUT]))
        compute = (
            f"Step {step}, compute: row {TY} of the tile of x times row {TX} of the tile of w. "
            f"The sum is {' + '.join(terms)} = {_sums(start + TILE)[N, OUT]}."
        )
        frames += [(_linear(start, True), load), (_linear(start, False), compute)]
    store = f"The store: y[{N}][{OUT}] = {_sums(2 * TILE)[N, OUT]}. The bias is added here, once."
    return Stepper([*frames, (_linear(2 * TILE, False), store)], still=0)


def _sums(inputs: int) -> np.ndarray:
    """Return what the threads have added up after so many inputs."""
    return np.asarray(X[:, :inputs] @ W[:, :inputs].T)


def _linear(start: int, loading: bool) -> Drawing:
    """Draw the step whose tiles begin at that input; behind the last input, the store."""
    below, right = 50 + len(X) * CELL + 46, 60 + X.shape[1] * CELL + 50  # of w, and of the tiles
    drawing = Drawing(right + 330, below + len(W) * CELL + 12)
    block, own, now = slice(TILE), slice(2, 2 + TILE), slice(start, start + TILE)
    column = start + TX if loading else -1
    _matrix(drawing, "x", X, 60, 50, tinted(X.shape, SKY, block, now), [(N, column)])
    _matrix(drawing, "w", W, 60, below, tinted(W.shape, ORANGE, own, now), [(LOAD, column)])
    tiles = start < X.shape[1]
    if tiles:
        for name, matrix, y, row, tint in (
            ("x_tile", X[block, now], 50, TY, SKY),
            ("w_tile", W[own, now], below + CELL, TX, ORANGE),
        ):
            framed = [(TY, TX)] if loading else [(row, k) for k in range(TILE)]
            _matrix(drawing, name, matrix, right, y, tinted(matrix.shape, tint), framed)
    sums = _sums(start + TILE * (tiles and not loading))
    colours = tinted(sums.shape, GREEN, block, own)
    words = np.where(colours == GREEN, sums, "")
    _matrix(drawing, "y", words, right + 180, 50, colours, [(N, OUT)])
    return drawing


def _matrix(
    drawing: Drawing,
    name: str,
    matrix: np.ndarray,
    x: float,
    y: float,
    colours: np.ndarray,
    framed: Sequence[tuple[int, int]],
) -> None:
    """Draw a matrix with its name and indices."""
    drawing.text(x, y - 24, name, 15, anchor="start", mono=True)
    for j in range(matrix.shape[1]):
        drawing.text(x + (j + 0.5) * CELL, y - 6, j, 11, GREY)
    for i in range(len(matrix)):
        drawing.text(x - 10, y + i * CELL + 22, i, 11, GREY)
    edges = [BLACK if at in framed else "none" for at in np.ndindex(*matrix.shape)]
    frames = np.reshape(edges, matrix.shape)
    drawing.grid((x + 1, y + 1), colours, CELL, matrix, gap=4, stroke=frames, stroke_width=3)
