"""`nnlib slides`: one slide deck per lesson, a single HTML file that needs no network, no server and no kernel.

reveal.js and MathJax come from npm when first needed. A deck shows the stored outputs of its lesson; only what steppers
need is run, so that they bring all their pictures. `--pdf` prints the decks, too.
"""

from __future__ import annotations

import copy
import os
import re
import sys
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

from nbclient.exceptions import CellExecutionError, DeadKernelError
from nbconvert import SlidesExporter
from nbformat.v4 import new_code_cell
from traitlets.config import Config

from nnlib.support import files
from nnlib.teaching import options
from nnlib.teaching.cells import is_note, linked, read, title, unfolded
from nnlib.teaching.checkout import lessons
from nnlib.teaching.chromium import ARGUMENTS, chromium
from nnlib.teaching.execution import IGNORED, canonical, started
from nnlib.teaching.filling import TEMPLATES
from nnlib.teaching.programs import call, npm
from nnlib.teaching.staging import staged

_FROM_NPM = {
    "reveal_css": ("reveal.js@5.2.1", "dist/reveal.css"),
    "reveal": ("reveal.js@5.2.1", "dist/reveal.js"),
    "notes": ("reveal.js@5.2.1", "plugin/notes/notes.js"),
    "mathjax": ("mathjax@3.2.2", "es5/tex-svg-full.js"),
}


def assets() -> dict[str, str]:
    """Return the scripts and styles that every deck contains; fetch reveal.js and MathJax where they are missing."""
    found = {name: npm(package, "A deck") / file for name, (package, file) in _FROM_NPM.items()}
    found |= {kind: TEMPLATES / "deck" / f"deck.{kind}" for kind in ("css", "js")}
    # A script must not contain its own end tag.
    return {
        name: file.read_text("utf-8").replace("</script", "<\\/script")
        for name, file in found.items()
    }


def deck(notebook: Any) -> str:
    """Return the HTML of a deck."""
    notebook = staged(copy.deepcopy(notebook))
    for cell in notebook.cells:
        if is_note(cell):
            cell.source = unfolded(cell)
    config = Config()
    config.CSSHTMLHeaderPreprocessor.style = "default"
    config.TemplateExporter.extra_template_basedirs = [str(TEMPLATES)]
    exporter = SlidesExporter(  # type: ignore[no-untyped-call]
        config=config, template_name="deck", exclude_input_prompt=True, exclude_output_prompt=True
    )
    resources = {"deck": {**assets(), "title": title(notebook)}}
    return linked(exporter.from_notebook_node(notebook, resources)[0])


def print_pdf(browser: str, html: Path) -> Path:
    """Print a deck, a page for each slide and one for what answers its question, tagged, with an outline."""
    pdf = html.with_suffix(".pdf")
    with files.replacing(pdf) as fresh:
        call(
            "A printed deck",
            *(browser, *ARGUMENTS, "--headless", "--no-pdf-header-footer"),
            "--generate-pdf-document-outline",
            "--virtual-time-budget=100000000",  # it passes at once when the page is ready
            f"--print-to-pdf={fresh}",
            f"{html.resolve().as_uri()}?print-pdf",
        )
    return pdf


def with_steppers(path: Path) -> Any:
    """Return the lesson as it is stored, but its steppers with all their pictures. SystemExit where one fails."""
    notebook = read(path)
    steppers = [cell for cell in notebook.cells if _stills(cell)]
    if not steppers:
        return notebook
    try:
        with started(copy.deepcopy(notebook), str(path.parent), NNLIB_DECK="1") as kernel:
            for cell in steppers:
                kernel.execute_cell(new_code_cell("%reset -f"), 0)
                drawn = _drawn(kernel, notebook.cells, notebook.cells.index(cell))
                if IGNORED not in cell.metadata.get("tags", []) and _stills(drawn) != _stills(cell):
                    raise SystemExit(
                        f"{path}: {cell.id} shows something else than is stored. Run the lesson and store it; "
                        "if that does not help, give the names that it uses to nothing else."
                    )
                cell.outputs = drawn.outputs
    except (CellExecutionError, DeadKernelError, TimeoutError) as error:
        raise SystemExit(f"{path} fails and gets no deck.\n{error}") from None
    return canonical(notebook)


def _stills(cell: Any) -> list[str]:
    """Return what a cell's steppers show where they stand still, in words."""
    texts = [output.get("data", {}).get("text/plain", "") for output in cell.get("outputs", [])]
    return [text for text in texts if text.startswith("Interactive figure")]


def _drawn(kernel: Any, cells: list[Any], at: int, missed: str = "") -> Any:
    """Run a cell; whatever name it misses, the last cell that makes it is run first."""
    try:
        return kernel.execute_cell(copy.deepcopy(cells[at]), at)
    except CellExecutionError as error:
        name = error.evalue.split("'")[1] if error.ename == "NameError" else ""
        makers = [k for k, cell in enumerate(cells[:at]) if _makes(cell, name)]
        if not makers or name == missed:
            raise
    _drawn(kernel, cells, makers[-1])
    return _drawn(kernel, cells, at, name)


def _makes(cell: Any, name: str) -> bool:
    """Return whether a code cell defines or imports the name, or may do so."""
    way = rf"^[^#=(\n]*\b{name}\b[^=(\n]*=(?!=)|\bdef {name}\(|\bimport (\*|.*\b{name}\b)"
    if cell.source.startswith("%%"):
        way = rf"\bvoid {name}\("
    return cell.cell_type == "code" and re.search(way, cell.source, re.MULTILINE) is not None


def main(arguments: list[str] | None = None) -> None:
    """Run the command `nnlib slides`: lessons side by side, each printed as it is done."""
    chosen = options.slides().parse_args(arguments)
    paths = lessons("nnlib slides without the name of a notebook", chosen.notebooks)
    browser = chromium() if chosen.pdf else ""
    if browser is None:
        raise SystemExit(
            "PDF is printed by Chromium or Chrome, and there is none in the PATH: install one."
        )
    chosen.to.mkdir(parents=True, exist_ok=True)
    assets()  # fetched once, before the lessons ask for them side by side
    with ThreadPoolExecutor(os.cpu_count()) as makers:
        # Later lessons take longer: begun first, none of them runs alone at the end.
        for done in makers.map(partial(_make, chosen.to, browser), reversed(paths)):
            print(*done, sep="\n", flush=True)


def _make(folder: Path, browser: str, path: Path) -> list[Path]:
    """Write the deck of one lesson, and print it if there is a browser; return what was written."""
    print(f"{path.stem}: drawing what moves", file=sys.stderr, flush=True)
    html = folder / f"{path.stem}.html"
    with files.replacing(html) as fresh:
        fresh.write_text(deck(with_steppers(path)), "utf-8")
    return [html, print_pdf(browser, html)] if browser else [html]
