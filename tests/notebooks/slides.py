"""One slide deck per lesson: a single HTML file that needs no network, no server and no kernel.

    python -m tests.notebooks.slides [--pdf] [--stored] [notebooks ...]       writes slides/

reveal.js and MathJax come from npm into build/deck when first needed. Lessons are run, so that steppers
bring all their pictures; `--stored` takes the stored outputs instead. `--pdf` prints the decks, too.
"""

from __future__ import annotations

import argparse
import contextlib
import copy
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from nbconvert import SlidesExporter
from nbformat import read
from traitlets.config import Config

from .authoring import unfolded
from .execute import canonical, run

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
BUILD = ROOT / "build" / "deck"
PACKAGES = ["reveal.js@5.2.1", "mathjax@3.2.2"]
CHROMIUM_ARGUMENTS = ["--no-sandbox", "--disable-gpu"]


def assets() -> dict[str, str]:
    """The texts every deck contains; installs reveal.js and MathJax where they are missing."""
    modules = BUILD / "node_modules"
    files = {
        "reveal_css": modules / "reveal.js/dist/reveal.css",
        "reveal": modules / "reveal.js/dist/reveal.js",
        "notes": modules / "reveal.js/plugin/notes/notes.js",
        "mathjax": modules / "mathjax/es5/tex-svg-full.js",
        "css": HERE / "deck/deck.css",
        "js": HERE / "deck/deck.js",
    }
    if not all(file.exists() for file in files.values()):
        npm = shutil.which("npm")
        if npm is None:
            raise SystemExit("slides need npm (https://nodejs.org) once, to fetch reveal.js and MathJax")
        BUILD.mkdir(parents=True, exist_ok=True)
        subprocess.run([npm, "install", "--no-audit", "--no-fund", "--prefix", str(BUILD), *PACKAGES], check=True)
    # A script must not contain its own end tag.
    return {name: file.read_text("utf-8").replace("</script", "<\\/script") for name, file in files.items()}


def deck(notebook, title: str) -> str:
    """The HTML of a deck."""
    notebook = copy.deepcopy(notebook)
    for cell in notebook.cells:
        if cell.metadata.get("slideshow", {}).get("slide_type") == "notes":
            cell.source = unfolded(cell)
    config = Config()
    config.TemplateExporter.extra_template_basedirs = [str(HERE)]
    config.TagRemovePreprocessor.enabled = True
    config.TagRemovePreprocessor.remove_input_tags = {"hide-input"}
    config.CSSHTMLHeaderPreprocessor.style = "default"
    exporter = SlidesExporter(config=config, template_name="deck", exclude_input_prompt=True,
                              exclude_output_prompt=True)
    html, _ = exporter.from_notebook_node(notebook, resources={"deck": {**assets(), "title": title}})
    return re.sub(r'(<a href="[^":]+)\.ipynb(["#])', r"\1.html\2", html)  # decks lie beside each other


def print_pdf(browser: Any, html: Path) -> Path:
    """Print a deck to PDF beside it, one page per slide, tagged for screen readers, with an outline."""
    page = browser.new_page(viewport={"width": 1240, "height": 700})
    page.goto(html.resolve().as_uri() + "?print-pdf")
    page.wait_for_selector("html[data-ready]", state="attached")
    page.wait_for_selector(".pdf-page", state="attached")
    # reveal.js hides all slides but the present one from screen readers, and what is hidden has no tags.
    page.evaluate("""for (const slide of document.querySelectorAll('.slides section'))
        for (const name of ['aria-hidden', 'hidden']) slide.removeAttribute(name)""")
    pdf = html.with_suffix(".pdf")
    page.pdf(path=str(pdf), prefer_css_page_size=True, print_background=True, tagged=True, outline=True)
    page.close()
    return pdf


@contextlib.contextmanager
def chromium_browser() -> Iterator[Any]:
    """A Chromium or Chrome without a window."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=CHROMIUM_ARGUMENTS)
        yield browser
        browser.close()


def chromium() -> str | None:
    """The path of a Chromium or Chrome, or None."""
    return next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome", "chrome"))), None)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("notebooks", nargs="*", type=Path)
    parser.add_argument("--pdf", action="store_true", help="print the decks to PDF as well")
    parser.add_argument("--stored", action="store_true", help="do not run the lessons; steppers stand still then")
    arguments = parser.parse_args()
    target = ROOT / "slides"
    target.mkdir(exist_ok=True)
    decks = []
    for path in arguments.notebooks or sorted((ROOT / "notebooks").glob("[0-9]*.ipynb")):
        notebook = read(path, 4)
        title = re.sub(r"^#+ *", "", notebook.cells[0].source.split("\n")[0])
        if not arguments.stored:
            notebook = canonical(run(notebook, str(path.parent), {"NNLIB_DECK": "1"}))
        html = target / f"{path.stem}.html"
        html.write_text(deck(notebook, title), "utf-8")
        print(html)
        decks.append(html)
    if arguments.pdf:
        with chromium_browser() as browser:
            for html in decks:
                print(print_pdf(browser, html))


if __name__ == "__main__":
    main()
