"""Pictures of the indices and addresses that a thread of a convolution writes and its window reads. Lesson 05."""

from __future__ import annotations

import numpy as np

from nnlib.course.pictures.style import BLUE, GREEN, GREY, PALE, SKY
from nnlib.course.pictures.svg import Drawing
from nnlib.course.pictures.widgets import Explorer

F, K = 2, 3  # filters, and their rows and columns
ADDRESSES = np.arange(80).reshape(2, 2, 4, 5)  # of the pixels: (N, C, H, W)
WINDOWS = np.lib.stride_tricks.sliding_window_view(ADDRESSES, (K, K), (2, 3))
SHAPE = 2, F, *WINDOWS.shape[2:4]  # (N, F, OH, OW) of the results
CELL = 26


def index_stepper() -> Explorer:
    """Show a thread's number taken apart into (n, f, oy, ox), the address of its result, and what its window reads.

    Two pictures of two channels, 4 x 5 pixels, two filters of 3 x 3, stride 1, no padding: 24 results, one per thread.

    >>> index_stepper().pictures[17,].alt
    'Thread 17: ox 2, oy 1, f 0, n 1. It writes y[17]; its window begins at x[47], and at x[67] in the next channel.'
    """
    return Explorer({"thread": [*range(np.prod(SHAPE))]}, _draw, _say, (17,))


def _say(number: int) -> str:
    n, f, oy, ox = np.unravel_index(number, SHAPE)
    first, second = WINDOWS[n, :, oy, ox, 0, 0]
    return (
        f"Thread {number}: ox {ox}, oy {oy}, f {f}, n {n}. It writes y[{number}]; its window begins at "
        f"x[{first}], and at x[{second}] in the next channel."
    )


def _draw(number: int) -> Drawing:
    n, _, oy, ox = np.unravel_index(number, SHAPE)
    seen = WINDOWS[n, :, oy, ox]
    drawing, left = Drawing(710, 352), number
    drawing.text(10, 18, f"thread {number}", 15, BLUE, "start")
    for k, (name, count) in enumerate(zip(("ox", "oy", "f"), SHAPE[:0:-1], strict=True)):
        rest, index = divmod(left, count)
        line = f"{name:2} = {left:2} % {count} = {index}    go on with {left:2} / {count} = {rest}"
        drawing.text(120, 18 + 22 * k, line, 14, anchor="start", mono=True)
        left = rest
    drawing.text(120, 84, f"n  = {left:2}", 14, anchor="start", mono=True)
    results = np.where(np.arange(np.prod(SHAPE)) == number, GREEN, PALE).reshape(4, -1)
    _strip(drawing, 96, f"y in memory: {results.size} results, (n, f, oy, ox)", results)
    colours = np.where(np.isin(ADDRESSES, seen), SKY, PALE)
    colours[seen[0, 0, 0] == ADDRESSES] = BLUE
    for k, (picture, channel) in enumerate(np.ndindex(2, 2)):
        x = 10 + k * (CELL * 5 + 34) + 12 * picture
        drawing.text(x, 168, f"picture {picture}, channel {channel}", 12, GREY, "start")
        at = picture, channel
        drawing.grid((x, 176), colours[at], CELL, ADDRESSES[at], 11)
    first = f"(({n} · 2 + 0) · 4 + {oy}) · 5 + {ox} = {seen[0, 0, 0]}"
    words = f"x in memory: 80 pixels, (n, c, row, column); the window begins at {first}"
    _strip(drawing, 300, words, colours.reshape(4, -1))
    return drawing


def _strip(drawing: Drawing, y: float, name: str, colours: np.ndarray) -> None:
    """Draw an array in memory as a row of elements; colours: a row for each plane, with a gap behind it."""
    drawing.text(10, y + 12, name, 12, GREY, "start")
    wide = (690 - 6 * (len(colours) - 1)) / colours.size
    for k, colour in enumerate(colours.flat):
        x = 10 + k * wide + 6 * (k // colours.shape[1])
        drawing.rect(x, y + 20, wide - 1, 22, colour)
