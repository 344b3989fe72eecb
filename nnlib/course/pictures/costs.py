"""What the simulator counts beside what an H200 was seen to take: bars, curves, and how far memory is.

The times are those of results/patterns.json (python -m tests.benchmarks.patterns). Where they are not recorded yet, a
picture shows the counts alone and says so.
"""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from typing import Any

import numpy as np

from nnlib.course.pictures.charts import bars
from nnlib.course.pictures.style import (
    BLUE,
    GREY,
    ORANGE,
    Picture,
    figure,
    relative_limits,
    subplots,
)
from nnlib.course.pictures.svg import Drawing
from nnlib.course.timing import recorded
from nnlib.cuda import occupancy

MISSING = "The times of an H200 are not recorded yet."


def patterns() -> dict[str, Any]:
    """Return what is recorded for lessons 01 and 02, or nothing before the benchmark has run."""
    return _stored("patterns")


def _stored(name: str) -> dict[str, Any]:
    try:
        return recorded(name)
    except FileNotFoundError:
        return {}


def recorded_seconds(part: str, kind: str = "kinds") -> dict[str, float]:
    """Return seconds by name or number, e.g. ("reads", "strides")["8"], ("kernels")["add"]; empty where none are recorded.

    Of "convolution" those of the largest batch, which stands last.
    """
    if part in ("kernels", "convolution"):
        return {row["kernel"]: row["seconds"] for row in _stored(part).get("rows", [])}
    return dict(patterns().get(part, {}).get(kind, {}))


def counted_and_timed(
    counted: Mapping[str, float], what: str, part: str, kind: str = "kinds"
) -> Picture:
    """Draw bars for some kernels: on the left what was counted here, on the right their recorded times.

    counted: name -> count. what: is counted, "warp instructions". part, kind: where the times stand under these names.
    """
    times = recorded_seconds(part, kind)
    known = {name: times[name] for name in counted if name in times}
    tiny = max(known.values(), default=1) < 1e-4
    scale, unit, short = (1e6, "microseconds", "µs") if tiny else (1e3, "milliseconds", "ms")
    shown = {name: scale * seconds for name, seconds in known.items()}
    panels = [(dict(counted), f"{what}, counted", BLUE)]
    panels += (
        [(shown, f"{unit}, recorded on an H200", ORANGE)] if len(shown) == len(counted) else []
    )
    wide = 3.9 + 0.08 * max(0, max(map(len, counted)) - 12)  # long names leave room for the bars
    fig, axes = subplots(
        1, len(panels), figsize=(wide * len(panels), 1.0 + 0.42 * len(counted)), squeeze=False
    )
    for ax, (values, title, color) in zip(axes[0], panels, strict=True):
        drawn = ax.barh(list(values), list(values.values()), color=color, height=0.62)
        ax.bar_label(drawn, [_short(value) for value in values.values()], padding=3)
        ax.set_title(textwrap.fill(title, 24), fontsize=11, loc="left")
        ax.set(xlim=(0, 1.25 * max(values.values())), xticks=[])
        ax.spines["bottom"].set_visible(False)
        ax.invert_yaxis()
        ax.grid(False)
    counts = "; ".join(f"{name} {_short(value)}" for name, value in counted.items())
    timed = "; ".join(f"{name} {_short(value)} {short}" for name, value in shown.items())
    rest = f"Recorded on an H200: {timed}." if len(panels) == 2 else MISSING
    alt = f"{what[0].upper()}{what[1:]}: {counts}. {rest}"
    return figure(fig, alt=alt, caption="" if len(panels) == 2 else MISSING)


def count_and_time(
    counted: Mapping[int, float], what: str, against: str, part: str, kind: str
) -> Picture:
    """Draw two curves over a number: what was counted here, and the recorded times, each as a multiple of its first value.

    counted: number -> count. what: is counted. against: what the number is, "stride in floats". part, kind: where the
    times stand, which are drawn where something was counted.
    """
    seconds = recorded_seconds(part, kind)
    times = {at: seconds[str(at)] for at in sorted(counted) if str(at) in seconds}
    fig, ax = subplots()
    curves = [(counted, f"{what}, counted", "o-", BLUE)]
    curves += [(times, "time, recorded on an H200", "s--", ORANGE)] if times else []
    for values, name, marker, color in curves:
        at = sorted(values)
        ax.plot(
            at,
            [values[k] / values[at[0]] for k in at],
            marker,
            color=color,
            label=name,
            markersize=5,
        )
    first = min(counted)
    ratios = [values[k] / values[min(values)] for values, *_ in curves for k in values]
    ax.set(
        xlabel=against,
        ylabel=f"relative to {against.split()[0]} {first}",
        ylim=relative_limits(ratios),
    )
    ax.legend()
    alt = " ".join(
        f"{name[0].upper()}{name[1:]}: {_multiples(values)}." for values, name, _, _ in curves
    )
    caption = "" if times else MISSING
    return figure(
        fig, alt=f"{alt} As multiples of the value at {first}. {caption}".rstrip(), caption=caption
    )


