"""The stored lessons for those who do not see them, or not well: headings in order, tables with headers, links that say
where they lead, alt text with numbers, clear contrast."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator
from html import unescape
from itertools import pairwise
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from matplotlib.colors import to_rgb
from nbformat import read

from nnlib.lessons import notebooks

LESSONS = notebooks(Path(__file__).parents[2] / "notebooks")
READABLE = 4.5  # WCAG 2.2, success criterion 1.4.3, text of normal size
NUMBER = re.compile(
    r"\d|\b(no|none|one|two|three|four|five|six|seven|eight|nine|ten)\b", re.IGNORECASE
)


def pictures(lesson: Path) -> list[tuple[str, str]]:
    """(alt text, SVG text or "") of every picture in the stored outputs."""
    outputs = [
        output["data"].get("text/html", "")
        for cell in read(lesson, 4).cells
        for output in cell.get("outputs", [])
        if "data" in output
    ]
    tags = [tag for html in outputs for tag in re.findall(r"<img [^>]*>", html)]
    return [
        (
            unescape(_match(r'alt="([^"]*)"', tag)),
            base64.b64decode(_match(r"svg\+xml;base64,([^\"]*)", tag)).decode(),
        )
        for tag in tags
    ]


def prose(lesson: Path) -> str:
    """The text cells, one after the other, without code."""
    cells = (cell.source for cell in read(lesson, 4).cells if cell.cell_type == "markdown")
    return re.sub(r"^```.*?^```", "", "\n\n".join(cells), flags=re.DOTALL | re.MULTILINE)


def unclear(text: str) -> list[str]:
    """Return what a screen reader cannot announce: a level of headings left out, a table without headers, a link or a fold
    without words of its own, a picture without a text."""
    levels = [len(hashes) for hashes in re.findall(r"^(#+) ", text, re.MULTILINE)]
    return (
        [
            f"heading of level {level} after one of {before}"
            for before, level in pairwise([0, *levels])
            if level > before + 1 or level == 1 != before + 1
        ]
        + re.findall(r"^[| ]+\n(?=\|[-:| ]+$)", text, re.MULTILINE)
        + re.findall(
            r"(?<!!)\[(?:|here|this|link|more|https?:[^]]*)\]\([^)]*\)", text, re.IGNORECASE
        )
        + re.findall(r"<details[^>]*>(?!\s*<summary>\s*\w)", text)
        + re.findall(r"!\[\]\([^)]*\)", text)
    )


def _match(pattern: str, text: str) -> str:
    found = re.search(pattern, text)
    return found[1] if found else ""


def contrast(one: Any, other: Any) -> float:
    """WCAG 2.2: (L1 + 0.05) / (L2 + 0.05), from 1 to 21, where L is the relative luminance."""
    darker, lighter = sorted(_luminance(colour) for colour in (one, other))
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: Any) -> float:
    linear = [v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in to_rgb(colour)]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def written(svg: str) -> Iterator[tuple[str | None, str, str]]:
    """Yield each text with its colour and that of the rectangle drawn last below its anchor."""
    grounds: list[tuple[float, float, float, float, str]] = []
    for element in ElementTree.fromstring(svg).iter():
        kind, get = element.tag.split("}")[-1], element.get
        if kind == "rect" and get("fill") != "none":
            sizes = [
                float("inf") if get(name, "0").endswith("%") else float(get(name, "0"))
                for name in ("width", "height")
            ]
            grounds.append((float(get("x", "0")), float(get("y", "0")), *sizes, get("fill")))
        elif kind == "text":
            # The anchor is on the base line; half a letter higher is inside the ground.
            x, y = float(get("x")), float(get("y")) - float(get("font-size", "12")) / 3
            ground = [
                fill
                for left, top, width, height, fill in grounds
                if left <= x <= left + width and top <= y <= top + height
            ][-1]
            yield element.text, get("fill", "black"), ground


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda path: path.stem)
def test_what_a_screen_reader_announces_is_clear(lesson):
    text = prose(lesson)
    assert "## " in text and unclear(text) == []


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda path: path.stem)
def test_stored_tables_have_headers(lesson):
    tables = [
        table
        for cell in read(lesson, 4).cells
        for output in cell.get("outputs", [])
        for table in re.findall(
            r"<table.*?</table>", output.get("data", {}).get("text/html", ""), re.DOTALL
        )
    ]
    assert [table[:80] for table in tables if "<th" not in table] == []


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda path: path.stem)
def test_pictures_say_their_numbers(lesson):
    found = pictures(lesson)
    assert found
    assert [alt for alt, _ in found if not NUMBER.search(alt)] == []


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda path: path.stem)
def test_texts_in_drawings_can_be_read(lesson):
    drawn = (text for _, svg in pictures(lesson) if svg for text in written(svg))
    assert [text for text in drawn if contrast(*text[1:]) < READABLE] == []
