"""Pictures of elements in memory: the rows of an image, and the four floats of a `float4`. Lessons 01 and 02."""

from __future__ import annotations

import numpy as np

from nnlib.course.pictures.style import BLACK, BLUE, GREY, ORANGE, PALE, SKY, Picture, figure
from nnlib.course.pictures.svg import Drawing, tinted


def rows_in_memory() -> Picture:
    """Draw an image above, and the same elements in memory below, row after row; one element is worked out."""
    width, height, x, y, cell, left = 5, 3, 3, 2, 44, 70
    number = np.arange(width * height).reshape(height, width)
    element, below = number[y, x], 34 + cell * height + 62
    drawing = Drawing(left + cell * width * height + 10, below + cell + 28)
    drawing.text(left - 14, 26, "x", 13, GREY)
    drawing.text(left - 40, 34 + cell * (height + 0.2) / 2, "y", 13, GREY)
    for column in range(width):
        drawing.text(left + cell * (column + 0.5), 26, column, 13, GREY)
    drawing.text(4, below - 10, "memory", 13, anchor="start")
    for row in range(height):
        middle = left + cell * width * (row + 0.5)
        drawing.text(left - 14, 34 + cell * (row + 0.6), row, 13, GREY)
        drawing.text(middle, below - 10, f"row {row}", 13, GREY)
    colours = tinted(number.shape, SKY, slice(None, None, 2))
    colours[y, x] = ORANGE
    edges = np.where(number == element, BLACK, "none")
    for top, shape in ((34, (height, width)), (below, (1, -1))):
        cells, words, stroke = (part.reshape(shape) for part in (colours, number, edges))
        drawing.grid((left, top), cells, cell, words, gap=3, stroke=stroke, stroke_width=2)
    formula = f"{y} * {width} + {x} = {element}"
    drawing.text(
        left + cell * (width + 0.6),
        34 + cell * (y + 0.6),
        f"x = {x}, y = {y}, width = {width}:  y * width + x = {formula}",
        14,
        anchor="start",
    )
    alt = (
        f"An image of {width} columns and {height} rows. In memory its rows lie one behind the other, so column {x} "
        f"of row {y} is element {formula}."
    )
    return figure(drawing, alt=alt, caption="The same elements as an image and in memory.")


def vector_loads() -> Picture:
    """Draw what one load brings to a lane, as a float and as a float4, above the sectors of the array it reads."""
    floats, cell, left, sector = 16, 50, 116, 8
    drawing = Drawing(left + cell * floats + 10, 232)
    for row, (name, parts) in enumerate((("float", ""), ("float4", "xyzw"))):
        y0, each = 8 + 146 * row, len(parts) or 1
        drawing.text(4, y0 + 15, f"as {name}", 13, anchor="start")
        drawing.text(4, y0 + 31, f"{4 * each} bytes a lane", 12, GREY, "start")
        for lane in range(floats // each):
            tint, ink = ((BLUE, "white"), (SKY, BLACK))[lane % 2]
            drawing.rect(left + cell * each * lane, y0, cell * each - 4, 36, tint)
            middle = left + cell * each * (lane + 0.5) - 2
            drawing.text(middle, y0 + 16, f"lane {lane}", 11, ink)
            for k, part in enumerate(parts):
                at = left + cell * (each * lane + k + 0.5) - 2
                drawing.text(at, y0 + 31, f".{part}", 12, ink, mono=True)
    drawing.text(4, 108, "x in memory", 13, anchor="start")
    for index in range(floats):
        drawing.cell((left + cell * index, 86, cell - 4, 34), PALE, f"x[{index}]", 11)
    for number in range(floats // sector):
        x0 = left + cell * sector * number
        drawing.rect(x0 - 3, 64, cell * sector - 2, 62, "none", BLACK, stroke_width=2)
        drawing.text(x0 + 6, 80, f"sector {number}: 32 bytes", 12, anchor="start")
    drawing.text(
        left,
        222,
        "A warp of 32 lanes: 128 bytes in 4 sectors as float, 512 bytes in 16 sectors as float4.",
        13,
        anchor="start",
    )
    alt = (
        "With float, a lane loads 4 bytes and a warp touches 4 sectors in one request. With float4, a lane loads "
        "four neighbouring floats, 16 bytes, and a warp touches 16 sectors in one request."
    )
    return figure(drawing, alt=alt)
