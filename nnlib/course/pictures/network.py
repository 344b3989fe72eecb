"""The network as a chain of layers, with the kernels that do the work: which are the student's. Lesson 07."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from nnlib import mine
from nnlib.course.pictures.style import (
    BLACK,
    BLUE,
    DARK_RED,
    GREEN,
    GREY,
    PALE,
    SKY,
    Picture,
    figure,
)
from nnlib.course.pictures.svg import Drawing
from nnlib.mine.stars import shown

_COLORS = {"yours": (GREEN, BLACK), "solution": (SKY, BLACK), "course": (PALE, BLACK)}
_LEGEND = (("yours", "yours"), ("solution", "solution of the course"), ("course", "the course's"))
_BIAS = ("Linear", "Conv2d")
_ROW, _BOX, _LEFT = 44, 190, 316


def network(
    model: Any,
    input_shape: tuple[int, ...] = (1, 28, 28),
    momentum: bool = False,
    launches: Mapping[str, Mapping[str, int]] | None = None,
) -> Picture:
    """Draw a row per layer of a Sequential: output shape, kernels forwards and backwards, coloured by whose they are.

    input_shape: of one input. momentum: which kernel steps. launches: what `mine.launches()` counted; kernels that
    were never launched are then crossed out, and so is the gradient of the inputs.
    """
    rows = list(_rows(model, tuple(input_shape), momentum))
    launched = {name for counted in (launches or {}).values() for name in counted}
    widest = max(len(forward) + len(backward) for _, _, forward, backward in rows)
    idle: list[str] = []
    drawing = Drawing(_LEFT + (_BOX + 8) * max(widest, 3) + 20, _ROW * len(rows) + 76)
    drawing.text(_LEFT, 20, "its kernels: forwards, then the gradients", 14, anchor="start")
    for number, (name, shape, forward, backward) in enumerate(rows):
        y = 32 + number * _ROW
        drawing.text(10, y + 17, name, 14, anchor="start")
        drawing.text(10, y + 33, shape, 12, GREY, anchor="start")
        if number:
            drawing.arrow(_LEFT - 12, y - 22, _LEFT - 12, y + 12, BLUE)
        for place, kernel in enumerate((*forward, *backward)):
            left = _LEFT + place * (_BOX + 8)
            _box(drawing, left, y, kernel)
            unneeded = number == 1 and kernel.endswith("_grad_input")  # nothing learns from it
            if launches and (unneeded or kernel not in launched):
                drawing.line(left, y + 36, left + _BOX, y, DARK_RED, stroke_width=2)
                idle.append(kernel)
    crossed = f" Never launched: {', '.join(idle)}." if idle else ""
    y, x = 32 + len(rows) * _ROW, _LEFT
    for whose, words in _LEGEND:
        drawing.rect(x, y + 12, 16, 16, _COLORS[whose][0], GREY)
        drawing.text(x + 24, y + 25, words, 13, anchor="start")
        x += 60 + 8 * len(words)
    said = "; ".join(
        f"{name}: {', '.join([*forward, *backward]) or 'none'}"
        for name, _, forward, backward in rows
    )
    return figure(
        drawing,
        alt=f"The network, layer by layer, with its kernels. {said}. {mine.progress()}{crossed}",
    )


def _rows(model: Any, shape: tuple[int, ...], momentum: bool) -> Any:
    """Yield (name, shape, kernels forwards, kernels of the gradients) of the input, each layer, the loss and the step."""
    yield "input", str(shape), ["normalise_images"], []
    for layer in model.layers:
        kind, shape = type(layer).__name__, layer.output_shape(shape)
        own = [name for name, piece in mine.PIECES.items() if piece.used_by == kind]
        forward = [name for name in own if "grad" not in name] or (
            [] if kind == "Flatten" else [kind]
        )
        backward = [name for name in own if "grad" in name] + ["sum_columns"] * (kind in _BIAS)
        yield repr(layer), str(shape), forward, backward
    yield "cross-entropy", "one number", ["softmax_cross_entropy", "sum_columns"], []
    yield (
        "step",
        f"{model.parameters.size:,} parameters",
        ["momentum_step" if momentum else "sgd_step"],
        [],
    )


def _box(drawing: Drawing, x: float, y: float, kernel: str) -> None:
    """Draw one kernel: its name, and the stars of the student's own."""
    piece = mine.PIECES.get(kernel)
    whose = mine.whose(kernel) if piece else "course"
    fill, ink = _COLORS[whose]
    drawing.rect(x, y, _BOX, 36, fill, GREY)
    drawing.text(x + _BOX / 2, y + (16 if whose == "yours" else 23), kernel, 13, ink, mono=True)
    if whose == "yours":
        drawing.text(x + _BOX / 2, y + 31, shown(mine.stars(kernel)), 11, ink)
