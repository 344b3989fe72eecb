"""Activations and the sum of a warp. Lesson 04."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from nnlib.course.pictures.charts import DASHES
from nnlib.course.pictures.style import (
    BLACK,
    BLUE,
    GREEN,
    GREY,
    ORANGE,
    PALE,
    PINK,
    SKY,
    Picture,
    figure,
    styled,
    subplots,
)
from nnlib.course.pictures.svg import Drawing
from nnlib.course.pictures.widgets import Stepper


@styled
def activation_curves(x: Sequence[float], curves: Mapping[str, tuple[Any, Any]]) -> Picture:
    """Draw activations on the left, their slopes on the right. curves: name -> (values at x, slopes at x)."""
    fig, (left, right) = subplots((9, 3.4), 1, 2)
    for (name, (values, slopes)), dash in zip(curves.items(), DASHES * 2, strict=False):
        left.plot(x, values, linestyle=dash, label=name)
        right.plot(x, slopes, linestyle=dash, label=name)
    left.set(title="value", xlabel="x", ylim=(-1.2, 3))
    right.set(title="slope", xlabel="x", ylim=(-0.2, 1.2))
    left.legend()
    steepest = ", ".join(f"{name} {np.max(slopes):.2f}" for name, (_, slopes) in curves.items())
    last = ", ".join(f"{name} {slopes[-1]:.3f}" for name, (_, slopes) in curves.items())
    return figure(
        fig,
        alt=f"Values and slopes of {', '.join(curves)} from {x[0]:g} to {x[-1]:g}. "
        f"Largest slopes: {steepest}. Slopes at {x[-1]:g}: {last}.",
    )


NUMBERS = (3, 1, 4, 1, 5, 9, 2, 6)


def shuffle_stepper() -> Stepper:
    """Show how a warp of 8 lanes adds up its numbers by __shfl_xor_sync: whose number each lane adds in each step.

    >>> [picture.alt for picture in shuffle_stepper().pictures.values()][-1]
    'xor 1: each lane adds the number of its partner; lane 0 holds 31.'
    """
    now, frames = np.array(NUMBERS), []
    for offset in (0, 4, 2, 1):  # 0: the numbers at the start
        drawing, before = Drawing(560, 150), now
        now = before + before[np.arange(8) ^ offset] if offset else before
        for lane in range(8):
            x = 40 + lane * 64
            drawing.text(x + 22, 16, f"lane {lane}", 12, GREY)
            drawing.cell((x, 22, 44, 30), SKY, before[lane], 14)
            if offset:
                drawing.line(x + 22, 52, x + 22, 100, GREY)
                drawing.arrow(62 + (lane ^ offset) * 64, 52, x + 22, 99, BLUE)
                drawing.cell((x, 100, 44, 30), BLUE, now[lane], 14, ink="white")
        step = f"xor {offset}: each lane adds the number of its partner; lane 0 holds {now[0]}."
        frames.append((drawing, step if offset else "8 lanes with one number each."))
    return Stepper(frames, still=1)


def tree_stepper() -> Stepper:
    """Show how a block sums an array in shared memory: after each barrier, half as many threads add.

    >>> [picture.alt for picture in tree_stepper().pictures.values()][1]
    'Stride 4: after a barrier, threads t < 4 add s[t + 4] to s[t]; 4 of 8 work.'
    """
    rows = [np.array(NUMBERS)]
    for live in (4, 2, 1):
        now = rows[-1].copy()
        now[:live] += now[live : 2 * live]
        rows.append(now)

    def draw(shown: int) -> Drawing:
        drawing = Drawing(576, 272)
        for level, row in enumerate(rows[: shown + 1]):
            live = 8 >> level
            for t, number in enumerate(row):
                x, y = 70 + 62 * t, 14 + 62 * level
                fill, ink = (BLUE, "white") if t < live else (PALE, GREY)
                if level == 0:
                    fill, ink = SKY, BLACK
                drawing.cell((x, y, 46, 30), fill, number, 14, ink=ink)
                if level and t < live:
                    drawing.line(x + 23, y - 32, x + 23, y, GREY)
                    drawing.arrow(x + 23 + 62 * live, y - 32, x + 25, y - 1, BLUE)
            drawing.text(62, 34 + 62 * level, f"stride {live}" if level else "s", 12, GREY, "end")
        return drawing

    def say(shown: int) -> str:
        live = 8 >> shown
        if not shown:
            return "8 numbers in shared memory."
        return f"Stride {live}: after a barrier, threads t < {live} add s[t + {live}] to s[t]; {live} of 8 work."

    return Stepper.over([(shown,) for shown in range(4)], draw, say, still=-1)


@styled
def loss_gradient(probabilities: Sequence[float], gradient: Sequence[float]) -> Picture:
    """Draw the probabilities of a softmax beside the gradient of its loss, and where a step moves each logit.

    >>> loss_gradient([0.25, 0.75], [0.25, -0.25]).alt
    'Probabilities 0.25, 0.75. Gradient 0.25, -0.25: a step lowers logit 0 and raises logit 1.'
    """
    fig, (left, right) = subplots((8, 2.9), 1, 2)
    names = [f"class {k}" for k in range(len(probabilities))]
    colours = [ORANGE if value < 0 else BLUE for value in gradient]
    drawn = left.bar(names, probabilities, color=SKY)
    left.bar_label(drawn, [f"{p:.2f}" for p in probabilities], padding=3)
    left.set(title="probability p", ylim=(0, 1.15))
    drawn = right.bar(names, gradient, color=colours)
    moves = ["raises" if value < 0 else "lowers" for value in gradient]
    right.bar_label(
        drawn,
        [f"{value:.2f}\na step {move} z" for value, move in zip(gradient, moves, strict=True)],
        padding=3,
    )
    right.axhline(0, color=BLACK, linewidth=1)
    right.set(title="gradient: p, minus 1 at the label", ylim=(-1.5, 1.5))
    said = " and ".join(f"{move} logit {k}" for k, move in enumerate(moves))
    return figure(
        fig,
        alt=f"Probabilities {', '.join(f'{p:.2f}' for p in probabilities)}. "
        f"Gradient {', '.join(f'{value:.2f}' for value in gradient)}: a step {said}.",
    )


def shared_sum() -> Picture:
    """Show a long sum shared by the lanes of a warp: products dealt out, a part per lane, a tree of shuffles, one store.

    >>> shared_sum().alt
    '8 products, dealt out to 4 lanes: the parts are 8, 10, 6, 7. After xor 2: 14, 17, 14, 17. \
After xor 1: 31, 31, 31, 31. Lane 0 stores 31.'
    """
    colours, step = (SKY, ORANGE, GREEN, PINK), 92
    drawing = Drawing(886, 350)
    parts = [sum(NUMBERS[lane::4]) for lane in range(4)]
    for p, product in enumerate(NUMBERS):
        drawing.cell((120 + step / 2 * p, 14, 36, 30), colours[p % 4], product, 14)
        drawing.line(138 + step / 2 * p, 44, 138 + step * (p % 4), 78, GREY)
    said = [", ".join(map(str, parts))]
    for name, y in (("products", 34), ("parts", 98)):
        drawing.text(106, y, name, 13, GREY, "end")
    _lanes(drawing, 78, parts, step)
    for offset, y in ((2, 158), (1, 238)):
        for lane in range(4):
            x, other = (138 + step * at for at in (lane, lane ^ offset))
            drawing.line(x, y - 50, x, y, GREY)
            drawing.arrow(other, y - 50, x + (8 if lane & offset else -8), y, BLUE)
        parts = [part + parts[lane ^ offset] for lane, part in enumerate(parts)]
        drawing.text(106, y + 20, f"xor {offset}", 13, GREY, "end")
        _lanes(drawing, y, parts, step)
        said.append(f"xor {offset}: {', '.join(map(str, parts))}")
    drawing.arrow(138, 268, 138, 312, BLACK)
    drawing.text(150, 308, f"lane 0 stores {parts[0]}", 13, anchor="start")
    return figure(
        drawing,
        alt=f"8 products, dealt out to 4 lanes: the parts are {'. After '.join(said)}. "
        f"Lane 0 stores {parts[0]}.",
    )


def _lanes(drawing: Drawing, y: float, values: Sequence[int], step: float) -> None:
    for lane, value in enumerate(values):
        drawing.cell((114 + step * lane, y, 48, 30), BLUE, value, 14, ink="white")
        if y < 80:
            drawing.text(138 + step * lane + 30, y + 20, f"lane {lane}", 11, GREY, "start")
