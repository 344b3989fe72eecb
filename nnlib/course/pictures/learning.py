"""How gradients flow and what they do: a graph step by step, a valley, a boundary, loss curves. Lesson 06."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib import rc_context
from matplotlib.figure import Figure

from nnlib.course.pictures.style import (
    BLUE,
    DARK_RED,
    GREEN,
    GREY,
    ORANGE,
    PALE,
    RED,
    SETTINGS,
    SKY,
    Picture,
    figure,
)
from nnlib.course.pictures.svg import Drawing
from nnlib.course.pictures.widgets import Stepper


def graph_stepper(nodes: Sequence[str], values: Sequence[float], gradients: Sequence[float],
                  leaves: Mapping[int, Sequence[tuple[str, float, float | None]]],
                  said: Sequence[str]) -> Stepper:
    """A chain of operations: values flow to the right (blue), then gradients to the left (red).

    nodes: names of the operations. values: output of each. gradients: of the loss by each output.
    leaves: number of a node -> (name, value, gradient or None) of what enters it from below.
    said: one sentence per step: one per node forwards, one for the loss itself, one per node backwards.
    """
    last = 2 * len(nodes) - 1

    def draw(step: int) -> str:
        drawing = Drawing(100 + 142 * len(nodes), 200)
        for i, name in enumerate(nodes):
            x, back = 90 + 142 * i, last - i
            if i < len(nodes) - 1:
                drawing.line(x + 90, 66, x + 142, 66, GREY)
            for at, (leaf, value, slope) in zip((x + 21, x + 67), leaves.get(i, ()), strict=False):
                drawing.line(at, 88, at, 118, GREY)
                drawing.text(at, 136, leaf, 14)
                drawing.text(at, 156, f"{value:g}", 14, BLUE)
                drawing.text(at, 178, f"{slope:g}" if slope is not None and step > back else "", 15, DARK_RED)
            frame = BLUE if i == step else RED if step == back + 1 else GREY
            drawing.rect(x, 44, 90, 44, PALE, frame, stroke_width=1 + (frame != GREY))
            drawing.text(x + 45, 71, name, 14)
            drawing.text(x + 116, 56, f"{values[i]:g}" if step >= i else "", 15, BLUE)
            drawing.text(x + 116, 86, f"{gradients[i]:g}" if step >= back else "", 15, DARK_RED)
        return str(drawing)

    if len(said) != last + 2:
        raise ValueError(f"{len(nodes)} nodes have {last + 2} steps, and {len(said)} sentences are given")
    return Stepper([(draw(k), words) for k, words in enumerate(said)])


@rc_context(SETTINGS)
def valley(paths: Mapping[str, Any], along: float = 0.025, across: float = 1.0, goal: float = 0.01) -> Picture:
    """Ways down the valley along·a² + across·b²; paths: name of the rule -> its points (steps + 1, 2).

    The title of each says after how many steps its loss stays below the goal.
    """
    fig = Figure(figsize=(8, 1.5 * len(paths)))
    a, b = np.meshgrid(np.linspace(-4.4, 1.6, 120), np.linspace(-1.8, 1.8, 60))
    needed = {}
    for axes, (name, path), colour in zip(fig.subplots(len(paths), 1, sharex=True, squeeze=False)[:, 0], paths.items(),
                                          (ORANGE, BLUE, GREEN, RED, SKY), strict=False):
        above = np.flatnonzero(along * path[:, 0] ** 2 + across * path[:, 1] ** 2 > goal)
        needed[name] = int(above[-1]) + 1 if above.size else 0
        axes.contour(a, b, along * a**2 + across * b**2, levels=[0.01, 0.05, 0.2, 0.6, 1.5], colors="lightgrey")
        axes.plot(*path[:60].T, ".-", color=colour, linewidth=1.2)
        axes.set_title(f"{name}: {needed[name]} steps to stay below {goal:g}", fontsize=10)
        axes.set_ylabel("b")
        axes.grid(False)
    axes.set_xlabel("a")
    said = ", ".join(f"{name} {count}" for name, count in needed.items())
    return figure(fig, alt=f"Paths down a valley {across / along:g} times steeper across than along. Steps until the "
                           f"loss stays below {goal:g}: {said}.")


@rc_context(SETTINGS)
def boundary_stepper(frames: Mapping[int, tuple[Any, float]], points: Any, labels: Any) -> Stepper:
    """A network of two inputs learns: frames: epoch -> (probability of class 1 on a grid, share of points right).

    points (n, 2) in -1 … 1; labels: 0 or 1. Circles belong to class 1, on bright ground, crosses to class 0.
    """
    one = np.asarray(labels).ravel() > 0.5

    def draw(probability: Any) -> Figure:
        fig = Figure(figsize=(4.2, 3.6))
        axes = fig.subplots()
        axes.imshow(probability, extent=(-1, 1, -1, 1), origin="lower", vmin=0, vmax=1)
        axes.contour(probability, [0.5], extent=(-1, 1, -1, 1), colors="white")
        axes.plot(*points[one].T, "o", color=ORANGE, markeredgecolor="black", markersize=5)
        axes.plot(*points[~one].T, "x", color=SKY, markersize=5)
        axes.set(xlabel="a", ylabel="b")
        axes.grid(False)
        return fig

    return Stepper([(draw(probability), f"After {epoch} epoch{'s' * (epoch != 1)}: {share:.0%} of {len(points)} points "
                                        "are right.") for epoch, (probability, share) in frames.items()], "picture")


@rc_context(SETTINGS)
def loss_curves(runs: Mapping[str, Sequence[float]], chance: float | None = None, top: float | None = None) -> Picture:
    """Loss by step of one or more runs; chance: the loss of guessing, dashed. top: where the axis ends.

    The alt text says where each run ends, as the mean of its last steps, to one digit.
    """
    fig = Figure(figsize=(7, 2.6))
    axes = fig.subplots()
    if chance is not None:
        axes.axhline(chance, color="lightgrey", linestyle=":", label=f"chance, {chance:.1f}")
    for (name, losses), colour, dash in zip(runs.items(), (GREY, RED, BLUE, GREEN, ORANGE), ("--", "-", "-.", ":", "-"),
                                            strict=False):
        axes.plot(losses, dash, color=colour, linewidth=1.3, label=name)
    axes.set(xlabel="step", ylabel="loss", ylim=(0, top))
    axes.legend(ncols=4, loc="lower center", bbox_to_anchor=(0.5, 1))
    ends = ", ".join(f"{name} near {np.mean(losses[-len(losses) // 6:]):.1g}" for name, losses in runs.items())
    return figure(fig, alt=f"Loss over {max(map(len, runs.values()))} steps; at the end {ends}.")
