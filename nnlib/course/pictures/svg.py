"""Small drawings as SVG text: exact, light, and sharp at every size."""

from __future__ import annotations

import html
import math
from typing import Any

import numpy as np

from nnlib.course.pictures.style import BLACK, BLUE, FONT, PALE


class Drawing:
    """Rectangles, lines and text on a white ground. Lengths in pixels, y grows downwards.

    >>> drawing = Drawing(80, 20)
    >>> drawing.rect(0, 0, 40, 20, "#0072B2")
    >>> drawing.text(60, 15, "lane 0")
    >>> svg = str(drawing)
    """

    def __init__(self, width: float, height: float):
        self.width, self.height = round(width), round(height)
        self._parts: list[str] = []

    def rect(
        self,
        x: float,
        y: float,
        width: float,
        height: float,
        fill: str = "none",
        stroke: str = "none",
        **attributes: Any,
    ) -> None:
        """Draw a rectangle, from its upper left corner."""
        self._add(
            "rect", x=x, y=y, width=width, height=height, fill=fill, stroke=stroke, **attributes
        )

    def cell(
        self,
        box: tuple[float, float, float, float],
        fill: str,
        text: Any,
        size: float = 12,
        *,
        ink: str = BLACK,
        down: float | None = None,
        mono: bool = False,
        **attributes: Any,
    ) -> None:
        """Draw a rectangle with a text in its middle.

        box: x, y, width and height. down: from its upper side to the baseline of the text.
        """
        x, y, width, height = box
        self.rect(*box, fill, **attributes)
        baseline = y + (height / 2 + 5 if down is None else down)
        self.text(x + width / 2, baseline, text, size, ink, mono=mono)

    def grid(
        self,
        corner: tuple[float, float],
        colours: np.ndarray,
        pitch: float,
        words: np.ndarray | None = None,
        size: float = 14,
        gap: float = 2,
        stroke: np.ndarray | None = None,
        **attributes: Any,
    ) -> None:
        """Draw a matrix of square cells from its upper left corner, x and y, `pitch` from one to the next.

        colours, words, stroke: of each cell, what stands in it (white on blue), and its edge.
        """
        for at, fill in zip(np.ndindex(*colours.shape), colours.flat, strict=True):
            x, y = corner[0] + at[1] * pitch, corner[1] + at[0] * pitch
            box = x, y, pitch - gap, pitch - gap
            edge = "none" if stroke is None else str(stroke[at])
            if words is None:
                self.rect(*box, fill, edge, **attributes)
            else:
                word = words[at] if isinstance(words[at], str) else f"{words[at]:g}"
                ink = "white" if fill == BLUE else BLACK
                self.cell(box, fill, word, size, ink=ink, stroke=edge, **attributes)

    def line(
        self, x1: float, y1: float, x2: float, y2: float, stroke: str = BLACK, **attributes: Any
    ) -> None:
        """Draw a straight line."""
        self._add("line", x1=x1, y1=y1, x2=x2, y2=y2, stroke=stroke, **attributes)

    def arrow(
        self, x1: float, y1: float, x2: float, y2: float, stroke: str = BLACK, **attributes: Any
    ) -> None:
        """Draw an arrow whose tip is at (x2, y2)."""
        self.line(x1, y1, x2, y2, stroke, stroke_width=2, **attributes)
        length = math.hypot(x2 - x1, y2 - y1) or 1.0
        along, across = (x2 - x1) / length, (y2 - y1) / length
        for side in (5, -5):
            self.line(
                x2 - 8 * along - side * across,
                y2 - 8 * across + side * along,
                x2,
                y2,
                stroke,
                stroke_width=2,
            )

    def text(
        self,
        x: float,
        y: float,
        text: Any,
        size: float = 12,
        fill: str = BLACK,
        anchor: str = "middle",
        mono: bool = False,
    ) -> None:
        """Write text at the point of its baseline that `anchor` names: "start", "middle" or "end"."""
        family = "'DejaVu Sans Mono', monospace" if mono else FONT
        self._add(
            "text",
            html.escape(str(text)).replace(" ", "\u00a0"),
            x=x,
            y=y,
            font_size=size,
            fill=fill,
            text_anchor=anchor,
            font_family=family,
        )

    def _add(self, tag: str, content: str = "", **attributes: Any) -> None:
        words = " ".join(
            f'{name.replace("_", "-")}="{_value(value)}"' for name, value in attributes.items()
        )
        self._parts.append(f"<{tag} {words}>{content}</{tag}>" if content else f"<{tag} {words}/>")

    def __str__(self) -> str:
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{self.width}" height="{self.height}" '
            f'viewBox="0 0 {self.width} {self.height}"><rect width="100%" height="100%" fill="white"/>'
            f"{''.join(self._parts)}</svg>"
        )


def tinted(shape: tuple[int, ...], tint: str, *part: Any, rest: str = PALE) -> np.ndarray:
    """Return colours for a grid: those of a part, given by its rows and columns, and the rest.

    >>> tinted((1, 3), "blue", 0, slice(1, 3), rest="white").tolist()
    [['white', 'blue', 'blue']]
    """
    colours = np.full(shape, rest, object)
    colours[part] = tint
    return colours


def _value(value: Any) -> str:
    return f"{value:.5g}" if isinstance(value, float) else html.escape(str(value))
