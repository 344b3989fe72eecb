"""Lines of a chart can be told from their ground in a dark theme, as the filter of the extension makes both."""

import re
from pathlib import Path

import numpy as np
import pytest

import nnlib
from nnlib.course.pictures import style

SCRIPT = Path(nnlib.__file__).parent / "course/labextensions/nnlib-cuda/static/cuda_cells.js"
INVERT, DEGREES, BRIGHT = map(float, re.search(
    r"filter: invert\(([\d.]+)\) hue-rotate\((\d+)deg\) brightness\(([\d.]+)\)", SCRIPT.read_text("utf-8")).groups())
LUMINANCE = np.array([0.2126, 0.7152, 0.0722])
GREYS = np.array([0.213, 0.715, 0.072])  # the standard's weights of a hue rotation


def in_the_dark(colour):
    """What the filter makes of "#rrggbb", red, green and blue from 0 to 1."""
    assert DEGREES == 180  # cosine -1, sine 0
    inverted = INVERT + (1 - 2 * INVERT) * np.array([int(colour[at:at + 2], 16) / 255 for at in (1, 3, 5)])
    return np.clip(BRIGHT * np.clip(2 * GREYS @ inverted - inverted, 0, 1), 0, 1)


def luminance(colour):
    return LUMINANCE @ np.where(colour <= 0.04045, colour / 12.92, ((colour + 0.055) / 1.055) ** 2.4)


@pytest.mark.parametrize("name", ["BLUE", "ORANGE", "GREEN", "RED", "SKY", "PINK", "GREY", "DARK_RED", "BLACK"])
def test_a_line_has_enough_contrast(name):
    line, ground = luminance(in_the_dark(getattr(style, name))), luminance(in_the_dark("#FFFFFF"))
    assert (max(line, ground) + 0.05) / (min(line, ground) + 0.05) >= 4.5
