"""`nnlib pages`: one HTML page per lesson, for reading and printing; solutions and answers are folded.

A page needs no network: formulas are drawn by MathJax, which comes from npm when first needed and lies in the page.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from nbconvert import HTMLExporter

from nnlib.support import files
from nnlib.teaching.cells import read
from nnlib.teaching.checkout import lessons
from nnlib.teaching.exporting import export, mathjax


def page(notebook: Any, title: str) -> str:
    """The HTML of a lesson."""
    return export(notebook, HTMLExporter, "page", {"metadata": {"name": title}, "mathjax": mathjax("A page")})


def main(arguments: list[str] | None = None) -> None:
    """The command `nnlib pages`."""
    parser = argparse.ArgumentParser(prog="nnlib pages", description="One HTML page per lesson, for reading and "
                                     "printing. Solutions and answers are folded.")
    parser.add_argument("notebooks", nargs="*", type=Path, help="default: all lessons")
    parser.add_argument("--to", type=Path, default=Path("pages"), help="folder (default: %(default)s)")
    chosen = parser.parse_args(arguments)
    paths = lessons("nnlib pages without the name of a notebook", chosen.notebooks)
    chosen.to.mkdir(parents=True, exist_ok=True)
    for path in paths:
        html = chosen.to / f"{path.stem}.html"
        with files.replacing(html) as fresh:
            fresh.write_text(page(read(path), path.stem), "utf-8")
        print(html)
