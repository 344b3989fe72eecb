"""One look for every picture: colours, matplotlib settings, and figures with alt text.

matplotlib is imported with the first of them: many programs, such as those that mark answers, draw nothing.
"""

from __future__ import annotations

import base64
import functools
import html
import io
import sys
from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

from cycler import cycler

from nnlib.support import browser

_P = ParamSpec("_P")
_R = TypeVar("_R")

# Okabe and Ito's palette: told apart with every common form of colour blindness.
BLUE, ORANGE, GREEN, RED = "#0072B2", "#E69F00", "#009E73", "#D55E00"
SKY, PINK, YELLOW, BLACK = "#56B4E9", "#CC79A7", "#F0E442", "#000000"
GREY, PALE = "#696969", "#EDEDED"
DARK_RED = "#A84A00"  # red text: RED itself is too light for it
PALETTE = [BLUE, ORANGE, GREEN, RED, SKY, PINK, YELLOW, BLACK]
SEQUENTIAL = "cividis"  # for maps
PAPER = ("Oranges", "PuOr_r")  # maps on which white is nothing: a dark theme may turn them round
MIDDLE = "#767676"  # text beside photographs, on a white ground and on a black one
FONT = "system-ui, 'DejaVu Sans', sans-serif"

# On a white face dark text is readable in any theme; cuda_cells.js turns charts and drawings round in a dark one.
SETTINGS: Any = {
    "figure.figsize": (7.0, 3.6),
    "figure.facecolor": "white",
    "figure.constrained_layout.use": True,
    "axes.facecolor": "white",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "axes.grid": True,
    "axes.prop_cycle": cycler(color=PALETTE),
    "grid.color": "#E3E3E3",
    "font.size": 11,
    "image.cmap": SEQUENTIAL,
    "legend.frameon": False,
    "lines.linewidth": 2,
}


def use() -> None:
    """Make matplotlib draw in this style from now on; a page that loads it with the first picture calls again."""
    if browser.page() and "matplotlib" not in sys.modules:
        return
    import matplotlib

    matplotlib.rcParams.update(SETTINGS)


def styled(draw: Callable[_P, _R]) -> Callable[_P, _R]:
    """Decorate a function that draws in this style, whatever the caller's settings."""

    @functools.wraps(draw)
    def drawn(*args: _P.args, **options: _P.kwargs) -> _R:
        from matplotlib import rc_context

        with rc_context(SETTINGS):
            return draw(*args, **options)

    return drawn


def empty_figure(size: tuple[float, float] | None = None) -> Any:
    """Return a matplotlib Figure of this width and height in inches that is not in pyplot's list."""
    from matplotlib.figure import Figure

    return Figure(figsize=size)


def subplots(
    size: tuple[float, float] | None = None, rows: int = 1, columns: int = 1, **options: Any
) -> tuple[Any, Any]:
    """Return such a figure and its axes: one, or as many as there are rows and columns."""
    fig = empty_figure(size)
    return fig, fig.subplots(rows, columns, **options)


def whole_numbers() -> Any:
    """Return a locator that puts ticks at integers only."""
    from matplotlib.ticker import MaxNLocator

    return MaxNLocator(integer=True)


class Picture:
    """An image with its alt text, as one `<img>` that Jupyter, GitHub, slides and print all show.

    data: PNG bytes, or SVG text. width: in CSS pixels. shades: it shows how bright things are, such as digits, so a
    dark theme must not turn it round; photographs have no ground of their own. figure: what it was drawn with, of
    matplotlib.
    """

    figure: Any = None

    def __init__(
        self,
        data: bytes | str,
        alt: str,
        caption: str = "",
        width: int | None = None,
        shades: bool = False,
    ):
        if not alt.strip():
            raise ValueError(
                "figure needs alt text: one sentence that states what the picture shows, with its numbers"
            )
        self.data, self.alt, self.caption, self.width = data, " ".join(alt.split()), caption, width
        self.shades = shades

    def img(self) -> str:
        """Return the `<img>` element, complete in itself."""
        kind, raw = (
            ("svg+xml", self.data.encode()) if isinstance(self.data, str) else ("png", self.data)
        )
        width = f' width="{self.width}"' if self.width else ""
        shades = ' class="nn-shades"' if self.shades else ""
        return (
            f'<img alt="{html.escape(self.alt)}"{width}{shades} '
            f'style="max-width:100%;height:auto;background:white" '
            f'src="data:image/{kind};base64,{base64.b64encode(raw).decode()}">'
        )

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        caption = f"<figcaption>{html.escape(self.caption)}</figcaption>" if self.caption else ""
        return {
            "text/html": f'<figure style="margin:0">{self.img()}{caption}</figure>',
            "text/plain": f"Figure: {self.alt}",
        }


def figure(fig: Any, alt: str, caption: str = "") -> Picture:
    """Turn a matplotlib figure (or the text of an SVG) into a picture with alt text; end a cell with it.

    Args:
        fig: matplotlib Figure, closed afterwards, a Drawing, or a string that starts with `<svg`.
        alt: what a reader who cannot see it must know, with the numbers.
        caption: shown below the picture.
    """
    if not hasattr(fig, "savefig"):
        return Picture(str(fig), alt, caption)
    from matplotlib import pyplot

    maps = {image.get_cmap().name for axes in fig.axes for image in axes.images}
    photographs = "gray" in maps
    if photographs:
        _write_in_the_middle(fig)
    ground = "none" if photographs else "auto"
    buffer = io.BytesIO()
    # Twice the pixels for sharp screens; no Software entry, so that a version does not change the bytes.
    fig.savefig(buffer, format="png", dpi=144, metadata={"Software": None}, facecolor=ground)
    pyplot.close(fig)
    shades = not maps <= {*PAPER}
    if not maps:
        buffer = _lighter(buffer)
    picture = Picture(buffer.getvalue(), alt, caption, round(fig.get_figwidth() * 96), shades)
    picture.figure = fig
    return picture


def _lighter(drawing: io.BytesIO) -> io.BytesIO:
    """Keep 64 colours of a drawing: a third of its bytes, and it looks the same."""
    from PIL import Image

    lighter = io.BytesIO()
    Image.open(drawing).convert("RGB").quantize(64).save(lighter, "png", optimize=True)
    return lighter


def _write_in_the_middle(fig: Any) -> None:
    """Make text a grey that can be read on any ground: a page gives photographs that of its theme."""
    from matplotlib.text import Text

    for text in fig.findobj(Text):
        text.set_color(MIDDLE)
