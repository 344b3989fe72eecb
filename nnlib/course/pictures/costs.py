"""Pictures of the simulator's counts beside times of an H200: bars, curves, and how far away memory is.

The times are those of results/patterns.json (python -m tests.benchmarks.patterns).
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from nnlib.course.pictures.charts import bar_panels, bars, number, relative_curves
from nnlib.course.pictures.style import BLUE, GREY, ORANGE, Picture, figure, styled, subplots
from nnlib.course.timing import recorded
from nnlib.cuda import occupancy


def recorded_seconds(part: str, kind: str = "kinds") -> dict[str, float]:
    """Return seconds by name or number, e.g. ("reads", "strides")["8"], ("kernels")["add"].

    Of "convolution" those of the largest batch, which stands last.
    """
    if part in ("kernels", "convolution"):
        return {row["kernel"]: row["seconds"] for row in recorded(part)["rows"]}
    return dict(recorded("patterns")[part][kind])


@styled
def counted_and_timed(counted: Mapping[str, float], what: str, part: str) -> Picture:
    """Draw bars for some kernels: on the left what was counted here, on the right their recorded times.

    counted: name -> count. what: is counted, "warp instructions". part: where the times stand under these names.
    """
    seconds = recorded_seconds(part)
    tiny = max(seconds[name] for name in counted) < 1e-4
    scale, unit, short = (1e6, "microseconds", "µs") if tiny else (1e3, "milliseconds", "ms")
    times = {name: scale * seconds[name] for name in counted}
    fig = bar_panels(
        [
            (title, values, [number(value) for value in values.values()], color)
            for title, values, color in (
                (f"{what}, counted", counted, BLUE),
                (f"{unit}, recorded on an H200", times, ORANGE),
            )
        ]
    )
    counts = "; ".join(f"{name} {number(value)}" for name, value in counted.items())
    timed = "; ".join(f"{name} {number(value)} {short}" for name, value in times.items())
    return figure(fig, f"{what[0].upper()}{what[1:]}: {counts}. Recorded on an H200: {timed}.")


@styled
def count_and_time(
    counted: Mapping[int, float], what: str, against: str, part: str, kind: str
) -> Picture:
    """Draw two curves over a number: what was counted here, and the recorded times, each as a multiple of its first value.

    counted: number -> count. what: is counted. against: what the number is, "stride in floats". part, kind: where the
    times stand, which are drawn where something was counted.
    """
    seconds = recorded_seconds(part, kind)
    times = {at: seconds[str(at)] for at in counted if str(at) in seconds}
    rows = {f"{what}, counted": counted, "time, recorded on an H200": times}
    fig = relative_curves(rows, against, (("o-", BLUE), ("s--", ORANGE)))
    said = " ".join(
        f"{name[0].upper()}{name[1:]}: {_multiples(values)}." for name, values in rows.items()
    )
    return figure(fig, f"{said} As multiples of the value at {min(counted)}.")


def _multiples(values: Mapping[int, float]) -> str:
    few = [k for k in values if k in (1, 2, 4, 8, 16, 32) or len(values) < 12]
    return ", ".join(f"{values[k] / values[min(values)]:.3g} at {k}" for k in few)


def latencies() -> dict[str, float]:
    """Return the latency in clock cycles, by the memory it lies in.

    Of a chain of multiply-adds, and of chains of reads that fit shared memory, L1 (256 kB), L2 (50 MB), none of them.
    """
    found = recorded("patterns")["latencies"]
    chains = {int(size): cycles for size, cycles in found["chains"].items()}
    # 4 MB: far above L1, far below L2
    middle = min(chains, key=lambda size: abs(np.log(size / 2**22)))
    return {
        "registers": found["kinds"]["register"],
        "shared memory": found["kinds"]["shared"],
        "L1 cache": chains[min(chains)],
        "L2 cache": chains[middle],
        "DRAM": chains[max(chains)],
    }


@styled
def block_sizes() -> Picture:
    """Draw how full a multiprocessor gets by block size, and how long `add` then takes, recorded on an H200."""
    times = {
        int(block): seconds for block, seconds in recorded_seconds("additions", "blocks").items()
    }
    full = {block: 100 * occupancy(block, registers=16, gpu="H200").fraction for block in times}
    best = min(times.values())
    fig, ax = subplots()
    for shares, look, color, label in (
        (full.values(), "o-", BLUE, "occupancy of an H200 (%)"),
        (
            [100 * best / seconds for seconds in times.values()],
            "s--",
            ORANGE,
            "speed of add, in % of the best, recorded",
        ),
    ):
        ax.plot(list(times), list(shares), look, color=color, label=label)
    ax.set(
        xlabel="threads per block",
        xscale="log",
        ylim=(0, 108),
        xticks=list(times),
        xticklabels=["" if block % 32 else block for block in times],
    )
    ax.minorticks_off()
    ax.tick_params(axis="x", labelsize=9)
    ax.legend(loc="lower right")
    filled = ", ".join(f"{share:.0f} % at {block}" for block, share in full.items())
    longer = ", ".join(
        f"{seconds / best:.2f} times as long at {block}" for block, seconds in times.items()
    )
    return figure(
        fig,
        f"Occupancy of an H200: {filled} threads per block. Recorded: fastest at "
        f"{min(times, key=times.__getitem__)}; {longer}.",
    )


def blocks_started() -> Picture:
    """Draw how many blocks of `add` an H200 started per second, by block size; recorded."""
    elements = recorded("patterns")["additions"]["elements"]
    rates = {
        size: elements / int(size) / seconds / 1e9
        for size, seconds in recorded_seconds("additions", "blocks").items()
    }
    return bars(
        rates, "billion blocks started per second, by threads per block; recorded on an H200"
    )


@styled
def addition_by_size() -> Picture:
    """Draw one addition by size on a machine with an H200: NumPy, the kernel, and the kernel with its copies; recorded."""
    rows = recorded("patterns")["sizes"]
    fig, ax = subplots()
    for key, name, look, color in (
        ("numpy", "NumPy, on the CPU", "o-", GREY),
        ("kernel", "kernel, arrays on the GPU", "s-", BLUE),
        ("with_copies", "kernel, with copies", "^-", ORANGE),
    ):
        micros = [1e6 * row[key] for row in rows]
        ax.loglog([row["n"] for row in rows], micros, look, color=color, label=name)
    ax.set(xlabel="elements", ylabel="microseconds")
    ax.legend()
    said = "; ".join(
        f"{row['n']:,} elements: NumPy {_micro(row['numpy'])}, kernel {_micro(row['kernel'])}, with "
        f"copies {_micro(row['with_copies'])}"
        for row in rows[::2]
    )
    return figure(fig, f"Time of one addition, recorded on an H200: {said}.")


def _micro(seconds: float) -> str:
    return f"{number(1e6 * seconds)} µs"
