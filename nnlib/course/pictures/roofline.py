"""The roofline: where kernels lie under the roofs of a GPU, one roof per level of memory. Lessons 03 and 08.

S. Williams, A. Waterman, D. Patterson, "Roofline", 2009; the hierarchical form: C. Yang et al., 2020.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np

from nnlib import mine
from nnlib.course.ladder import rung
from nnlib.course.pictures.style import (
    BLACK,
    BLUE,
    GREEN,
    ORANGE,
    PINK,
    RED,
    SKY,
    Picture,
    empty_figure,
    figure,
    styled,
)
from nnlib.course.pictures.widgets import Stepper
from nnlib.course.roofs import H200, Roofs, intensity
from nnlib.course.timing import recorded

SIZE = 4096  # of the recorded products
Point = tuple[
    dict[str, float], float | None
]  # FLOP per byte by level, and FLOP/s where a time is known
DASHES = {"L1": ":", "L2": "--", "DRAM": "-"}


def roofline_stepper(
    rungs: Sequence[str] = ("naive", "tiled", "registers, 2-D", "asynchronous"),
    machine: Roofs = H200,
) -> Stepper:
    """Draw the roofline in three pictures: one memory and the arithmetic, then the caches, then recorded matrix products.

    rungs: of the matmul ladder, timed on an H200 with 4096 x 4096; a mark stands at the FLOP per byte that go
    through L1.
    """
    ridge, slowest = machine.flops / machine.bandwidth["DRAM"], machine.bandwidth["DRAM"] / 1e12
    points = {name: recorded_rung(name) for name in rungs}
    memories = ", ".join(
        f"{name} {speed / 1e12:.3g} TB/s" for name, speed in machine.bandwidth.items()
    )
    marks = "; ".join(
        f"{name}: {where['L1']:.2g} operations per byte, {(speed or 0) / 1e12:.3g} TFLOP/s"
        for name, (where, speed) in points.items()
    )
    return Stepper(
        [
            (
                _roofs_and_marks(machine, ["DRAM"], {}),
                (
                    f"One memory: at {slowest:.3g} TB/s from DRAM, a kernel needs {ridge:.0f} operations per byte to keep the "
                    f"arithmetic busy at {machine.flops / 1e12:.3g} TFLOP/s. To the left it waits for bytes."
                ),
            ),
            (
                _roofs_and_marks(machine, machine.bandwidth, {}),
                f"Three memories: {memories}. Bytes that a cache serves have a higher roof.",
            ),
            (
                _roofs_and_marks(machine, machine.bandwidth, points),
                f"Four kernels, timed: {marks}. The fewer bytes a kernel asks for, the further to the right it stands.",
            ),
        ],
        "picture",
    )


@styled
def _roofs_and_marks(machine: Roofs, levels: Iterable[str], points: Mapping[str, Point]) -> Any:
    fig = empty_figure((7.4, 4.0))
    axes = fig.subplots()
    _draw_roofs(axes, np.geomspace(0.1, 500, 200), machine, levels)
    for (name, (where, speed)), marker, colour in zip(
        points.items(), "osD^", [BLUE, ORANGE, GREEN, RED], strict=False
    ):
        axes.plot([where["L1"]], [(speed or 0) / 1e12], marker, color=colour, markersize=10)
        axes.annotate(
            name,
            (where["L1"], (speed or 0) / 1e12),
            (11, -4),
            textcoords="offset points",
            bbox={"facecolor": "white", "edgecolor": "none", "pad": 1},
        )  # no roof strikes it out
    axes.set(
        xlabel="operations per byte",
        ylabel="TFLOP/s",
        title=machine.name,
        xlim=(0.1, 500),
        ylim=(0.3, 200),
    )
    return fig


@styled
def roofline(
    kernels: Mapping[str, Any],
    beside: Sequence[str] = ("naive", "tiled", "registers, 2-D", "asynchronous"),
    machine: Roofs = H200,
    yours: Mapping[str, Sequence[Any]] = MappingProxyType({}),
) -> Picture:
    """Draw kernels under the roofs of a GPU. No point can lie above its limit.

    kernels: name -> `kernel.profile(…)`, or (profile, seconds of the same launch, measured on `machine`). Without
    seconds a hollow point says what is possible at most. beside: rungs of the matmul ladder, recorded on an H200 for
    4096 x 4096. yours: pieces of the student's library with their arguments, counted here; what is not written yet is
    left out. Each kernel is a line from the FLOP per byte that go through L1, as counted, to the most there can be
    per byte of DRAM, if the caches keep everything; its limit is the lower one of the two roofs above its ends.
    """
    counted = {
        **kernels,
        **{
            f"{name}, {whose}": profile
            for name, args in yours.items()
            for whose, profile in _own(name, args)
        },
    }
    points: dict[str, Point] = {name: _point(value, machine) for name, value in counted.items()}
    if machine is H200:
        points |= {f"{name}, timed": recorded_rung(name) for name in beside}
    lowest = min([min(x.values()) for x, _ in points.values()] + [0.1])
    x = np.geomspace(lowest / 2, 2000, 200)
    fig = empty_figure((8.6, 4.4))
    axes = fig.subplots()
    _draw_roofs(axes, x, machine, machine.bandwidth)
    said = []
    for (name, (where, speed)), marker, colour in zip(
        points.items(), "osD^v<>pP*" * 3, [BLUE, ORANGE, GREEN, RED, SKY, PINK] * 5, strict=False
    ):
        limit = machine.limit(where)
        y = (speed or limit) / 1e12
        axes.plot(sorted(where.values()), [y, y], "-", color=colour, linewidth=1, alpha=0.7)
        axes.plot(
            [where["L1"]],
            [y],
            marker,
            color=colour,
            markersize=9,
            fillstyle="full" if speed else "none",
            label=name if speed else f"{name} (at most)",
        )
        said.append(
            f"{name}: {where['L1']:.3g} FLOP per byte through L1, "
            + (
                f"{speed / 1e12:.3g} TFLOP/s, {100 * speed / limit:.0f} % of its limit"
                if speed
                else f"at most {limit / 1e12:.3g} TFLOP/s"
            )
        )
    axes.set(
        xlabel="FLOP per byte\nmark: through L1, as counted; end of the line: each number from DRAM once",
        ylabel="TFLOP/s",
        title=machine.name,
        ylim=(None, 3 * machine.flops / 1e12),
    )
    if points:
        axes.legend(loc="center left", bbox_to_anchor=(1, 0.5), frameon=True)
    roofs = ", ".join(
        f"{level} {bandwidth / 1e12:.3g} TB/s" for level, bandwidth in machine.bandwidth.items()
    )
    return figure(
        fig,
        alt=f"Roofline of the {machine.name}: {machine.flops / 1e12:.3g} TFLOP/s, {roofs}. "
        f"{'; '.join(said)}.",
    )


def _draw_roofs(axes: Any, x: np.ndarray, machine: Roofs, levels: Iterable[str]) -> None:
    """Draw the roof of each of these levels over the FLOP per byte x, with its label."""
    for level in levels:
        bandwidth = machine.bandwidth[level]
        axes.loglog(
            x,
            np.minimum(x * bandwidth, machine.flops) / 1e12,
            DASHES[level],
            color=BLACK,
            linewidth=1.4,
        )
        above = 1.17 * x[2] * bandwidth / 1e12
        axes.text(
            x[2],
            above,
            f"{level}, {bandwidth / 1e12:.3g} TB/s",
            fontsize=10,
            rotation_mode="anchor",
            rotation=math.degrees(math.atan2(above, x[2])),
            transform_rotates_text=True,
        )  # along its roof
    axes.annotate(
        f"{machine.flops / 1e12:.3g} TFLOP/s", (x[-1], 1.12 * machine.flops / 1e12), ha="right"
    )


def _own(name: str, args: Sequence[Any]) -> Iterator[tuple[str, Any]]:
    """Yield (whose, profile) of a kernel that the student has; nothing as long as the course's plain version runs."""
    if mine.whose(name) != "course":
        kernel, grid, block, shared = mine.launch_for(name, *args)
        yield mine.whose(name), kernel.profile(grid, block, tuple(args), shared)


