"""The student's own clock beside the times that are recorded on an H200."""

from __future__ import annotations

import textwrap
import time
from collections.abc import Mapping, Sequence
from typing import Any

from nnlib.course.pictures.charts import bar_panels, relative_curves
from nnlib.course.pictures.style import GREEN, ORANGE, Picture, figure, styled
from nnlib.cuda import RawKernel, Timing, measure

RECORDED = "H200, recorded"
LOOKS = ("D-", GREEN), ("s--", ORANGE)  # of this computer and of the H200
WHILE = 0.2  # seconds that measuring takes at least


def measure_kernel(
    kernel: RawKernel,
    grid: Any,
    block: Any,
    args: Sequence[Any],
    shared_mem: int = 0,
    *,
    repeats: int = 5,
) -> Timing:
    """Time a launch on the fastest device here, which the result names, as `nnlib.cuda.measure` does.

    It measures several times and returns the fastest: other programs, and a clock that a GPU raises only after a while
    of work, can only make a launch slower.
    """
    rounds: list[Timing] = []
    begin = time.perf_counter()
    while len(rounds) < 3 or time.perf_counter() < begin + WHILE:
        rounds.append(measure(kernel, grid, block, args, shared_mem, repeats=repeats))
    return min(rounds, key=lambda timing: timing.median)


@styled
def own_clock(
    timings: Mapping[Any, Timing],
    recorded: Mapping[str, float] | Sequence[Mapping[str, Any]] = (),
    xlabel: str = "",
) -> Picture:
    """Draw what kernels take on this computer, beside what was recorded on an H200.

    Both are drawn as multiples of their own first value, so that their stories can be compared whatever the devices
    and sizes; the seconds are written out.

    Args:
        timings: label or number -> what measure_kernel returned.
        recorded: label -> seconds on an H200, or a benchmark's rows with "kernel" and "seconds". Labels that were not
            timed here are drawn for numbers only.
        xlabel: what the numbers are, "stride in floats"; the times become curves. Without it they become bars.

    >>> own = {"add": Timing(2e-3, 0, 15, "a GPU"), "add, float4": Timing(1e-3, 0, 15, "a GPU")}
    >>> own_clock(own, {"add": 4e-4, "add, float4": 3e-4}).alt
    'a GPU: add 2 ms, add, float4 1 ms (0.5 times add). H200, recorded: add 400 µs, add, float4 300 µs (0.75 times add).'
    """
    if not timings:
        raise ValueError("nothing was timed")
    device = " and ".join(dict.fromkeys(timing.device for timing in timings.values()))
    own = {str(at): t.median for at, t in timings.items()}
    rows = {device or "this computer": own}
    beside = (
        dict(recorded)
        if isinstance(recorded, Mapping)
        else {row["kernel"]: row["seconds"] for row in recorded}
    )
    if not xlabel:
        beside = {at: beside[at] for at in own if at in beside}
    if beside:
        rows[RECORDED] = beside
    fig = relative_curves(_labelled(rows), xlabel, LOOKS) if xlabel else _bars(rows)
    alt = " ".join(f"{name}: {_said(seconds, bool(xlabel))}." for name, seconds in rows.items())
    return figure(fig, alt=f"Time against {xlabel}. {alt}" if xlabel else alt)


def _labelled(rows: Mapping[str, Mapping[str, float]]) -> dict[str, Mapping[str, float]]:
    """Return the rows under labels that write out the seconds of their first number."""
    return {
        f"{textwrap.fill(name, 44)}: {_time(next(iter(row.values())))} at {next(iter(row))}": row
        for name, row in rows.items()
    }


def _bars(rows: Mapping[str, Mapping[str, float]]) -> Any:
    panels = []
    for (name, seconds), (_, color) in zip(rows.items(), LOOKS, strict=False):
        first = next(iter(seconds.values()))
        more = [f"{_time(value)} ({value / first:.2g} ×)" for value in seconds.values()]
        lengths = {at: value / first for at, value in seconds.items()}
        panels.append((name, lengths, [_time(first), *more[1:]], color))
    return bar_panels(panels)


def _said(seconds: Mapping[str, float], numbers: bool) -> str:
    """Return the times in words: seconds first, then multiples of the first."""
    label, first = next(iter(seconds.items()))
    rest = [(at, value) for at, value in seconds.items() if at != label]
    if numbers:
        return ", ".join(
            [f"{_time(first)} at {label}", *(f"{v / first:.3g} times at {at}" for at, v in rest)]
        )
    said = [f"{at} {_time(v)} ({v / first:.2g} times {label})" for at, v in rest]
    return ", ".join([f"{label} {_time(first)}", *said])


def _time(seconds: float) -> str:
    return Timing(seconds, 0, 1).shown
