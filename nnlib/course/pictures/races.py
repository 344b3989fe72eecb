"""Warps that come in another order: a slider that lets a missing barrier or atomic give wrong numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from nnlib.course.pictures.style import BLACK, BLUE, DARK_RED, GREEN, GREY, ORANGE, PALE, SKY
from nnlib.course.pictures.svg import Drawing
from nnlib.course.pictures.widgets import Explorer
from nnlib.cuda import Interleaving, RawKernel

TINTS = {"read": SKY, "write": ORANGE, "atomic": GREEN}
TURNS, WARPS, CELLS, ORDERS = 14, 8, 128, 8  # that are drawn


def race_explorer(
    kernel: RawKernel,
    grid: Any,
    block: Any,
    args: Sequence[Any],
    right: Any,
) -> Explorer:
    """Run a kernel unchecked with its warps in several orders; the slider chooses one.

    Above, who reads and writes what and when, a row per warp; below, the array that is left, with a frame around what
    is wrong. `args` stay as they were.
    right: what the (first) written array should hold.
    The orders: warp after warp, the last first, then random ones.

    >>> code = 'extern "C" __global__ void count(float* c) { c[0] += 1.0f; }'
    >>> shown = race_explorer(RawKernel(code, "count"), 1, 64, (np.zeros(1, np.float32),), right=64)
    >>> shown.pictures[0,].alt
    'Order 0, warp after warp: c is 2 and should be 64. In 8 orders c is 1 or 2.'
    """
    runs = [kernel.interleave(grid, block, args, order=order) for order in range(ORDERS)]
    if not runs[0].results:
        raise ValueError(f"{kernel.name} writes no array: there is nothing to compare")
    name = next(iter(runs[0].results))
    ends = [run.results[name].ravel() for run in runs]
    wanted = np.broadcast_to(np.ravel(right), ends[0].shape)
    good = [np.isclose(end, wanted) for end in ends]
    summary = _summary(name, ends, good)
    return Explorer(
        {"order": list(range(ORDERS))},
        lambda order: _picture(runs[order], name, ends[order], good[order]),
        lambda order: _said(order, name, ends[order], good[order], wanted) + summary,
        (2,),
    )


def _said(order: int, name: str, end: np.ndarray, good: np.ndarray, wanted: Any) -> str:
    how = (
        ("warp after warp", "the last warp first")[order]
        if order < 2
        else "warps interleaved at random"
    )
    if end.size == 1:
        right = ", as it should be" if good[0] else f" and should be {wanted[0]:g}"
        return f"Order {order}, {how}: {name} is {end[0]:g}{right}."
    bad = int((~good).sum())
    words = "is wrong" if bad == 1 else "are wrong"
    return f"Order {order}, {how}: {bad or 'none'} of the {end.size} elements of {name} {words}."


def _summary(name: str, ends: list[np.ndarray], good: list[np.ndarray]) -> str:
    if ends[0].size == 1:
        values = sorted({float(end[0]) for end in ends})
        words = [f"{value:g}" for value in values]
        several = (
            f"{', '.join(words[:-1])} or {words[-1]}" if len(words) > 1 else f"always {words[0]}"
        )
        return f" In {len(ends)} orders {name} is {several}."
    counts = sorted({int((~g).sum()) for g in good})
    return f" In {len(ends)} orders {' or '.join(map(str, counts))} {'are' if counts != [1] else 'is'} wrong."


def _picture(run: Interleaving, name: str, end: np.ndarray, good: np.ndarray) -> Drawing:
    rows, turns = min(run.warps, WARPS), run.turns[:TURNS]
    height = 40 + 34 * rows
    drawing = Drawing(90 + 60 * TURNS, height + 40 + 26 * -(-min(end.size, CELLS) // 32))
    drawing.text(84, 22, "time", 12, GREY, "end")
    drawing.arrow(92, 18, 140, 18, GREY)
    for x, kind in enumerate(TINTS):
        drawing.rect(240 + 130 * x, 8, 16, 16, TINTS[kind])
        drawing.text(262 + 130 * x, 21, kind, 12, BLACK, "start")
    drawing.rect(631, 9, 14, 14, DARK_RED, BLACK, stroke_width=2)
    drawing.text(652, 21, "wrong", 12, BLACK, "start")
    for warp in range(rows):
        drawing.text(84, 55 + 34 * warp, f"warp {warp}", 12, BLACK, "end")
        drawing.rect(90, 34 + 34 * warp, 60 * TURNS - 4, 32, PALE)
    for at, turn in enumerate(turns):
        if turn.warp < rows:
            x, y = 92 + 60 * at, 36 + 34 * turn.warp
            drawing.rect(x, y, 56, 28, TINTS[turn.kind])
            # Which green takes in a dark theme, too
            ink = "white" if turn.kind == "atomic" else BLACK
            drawing.text(x + 28, y + 12, f"{turn.name}[{turn.index}]"[:9], 10, ink)
            drawing.text(x + 28, y + 25, f"{float(turn.value):.4g}", 11.5, ink)
    if len(run.turns) > TURNS:
        drawing.text(88 + 60 * TURNS, 30, f"… {len(run.turns) - TURNS} more", 11, GREY, "end")
    drawing.text(84, height + 22, name, 13, BLACK, "end", mono=True)
    for k, value in enumerate(end[:CELLS]):
        x, y = 90 + 26 * (k % 32), height + 4 + 26 * (k // 32)
        if good[k]:
            drawing.rect(x, y, 24, 24, BLUE)
        else:
            drawing.rect(x + 1, y + 1, 22, 22, DARK_RED, BLACK, stroke_width=2)
        drawing.text(x + 12, y + 16, f"{float(value):.3g}"[:4], 9.5, "white")
    return drawing