def _point(value: Any, machine: Roofs) -> Point:
    """Return where a kernel lies. Raises ValueError for a time that cannot be right."""
    profile, seconds = value if isinstance(value, tuple) else (value, None)
    if not profile.flops:
        raise ValueError(
            f"{profile.kernel} does no floating-point operation: it has no place on a roofline"
        )
    where, speed = intensity(profile), profile.flops / seconds if seconds else None
    if speed and speed > machine.limit(where):
        raise ValueError(
            f"{profile.kernel}: {speed / 1e12:.3g} TFLOP/s are more than the {machine.name} can do "
            f"({machine.limit(where) / 1e12:.3g}): are time and profile of the same launch?"
        )
    return where, speed


@functools.cache
def recorded_rung(name: str) -> Point:
    """Return FLOP per byte of a rung of the matmul ladder, and its recorded FLOP/s on an H200.

    One block is counted at two lengths of the sum: what a further step along K costs is the same at every step.
    """
    short, long = (
        rung(name).profile(
            np.ones((256, k), np.float32), np.ones((k, 256), np.float32), max_blocks=1
        )
        for k in (64, 128)
    )
    steps = SIZE / 64 - 1
    flops, moved = (
        getattr(short, what) + steps * (getattr(long, what) - getattr(short, what))
        for what in ("flops", "bytes_moved")
    )
    row = next(
        row for row in recorded("matmul")["rows"] if (row["rung"], row["size"]) == (name, SIZE)
    )
    return {"L1": flops / moved, "DRAM": SIZE / 6}, 2 * SIZE**3 / row["seconds"]
