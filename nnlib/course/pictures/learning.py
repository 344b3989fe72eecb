"""Pictures of gradients and training: a graph step by step, a step, a valley, a boundary, loss curves. Lessons 02 and 06."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from nnlib.course.pictures.charts import MARKERS
from nnlib.course.pictures.style import (
    BLUE,
    DARK_RED,
    GREEN,
    GREY,
    ORANGE,
    PALE,
    RED,
    SKY,
    Picture,
    empty_figure,
    figure,
    styled,
    subplots,
)
from nnlib.course.pictures.svg import Drawing
from nnlib.course.pictures.widgets import Stepper


def graph_stepper(x: float = 2.0, w: float = 1.5, b: float = -1.0, t: float = 1.0) -> Stepper:
    """Show a network of one weight, (relu(w·x + b) − t)²: values flow right above the line, then gradients left below it.

    >>> graph_stepper().pictures[11,].alt
    'A product multiplies by the other factor: dL/dw = 2 · x = 4.'
    """
    u, z = w * x, w * x + b
    y = max(z, 0.0)
    e = y - t
    names, values = ("w · x", "+ b", "ReLU", "− t", "square"), (u, z, y, e, e * e)
    dz = 2 * e if z > 0 else 0.0
    gradients = (dz, dz, 2 * e, 2 * e, 1.0)
    leaves = {0: (("x", x, None), ("w", w, dz * x)), 1: (("b", b, dz),), 3: (("t", t, None),)}
    said = [
        f"Forwards: w · x = {w:g} · {x:g} = {u:g}.",
        f"Plus b: {z:g}.",
        f"ReLU keeps what is positive: {y:g}.",
        f"Minus the target: the error is {e:g}.",
        f"Squared: the loss is {e * e:g}.",
        "Backwards: the loss changes by 1 for each 1 of itself.",
        f"The square has the slope 2e: {2 * e:g} arrives at its input.",
        f"Minus t has the slope 1: {2 * e:g} passes.",
        f"ReLU has the slope {int(z > 0)} here: {dz:g} passes.",
        f"A plus hands on its gradient: dL/db = {dz:g}, and {dz:g} goes on to the product.",
        f"A product multiplies by the other factor: dL/dw = {dz:g} · x = {dz * x:g}.",
    ]

    def draw(step: int) -> Drawing:
        drawing = Drawing(100 + 142 * len(names), 200)
        for i, name in enumerate(names):
            left, back = 90 + 142 * i, 2 * len(names) - 1 - i
            if i < len(names) - 1:
                drawing.line(left + 90, 66, left + 142, 66, GREY)
            for at, (leaf, value, slope) in zip(
                (left + 21, left + 67), leaves.get(i, ()), strict=False
            ):
                drawing.line(at, 88, at, 118, GREY)
                drawing.text(at, 136, leaf, 14)
                drawing.text(at, 156, f"{value:g}", 14, BLUE)
                drawing.text(
                    at, 178, f"{slope:g}" if slope is not None and step > back else "", 15, DARK_RED
                )
            frame = BLUE if i == step else RED if step == back + 1 else GREY
            drawing.cell(
                (left, 44, 90, 44), PALE, name, 14, stroke=frame, stroke_width=1 + (frame != GREY)
            )
            drawing.text(left + 116, 56, f"{values[i]:g}" if step >= i else "", 15, BLUE)
            drawing.text(left + 116, 86, f"{gradients[i]:g}" if step >= back else "", 15, DARK_RED)
        return drawing

    return Stepper([(draw(k), words) for k, words in enumerate(said)], still=0)


@styled
def descent(paths: Mapping[str, Sequence[float]]) -> Picture:
    """Draw where each step of gradient descent lands on the error w²; paths: name -> w before the first step and after each.

    >>> descent({"lr 0.2": [2, 1.2]}).alt
    'Steps down the error w². lr 0.2: w = 2, 1.2.'
    """
    fig, axes = subplots((6, 3))
    w = np.linspace(-2.2, 2.2, 89)
    axes.plot(w, w**2, color=GREY)
    for k, (name, path) in enumerate(paths.items()):
        axes.plot(path, np.square(path), marker=MARKERS[k], label=name)
    axes.set(xlabel="weight w", ylabel="error w²")
    axes.legend()
    said = [f"{name}: w = {', '.join(f'{w:.3g}' for w in path)}" for name, path in paths.items()]
    return figure(fig, alt=f"Steps down the error w². {'; '.join(said)}.")


@styled
def valley(
    paths: Mapping[str, Any], along: float = 0.005, across: float = 1.0, goal: float = 0.001
) -> Picture:
    """Draw ways down the valley along·a² + across·b²; paths: name of the rule -> its points (steps + 1, 2).

    The title of each says after how many steps its loss stays below the goal.
    """
    fig = empty_figure((8, 1.5 * len(paths)))
    a, b = np.meshgrid(np.linspace(-4.4, 1.6, 241), np.linspace(-1.8, 1.8, 241))
    needed = {}
    for axes, (name, path), colour in zip(
        fig.subplots(len(paths), 1, sharex=True, squeeze=False)[:, 0],
        paths.items(),
        (ORANGE, BLUE, GREEN, RED, SKY),
        strict=False,
    ):
        above = np.flatnonzero(along * path[:, 0] ** 2 + across * path[:, 1] ** 2 > goal)
        needed[name] = int(above[-1]) + 1 if above.size else 0
        axes.contour(
            a,
            b,
            along * a**2 + across * b**2,
            levels=[0.002, 0.02, 0.07, 0.25, 0.7, 1.5],
            colors="lightgrey",
            linewidths=1,
        )
        axes.plot(*path[:60].T, ".-", color=colour, linewidth=1.2)
        axes.set_title(f"{name}: {needed[name]} steps until the loss stays below {goal:g}")
        axes.set_ylabel("b")
        axes.grid(False)
    axes.set_xlabel("a")
    said = ", ".join(f"{name} {count}" for name, count in needed.items())
    return figure(
        fig,
        alt=f"Paths down a valley {across / along:g} times steeper across than along. Steps until the "
        f"loss stays below {goal:g}: {said}.",
    )


@styled
def boundary_stepper(frames: Mapping[int, tuple[Any, float]], points: Any, labels: Any) -> Stepper:
    """Show how a network of two inputs learns. frames: epoch -> (probability of class 1 on a grid, share of points right).

    points (n, 2) in -1 … 1; labels: 0 or 1. Circles belong to class 1, on bright ground, crosses to class 0.
    """
    one = np.asarray(labels).ravel() > 0.5

    def draw(probability: Any) -> Any:
        fig, axes = subplots((4.2, 3.6))
        axes.imshow(probability, extent=(-1, 1, -1, 1), origin="lower", vmin=0, vmax=1)
        axes.contour(probability, [0.5], extent=(-1, 1, -1, 1), colors="white")
        axes.plot(*points[one].T, "o", color=ORANGE, markeredgecolor="black", markersize=5)
        axes.plot(*points[~one].T, "x", color=SKY, markersize=5)
        axes.set(xlabel="a", ylabel="b")
        axes.grid(False)
        return fig

    return Stepper(
        [
            (
                draw(probability),
                (
                    f"After {epoch} epoch{'s' * (epoch != 1)}: {share:.0%} of {len(points)} points "
                    "are right."
                ),
            )
            for epoch, (probability, share) in frames.items()
        ],
        "picture",
    )


@styled
def loss_curves(
    runs: Mapping[str, Sequence[float]], chance: float | None = None, top: float | None = None
) -> Picture:
    """Draw the loss by step of one or more runs; chance: the loss of guessing, dashed. top: where the axis ends.

    The alt text says where each run ends, as the mean of its last steps, to one digit.
    """
    fig, axes = subplots((7, 2.6))
    if chance is not None:
        axes.axhline(chance, color="lightgrey", linestyle=":", label=f"chance, {chance:.1f}")
    for (name, losses), colour, dash in zip(
        runs.items(), (GREY, RED, BLUE, GREEN, ORANGE), ("--", "-", "-.", ":", "-"), strict=False
    ):
        axes.plot(losses, dash, color=colour, linewidth=1.3, label=name)
    axes.set(xlabel="step", ylabel="loss", ylim=(0, top))
    axes.legend(ncols=4, loc="lower center", bbox_to_anchor=(0.5, 1))
    ends = ", ".join(
        f"{name} near {np.mean(losses[-len(losses) // 6 :]):.1g}" for name, losses in runs.items()
    )
    return figure(fig, alt=f"Loss over {max(map(len, runs.values()))} steps; at the end {ends}.")
