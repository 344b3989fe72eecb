"""The products of a linear layer: which tiles a block walks over, and what one of its threads loads. Lesson 03."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from nnlib.course.pictures.style import BLACK, GREEN, GREY, ORANGE, PALE, SKY, Picture, figure
from nnlib.course.pictures.svg import Drawing
from nnlib.course.pictures.widgets import Stepper

_LINEAR = {
    "forward": ("x N inputs", "w outputs inputs", "y N outputs"),
    "input gradient": ("dy N outputs", "w outputs inputs", "dx N inputs"),
    "weight gradient": ("dy N outputs", "x N inputs", "dw outputs inputs"),
}


def linear_products(tile: int = 2, cell: int = 13) -> Picture:
    """Draw the three products of a linear layer, each matrix as it lies in memory, and where the tiles of one block move.

    For one block (green) the bands of both matrices that it needs, the tiles it holds now, and where they go next.
    """
    sizes, said = {"N": 6, "inputs": 8, "outputs": 6}, []
    now = range(tile, 2 * tile)  # the second step of the walk, the second block of the result
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
            for at in np.ndindex(*(sizes[letter] for letter in letters)):
                band = all(free or i in now for i, free in zip(at, walks, strict=True))
                tint = (
                    (SKY, ORANGE, GREEN)[place]
                    if set(at) <= set(now)
                    else "#CFCFCF"
                    if band
                    else PALE
                )
                drawing.rect(x0 + at[1] * cell, y0 + at[0] * cell, cell - 1, cell - 1, tint)
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
        str(drawing),
        alt=f"Tiles of {tile} x {tile}; {'; '.join(said)}.",
        caption=(
            "One block of each product: its results, the two tiles that it holds now, and where they go next."
        ),
    )


_X = ((1, 2, 0, 1), (0, 1, 3, 1), (2, 0, 1, 1), (1, 1, 1, 0))
_W = ((1, 0, 2, 1), (0, 1, 1, 0), (2, 1, 0, 1), (1, 3, 1, 2))
_TILE, _CELL = 2, 34


def linear_stepper(
    x: Sequence[Sequence[int]] = _X, w: Sequence[Sequence[int]] = _W, tx: int = 1, ty: int = 0
) -> Stepper:
    """Show y = x wᵀ in tiles of 2 × 2, following one thread: which result is its own, and which elements it loads.

    x (N, inputs), w (outputs, inputs), whole numbers, sides multiples of 2. tx, ty: the thread, in the block whose
    results begin at row 0, column 2 of y. What the thread touches in a step has a thick frame.

    >>> linear_stepper().pictures[(1,)].alt
    'Thread (tx 1, ty 0) computes y[0][3]. Step 1, load: x[0][1] for the tile of x, and w[2][1], not w[3][1].'
    """
    return _Linear(np.asarray(x), np.asarray(w), tx, ty).stepper()


class _Linear:
    """The pictures of `linear_stepper`."""

    def __init__(self, x: np.ndarray, w: np.ndarray, tx: int, ty: int) -> None:
        self.x, self.w, self.tx, self.ty = x, w, tx, ty
        self.first = 2  # column of y where the block's results begin
        self.n, self.out, self.load = ty, self.first + tx, self.first + ty
        self.below = 50 + len(x) * _CELL + 46  # where w begins
        self.right = 60 + x.shape[1] * _CELL + 50  # where the tiles begin

    def stepper(self) -> Stepper:
        """Load and compute for each step, then the store."""
        steps = self.x.shape[1] // _TILE
        frames = [
            (self._draw(step, load), self._load(step) if load else self._compute(step))
            for step in range(steps)
            for load in (True, False)
        ]
        store = f"The store: y[{self.n}][{self.out}] = {self._sum(steps)}. The bias is added here, once."
        return Stepper([*frames, (self._draw(steps, False), store)], still=0)

    def _load(self, step: int) -> str:
        column = step * _TILE + self.tx
        lead = (
            f"Thread (tx {self.tx}, ty {self.ty}) computes y[{self.n}][{self.out}]. "
            if step == 0
            else ""
        )
        return (
            f"{lead}Step {step + 1}, load: x[{self.n}][{column}] for the tile of x, and "
            f"w[{self.load}][{column}], not w[{self.out}][{column}]."
        )

    def _compute(self, step: int) -> str:
        terms = " + ".join(f"{self.x[self.n, k]}·{self.w[self.out, k]}" for k in self._now(step))
        before = f"{self._sum(step)} + " if step else ""
        return (
            f"Step {step + 1}, compute: row {self.ty} of the tile of x times row {self.tx} of the tile of w. "
            f"The sum is {before}{terms} = {self._sum(step + 1)}."
        )

    def _now(self, step: int) -> range:
        return range(step * _TILE, (step + 1) * _TILE)

    def _sum(self, steps: int) -> int:
        return int(self.x[self.n, : steps * _TILE] @ self.w[self.out, : steps * _TILE])

    def _draw(self, step: int, loading: bool) -> str:
        drawing = Drawing(self.right + 330, self.below + len(self.w) * _CELL + 12)
        now, rows = self._now(step), range(self.first, self.first + _TILE)
        column = step * _TILE + self.tx if loading else -1
        self._matrix(
            drawing,
            "x",
            self.x,
            60,
            50,
            lambda i, j: SKY if i < _TILE and j in now else PALE,
            [(self.n, column)],
        )
        self._matrix(
            drawing,
            "w",
            self.w,
            60,
            self.below,
            lambda i, j: ORANGE if i in rows and j in now else PALE,
            [(self.load, column)],
        )
        if step * _TILE < self.x.shape[1]:
            for name, matrix, y, own in (
                ("x_tile", self.x[:_TILE, now], 50, self.ty),
                ("w_tile", self.w[rows][:, now], self.below + _CELL, self.tx),
            ):
                framed = [(self.ty, self.tx)] if loading else [(own, k) for k in range(_TILE)]
                tint = SKY if name == "x_tile" else ORANGE
                self._matrix(drawing, name, matrix, self.right, y, _everywhere(tint), framed)
        done = step + (not loading and step * _TILE < self.x.shape[1])
        y = self.x[:, : done * _TILE] @ self.w[:, : done * _TILE].T
        self._matrix(
            drawing,
            "y",
            y,
            self.right + 180,
            50,
            lambda i, j: GREEN if i < _TILE and j in rows else PALE,
            [(self.n, self.out)],
        )
        return str(drawing)

    def _matrix(
        self,
        drawing: Drawing,
        name: str,
        matrix: np.ndarray,
        x0: float,
        y0: float,
        tint: Callable[[int, int], str],
        framed: Sequence[tuple[int, int]],
    ) -> None:
        drawing.text(x0, y0 - 24, name, 15, anchor="start", mono=True)
        for j in range(matrix.shape[1]):
            drawing.text(x0 + (j + 0.5) * _CELL, y0 - 6, j, 11, GREY)
        for i, j in np.ndindex(*matrix.shape):
            x, y = x0 + j * _CELL, y0 + i * _CELL
            if j == 0:
                drawing.text(x0 - 10, y + 22, i, 11, GREY)
            drawing.rect(
                x + 1,
                y + 1,
                _CELL - 4,
                _CELL - 4,
                tint(i, j),
                BLACK if (i, j) in framed else "none",
                stroke_width=3,
            )
            if name != "y" or tint(i, j) == GREEN:
                drawing.text(x + _CELL / 2 - 1, y + _CELL / 2 + 4, matrix[i, j], 14)


def _everywhere(tint: str) -> Callable[[int, int], str]:
    return lambda row, column: tint
