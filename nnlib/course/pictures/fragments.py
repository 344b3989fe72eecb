"""Draw which lane of a warp holds which element of the tiles that a tensor core multiplies. Lesson 09."""

from __future__ import annotations

from nnlib.course.pictures.style import BLACK, BLUE, GREEN, GREY
from nnlib.course.pictures.svg import Drawing
from nnlib.course.pictures.widgets import Explorer
from nnlib.cuda import fragments

CELL, GAP, TOP, BLOCK = 18, 34, 44, 8
# Of the blocks of 8 x 8, pale: numbers stand on them
TINTS = ("#CFE8F7", "#FAF6C8", "#F3DDE9", "#FBE3C0")
NAMES = {fragments.A: "A", fragments.B: "B", fragments.SUM: "C"}


def fragment_explorer(shape: tuple[int, int, int] = (16, 16, 16), packed: int = 2) -> Explorer:
    """Draw A, B and C of one product. Each cell names the lane that holds it, and for the chosen lane its x[i].

    shape: M, N, K. packed: elements in a register: 2 halves, 1 float (TF32), 4 bytes.

    >>> fragment_explorer().pictures[5,].alt
    'Lane 5 of 32. A: 8 elements, x[0] in row 1, column 2. B: 8 elements, x[0] in row 2, column 1. \
C: 8 elements, x[0] in row 1, column 2.'
    """
    tiles = {use: fragments.tile(use, shape, packed) for use in NAMES}

    def draw(lane: int) -> Drawing:
        width = sum(own.shape[1] for own in tiles.values()) * CELL + 2 * GAP + 40
        drawing = Drawing(width, TOP + CELL * max(own.shape[0] for own in tiles.values()) + 12)
        left = 30.0
        for use, own in tiles.items():
            _tile(drawing, left, use, own, lane, 2 if use == fragments.SUM else packed)
            left += own.shape[1] * CELL + GAP
        return drawing

    def say(lane: int) -> str:
        parts = [
            f"{NAMES[use]}: {own.lane_elements} elements, x[0] in row {own.rows[0, lane]}, column {own.columns[0, lane]}"
            for use, own in tiles.items()
        ]
        return f"Lane {lane} of 32. {'. '.join(parts)}."

    return Explorer({"lane": [0, 1, 2, 3, 4, 5, 31]}, draw, say, (5,))


def _tile(
    drawing: Drawing, left: float, use: int, own: fragments.FragmentTile, lane: int, together: int
) -> None:
    """Draw one matrix, its rows and columns numbered; elements that lie together in a register are one field."""
    name = f"{NAMES[use]}  {own.shape[0]} × {own.shape[1]}"
    drawing.text(left + own.shape[1] * CELL / 2, 14, name, 13, BLACK)
    for row in range(0, own.shape[0], BLOCK // 2):
        drawing.text(left - 4, TOP + CELL * row + 13, row, 10, GREY, "end")
    for column in range(0, own.shape[1], BLOCK // 2):
        drawing.text(left + CELL * (column + 0.5), TOP - 6, column, 10, GREY)
    for first in range(0, own.lane_elements, together):
        last = first + together - 1
        for holder in range(32):
            row, column = int(own.rows[first, holder]), int(own.columns[first, holder])
            x, y = left + CELL * column, TOP + CELL * row
            wide, high = (
                int(where[last, holder] - where[first, holder]) + 1
                for where in (own.columns, own.rows)
            )
            mine, block = holder == lane, 2 * (row // BLOCK) + column // BLOCK
            drawing.rect(
                x, y, CELL * wide - 1, CELL * high - 1, BLUE if mine else TINTS[block % len(TINTS)]
            )
            said = holder if not mine else f"x{first}-{last}" if wide > 1 else f"x{first}"
            drawing.text(
                x + CELL * wide / 2, y + CELL * high / 2 + 4, said, 10, "white" if mine else BLACK
            )
    for row in range(0, own.shape[0] + 1, BLOCK):
        drawing.line(
            left,
            TOP + CELL * row - 0.5,
            left + CELL * own.shape[1] - 1,
            TOP + CELL * row - 0.5,
            GREEN,
        )
    for column in range(0, own.shape[1] + 1, BLOCK):
        drawing.line(
            left + CELL * column - 0.5,
            TOP,
            left + CELL * column - 0.5,
            TOP + CELL * own.shape[0] - 1,
            GREEN,
        )
