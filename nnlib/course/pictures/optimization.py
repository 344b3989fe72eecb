"""Host and device side by side: batches, buffers, streams; a training step that gets faster. Lesson 08."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from nnlib import device
from nnlib.course.own_path import duration
from nnlib.course.pictures.charts import bar_rows
from nnlib.course.pictures.style import (
    BLUE,
    GREEN,
    GREY,
    ORANGE,
    SKY,
    Picture,
    figure,
    styled,
    subplots,
)
from nnlib.course.pictures.svg import Drawing
from nnlib.course.pictures.widgets import Explorer
from nnlib.course.timing import recorded

# What ("prepare", "copy", "compute"), batch, start and end in ms
Work = Sequence[tuple[str, int, float, float]]


def pipeline_explorer(
    axes: dict[str, Sequence[Any]],
    schedule: Callable[..., Work],
    still: tuple[int, ...] | None = None,
    title: str = "",
) -> Explorer:
    """Draw who does what when, with one or two sliders: one row per worker, one box per batch, time to the right.

    axes: {"buffers": [1, 2, 3]}; schedule(*values): the work.

    >>> work = [("copy", 0, 0.0, 2.0), ("compute", 0, 2.0, 3.0)]
    >>> pipeline_explorer({"buffers": [1]}, lambda buffers: work).pictures[1,].alt
    'buffers 1, 1 batch in 3 ms: copy busy for 2 ms, compute busy for 1 ms.'
    """
    return Explorer(
        axes,
        lambda *at: _pipeline(schedule(*at)),
        lambda *at: _said(schedule(*at), title, zip(axes, at, strict=True)),
        still,
    )


def _pipeline(work: Work, numbered: bool = True) -> Drawing:
    kinds, end = list(dict.fromkeys(row[0] for row in work)), max(row[3] for row in work)
    drawing, scale = Drawing(760, 42 + 36 * len(kinds)), 640 / end
    for k, kind in enumerate(kinds):
        drawing.text(86, 36 + 36 * k, kind, 13, GREY, "end")
    for kind, batch, start, stop in work:
        y = 16 + 36 * kinds.index(kind)
        colour = {
            "prepare": SKY,
            "copy": ORANGE,
            "compute": GREEN,
            "GPU: kernel": GREEN,
            "host: launch": ORANGE,
        }[kind]
        drawing.rect(96 + start * scale, y, (stop - start) * scale, 30, colour, "white", rx=2)
        if numbered and (stop - start) * scale > 14:
            drawing.text(96 + (start + stop) / 2 * scale, y + 20, batch, 12)
    drawing.text(736, 34 + 36 * len(kinds), f"{end:.3g} ms", 12, GREY, "end")
    return drawing


def _said(work: Work, title: str, sliders: Iterable[tuple[str, Any]] = ()) -> str:
    batches = len({row[1] for row in work})
    busy = {
        kind: _busy((start, stop) for which, _, start, stop in work if which == kind)
        for kind in dict.fromkeys(row[0] for row in work)
    }
    at = "".join(f"{name} {value}, " for name, value in sliders)
    parts = ", ".join(f"{kind} busy for {time:.3g} ms" for kind, time in busy.items())
    return (
        f"{title + '. ' if title else ''}{at}{batches} batch{'es' * (batches > 1)} in "
        f"{max(row[3] for row in work):.3g} ms: {parts}."
    )


def _busy(spans: Iterable[tuple[float, float]]) -> float:
    """Return for how long at least one of these spans lasts: the work of two streams may overlap."""
    time, until = 0.0, float("-inf")
    for start, stop in sorted(spans):
        time += max(stop - max(start, until), 0.0)
        until = max(until, stop)
    return time


def memory_traffic(kernels: dict[str, dict[str, tuple[float, float]]], unit: str = "MB") -> Picture:
    """Draw what kernels read from global memory and write to it, row by row. kernels: row -> kernel -> (read, written).

    >>> memory_traffic({"apart": {"relu": (4, 4)}, "fused": {"conv_relu": (1, 2)}}).alt
    'MB through global memory. apart: relu reads 4, writes 4; 8 in all. fused: conv_relu reads 1, writes 2; 3 in all.'
    """
    widest = max(map(len, kernels.values()))
    thick = 26 / max(amount for row in kernels.values() for pair in row.values() for amount in pair)
    drawing, said = Drawing(120 + 230 * widest, 190 * len(kernels)), []
    for number, (row, parts) in enumerate(kernels.items()):
        top, total = 190 * number, sum(map(sum, parts.values()))
        width = 230 * len(parts) - 20
        drawing.text(100, top + 124, row, 14, anchor="end")
        drawing.cell((110, top + 12, width, 34), ORANGE, f"global memory: {total:.3g} {unit}", 13)
        for k, (name, (read, written)) in enumerate(parts.items()):
            x = 110 + 230 * k
            drawing.cell((x, top + 104, 210, 36), GREEN, name, 13, mono=True)
            _flow(drawing, x + 50, top + 48, top + 102, read * thick, f"{read:.3g}")
            _flow(drawing, x + 150, top + 102, top + 48, written * thick, f"{written:.3g}")
        words = ", ".join(
            f"{name} reads {read:.3g}, writes {written:.3g}"
            for name, (read, written) in parts.items()
        )
        said.append(f"{row}: {words}; {total:.3g} in all.")
    return figure(drawing, alt=f"{unit} through global memory. {' '.join(said)}")


def _flow(drawing: Drawing, x: float, start: float, stop: float, width: float, words: str) -> None:
    """Draw an arrow upwards or downwards, as thick as what it carries."""
    tip = 10 if stop > start else -10
    drawing.line(x, start, x, stop - tip, SKY, stroke_width=max(2.0, width))
    drawing.arrow(x, stop - tip, x, stop, BLUE)
    drawing.text(x + width / 2 + 6, (start + stop) / 2 + 4, words, 12, anchor="start")


@styled
def your_path() -> Picture:
    """Draw a training step as a graph, recorded on an H200, plain and after each replacement.

    Orange: slower, and taken back. Grey: kept, though the step is no faster.
    """
    first, *rows = recorded("your_step")["path"]
    names, colours, fastest = ["plain versions"], [BLUE], first["graph"]
    for row in rows:
        words = "" if row["graph"] < fastest else " (no faster)" if row["kept"] else " (taken back)"
        names.append(f"{row['replaced']}: {row['text']}{words}")
        colours.append(ORANGE if not row["kept"] else GREY if words else BLUE)
        fastest = min(fastest, row["graph"]) if row["kept"] else fastest
    fig, axes = subplots((8.4, 0.9 + 0.3 * len(names)))
    values = [1e6 * row["graph"] for row in (first, *rows)]
    lengths = dict(zip(names, values, strict=True))
    bar_rows(axes, lengths, [f"{value:,.0f}" for value in values], color=colours)
    axes.set(xscale="log", xlabel="µs per training step, 64 images", xlim=(100, 3 * max(values)))
    said = ", ".join(f"{name} {value:,.0f}" for name, value in lengths.items())
    return figure(fig, alt=f"Recorded: µs per training step: {said}.")


def capture(way: str) -> Picture:
    """Draw a step in CUPTI's log, recorded on an H200: launches on the host, kernels on the GPU.

    way: "one by one" or "as a graph". The first launch is left out, as it waits for the tool.
    """
    events = recorded("nsight")["cupti"][way]
    kept = [
        event for what in ("launch", "kernel") for event in [e for e in events if e[0] == what][1:]
    ]
    begin = min(event[2] for event in kept)
    rows = {"launch": "host: launch", "kernel": "GPU: kernel"}
    work = [
        (rows[what], number, (start - begin) / 1e3, (end - begin) / 1e3)
        for number, (what, _, start, end) in enumerate(kept)
    ]
    busy = sum(end - start for what, _, start, end in kept if what == "kernel")
    whole = 1e3 * max(row[3] for row in work)
    return figure(
        _pipeline(work, numbered=False),
        alt=f"Recorded, {way}: {whole:,.0f} µs from the first launch shown to the end of the last kernel; "
        f"kernels run for {busy:,.0f} µs of them.",
    )


@styled
def leader_board(limit: float, yours: float) -> Picture:
    """Draw the seconds for five epochs of MNIST, batch 64: another system, PyTorch, the course, a student's path, and yours.

    limit: seconds that the arithmetic takes at least. yours: measured here.
    """
    rows = {name: (seconds, GREY) for name, seconds in _PUBLISHED.items()}
    training = recorded("train_gpu")
    for name, row in training["pytorch"]["rows"].items():
        if "DataLoader" not in name or name.endswith("0 workers"):
            rows[f"PyTorch, {name}"] = row["seconds"], SKY
    rows |= {
        f"the course, {name}": (row["seconds"], BLUE) for name, row in training["nnlib"].items()
    }
    rows |= {
        f"a student, {name}": (row["seconds"], GREEN)
        for name, row in recorded("your_step")["training"].items()
    }
    rows["arithmetic alone, an H200's limit"] = limit, ORANGE
    where = "this GPU" if device.has_gpu() else "this computer without an NVIDIA GPU"
    rows[f"YOU, on {where}"] = yours, "black"
    rows = dict(sorted(rows.items(), key=lambda row: -row[1][0]))
    lengths = {textwrap.fill(name, 60): seconds for name, (seconds, _) in rows.items()}
    fig, axes = subplots((9.6, 0.8 + 0.25 * len(rows)))
    bar_rows(
        axes,
        lengths,
        map(duration, lengths.values()),
        color=[colour for _, colour in rows.values()],
    )
    axes.set(xscale="log", xlabel="seconds for five epochs", xlim=(0.03, max(400, 4 * yours)))
    said = "; ".join(f"{name} {duration(seconds)}" for name, seconds in lengths.items())
    return figure(fig, alt=f"Time for five epochs: {said}.")


# C. Camolese, CUDA-CNN-from-scratch: as published, and its code run by us on an H200.
_PUBLISHED = {
    "CUDA-CNN-from-scratch, naive, V100": 41.8,
    "CUDA-CNN-from-scratch, optimised, V100": 8.50,
    "CUDA-CNN-from-scratch, optimised, A40": 5.18,
    "CUDA-CNN-from-scratch, naive, H200": 24.0,
    "CUDA-CNN-from-scratch, optimised, H200": 5.8,
}
