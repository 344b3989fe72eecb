"""The roofline: where kernels lie under the roofs of a GPU, one roof per level of memory. Lessons 03 and 08.

S. Williams, A. Waterman, D. Patterson, "Roofline", 2009; the hierarchical form: C. Yang et al., 2020.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np

from nnlib import mine
from nnlib.course.pictures.style import (
    BLACK,
    BLUE,
    GREEN,
    ORANGE,
    PINK,
    RED,
    SKY,
    Picture,
    figure,
    styled,
    subplots,
)
from nnlib.course.pictures.widgets import Stepper
from nnlib.course.roofs import H200, intensity
from nnlib.course.timing import recorded
from nnlib.cuda import Profile

SIZE = 4096  # of the recorded products
PASS = 128  # bytes that L1 or shared memory delivers to a warp at once
# The climb of lesson 03: passes of a warp through L1 or shared memory for each of its multiply-adds. Its tests count them.
CLIMB = {"naive, strided": 33.0, "naive": 2.0, "tiled": 2.0, "2 x 2": 1.0, "4 x 4": 0.5}
DASHES = {"L1": ":", "L2": "--", "DRAM": "-"}
MARKS = dict(zip(CLIMB, zip("vosD^", (RED, BLUE, ORANGE, GREEN, PINK), strict=True), strict=True))
OTHERS = tuple(zip("P*X<>", (SKY, BLACK, BLUE, ORANGE, GREEN), strict=True))


def roofline_stepper() -> Stepper:
    """Draw the roofline in two pictures: one memory and the arithmetic, then the caches as well."""
    ridge, slowest = H200.flops / H200.bandwidth["DRAM"], H200.bandwidth["DRAM"] / 1e12
    one = (
        f"One memory: at {slowest:.3g} TB/s from DRAM, a kernel needs {ridge:.0f} operations per byte to keep "
        f"the arithmetic busy at {H200.flops / 1e12:.3g} TFLOP/s. To the left it waits for bytes."
    )
    three = f"Three memories: {_speeds()}. Bytes that a cache serves have a higher roof."
    return Stepper([(_roofs("DRAM")[0], one), (_roofs(*H200.bandwidth)[0], three)], "picture")


@styled
def climb(*names: str) -> Picture:
    """Draw what L1 and shared memory of an H200 allow for products of lesson 03, and what was timed, as bars.

    names: of CLIMB; all without.
    """
    shown, timed, said = names or tuple(CLIMB), recorded_products(), []
    fig, axes = subplots((7.5, 1.2 + 0.6 * len(shown)))
    for row, name in enumerate(shown):
        x = per_byte(name)
        most, speed = (value / 1e12 for value in (_allowed(x), timed.get(name, math.nan)))
        for shift, value, look in (
            (-0.2, most, {"facecolor": "white", "edgecolor": BLACK, "label": "limit"}),
            (0.2, speed, {"facecolor": BLUE, "label": "timed on an H200"}),
        ):
            drawn = axes.barh([row + shift], [value], 0.36, **look)
            axes.bar_label(drawn, [f"{value:.2g}"], padding=3)
        said.append(
            f"{name}: {x:.2g} operations per byte, at most {most:.2g} TFLOP/s"
            + (f", timed {speed:.2g}" if name in timed else "")
        )
    axes.set(xlabel="TFLOP/s", yticks=range(len(shown)), yticklabels=shown)
    axes.invert_yaxis()
    axes.margins(x=0.1)
    axes.grid(False, axis="y")
    axes.legend(*(part[:2] for part in axes.get_legend_handles_labels()), loc="upper right")
    return figure(
        fig,
        alt=f"Products of {SIZE:,} x {SIZE:,} matrices on an H200. {'; '.join(said)}.",
        caption="outlined: the limit, what L1 and shared memory allow at most; blue: timed on an H200",
    )


def per_byte(name: str) -> float:
    """Return the operations of a product of the climb per byte that passes through L1 or shared memory.

    >>> per_byte("tiled")
    0.25
    """
    return 2 * 32 / (PASS * CLIMB[name])


def recorded_products() -> dict[str, float]:
    """Return the FLOP/s of every version of the product that was timed on an H200, with matrices of SIZE x SIZE."""
    rows = recorded("matmul")["rows"]
    return {row["rung"]: 2 * SIZE**3 / row["seconds"] for row in rows if row["size"] == SIZE}


def _allowed(x: float) -> float:
    return H200.limit({"L1": x, "DRAM": SIZE / 6})


@styled
def roofline(
    kernels: Mapping[str, Profile],
    beside: Sequence[str] = ("naive", "tiled", "2 x 2", "4 x 4"),
    yours: Mapping[str, Sequence[Any]] = MappingProxyType({}),
) -> Picture:
    """Draw kernels under the roofs of an H200: a hollow mark says what is possible at most.

    kernels: name -> `kernel.profile(…)`. beside: products of CLIMB, as recorded. yours: pieces of the student's library
    with their arguments, counted here; what is not written yet is left out. A mark stands at the operations per byte
    that pass through L1 or shared memory, whichever is more. The line to its right ends at the most there can be per
    byte of DRAM, if the caches keep everything.
    """
    counted = dict(kernels)
    for name, args in yours.items():
        counted |= {f"{name}, {whose}": profile for whose, profile in _own(name, args)}
    fig, axes = _roofs(*H200.bandwidth)
    timed, said = recorded_products(), []
    for number, (name, profile) in enumerate(counted.items()):
        marker, colour = MARKS.get(name, OTHERS[number % len(OTHERS)])
        x, far, limit = _point(profile)
        y = limit / 1e12
        axes.plot([x, far], [y, y], "-", color=colour, linewidth=1, alpha=0.7)
        look = {"color": colour, "markersize": 15, "fillstyle": "none"}
        axes.plot([x], [y], marker, label=f"{name} (at most)", **look)
        said.append(f"{name}: {x:.3g} operations per byte, at most {y:.3g} TFLOP/s")
    for name in beside:
        marker, colour = MARKS[name]
        x, y = per_byte(name), timed[name] / 1e12
        axes.plot([x], [y], marker, color=colour, markersize=10, label=name)
        said.append(f"{name}: {x:.3g} operations per byte, {y:.3g} TFLOP/s")
    if said:
        axes.legend(loc="lower right", frameon=True)
    flops = f"{H200.flops / 1e12:.3g} TFLOP/s"
    return figure(fig, f"Roofline of the H200: {flops}, {_speeds()}. {'; '.join(said)}.")


def _speeds() -> str:
    return ", ".join(f"{level} {speed / 1e12:.3g} TB/s" for level, speed in H200.bandwidth.items())


@styled
def _roofs(*levels: str) -> tuple[Any, Any]:
    """Return a figure and its axes, the same for every roofline, with the roofs of these levels and their labels."""
    fig, axes = subplots((7.8, 4.4))
    x, flops = np.geomspace(0.01, 500, 200), H200.flops / 1e12
    for level in levels:
        speed = H200.bandwidth[level] / 1e12
        roof = np.minimum(x * speed, flops)
        axes.loglog(x, roof, DASHES[level], color=BLACK, linewidth=1.4)
        left = max(0.012, 0.2 / speed)  # where the label begins inside the picture
        above = 1.17 * left * speed
        # Along its roof
        axes.text(
            left,
            above,
            f"{'L1 and shared' if level == 'L1' else level}, {speed:.3g} TB/s",
            fontsize=10,
            rotation_mode="anchor",
            rotation=math.degrees(math.atan2(above, left)),
            transform_rotates_text=True,
        )
    axes.annotate(f"{flops:.3g} TFLOP/s", (x[-1], 1.12 * flops), ha="right")
    axes.set(
        xlabel="operations per byte",
        ylabel="TFLOP/s",
        title="H200",
        xlim=(0.01, 500),
        ylim=(0.1, 3 * flops),
    )
    return fig, axes


def _own(name: str, args: Sequence[Any]) -> Iterator[tuple[str, Any]]:
    """Yield (whose, profile) of a kernel that the student has; nothing as long as the course's plain version runs."""
    if mine.whose(name) != "course":
        kernel, grid, block, shared = mine.launch_for(name, *args)
        yield mine.whose(name), kernel.profile(grid, block, tuple(args), shared)


def _point(profile: Profile) -> tuple[float, float, float]:
    """Return operations per byte through L1 or shared memory and at most from DRAM, and the FLOP/s that they allow.

    Raises ValueError for a kernel without arithmetic.
    """
    if not profile.flops:
        raise ValueError(
            f"{profile.kernel} does no floating-point operation: it has no place on a roofline"
        )
    where = intensity(profile)
    x = profile.flops / max(profile.flops / where["L1"], PASS * profile.shared_load.wavefronts)
    return x, where["DRAM"], H200.limit({**where, "L1": x})
