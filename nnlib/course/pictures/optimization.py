"""Host and device at work side by side: batches, buffers, streams. Lesson 08."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from nnlib.course.pictures.style import GREEN, GREY, ORANGE, SKY, Picture, figure
from nnlib.course.pictures.svg import Drawing
from nnlib.course.pictures.widgets import Explorer

Work = Sequence[tuple[str, int, float, float]]  # what ("prepare", "copy", "compute"), batch, start and end in ms


def pipeline(work: Work, title: str = "") -> Picture:
    """Who does what when: one row per worker, one box per batch, time to the right.

    >>> pipeline([("copy", 0, 0.0, 2.0), ("compute", 0, 2.0, 3.0)]).alt
    '1 batch in 3 ms: copy busy for 2 ms, compute busy for 1 ms.'
    """
    return figure(_pipeline(work), alt=_said(work, title))


def pipeline_explorer(axes: dict[str, Sequence], schedule: Callable[..., Work], still: tuple | None = None,
                      title: str = "") -> Explorer:
    """The same with one or two sliders. axes: {"buffers": [1, 2, 3]}; schedule(*values): the work."""
    return Explorer(axes, lambda *at: _pipeline(schedule(*at)),
                    lambda *at: _said(schedule(*at), title, zip(axes, at, strict=True)), still)


def _pipeline(work: Work) -> str:
    kinds, end = list(dict.fromkeys(row[0] for row in work)), max(row[3] for row in work)
    drawing, scale = Drawing(760, 42 + 36 * len(kinds)), 640 / end
    for k, kind in enumerate(kinds):
        drawing.text(86, 36 + 36 * k, kind, 13, GREY, "end")
    for kind, batch, start, stop in work:
        y = 16 + 36 * kinds.index(kind)
        colour = {"prepare": SKY, "copy": ORANGE, "compute": GREEN}.get(kind, GREY)
        drawing.rect(96 + start * scale, y, (stop - start) * scale, 30, colour, "white", rx=2)
        if (stop - start) * scale > 14:
            drawing.text(96 + (start + stop) / 2 * scale, y + 20, batch, 12)
    drawing.text(736, 34 + 36 * len(kinds), f"{end:.3g} ms", 12, GREY, "end")
    return str(drawing)


def _said(work: Work, title: str, sliders: Iterable[tuple[str, Any]] = ()) -> str:
    batches = len({row[1] for row in work})
    busy: dict[str, float] = {}
    for kind, _, start, stop in work:
        busy[kind] = busy.get(kind, 0.0) + stop - start
    at = "".join(f"{name} {value}, " for name, value in sliders)
    parts = ", ".join(f"{kind} busy for {time:.3g} ms" for kind, time in busy.items())
    return (f"{title + '. ' if title else ''}{at}{batches} batch{'es' * (batches > 1)} in "
            f"{max(row[3] for row in work):.3g} ms: {parts}.")
