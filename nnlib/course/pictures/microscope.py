"""Pictures of what a warp does: lanes and sectors, lanes and banks, active lanes; heat map. Lesson 02.

What the lanes access is either `profile.accesses(line)`, seen in a launch, or indices in elements, one per
lane of a warp, None for a lane that is switched off.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from nnlib.course.pictures.style import (
    BLACK,
    BLUE,
    DARK_RED,
    GREY,
    PALE,
    SKY,
    Picture,
    figure,
    styled,
    subplots,
    whole_numbers,
)
from nnlib.course.pictures.svg import Drawing
from nnlib.cuda import LaneAccess, Trace
from nnlib.cuda.limits import BANK, BANKS, SECTOR


def sectors_touched(index: Sequence[int | None], itemsize: int = 4) -> list[int]:
    """Return the numbers of the 32-byte sectors that one request of a warp accesses.

    >>> sectors_touched(range(32)), sectors_touched(range(1, 33))  # 32 floats in a row; the same, one further
    ([0, 1, 2, 3], [0, 1, 2, 3, 4])
    """
    bytes_ = [i * itemsize + b for i in index if i is not None for b in (0, itemsize - 1)]
    return sorted({b // SECTOR for b in bytes_})


def _bank_words(index: Sequence[int | None], itemsize: int) -> list[list[int]]:
    """Return the different 4-byte words per bank, in the order of the lanes."""
    words = dict.fromkeys(i * itemsize // BANK for i in index if i is not None)
    return [[word for word in words if word % BANKS == bank] for bank in range(BANKS)]


def _lanes(accesses: Sequence[Any], name: str, default: str) -> tuple[list[Any], str, int]:
    """Return index per lane, name and bytes per element, from indices of floats or from the accesses of a profile."""
    if not any(isinstance(a, LaneAccess) for a in accesses):
        return list(accesses), name or default, 4
    name = name or accesses[0].name
    index: list[int | None] = [None] * 32
    itemsize = 4
    for access in accesses:
        if access.name == name:
            index[access.lane] = access.index
            itemsize = access.address // access.index if access.index else itemsize
    return index, name, itemsize


def sector_strip(accesses: Sequence[Any], name: str = "") -> Picture:
    """Draw lanes above, the array's sectors below, and a line from each lane to what it accesses.

    accesses: of one array; `name` picks it where the line touches several. Only touched sectors are drawn,
    gaps are marked by "…".

    >>> print(sector_strip([2 * lane for lane in range(32)]).alt)
    32 active lanes touch x in 8 sectors of 32 bytes; 50 % of the bytes moved are used.
    """
    index, name, itemsize = _lanes(accesses, name, "x")
    touched = sectors_touched(index, itemsize)
    lanes = len(index)
    per_sector = SECTOR // itemsize
    # All 32 sectors of the worst case fit on a slide
    pitch = min(22.0 * per_sector + 10, 900 / max(1, len(touched)))
    gap = min(10.0, pitch / 5)
    cell = (pitch - gap) / per_sector
    drawing = Drawing(60 + max(lanes * 22, len(touched) * pitch), 170)
    drawing.text(4, 26, "lane", 11, GREY, "start")
    drawing.text(4, 128, name, 13, BLACK, "start", mono=True)
    left, wide = {s: 50 + k * pitch for k, s in enumerate(touched)}, per_sector * cell > 50
    if not wide:
        drawing.text(4, 154, "sector", 11, GREY, "start")
    for s, x in left.items():
        drawing.cell(
            (x - 2, 108, per_sector * cell + 4, 30),
            PALE,
            f"sector {s}" if wide else s,
            10,
            ink=GREY,
            stroke=GREY,
            down=46,
        )
        if s - 1 not in left and s != touched[0]:
            drawing.text(x - 6, 128, "…", 11, GREY)
    for lane, i in enumerate(index):
        x = 50 + lane * 22
        drawing.cell(
            (x, 14, 20, 18), SKY if i is not None else PALE, lane, 10, stroke="none", rx=3, down=13
        )
        if i is not None:
            s = i * itemsize // SECTOR
            at = left[s] + (i - s * SECTOR / itemsize) * cell
            drawing.rect(at + 0.5, 110, max(2.0, cell - 1), 26, BLUE)
            drawing.line(x + 10, 33, at + cell / 2, 109, BLUE, stroke_width=1, opacity=0.6)
    active = sum(i is not None for i in index)
    lanes_touch = "1 active lane touches" if active == 1 else f"{active} active lanes touch"
    used = 100 * len({i for i in index if i is not None}) * itemsize / max(1, len(touched) * SECTOR)
    alt = (
        f"{lanes_touch} {name} in {len(touched)} sector{'s' * (len(touched) != 1)} of 32 bytes; "
        f"{used:.3g} % of the bytes moved are used."
    )
    return figure(drawing, alt=alt, caption=alt)


def bank_grid(accesses: Sequence[Any], name: str = "") -> Picture:
    """Draw the 32 banks of shared memory as columns, each a stack of the different words that the lanes want from it."""
    index, name, itemsize = _lanes(accesses, name, "s")
    words = _bank_words(index, itemsize)
    depth = max(map(len, words))
    step = 18 if depth <= 8 else 12  # pixels per word: a high stack has to fit on a slide
    height = step * max(1, depth)
    drawing = Drawing(60 + BANKS * 25, 56 + height)
    drawing.text(4, 22, "bank", 11, GREY, "start")
    for bank, stack in enumerate(words):
        x = 50 + bank * 25
        drawing.text(x + 11, 22, bank, 10, GREY)
        drawing.rect(x, 30, 23, height + 4, PALE)
        for level, word in enumerate(stack):
            drawing.rect(x + 1, 32 + step * level, 21, step - 2, BLUE if level == 0 else DARK_RED)
            drawing.text(x + 11, 35 + step // 2 + step * level, word * BANK // itemsize, 9, "white")
    alt = (
        f"Lanes ask for {sum(map(len, words))} words of {name} in {sum(map(bool, words))} of 32 banks; "
        f"the fullest bank holds {depth}: {depth} wavefront{'s' * (depth != 1)}, "
        f"{depth - 1 if depth > 1 else 'no'} bank conflict{'s' * (depth > 2)}."
    )
    return figure(drawing, alt=alt, caption=alt)


def lane_timeline(trace: Trace, warp: int = 0, steps: int = 40) -> Picture:
    """Draw, statement by statement, from top to bottom, which lanes of a warp are active.

    trace: `kernel.trace(...)`. steps: how many are drawn.
    """
    shown = trace.steps[:steps]
    source = trace.source.splitlines()
    # Where the lanes begin; letters before them, enough for the line of the index
    left, width = (344, 46)
    drawing = Drawing(left + 10 + 32 * 15, 34 + 18 * len(shown))
    for lane in range(0, 32, 4):
        drawing.text(left + 7 + lane * 15, 18, lane, 10, GREY)
    drawing.text(left - 8, 18, "lane", 10, GREY, "end")
    for row, step in enumerate(shown):
        y = 26 + 18 * row
        text = source[step.line - 1].strip()
        text = text if len(text) <= width else f"{text[: width - 1]}…"
        drawing.text(4, y + 12, f"{step.line:3} {text}", 11, BLACK, "start", mono=True)
        for lane, active in enumerate(step.active[32 * warp : 32 * warp + 32]):
            drawing.rect(left + lane * 15, y, 13, 15, BLUE if active else PALE)
    lanes = [sum(step.active[32 * warp : 32 * warp + 32]) for step in shown]
    mean = sum(lanes) / max(1, len(lanes))
    alt = (
        f"Active lanes of warp {warp} in {len(shown)} statements of {trace.kernel}: "
        f"from {min(lanes, default=0)} to {max(lanes, default=0)}, {mean:.1f} on average."
    )
    return figure(drawing, alt=alt, caption=alt)


@styled
def heat_map(counts: Any, name: str = "x", what: str = "reads") -> Picture:
    """Draw how often each element of a vector or matrix is accessed; x is the column.

    counts: for example `profile.touched("a")[0].reshape(M, K)`, the reads.
    """
    counts = np.atleast_2d(np.asarray(counts))
    rows, columns = counts.shape
    small = counts.size <= 36 and rows > 1
    size = (4, 3.2) if small else (7, max(1.2, min(5.0, 6.0 * rows / columns + 0.8)))
    fig, ax = subplots(size)
    image = ax.imshow(
        counts, vmin=0, vmax=max(1, counts.max()), aspect="auto" if rows == 1 else "equal"
    )
    ax.grid(False)
    ax.xaxis.set_major_locator(whole_numbers())
    ax.yaxis.set_major_locator(whole_numbers())
    ax.set(xlabel="x (column)", ylabel="y (row)", title=f"{what} of each element of {name}")
    if rows == 1:
        ax.set(ylabel="", yticks=[])
    if counts.size <= 144 and columns <= 24:
        for (y, x), n in np.ndenumerate(counts):
            ax.text(
                x,
                y,
                str(int(n)),
                ha="center",
                va="center",
                fontsize=11 if small else 8,
                color="white" if n < 0.47 * counts.max() else "black",
            )
    else:
        fig.colorbar(image, ax=ax, label=what)
    alt = (
        f"{what.capitalize()} per element of {name}, {rows} x {columns}: from {int(counts.min())} to "
        f"{int(counts.max())}, {int(counts.sum()):,} in all."
    )
    return figure(fig, alt=alt)
