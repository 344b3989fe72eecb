"""One HTML page per lesson, for reading and printing: solutions and answers are folded, long lines break.

    python -m tests.notebooks.page [notebooks ...]       writes pages/
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

from nbconvert import HTMLExporter
from nbformat import read
from traitlets.config import Config

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]


def page(notebook, title: str) -> str:
    """The HTML of a lesson. Pages lie beside each other, so links to notebooks become links to pages."""
    config = Config()
    config.TemplateExporter.extra_template_basedirs = [str(HERE)]
    exporter = HTMLExporter(config=config, template_name="page")
    html, _ = exporter.from_notebook_node(notebook, resources={"metadata": {"name": title}})
    return re.sub(r'(<a href="[^":]+)\.ipynb(["#])', r"\1.html\2", html)


def main(paths: list[str]) -> None:
    target = ROOT / "pages"
    target.mkdir(exist_ok=True)
    for path in map(Path, paths or sorted(map(str, (ROOT / "notebooks").glob("[0-9]*.ipynb")))):
        (target / f"{path.stem}.html").write_text(page(read(path, 4), path.stem), "utf-8")
        print(target / f"{path.stem}.html")


if __name__ == "__main__":
    main(sys.argv[1:])