def _multiples(values: Mapping[int, float]) -> str:
    few = [k for k in sorted(values) if k in (1, 2, 4, 8, 16, 32) or len(values) < 12]
    return ", ".join(f"{values[k] / values[min(values)]:.3g} at {k}" for k in few)


def latencies() -> dict[str, float]:
    """Return the latency in clock cycles, by the memory it lies in; empty before they are recorded.

    Of a chain of multiply-adds, and of chains of reads that fit shared memory, L1 (256 kB), L2 (50 MB), none of them.
    """
    found = patterns().get("latencies")
    if not found:
        return {}
    chains = {int(size): cycles for size, cycles in found["chains"].items()}
    middle = min(
        chains, key=lambda size: abs(np.log(size / 2**22))
    )  # 4 MB: far above L1, far below L2
    return {
        "registers": found["kinds"]["register"],
        "shared memory": found["kinds"]["shared"],
        "L1 cache": chains[min(chains)],
        "L2 cache": chains[middle],
        "DRAM": chains[max(chains)],
    }


def _short(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def block_sizes(gpu: str = "H200") -> Picture:
    """Draw how full a multiprocessor gets by block size, and how long `add` then takes, recorded on an H200."""
    times = {
        int(block): seconds for block, seconds in recorded_seconds("additions", "blocks").items()
    }
    blocks = sorted(times) or [32, 64, 96, 128, 192, 256, 384, 512, 768, 1024]
    full = [100 * occupancy(block, registers=16, gpu=gpu).fraction for block in blocks]
    fig, ax = subplots()
    ax.plot(blocks, full, "o-", color=BLUE, label=f"occupancy of an {gpu} (%)")
    if times:
        ax.plot(
            blocks,
            [100 * min(times.values()) / times[block] for block in blocks],
            "s--",
            color=ORANGE,
            label="speed of add, in % of the best, recorded",
        )
    ax.set(
        xlabel="threads per block",
        xscale="log",
        ylim=(0, 108),
        xticks=blocks,
        xticklabels=["" if block % 32 else block for block in blocks],
    )
    ax.minorticks_off()
    ax.tick_params(axis="x", labelsize=9)
    ax.legend(loc="lower right")
    alt = (
        f"Occupancy of an {gpu}: "
        + ", ".join(f"{share:.0f} % at {block}" for block, share in zip(blocks, full, strict=True))
        + " threads per block."
    )
    best = min(times, key=times.__getitem__) if times else 0
    alt += (
        f" Recorded: fastest at {best}; "
        + ", ".join(
            f"{times[block] / times[best]:.2f} times as long at {block}" for block in blocks
        )
        + "."
        if times
        else ""
    )
    return figure(fig, alt=alt, caption="" if times else MISSING)


def blocks_started() -> Picture:
    """Draw how many blocks of `add` an H200 started per second, by block size; recorded."""
    times = recorded_seconds("additions", "blocks")
    elements = patterns()["additions"]["elements"]
    rates = {size: elements / int(size) / seconds / 1e9 for size, seconds in times.items()}
    return bars(
        rates, "billion blocks started per second, by threads per block; recorded on an H200"
    )


def addition_by_size() -> Picture:
    """Draw one addition by size on a machine with an H200: NumPy, the kernel, and the kernel with its copies; recorded."""
    rows = patterns().get("sizes", [])
    if not rows:
        note = Drawing(420, 40)
        note.text(10, 25, MISSING, 14, GREY, "start")
        return figure(
            str(note), alt=f"Time of one addition by size: 0 sizes. {MISSING}", caption=MISSING
        )
    fig, ax = subplots()
    names = {
        "numpy": "NumPy, on the CPU",
        "kernel": "kernel, arrays on the GPU",
        "with_copies": "kernel, with copies",
    }
    for (key, name), marker, color in zip(names.items(), "os^", (GREY, BLUE, ORANGE), strict=True):
        ax.loglog(
            [row["n"] for row in rows],
            [1e6 * row[key] for row in rows],
            f"{marker}-",
            color=color,
            label=name,
        )
    ax.set(xlabel="elements", ylabel="microseconds")
    ax.legend()
    said = "; ".join(
        f"{row['n']:,} elements: NumPy {_micro(row['numpy'])}, kernel {_micro(row['kernel'])}, with "
        f"copies {_micro(row['with_copies'])}"
        for row in rows[::2]
    )
    return figure(fig, alt=f"Time of one addition, recorded on an H200: {said}.")


def _micro(seconds: float) -> str:
    return f"{_short(1e6 * seconds)} µs"
