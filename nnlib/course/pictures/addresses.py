"""Where a thread of a convolution writes, and what its window reads: indices, and addresses in memory. Lesson 05."""

from __future__ import annotations

import numpy as np

from nnlib.course.pictures.style import BLACK, BLUE, GREEN, GREY, PALE, SKY
from nnlib.course.pictures.svg import Drawing
from nnlib.course.pictures.widgets import Stepper

SIZES = {"N": 2, "C": 2, "H": 4, "W": 5, "F": 2, "K": 3}  # of index_stepper


def _taken_apart(at: int, sizes: dict[str, int]) -> tuple[dict[str, int], list[str]]:
    """Return the indices of result number `at` of a convolution, and the four lines that compute them."""
    counts = {"ox": sizes["W"] - sizes["K"] + 1, "oy": sizes["H"] - sizes["K"] + 1, "f": sizes["F"]}
    found, lines, left = {}, [], at
    for name, count in counts.items():
        found[name], rest = left % count, left // count
        lines.append(
            f"{name:2} = {left:2} % {count} = {found[name]}    go on with {left:2} / {count} = {rest}"
        )
        left = rest
    return {**found, "n": left}, [*lines, f"n  = {left:2}"]


def _window_addresses(at: dict[str, int], sizes: dict[str, int]) -> list[int]:
    """Return where the pixels of the window lie in x (N, C, H, W), as addresses in elements."""
    shape, K = tuple(sizes[name] for name in "NCHW"), sizes["K"]
    return [
        int(np.ravel_multi_index((at["n"], c, at["oy"] + i, at["ox"] + j), shape))
        for c, i, j in np.ndindex(sizes["C"], K, K)
    ]


def _planes_of_addresses(
    drawing: Drawing, y: float, sizes: dict[str, int], seen: list[int]
) -> None:
    """Draw every channel of every picture, with the address of each pixel; the window's are marked, its first one darker."""
    cell, size = 26, sizes["H"] * sizes["W"]
    for n, c in np.ndindex(sizes["N"], sizes["C"]):
        plane, left = (
            n * sizes["C"] + c,
            10 + (n * sizes["C"] + c) * (cell * sizes["W"] + 34) + 12 * n,
        )
        drawing.text(left, y + 12, f"picture {n}, channel {c}", 12, GREY, "start")
        address = plane * size + np.arange(size).reshape(sizes["H"], sizes["W"])
        colours = np.where(np.isin(address, seen), SKY, PALE)
        colours[address == seen[0]] = BLUE
        drawing.grid(left, y + 20, colours, cell, address, 11)


def _strip(
    drawing: Drawing, y: float, name: str, count: int, group: int, marked: dict[int, str]
) -> None:
    """Draw an array in memory as a row of elements with a gap after each plane; marked: element -> colour."""
    drawing.text(10, y + 12, name, 12, GREY, "start")
    wide = (690 - 6 * (count // group - 1)) / count
    for k in range(count):
        left = 10 + k * wide + 6 * (k // group)
        drawing.rect(left, y + 20, wide - 1, 22, marked.get(k, PALE))


def index_stepper() -> Stepper:
    """Show a thread's number taken apart into (n, f, oy, ox), the address of its result, and what its window reads.

    Two pictures of two channels, 4 x 5 pixels, two filters of 3 x 3, stride 1, no padding: 24 results, one per thread.

    >>> index_stepper().pictures[18,].alt
    'Thread 17: ox 2, oy 1, f 0, n 1. It writes y[17]; its window begins at x[47], and at x[67] in the next channel.'
    """
    shape = tuple(SIZES[name] for name in "NCHW")
    places = (SIZES["H"] - SIZES["K"] + 1) * (SIZES["W"] - SIZES["K"] + 1)
    results, pixels = SIZES["N"] * SIZES["F"] * places, int(np.prod(shape))

    def draw(number: int) -> Drawing:
        at, lines = _taken_apart(number, SIZES)
        seen = _window_addresses(at, SIZES)
        drawing = Drawing(710, 352)
        drawing.text(10, 18, f"thread {number}", 15, BLUE, "start")
        for k, line in enumerate(lines):
            drawing.text(120, 18 + 22 * k, line, 14, BLACK, "start", mono=True)
        _strip(
            drawing,
            96,
            f"y in memory: {results} results, (n, f, oy, ox)",
            results,
            places,
            {number: GREEN},
        )
        _planes_of_addresses(drawing, 156, SIZES, seen)
        first = f"(({at['n']} · {shape[1]} + 0) · {shape[2]} + {at['oy']}) · {shape[3]} + {at['ox']} = {seen[0]}"
        _strip(
            drawing,
            300,
            f"x in memory: {pixels} pixels, (n, c, row, column); the window begins at {first}",
            pixels,
            shape[2] * shape[3],
            {**dict.fromkeys(seen, SKY), seen[0]: BLUE},
        )
        return drawing

    def say(number: int) -> str:
        at, _ = _taken_apart(number, SIZES)
        seen = _window_addresses(at, SIZES)
        return (
            f"Thread {number}: {', '.join(f'{name} {at[name]}' for name in ('ox', 'oy', 'f', 'n'))}. It writes "
            f"y[{number}]; its window begins at x[{seen[0]}], and at x[{seen[SIZES['K'] ** 2]}] in the next "
            "channel."
        )

    return Stepper.over(np.ndindex(results), draw, say, "thread", still=17)
