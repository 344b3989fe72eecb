"""Lines and text can be told from their ground in a dark theme, as the filter of the extension makes both."""

import io
import re
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from matplotlib.image import imread

import nnlib
from nnlib.course.pictures import fragments, microscope, races, style

SCRIPT = Path(nnlib.__file__).parent / "course/labextensions/nnlib-cuda/static/cuda_cells.js"
INVERT, DEGREES, BRIGHT = map(
    float,
    re.search(
        r"filter: invert\(([\d.]+)\) hue-rotate\((\d+)deg\) brightness\(([\d.]+)\)",
        SCRIPT.read_text("utf-8"),
    ).groups(),
)
LUMINANCE = np.array([0.2126, 0.7152, 0.0722])
GREYS = np.array([0.213, 0.715, 0.072])  # the standard's weights of a hue rotation


def in_the_dark(colour):
    """What the filter makes of "#rrggbb", red, green and blue from 0 to 1."""
    assert DEGREES == 180  # cosine -1, sine 0
    inverted = INVERT + (1 - 2 * INVERT) * np.array(
        [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    )
    return np.clip(BRIGHT * np.clip(2 * GREYS @ inverted - inverted, 0, 1), 0, 1)


def luminance(colour):
    return LUMINANCE @ np.where(
        colour <= 0.04045, colour / 12.92, ((colour + 0.055) / 1.055) ** 2.4
    )


def contrast(one, other):
    return (max(one, other) + 0.05) / (min(one, other) + 0.05)


def in_the_light(colour):
    return np.array([int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)])


def written_on(svg):
    """(colour of the text, colour of the last box below it) of each text in a box."""
    boxes = []
    for tag, words in re.findall(r"<(rect|text) ([^>]*)>", svg):
        known = dict(re.findall(r'([\w-]+)="([^"]*)"', words))
        if tag == "rect" and known["fill"].startswith("#"):
            boxes.append(
                [*(float(known[side]) for side in ("x", "y", "width", "height")), known["fill"]]
            )
        elif tag == "text":
            x, y = float(known["x"]), float(known["y"])
            below = [
                fill
                for left, top, width, height, fill in boxes
                if left < x < left + width and top < y < top + height
            ]
            if below:
                yield known["fill"].replace("white", "#FFFFFF"), below[-1]


def test_figures_in_boxes_can_be_read_in_both_themes():
    conflicts = microscope.bank_grid([32 * lane for lane in range(32)]).data
    turns = [SimpleNamespace(warp=0, kind=kind, name="s", index=0, value=1) for kind in races.TINTS]
    run = SimpleNamespace(warps=1, turns=turns)
    drawn = str(races._picture(run, "s", np.zeros(2), np.array([True, False]), "wrong"))
    pairs = {*written_on(conflicts), *written_on(drawn)}
    assert {style.DARK_RED, style.GREEN, style.SKY, style.ORANGE} <= {box for _, box in pairs}
    for text, box in pairs:
        for seen in (in_the_light, in_the_dark):
            assert contrast(luminance(seen(text)), luminance(seen(box))) > 3, (text, box)


def test_the_lanes_of_a_fragment_can_be_read_in_both_themes():
    pairs = {*written_on(fragments.fragment_explorer().pictures[5,].data)}
    assert {style.BLUE, *fragments.TINTS} == {box for _, box in pairs}
    for text, box in pairs:
        for seen in (in_the_light, in_the_dark):
            assert contrast(luminance(seen(text)), luminance(seen(box))) >= 4.5, (text, box)


@pytest.mark.parametrize(
    "name", ["BLUE", "ORANGE", "GREEN", "RED", "SKY", "PINK", "GREY", "DARK_RED", "BLACK"]
)
def test_a_line_has_enough_contrast(name):
    line, ground = luminance(in_the_dark(getattr(style, name))), luminance(in_the_dark("#FFFFFF"))
    assert contrast(line, ground) >= 4.5


def test_text_beside_photographs_can_be_read_in_both_themes():
    for ground in ("#FFFFFF", "#111111"):
        seen = [luminance(in_the_light(colour)) for colour in (style.MIDDLE, ground)]
        assert contrast(*seen) > 4
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
