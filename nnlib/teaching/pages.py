"""`nnlib pages`: one HTML page per lesson, for reading and printing; solutions and answers are folded.

A page needs no network: formulas are drawn by MathJax, which comes from npm when first needed and lies in the page.
"""

from __future__ import annotations

from typing import Any

from nbconvert import HTMLExporter

from nnlib.support import files
from nnlib.teaching import options
from nnlib.teaching.cells import read
from nnlib.teaching.checkout import lessons
from nnlib.teaching.exporting import export, mathjax


def page(notebook: Any, title: str) -> str:
    """The HTML of a lesson."""
    return export(
        notebook, HTMLExporter, "page", {"metadata": {"name": title}, "mathjax": mathjax("A page")}
    )


def main(arguments: list[str] | None = None) -> None:
    """The command `nnlib pages`."""
    chosen = options.pages().parse_args(arguments)
    paths = lessons("nnlib pages without the name of a notebook", chosen.notebooks)
    chosen.to.mkdir(parents=True, exist_ok=True)
    for path in paths:
        html = chosen.to / f"{path.stem}.html"
        with files.replacing(html) as fresh:
            fresh.write_text(page(read(path), path.stem), "utf-8")
        print(html)
