"""Charts of what a run measured: curves, bars, histograms, images side by side.

Every function returns a picture to end a cell with. Its alt text holds the numbers; `title` goes before them.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from nnlib import device
from nnlib.course.pictures.style import PALETTE, Picture, empty_figure, figure, styled, subplots

MARKERS, HATCHES = "os^Dv<>pP*", ("", "//", "..", "xx", "\\\\")
DASHES = "-", "--", "-.", ":", (0, (5, 1)), (0, (1, 1))
WIDE = 12  # beyond so many times the first value, `relative_curves` uses a logarithmic axis


@styled
def curves(
    x: Sequence[float],
    lines: Mapping[str, Sequence[float]],
    xlabel: str,
    ylabel: str,
    *,
    log: str = "",
    ylim: tuple[float, float] | None = None,
    title: str = "",
) -> Picture:
    """Draw one or more lines over the same x.

    lines: name -> one number per x. log: axes with a logarithmic scale, "x", "y" or "xy". Lines differ by dash
    and marker as well as by colour.

    >>> curves([1, 2, 4], {"stride": [4, 8, 16]}, "stride", "sectors").alt
    'sectors against stride. stride: 4 at 1, 16 at 4.'
    >>> curves([0, 1, 2], {"loss": [3, 1, 2]}, "epoch", "loss").alt
    'loss against epoch. loss: 3 at 0, 2 at 2, least 1 at 1.'
    """
    fig, axes = subplots()
    few = len(x) <= 40
    for k, (name, values) in enumerate(lines.items()):
        axes.plot(
            x,
            values,
            linestyle=DASHES[k % 6],
            marker=MARKERS[k % 10] if few else "",
            color=PALETTE[k % 8],
            label=name,
        )
    axes.set(
        xlabel=xlabel,
        ylabel=ylabel,
        title=title,
        xscale="log" if "x" in log else "linear",
        yscale="log" if "y" in log else "linear",
    )
    if ylim:  # ylim=None would keep the limits that the axis had while it was linear
        axes.set(ylim=ylim)
    if few and len(x) <= 12:
        powers = 0 < min(x) < 1e-4  # then all ticks are written as powers
        axes.set_xticks(
            list(x), [f"{v:.0e}".replace("e-0", "e-") if powers else f"{v:g}" for v in x]
        )
        axes.minorticks_off()
    if len(lines) > 1:
        axes.legend(frameon=True, ncols=1 + (len(lines) > 3))
    said = " ".join(f"{name}: {_ends_and_extremes(x, values)}." for name, values in lines.items())
    return figure(fig, alt=f"{title}{'. ' * bool(title)}{ylabel} against {xlabel}. {said}")


@styled
def bars(lengths: Mapping[str, float], label: str, *, log: bool = False) -> Picture:
    """Draw one bar per name, from top to bottom, with its number.

    >>> bars({"naive": 33792, "tiled": 256}, "sectors").alt
    'sectors: naive 33,792, tiled 256.'
    """
    fig, axes = subplots((7.5, 1.5 + 0.23 * len(lengths)))
    bar_rows(axes, lengths, map(number, lengths.values()), color=PALETTE[0])
    most, least = max(lengths.values()), min(lengths.values())
    axes.set(
        xlabel=label,
        xscale="log" if log else "linear",
        xlim=(least / 3, most * 4) if log else (0, 1.15 * most),
    )
    if not log and most >= 1e5:  # otherwise matplotlib moves "1e6" to the end of the axis
        axes.xaxis.set_major_formatter("{x:,.0f}")
        axes.locator_params(axis="x", nbins=5)
    said = ", ".join(f"{name} {number(value)}" for name, value in lengths.items())
    return figure(fig, alt=f"{label}: {said}.")


def bar_rows(axes: Any, lengths: Mapping[str, float], labels: Iterable[str], **look: Any) -> None:
    """Draw a horizontal bar per name, from top to bottom, with its label behind it."""
    drawn = axes.barh(list(lengths), list(lengths.values()), **look)
    axes.bar_label(drawn, list(labels), padding=3)
    axes.invert_yaxis()
    axes.grid(False, axis="y")


def bar_panels(panels: Sequence[tuple[str, Mapping[str, float], Sequence[str], str]]) -> Any:
    """Return a figure of bars in panels side by side. panels: title, lengths by name, their labels, colour."""
    names = panels[0][1]
    wide = 3.9 + 0.08 * max(0, max(map(len, names)) - 12)  # long names leave room for the bars
    size = wide * len(panels), 1.2 + 0.42 * len(names)
    fig, columns = subplots(size, 1, len(panels), squeeze=False)
    for axes, (title, lengths, labels, color) in zip(columns[0], panels, strict=True):
        bar_rows(axes, lengths, labels, color=color, height=0.62)
        axes.set_title(textwrap.fill(title, 24), fontsize=11, loc="left")
        room = 1.05 + 0.04 * max(map(len, labels))  # of the longest bar, for its label
        axes.set(xlim=(0, room * max(lengths.values())), xticks=[])
        axes.spines["bottom"].set_visible(False)
    return fig


def relative_curves(
    rows: Mapping[str, Mapping[Any, float]], xlabel: str, looks: Iterable[tuple[str, str]]
) -> Any:
    """Return a figure of curves over numbers, each as multiples of its own first value. looks: marker and colour of each."""
    fig, axes = subplots()
    ratios: list[float] = []
    for (label, values), (marker, color) in zip(rows.items(), looks, strict=False):
        shown = [value / next(iter(values.values())) for value in values.values()]
        axes.plot([*map(float, values)], shown, marker, color=color, markersize=5, label=label)
        ratios += shown
    begin = next(iter(next(iter(rows.values()))))
    axes.set(xlabel=xlabel, ylabel=f"relative to that at {begin}")
    least, most = min(ratios), max(ratios)
    if most > WIDE:
        axes.set(yscale="log", ylim=(0.7 * least, 1.5 * most))
        axes.yaxis.set_major_formatter("{x:g}")
    else:  # from 0, or from just below the lines if all are nearly equal
        alike = most <= 1.5 * least
        axes.set_ylim(min(0.95, 0.98 * least) if alike else 0, (1.03 if alike else 1.15) * most)
    axes.legend(frameon=True)
    return fig


@styled
def stacked_bars(rows: Mapping[str, Mapping[str, float]], label: str) -> Picture:
    """Draw one bar per row, made of named parts that lie end to end; hatches as well as colours tell the parts apart.

    >>> stacked_bars({"separate": {"convolution": 60, "ReLU": 40}, "fused": {"in one": 30}}, "kB").alt
    'kB: separate convolution 60, ReLU 40; fused in one 30.'
    """
    fig, axes = subplots((7.5, 1.1 + 0.45 * len(rows)))
    names = list(dict.fromkeys(name for parts in rows.values() for name in parts))
    for row, parts in rows.items():
        left = 0.0
        for name, value in parts.items():
            k = names.index(name)
            axes.barh(
                [row],
                [value],
                left=left,
                color=PALETTE[k % 8],
                hatch=HATCHES[k % 5],
                edgecolor="white",
                label=name,
            )
            left += value
    handles = dict(zip(*reversed(axes.get_legend_handles_labels()), strict=True))
    axes.legend(handles.values(), handles.keys(), loc="center left", bbox_to_anchor=(1, 0.5))
    axes.invert_yaxis()
    axes.set(xlabel=label)
    axes.grid(False, axis="y")
    said = "; ".join(
        f"{row} " + ", ".join(f"{name} {number(value)}" for name, value in parts.items())
        for row, parts in rows.items()
    )
    return figure(fig, alt=f"{label}: {said}.")


@styled
def histograms(rows: Mapping[str, Mapping[str, Any]], xlabel: str) -> Picture:
    """Draw a row of histograms per name, one for each of its arrays, on one scale per column.

    rows: {"He": {"layer 1": values, "layer 8": values}, …}, the same columns in each row. Zeros are left out of the
    bars (ReLU makes many); the alt text gives their share.
    """
    columns = list(next(iter(rows.values())))
    fig = empty_figure((2.3 * len(columns), 1.7 * len(rows) + 0.3))
    said = []
    for r, (line, (name, arrays)) in enumerate(
        zip(fig.subplots(len(rows), len(columns), squeeze=False), rows.items(), strict=True)
    ):
        for axes, column in zip(line, columns, strict=True):
            values = np.asarray(arrays[column]).ravel()
            axes.hist(values[values != 0], bins=24, color=PALETTE[r % 8])
            axes.set_title(f"{name}, {column}")
            axes.set_yticks([])
            axes.ticklabel_format(axis="x", scilimits=(-2, 2))
            zeros = f", {np.mean(values == 0):.0%} zeros" if (values == 0).any() else ""
            said.append(
                f"{name}, {column}: root mean square {number(np.sqrt(np.mean(values**2)))}{zeros}"
            )
    fig.supxlabel(xlabel)
    return figure(fig, alt=f"Histograms of {xlabel}. {'; '.join(said)}.")


@styled
def image_row(images: Mapping[str, Any], *, signed: bool = False, width: float = 1.9) -> Picture:
    """Draw images (H, W) side by side under their names, on one scale; more than six go into rows of equal length.

    signed: orange above zero, purple below.

    >>> image_row({"image": np.zeros((28, 28)), "negative": np.ones((28, 28))}).alt
    '2 images: image, 28 x 28, from 0 to 0; negative, 28 x 28, from 1 to 1.'
    """
    planes = {name: np.squeeze(device.to_host(image)) for name, image in images.items()}
    most = max(float(np.abs(plane).max()) for plane in planes.values()) or 1.0
    least = -most if signed else min(0.0, *(float(plane.min()) for plane in planes.values()))
    rows = -(-len(planes) // 6)
    columns = -(-len(planes) // rows)
    fig = empty_figure((width * columns, (width + 0.35) * rows))
    for place, (name, plane) in enumerate(planes.items(), 1):
        axes = fig.add_subplot(rows, columns, place)
        axes.imshow(
            plane,
            cmap="PuOr_r" if signed else "gray",
            vmin=least,
            vmax=most,
            interpolation="nearest",
        )
        axes.set_title(name, fontsize=10)
        axes.axis("off")
    said = "; ".join(
        f"{name}, {' x '.join(map(str, plane.shape))}, from {number(plane.min())} to {number(plane.max())}"
        for name, plane in planes.items()
    )
    return figure(fig, alt=f"{len(planes)} image{'s' * (len(planes) > 1)}: {said}.")


def _ends_and_extremes(x: Sequence[float], values: Sequence[float]) -> str:
    """Return both ends of a line, and its least and most where they lie between the ends."""
    ends = min(values[0], values[-1]), max(values[0], values[-1])
    between = [
        (words, extreme)
        for words, extreme, end in zip(
            ("least", "most"), (min(values), max(values)), ends, strict=True
        )
        if extreme != end
    ]
    return ", ".join(
        [f"{number(values[k])} at {number(x[k])}" for k in (0, -1)]
        + [
            f"{words} {number(extreme)} at {number(x[list(values).index(extreme)])}"
            for words, extreme in between
        ]
    )


def number(value: Any) -> str:
    """Format an integer in full and any other number with three significant digits: 33,792, 0.25, 1e-06."""
    value = float(value)
    if value.is_integer() and abs(value) < 1e9:
        return f"{value:,.0f}"
    value = float(f"{value:.3g}")
    return f"{value:,.0f}" if 1000 <= abs(value) < 1e9 else f"{value:.3g}"
