"""The student's own path in lesson 08: what a step costs and takes after each change, and kernels under this machine's roofs."""

from __future__ import annotations

import textwrap

import numpy as np

from nnlib.course import steps
from nnlib.course.own_path import BATCH, OwnPath, Snapshot, changed
from nnlib.course.pictures.style import (
    BLACK,
    BLUE,
    GREEN,
    GREY,
    ORANGE,
    RED,
    Picture,
    figure,
    styled,
    subplots,
)
from nnlib.course.roofs import Roofs, intensity, roofs_here


@styled
def own_path(path: OwnPath) -> Picture:
    """Draw every stage of the student's path: counted for one image, and timed on this machine."""
    names = [textwrap.fill(stage.words, 40) for stage in path.stages]
    fig, (counted, timed) = subplots((9.6, 1.3 + 0.36 * len(names)), 1, 2, sharey=True)
    costs = [stage.cost for stage in path.stages]
    drawn = counted.barh(names, [cost / 1e3 for cost in costs], color=BLUE)
    counted.bar_label(drawn, [f"{cost / 1e3:,.0f}" for cost in costs], padding=3)
    counted.set(
        xlabel="thousands of sectors\nand wavefronts, one image",
        xlim=(0, 1.25 * max(costs) / 1e3),
    )
    seconds = [stage.time for stage in path.stages]
    colours = [
        GREEN if min(gains) > 1 else ORANGE if max(gains) < 1 else GREY
        for gains in (stage.gains or [1.0] for stage in path.stages)
    ]
    drawn = timed.barh(names, [1e3 * time for time in seconds], color=colours)
    timed.bar_label(drawn, [steps.shown(time) if time else "" for time in seconds], padding=3)
    where = steps.clock().removeprefix("On ").removesuffix(":")
    timed.set(
        xlabel=textwrap.fill(f"ms a step of {BATCH} images, {where}", 36),
        xlim=(0, 1.35e3 * max(*seconds, 1e-9)),
    )
    counted.invert_yaxis()
    for axes in (counted, timed):
        axes.grid(False, axis="y")
    said = "; ".join(
        f"{stage.words}: {stage.cost:,}" + (f", {steps.shown(stage.time)}" if stage.time else "")
        for stage in path.stages
    )
    return figure(
        fig,
        alt=f"Your path, counted for one image and timed ({where}): {said}. Green: faster than the stage before, orange: slower.",
    )


@styled
def own_roofline(path: OwnPath, machine: Roofs | None = None) -> Picture:
    """Draw kernels that the student has replaced under the roofs of this machine: hollow before, full afterwards.

    A mark stands at the operations per byte that the kernel asks for, as counted, and at the operations per second that
    the necessary products take: sums that nobody needs do not raise it. machine: its roofs; measured if left out.
    """
    machine = machine or roofs_here()
    fig, axes = subplots((8.6, 4.4))
    first, last = path.stages[0], next(stage for stage in path.stages[::-1] if stage.seconds)
    marks, said = [], []
    for (plain, after), colour in zip(
        changed(path), (BLUE, GREEN, RED, ORANGE, GREY, BLACK), strict=False
    ):
        points = [_mark(first, plain), _mark(last, after)]
        marks += points
        axes.annotate("", points[1], points[0], arrowprops={"arrowstyle": "->", "color": colour})
        axes.plot(*points[0], "o", color=colour, markersize=9, fillstyle="none")
        axes.plot(*points[1], "o", color=colour, markersize=9, label=after)
        said.append(
            f"{plain} {points[0][0]:.2g} operations per byte, {points[0][1]:.3g} GFLOP/s; then {after} "
            f"{points[1][0]:.2g}, {points[1][1]:.3g}"
        )
    x = np.geomspace(min([x for x, _ in marks] + [0.1]) / 2, 500, 200)
    for (level, rate), dashes in zip(machine.bandwidth.items(), ("--", "-"), strict=False):
        axes.plot(x, np.minimum(x * rate, machine.flops) / 1e9, dashes, color=BLACK, linewidth=1.4)
        axes.annotate(
            f"{level}, {rate / 1e9:.3g} GB/s",
            (x[8], x[8] * rate / 1e9),
            (0, 14),
            textcoords="offset points",
        )
    axes.annotate(
        f"{machine.flops / 1e9:.3g} GFLOP/s", (x[-1], 1.1 * machine.flops / 1e9), ha="right"
    )
    axes.set(
        xscale="log",
        yscale="log",
        xlabel="operations per byte that the kernel asks for, as counted",
        ylabel="GFLOP/s",
        title=machine.name,
    )
    if said:
        axes.legend(loc="center left", bbox_to_anchor=(1, 0.5), frameon=True)
    roofs = ", ".join(f"{name} {rate / 1e9:.3g} GB/s" for name, rate in machine.bandwidth.items())
    return figure(
        fig,
        alt=f"Roofline of {machine.name}: {machine.flops / 1e9:.3g} GFLOP/s, {roofs}. {'; '.join(said)}.",
    )


def _mark(stage: Snapshot, name: str) -> tuple[float, float]:
    """Return (operations per byte as counted, necessary GFLOP/s) of a launch."""
    flops = steps.necessary(stage.calls[name])[0]
    return intensity(stage.profiles[name])["L1"], flops / stage.seconds[name] / 1e9
