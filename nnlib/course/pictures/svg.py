"""Small drawings as SVG text: exact, light, and sharp at every size."""

from __future__ import annotations

import html
import math
from typing import Any

from nnlib.course.pictures.style import BLACK, FONT


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
        x: float,
        y: float,
        width: float,
        height: float,
        fill: str,
        text: Any,
        size: float = 12,
        **look: Any,
    ) -> None:
        """Draw a rectangle with a text in its middle.

        look: of the text `ink`, `mono`, and `down`, from the upper side to its baseline; what is left, of the rectangle.
        """
        ink, mono = look.pop("ink", BLACK), look.pop("mono", False)
        baseline = y + look.pop("down", height / 2 + 5)
        self.rect(x, y, width, height, fill, **look)
        self.text(x + width / 2, baseline, text, size, ink, mono=mono)

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


def _value(value: Any) -> str:
    return f"{value:.5g}" if isinstance(value, float) else html.escape(str(value))
