"""Interactive steppers over pictures that are drawn beforehand, so that they work without a Jupyter kernel.

A stepper is one output: a widget where Jupyter can show it, one `<img>` where it cannot (GitHub, print,
an untrusted notebook), and fixed text. Exported decks get all its pictures and move them with a few
lines of script of their own.
"""

from __future__ import annotations

import html
import itertools
import os
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import ipywidgets

from nnlib.course.pictures.style import BLUE, GREY, PALE, Picture, figure
from nnlib.course.pictures.svg import Drawing
from nnlib.support import browser


class Explorer:
    """Pictures for every combination of one or two sliders.

    axes: {"block size": [32, 64, 128]}, at most two. draw(*values): a matplotlib figure, a Drawing or SVG text.
    say(*values): what the picture shows, with its numbers; shown below it and its alt text.
    still: the values of the picture to show where nobody moves a slider: print, GitHub, exported slides and pages
    (default: the last). Whoever can move it begins at the first picture.

    >>> rows = Explorer({"threads": [1, 2, 4]}, draw=lambda n: str(Drawing(20 * n, 20)), say=lambda n: f"{n} in a row")
    >>> rows.pictures[4,].alt
    '4 in a row'
    """

    def __init__(
        self,
        axes: dict[str, Sequence[Any]],
        draw: Callable[..., Any],
        say: Callable[..., str],
        still: tuple[Any, ...] | None = None,
    ):
        self.axes = {name: list(values) for name, values in axes.items()}
        combinations = list(itertools.product(*self.axes.values()))
        self.pictures = {values: figure(draw(*values), alt=say(*values)) for values in combinations}
        self.still = combinations[-1] if still is None else tuple(still)

    def _panel(self, picture: Picture) -> str:
        return f"<figure style='margin:0'>{picture.img()}<figcaption>{html.escape(picture.alt)}</figcaption></figure>"

    def _widget(self) -> Any:
        sliders = [
            ipywidgets.SelectionSlider(
                options=[(str(v), i) for i, v in enumerate(values)],
                description=name,
                index=0,
                style={"description_width": "initial"},
                layout=ipywidgets.Layout(width="420px"),
            )
            for name, values in self.axes.items()
        ]
        rows = list(sliders)
        if len(sliders) == 1:
            play = ipywidgets.Play(min=0, max=len(self.pictures) - 1, value=0, interval=900)
            ipywidgets.jslink((play, "value"), (sliders[0], "index"))
            rows = [ipywidgets.HBox([play, sliders[0]])]
        return ipywidgets.VBox([*rows, self._stack(sliders, ())])

    def _stack(self, sliders: list[Any], chosen: tuple[int, ...]) -> Any:
        """Return a stack of pictures; with two sliders a stack of stacks."""
        if len(chosen) == len(self.axes):
            return ipywidgets.HTML(self._panel(self.pictures[chosen]))
        slider = sliders[len(chosen)]
        values = list(self.axes.values())[len(chosen)]
        stack = ipywidgets.Stack(
            [self._stack(sliders, (*chosen, v)) for v in values], selected_index=0
        )
        ipywidgets.jslink((slider, "index"), (stack, "selected_index"))
        return stack

    def _deck(self, shown: tuple[Any, ...]) -> str:
        """Return all pictures at once, for the script of a slide deck or of a page, which begins with the one shown."""
        at = [values.index(v) for values, v in zip(self.axes.values(), shown, strict=True)]
        inputs = "".join(
            f'<label>{html.escape(name)} <input type="range" min="0" max="{len(values) - 1}" value="{i}" '
            f'data-values="{html.escape("|".join(map(str, values)))}">'
            f"<output>{html.escape(str(values[i]))}</output></label>"
            for (name, values), i in zip(self.axes.items(), at, strict=True)
        )
        panels = "".join(
            f"<div{'' if values == shown else ' hidden'}>{self._panel(picture)}</div>"
            for values, picture in self.pictures.items()
        )
        return f'<div class="nn-stepper"><div class="nn-controls">{inputs}</div>{panels}</div>'

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        still = self.pictures[self.still]
        plain = f"Interactive figure ({len(self.pictures)} pictures). {still.alt}"
        if os.environ.get("NNLIB_DECK"):
            return {"text/html": self._deck(self.still), "text/plain": plain}
        if browser.page():
            return {"text/html": self._deck(next(iter(self.pictures))), "text/plain": plain}
        return {
            **self._widget()._repr_mimebundle_(),
            "text/html": self._panel(still),
            "text/plain": plain,
        }


class Stepper(Explorer):
    """Pictures to step through, one after the other.

    frames: (figure or SVG text, caption) pairs; a caption says what happens in that step and is its alt text.
    still: index of the frame to show where widgets do not run.
    """

    def __init__(self, frames: Sequence[tuple[Any, str]], label: str = "step", still: int = -1):
        steps = list(range(1, len(frames) + 1))
        super().__init__(
            {label: steps},
            lambda step: frames[step - 1][0],
            lambda step: frames[step - 1][1],
            (steps[still],),
        )

    @classmethod
    def over(
        cls,
        places: Iterable[tuple[Any, ...]],
        draw: Callable[..., Any],
        say: Callable[..., str],
        label: str = "step",
        still: int = 0,
    ) -> Stepper:
        """Return a stepper over places, each drawn by draw(*place) and described by say(*place)."""
        return cls([(draw(*place), say(*place)) for place in places], label, still)


def thread_explorer(n: int = 20) -> Explorer:
    """Show every thread of 1 to 4 blocks with its global index, and which of the n elements (1 to 64) it has.

    >>> print(thread_explorer(n=20).pictures[8, 3].alt)  # threads per block, blocks
    3 blocks of 8 threads: 24 threads for 20 elements; 4 threads have no element.
    """
    blocks, grids = (4, 8, 16), (1, 2, 3, 4)

    def draw(block: int, grid: int) -> Drawing:
        drawing = Drawing(110 + max(blocks) * 42, 44 + max(grids) * 40)
        for t in range(block):
            drawing.text(120 + t * 42, 20, t, 12, GREY)
        drawing.text(4, 20, "threadIdx.x", 12, GREY, "start", mono=True)
        for b in range(grid):
            y = 34 + b * 40
            drawing.text(4, y + 20, f"blockIdx.x {b}", 12, GREY, "start", mono=True)
            for t in range(block):
                i, box = b * block + t, (101 + t * 42, y, 38, 30)
                if i < n:
                    drawing.cell(box, BLUE, i, 13, ink="white")
                else:
                    drawing.cell(box, PALE, i, 13, ink=GREY, stroke=GREY, stroke_dasharray="3 3")
        return drawing

    def say(block: int, grid: int) -> str:
        threads = block * grid
        rest = (
            f"{threads - n} thread{'s have' if threads > n + 1 else ' has'} no element."
            if threads > n
            else f"elements {threads} to {n - 1} have no thread."
            if threads < n
            else "each has one element."
        )
        return f"{grid} block{'s' * (grid > 1)} of {block} threads: {threads} threads for {n} elements; {rest}"

    still = next((block, -(-n // block)) for block in blocks if -(-n // block) in grids)
    return Explorer({"threads per block": blocks, "blocks": grids}, draw, say, still)
