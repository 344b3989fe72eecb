"""Lines and text can be told from their ground in a dark theme, as the filter of the extension makes both."""

import io
import re
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from matplotlib.colors import to_rgb
from matplotlib.image import imread

import nnlib
from nnlib.course.pictures import fragments, microscope, races, style
from tests.notebooks.test_accessibility import contrast, written

SCRIPT = Path(nnlib.__file__).parent / "course/labextensions/nnlib-cuda/static/cuda_cells.js"
INVERT, DEGREES, BRIGHT = map(
    float,
    re.search(
        r"filter: invert\(([\d.]+)\) hue-rotate\((\d+)deg\) brightness\(([\d.]+)\)",
        SCRIPT.read_text("utf-8"),
    ).groups(),
)
GREYS = np.array([0.213, 0.715, 0.072])  # the standard's weights of a hue rotation


def in_the_dark(colour):
    """Return what the filter makes of a colour, red, green and blue from 0 to 1."""
    assert DEGREES == 180  # cosine -1, sine 0
    inverted = INVERT + (1 - 2 * INVERT) * np.array(to_rgb(colour))
    return np.clip(BRIGHT * np.clip(2 * GREYS @ inverted - inverted, 0, 1), 0, 1)


def boxed(svg):
    """(colour of the text, colour of the box below it) of each text in a coloured box."""
    return {(text, box) for _, text, box in written(svg) if box.startswith("#")}


def faint(pairs, least):
    """Return the pairs of text and box whose contrast is too low in one of the themes."""
    themes = (to_rgb, in_the_dark)
    return [p for p in pairs if min(contrast(*map(seen, p)) for seen in themes) < least]


def test_figures_in_boxes_can_be_read_in_both_themes():
    conflicts = microscope.bank_grid([32 * lane for lane in range(32)]).data
    turns = [SimpleNamespace(warp=0, kind=kind, name="s", index=0, value=1) for kind in races.TINTS]
    run = SimpleNamespace(warps=1, turns=turns)
    drawn = str(races._picture(run, "s", np.zeros(2), np.array([True, False])))
    pairs = boxed(conflicts) | boxed(drawn)
    assert {style.DARK_RED, style.GREEN, style.SKY, style.ORANGE} <= {box for _, box in pairs}
    assert faint(pairs, 3) == []


def test_the_lanes_of_a_fragment_can_be_read_in_both_themes():
    pairs = boxed(fragments.fragment_explorer().pictures[5,].data)
    assert {style.BLUE, *fragments.TINTS} == {box for _, box in pairs}
    assert faint(pairs, 4.5) == []


@pytest.mark.parametrize(
    "name", ["BLUE", "ORANGE", "GREEN", "RED", "SKY", "PINK", "GREY", "DARK_RED", "BLACK"]
)
def test_a_line_has_enough_contrast(name):
    assert contrast(in_the_dark(getattr(style, name)), in_the_dark("white")) >= 4.5


def test_text_beside_photographs_can_be_read_in_both_themes():
    for ground in ("#FFFFFF", "#111111"):
        assert contrast(style.MIDDLE, ground) > 4
    fig = style.empty_figure()
    axes = fig.subplots()
    axes.imshow(np.eye(2), cmap="gray")
    axes.set_title("a digit")
    axes.set_axis_off()
    picture = style.figure(fig, "one digit")
    assert (
        'class="nn-shades"' in picture.img()
        and "nn-shades { background: none" in SCRIPT.read_text("utf-8")
    )
    alpha = imread(io.BytesIO(picture.data))[..., 3]
    assert alpha[0, 0] == 0 and alpha.max() == 1
