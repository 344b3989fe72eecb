"""`nnlib slides`: one slide deck per lesson, a single HTML file that needs no network, no server and no kernel.

reveal.js and MathJax come from npm when first needed. Lessons are run, so that steppers bring all their pictures;
`--stored` takes the stored outputs instead. `--pdf` prints the decks, too.
"""

from __future__ import annotations

import copy
import os
import sys
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from typing import Any

from nbclient.exceptions import CellExecutionError, DeadKernelError
from nbconvert import SlidesExporter
from traitlets.config import Config

from nnlib.support import files
from nnlib.teaching import options
from nnlib.teaching.cells import is_note, linked, read, title, unfolded
from nnlib.teaching.checkout import lessons
from nnlib.teaching.chromium import ARGUMENTS, chromium
from nnlib.teaching.execution import canonical, run
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
    """Print a deck, one page per slide, tagged for screen readers, with an outline."""
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


def executed(path: Path) -> Any:
    """Return the lesson with the outputs of this machine. SystemExit where a cell fails."""
    try:
        return canonical(run(read(path), str(path.parent), {"NNLIB_DECK": "1"}))
    except (CellExecutionError, DeadKernelError, TimeoutError) as error:
        raise SystemExit(
            f"{path} fails and gets no deck. Repair it, or take the stored outputs with --stored.\n"
            f"{error}"
        ) from None


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
        running = [
            makers.submit(_make, path, chosen.to, chosen.stored, browser)
            for path in reversed(paths)
        ]
        try:
            for done in as_completed(running):
                print(*done.result(), sep="\n", flush=True)
        finally:
            makers.shutdown(wait=False, cancel_futures=True)


def _make(path: Path, folder: Path, stored: bool, browser: str) -> list[Path]:
    """Write the deck of one lesson, and print it if there is a browser; return what was written."""
    print(f"{path.stem}: {'reading' if stored else 'running'}", file=sys.stderr, flush=True)
    html = folder / f"{path.stem}.html"
    with files.replacing(html) as fresh:
        fresh.write_text(deck(read(path) if stored else executed(path)), "utf-8")
    return [html, print_pdf(browser, html)] if browser else [html]
